// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ports that go to the boot loader: a stored kernel becomes an entry (its modules and
 * initrd are install.c's), the entry is armed, and in the end everything of the job is
 * taken away again.
 */
#include "orchestrator/work/ports_machine_boot.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "boot/boot_options.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/install.h"
#include "orchestrator/work/install_modules.h"
#include "orchestrator/work/kernel_store.h"

static void cleanup_loader(struct boot_loader **loader)
{
	boot_loader_free(*loader);
}

static void cleanup_ids(char ***ids)
{
	for (size_t i = 0; *ids && (*ids)[i]; i++)
		free((*ids)[i]);
	free(*ids);
}

static int machine_find_loader(const struct ports_machine *machine, struct boot_loader **ret_loader,
			       struct error *err)
{
	const struct boot_paths paths = { .root = machine->root, .loader = machine->boot_loader };

	return boot_loader_find(&paths, ret_loader, err);
}

void ports_machine_entry_id(const struct run_state *state, int point, char ret_id[BOOT_ENTRY_SIZE])
{
	_cleanup_free_ char *stem = text_format(BOOT_ENTRY_PREFIX "%" PRId64 "-", state->job_id);
	const char *name = state->job.points[point].name;
	/* The longest suffix, "-p127", must fit behind a name that was cut. */
	size_t stem_length = strlen(stem), room = BOOT_ENTRY_SIZE - stem_length - 6;
	bool is_changed = *name == '\0';
	size_t n = 0;

	memcpy(ret_id, stem, stem_length);
	for (; n < room && name[n]; n++) {
		char c = name[n];
		/* Upper case would be a fault for systemd-boot, and one id with the lower on FAT. */
		bool is_good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';

		ret_id[stem_length + n] = is_good ? c : '-';
		is_changed |= !is_good;
	}
	is_changed |= name[n] != '\0';
	ret_id[stem_length + n] = '\0';
	if (is_changed) { /* two names may have become one */
		_cleanup_free_ char *suffix = text_format("-p%d", point);

		memcpy(ret_id + stem_length + n, suffix, strlen(suffix) + 1);
	}
}

int64_t ports_machine_entry_job(const char *id)
{
	_cleanup_free_ char *number = NULL;
	int64_t job;

	if (!text_has_prefix(id, BOOT_ENTRY_PREFIX))
		return 0;
	number = text_duplicate(id + strlen(BOOT_ENTRY_PREFIX));
	number[strspn(number, "0123456789")] = '\0';
	return text_parse_i64(number, 1, INT64_MAX, &job) == 0 ? job : 0;
}

/*
 * What the default entry has, then what the job adds, then what makes a dead kernel
 * reboot: the last one of each wins, and nothing in a job may take that away.
 */
static char *machine_options(const struct ports_machine *machine, const struct run_state *state,
			     int point, const char *defaults, const char *entry_id)
{
	_cleanup_free_ char *watchdog = text_format("%s/dev/watchdog", machine->root);
	char *with_job = boot_options_join(defaults, state->job.boot.cmdline);
	_cleanup_free_ char *tests = boot_test_options(entry_id), *all = NULL, *preempt = NULL;
	const struct job_changes *changes = &state->job.points[point].changes;
	const char *model = state->job.boot.preempt;

	for (size_t i = 0; i < changes->n; i++) {
		_cleanup_free_ char *before = NULL;

		if (changes->items[i].kind != JOB_CHANGE_CMDLINE)
			continue;
		before = with_job;
		with_job = boot_options_join(before, changes->items[i].what);
	}
	if (strcmp(model, "auto") != 0) {
		preempt = text_format("preempt=%s", model);
		all = boot_options_join(with_job, preempt);
		free(with_job);
	} else {
		all = with_job;
	}
	if (file_exists(watchdog)) {
		_cleanup_free_ char *before = all;

		all = boot_options_join(before, "systemd.watchdog_sec=60");
	}
	return boot_options_join(all, tests);
}

static int machine_install_entry(struct boot_loader *loader, const struct run_state *state,
				 int point, const char *options, const char *image,
				 const char *initrd, struct error *err)
{
	_cleanup_free_ char *owner = text_format("job %" PRId64, state->job_id);
	_cleanup_free_ char *title = text_format("Abbot: %s of %s", state->job.points[point].name, owner);
	char id[BOOT_ENTRY_SIZE];
	const struct boot_entry entry = { .id = id, .kernel_path = image, .initrd_path = initrd,
					  .title = title, .options = options, .owner = owner };

	ports_machine_entry_id(state, point, id);
	return loader->operations->install_entry(loader, &entry, err);
}

static int machine_entry_options(const struct ports_machine *machine, struct boot_loader *loader,
				 const struct run_state *state, int point, char **ret_options,
				 struct error *err)
{
	_cleanup_free_ char *defaults = NULL;
	char id[BOOT_ENTRY_SIZE];
	int r = loader->operations->default_options(loader, &defaults, err);

	if (r < 0)
		return r;
	ports_machine_entry_id(state, point, id);
	*ret_options = machine_options(machine, state, point, defaults, id);
	return 0;
}

/* Kernel, modules and initrd of a point whose kernel is @meta; *ret_result is the event's. */
static int machine_install_kernel(const struct ports_machine *machine, struct boot_loader *loader,
				  const struct run_state *state, int point, const json_t *meta,
				  json_t **ret_result, struct error *err)
{
	const char *key = state->points[point].kernel_key;
	const char *file = json_string_value(json_object_get(meta, "image"));
	_cleanup_free_ char *image = file ? kernel_store_path(machine->state_directory, key, file) : NULL;
	_cleanup_free_ char *options = NULL, *initrd = NULL;
	_cleanup_json_ json_t *note = NULL;
	struct install install = { .root = machine->root, .state_directory = machine->state_directory,
				   .key = key, .meta = meta, .job = state->job_id };
	char id[BOOT_ENTRY_SIZE];
	int r;

	if (!image)
		return error_set(err, -EBADMSG, "The stored kernel %s names no image: remove its directory under %s/kernels.",
				 key, machine->state_directory);
	r = machine_entry_options(machine, loader, state, point, &options, err);
	if (r < 0)
		return r;
	install.options = options;
	r = install_prepare(&install, &initrd, &note, err);
	if (r == 0)
		r = machine_install_entry(loader, state, point, options, image, initrd, err);
	install_finish(&install);
	if (r < 0)
		return r;
	ports_machine_entry_id(state, point, id);
	(void)json_array_insert_new(json_object_get(note, "paths"), 0, json_string(image));
	(void)json_object_set_new(note, "entry", json_string(id));
	(void)json_object_set(note, "build_id", json_object_get(meta, "build_id"));
	*ret_result = TAKE_PTR(note);
	return 0;
}

int machine_install(void *context, const struct run_state *state, int point, json_t **ret_result,
		    struct error *err)
{
	const struct ports_machine *machine = context;
	_cleanup_(cleanup_loader) struct boot_loader *loader = NULL;
	_cleanup_json_ json_t *meta = NULL;
	int r;

	r = machine_find_loader(machine, &loader, err);
	if (r < 0)
		return r;
	r = kernel_store_find(machine->state_directory, state->points[point].kernel_key, &meta, err);
	if (r < 0)
		return r;
	return machine_install_kernel(machine, loader, state, point, meta, ret_result, err);
}

int machine_arm(void *context, const char *entry, const char *token, json_t **ret_result,
		struct error *err)
{
	_cleanup_(cleanup_loader) struct boot_loader *loader = NULL;
	int r;

	r = machine_find_loader(context, &loader, err);
	if (r < 0)
		return r;
	r = loader->operations->arm_once(loader, entry, token, err);
	if (r < 0)
		return r;
	*ret_result = json_pack("{s:s, s:s}", "entry", entry, "token", token);
	return *ret_result ? 0 : error_set(err, -ENOMEM, "Out of memory.");
}

int machine_disarm(void *context, struct error *err)
{
	_cleanup_(cleanup_loader) struct boot_loader *loader = NULL;
	int r;

	r = machine_find_loader(context, &loader, err);
	if (r == -ENODEV) /* no loader that could be armed */
		return 0;
	return r < 0 ? r : loader->operations->disarm(loader, err);
}

/* Goes on after a failure: as much as possible is taken away, the first error is told. */
static int machine_remove_all(struct boot_loader *loader, char *const *ids, const char *prefix,
			      json_t *removed, struct error *err)
{
	int result = 0;

	for (size_t i = 0; ids[i]; i++) {
		int r;

		if (!text_has_prefix(ids[i], prefix))
			continue;
		r = loader->operations->remove_entry(loader, ids[i], result < 0 ? NULL : err);
		if (r < 0)
			result = result < 0 ? result : r;
		else
			(void)json_array_append_new(removed, json_string(ids[i]));
	}
	return result;
}

/* -ENODEV: no loader, so no entry can have been installed. */
static int machine_remove_job_entries(const struct ports_machine *machine, int64_t job,
				      json_t *removed, struct error *err)
{
	_cleanup_free_ char *prefix = text_format(BOOT_ENTRY_PREFIX "%" PRId64 "-", job);
	_cleanup_(cleanup_loader) struct boot_loader *loader = NULL;
	_cleanup_(cleanup_ids) char **ids = NULL;
	int r = machine_find_loader(machine, &loader, err);

	if (r < 0)
		return r;
	r = loader->operations->list_entries(loader, &ids, err);
	return r < 0 ? r : machine_remove_all(loader, ids, prefix, removed, err);
}

/* Entries first: none must name a kernel whose modules are gone. */
int machine_remove_entries(void *context, const struct run_state *state, json_t **ret_result,
			   struct error *err)
{
	const struct ports_machine *machine = context;
	_cleanup_json_ json_t *removed = json_array();
	int r = machine_remove_job_entries(machine, state->job_id, removed, err);

	if (r == 0 || r == -ENODEV)
		r = install_modules_drop_job(machine->root, state->job_id, err);
	if (r < 0)
		return r;
	*ret_result = json_pack("{s:O}", "removed", removed);
	return *ret_result ? 0 : error_set(err, -ENOMEM, "Out of memory.");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What of Abbot's is on the machine and belongs to no job that could take it away: jobs
 * that ended with the machine out of reach, or whose store was lost.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "boot/boot_loader.h"
#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/install_modules.h"
#include "orchestrator/work/kernel_use.h"
#include "orchestrator/work/ports_machine.h"

static bool is_open(const struct kernel_use *use, int64_t job)
{
	for (size_t i = 0; i < use->n_open_jobs; i++)
		if (use->open_jobs[i] == job)
			return true;
	return false;
}

static void say(json_t *orphans, char *sentence)
{
	(void)json_array_append_new(orphans, json_string(sentence));
	free(sentence);
}

static int remove_entry(const struct service *service, const char *id, struct error *err)
{
	const struct boot_paths paths = { .root = service->root };
	struct boot_loader *loader = NULL;
	int r = boot_loader_find(&paths, &loader, err);

	if (r < 0)
		return r;
	r = loader->operations->remove_entry(loader, id, err);
	boot_loader_free(loader);
	return r;
}

static int find_entries(const struct service *service, const struct kernel_use *use, bool removes,
			json_t *orphans, struct error *err)
{
	int result = 0;

	for (size_t i = 0; use->entries && use->entries[i]; i++) {
		int64_t job = ports_machine_entry_job(use->entries[i]);
		int r;

		if (job == 0 || is_open(use, job))
			continue;
		r = removes ? remove_entry(service, use->entries[i], result < 0 ? NULL : err) : 0;
		if (r == 0)
			say(orphans, text_format("boot entry %s: job %" PRId64 " needs it no more",
						 use->entries[i], job));
		result = result < 0 ? result : r;
	}
	return result;
}

/* The jobs of one directory, each by itself: another may still need it. */
static int find_release(const struct service *service, const struct kernel_use *use,
			const char *release, bool removes, json_t *orphans, struct error *err)
{
	_cleanup_(install_mark_done) struct install_mark mark = { 0 };
	int r = install_mark_read(service->root, release, &mark, err);

	for (size_t i = 0; i < mark.n_jobs && r >= 0; i++) {
		if (is_open(use, mark.jobs[i]))
			continue;
		r = removes ? install_modules_drop(service->root, release, mark.jobs[i], err) : 0;
		if (r >= 0)
			say(orphans, text_format("/lib/modules/%s: job %" PRId64 " needs it no more",
						 release, mark.jobs[i]));
	}
	return r < 0 ? r : 0;
}

json_t *kernel_use_orphans(const struct service *service, const struct kernel_use *use,
			   bool removes, int *ret_status, struct error *err)
{
	json_t *orphans = json_array();
	int result = find_entries(service, use, removes, orphans, err);

	for (size_t i = 0; use->releases && use->releases[i]; i++) {
		int r = find_release(service, use, use->releases[i], removes, orphans,
				     result < 0 ? NULL : err);

		result = result < 0 ? result : r;
	}
	*ret_status = result;
	return orphans;
}

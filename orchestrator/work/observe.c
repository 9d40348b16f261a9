// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at this machine: boot id, kernel, token, one-shot, is it up, is it held. What
 * that means is for queue/plan.c.
 */
#include "orchestrator/work/observe.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "boot/boot_options.h"
#include "boot/kernel_id.h"
#include "boot/system_bus.h"
#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/printable.h"
#include "common/text.h"

#define OBSERVE_MAX_BYTES (64UL * 1024)
#define OBSERVE_NOTES_MAX_BYTES (1024UL * 1024)
#define OBSERVE_BUS_TIMEOUT_US (5 * 1000000ULL)

static void cleanup_loader(struct boot_loader **loader)
{
	boot_loader_free(*loader);
}

static int observe_read(const struct boot_paths *paths, const char *path, size_t max_bytes,
			char **ret_data, size_t *ret_size, struct error *err)
{
	_cleanup_free_ char *full = text_format("%s%s", paths->root, path);

	return file_read(full, max_bytes, ret_data, ret_size, err);
}

/* Cut to fit; these texts are compared or shown, never parsed. */
static void observe_copy(char *to, size_t size, const char *from)
{
	size_t length = strlen(from);

	if (length >= size)
		length = size - 1;
	memcpy(to, from, length);
	to[length] = '\0';
	/* A kernel under test says of itself what it likes. */
	printable_clean(to, false);
}

static int observe_boot_id(const struct boot_paths *paths, struct observation *observation,
			   struct error *err)
{
	_cleanup_free_ char *data = NULL;
	const char *id;
	int r;

	r = observe_read(paths, "/proc/sys/kernel/random/boot_id", 128, &data, NULL, err);
	if (r < 0)
		return r;
	id = text_strip(data);
	if (strlen(id) != sizeof(observation->boot_id) - 1)
		return error_set(err, -EBADMSG, "/proc/sys/kernel/random/boot_id holds no boot id.");
	observe_copy(observation->boot_id, sizeof(observation->boot_id), id);
	return 0;
}

static int observe_cmdline(const struct boot_paths *paths, struct observation *observation,
			   struct error *err)
{
	_cleanup_free_ char *cmdline = NULL, *hold = text_format("%s/etc/abbot/hold", paths->root);
	int r;

	r = observe_read(paths, "/proc/cmdline", OBSERVE_MAX_BYTES, &cmdline, NULL, err);
	if (r < 0)
		return r;
	observe_copy(observation->cmdline, sizeof(observation->cmdline), text_strip(cmdline));
	(void)boot_options_get(cmdline, "abbot.token", observation->token, sizeof(observation->token));
	observation->is_held = boot_options_has(cmdline, "abbot.hold") || file_exists(hold);
	return 0;
}

static void observe_kernel(const struct boot_paths *paths, struct observation *observation)
{
	_cleanup_free_ char *notes = NULL;
	struct utsname name;
	size_t size = 0;

	/* No build id leaves it empty, and an empty one is never taken for the expected one. */
	if (observe_read(paths, "/sys/kernel/notes", OBSERVE_NOTES_MAX_BYTES, &notes, &size, NULL) == 0)
		(void)kernel_id_from_notes(notes, size, observation->build_id, NULL);
	if (uname(&name) < 0)
		return;
	observe_copy(observation->release, sizeof(observation->release), name.release);
	observe_copy(observation->version, sizeof(observation->version), name.version);
}

static void observe_time(struct observation *observation)
{
	struct timespec now = { 0 }, up = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)clock_gettime(CLOCK_BOOTTIME, &up);
	observation->now_s = now.tv_sec;
	observation->uptime_s = up.tv_sec;
}

/* Boot is over when systemd's queue of jobs is empty; "degraded" is up, too. */
static bool observe_is_ready(const struct boot_paths *paths)
{
	_cleanup_free_ char *marker = text_format("%s/run/systemd/system", paths->root);
	_cleanup_(system_bus_close) sd_bus *bus = NULL;
	uint32_t n_jobs = 0;

	if (!file_exists(marker)) /* no systemd: nothing that could still be starting */
		return true;
	if (system_bus_open(OBSERVE_BUS_TIMEOUT_US, &bus) < 0)
		return false;
	if (sd_bus_get_property_trivial(bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
					"org.freedesktop.systemd1.Manager", "NJobs", NULL, 'u',
					&n_jobs) < 0)
		return false;
	return n_jobs == 0;
}

static int observe_one_shot(const struct boot_paths *paths, struct observation *observation,
			    const char **ret_loader, struct error *err)
{
	_cleanup_(cleanup_loader) struct boot_loader *loader = NULL;
	struct boot_one_shot one_shot = { 0 };
	int r;

	*ret_loader = "none";
	r = boot_loader_find(paths, &loader, err);
	if (r == -ENODEV || r == -EOPNOTSUPP) /* none, or one that would not obey: not armed */
		return 0;
	if (r < 0)
		return r;
	*ret_loader = loader->operations->name;
	r = loader->operations->read_armed(loader, &one_shot, err);
	if (r < 0)
		return r;
	observation->is_armed = one_shot.is_armed;
	observe_copy(observation->armed_entry, sizeof(observation->armed_entry), one_shot.entry);
	observe_copy(observation->armed_token, sizeof(observation->armed_token), one_shot.token);
	return 0;
}

/* A state directory that was copied to another machine must not go on rebooting that one. */
static void observe_machine_id(const struct boot_paths *paths, const char *loader,
			       struct observation *observation)
{
	_cleanup_free_ char *id = NULL;
	struct digest *digest;

	if (observe_read(paths, "/etc/machine-id", 128, &id, NULL, NULL) < 0)
		return;
	digest = digest_new();
	if (!digest)
		return;
	digest_add_text(digest, "abbot");
	digest_add_text(digest, text_strip(id));
	digest_add_text(digest, loader);
	digest_finish(digest, observation->machine);
}

int observe_machine(const struct boot_paths *paths, struct observation *ret_observation,
		    struct error *err)
{
	struct observation observation = { 0 };
	const char *loader;
	int r;

	observe_time(&observation);
	observe_kernel(paths, &observation);
	r = observe_boot_id(paths, &observation, err);
	if (r < 0)
		return r;
	r = observe_cmdline(paths, &observation, err);
	if (r < 0)
		return r;
	r = observe_one_shot(paths, &observation, &loader, err);
	if (r < 0)
		return r;
	observe_machine_id(paths, loader, &observation);
	observation.is_system_ready = observe_is_ready(paths);
	*ret_observation = observation;
	return 0;
}

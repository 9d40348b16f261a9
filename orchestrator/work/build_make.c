// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs make with fixed metadata, incrementally, with progress, and sees to it that
 * a killed build's half-written objects are never linked. Results are build.c's.
 */
#include "orchestrator/work/build_make.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/progress.h"
#include "common/text.h"
#include "orchestrator/work/build_log.h"
#include "orchestrator/work/kernel_key.h"

#define MAKE_TIMEOUT_MS (12ULL * 3600 * 1000)

struct tick {
	struct progress progress;
	const char *log;
	double expected_s;
	bool shows_progress;
	const struct build_site *site;
	bool is_disk_full;
};

static void make_tick(void *context, uint64_t elapsed_ms)
{
	struct tick *tick = context;
	_cleanup_free_ char *line = build_log_tail(tick->log, 1);
	double fraction = -1;

	if (!tick->shows_progress)
		return;
	if (tick->expected_s > 0) {
		/* Beyond its estimate only the elapsed time is true. */
		fraction = (double)elapsed_ms / 1000 / tick->expected_s;
		if (fraction > 1)
			fraction = -1;
	}
	if (strlen(line) > 60)
		line[60] = '\0';
	progress_update(&tick->progress, fraction, text_strip(line));
}

/* A tree's Makefile that writes without end would take the store's space as well. */
static bool make_is_enough(void *context)
{
	struct tick *tick = context;
	long long available = file_free_bytes(tick->site->objects);

	tick->is_disk_full |= available >= 0 && available < tick->site->reserved_bytes;
	return tick->is_disk_full;
}

/*
 * The marker of a build that did not come to its end (killed, or the power failed): a
 * truncated object can be newer than its source, and make would link it.
 */
static int objects_prepare(const struct build_site *site, struct error *err)
{
	int r;

	if (file_exists(site->marker)) {
		r = file_remove_tree(site->objects, err);
		if (r < 0)
			return r;
		r = file_make_directories(site->objects, 0755, err);
		if (r == 0 && site->change_user && lchown(site->objects, site->uid, site->gid) < 0)
			r = error_set_errno(err, -errno, "%s cannot be given to " BUILD_USER, site->objects);
		return r;
	}
	return file_write_durable(site->marker, "", 0, 0644, err);
}

static int objects_keep(const struct build_site *site, struct error *err)
{
	_cleanup_close_ int fd = open(site->objects, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || syncfs(fd) < 0)
		return error_set_errno(err, -errno, "%s cannot be flushed to the disk", site->objects);
	if (unlink(site->marker) < 0)
		return error_set_errno(err, -errno, "%s cannot be removed", site->marker);
	return file_sync_directory(site->directory, err);
}

/* Only when it differs: what depends on .config need not be made again. */
static int config_put(const struct build_site *site, const char *config, bool *ret_was_there,
		      struct error *err)
{
	_cleanup_free_ char *path = path_join(site->objects, ".config");
	const char *const argv[] = { "cmp", "-s", "--", config, path, NULL };
	struct subprocess_options options = { .argv = argv, .timeout_ms = 60000 };
	struct subprocess_result result = { 0 };
	int r;

	*ret_was_there = file_exists(path);
	r = build_site_run(site, &options, &result, err);
	if (r == 0 && result.exit_status != 0)
		r = build_site_put(site, config, path, err);
	subprocess_result_done(&result);
	return r;
}

#define WORDS_MAX 24

static int make_start(const struct build_site *site, const struct build_make *make,
		      const char *const *targets, int log_fd, struct tick *tick,
		      struct subprocess_result *ret_result, struct error *err)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	_cleanup_free_ char *objects = text_format("O=%s", site->objects);
	_cleanup_free_ char *version = text_format("LOCALVERSION=%s", make->local_version);
	_cleanup_free_ char *jobs = text_format("-j%lld", make->jobs > 0 ? (long long)make->jobs :
						processors > 0 ? (long long)processors : 1LL);
	/* The metadata are variables as well as environment: a tree's Makefile must not win. */
	const char *argv[WORDS_MAX] = {
		"make", "-C", site->source, objects, jobs, build_site_cc(site), version,
		"KCFLAGS=" KERNEL_KEY_KCFLAGS, "KBUILD_BUILD_TIMESTAMP=" KERNEL_KEY_TIMESTAMP,
		"KBUILD_BUILD_USER=" KERNEL_KEY_USER, "KBUILD_BUILD_HOST=" KERNEL_KEY_HOST,
		"KBUILD_BUILD_VERSION=" KERNEL_KEY_VERSION, NULL,
	};
	struct subprocess_options options = {
		.argv = argv,
		.directory = site->objects,
		.output_fd = log_fd,
		.timeout_ms = MAKE_TIMEOUT_MS,
		.tick = make_tick,
		.tick_context = tick,
		.is_enough = make_is_enough,
	};
	size_t n = 0;

	while (argv[n])
		n++;
	for (size_t i = 0; targets[i] && n + 1 < WORDS_MAX; i++)
		argv[n++] = targets[i];
	for (size_t i = 0; argv[i]; i++)
		(void)dprintf(log_fd, strchr(argv[i], ' ') ? "'%s' " : "%s ", argv[i]);
	(void)dprintf(log_fd, "\n");
	return build_site_run(site, &options, ret_result, err);
}

static int log_open(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
}

int build_make_run(const struct build_site *site, const struct build_make *make,
		   struct build_made *ret_made, struct error *err)
{
	_cleanup_close_ int log_fd = log_open(make->log);
	/* vmlinux is named too, because its build id identifies the kernel. */
	const char *const targets[] = { "vmlinux", "bzImage", make->has_modules ? "modules" : NULL,
					NULL };
	struct tick tick = { .log = make->log, .shows_progress = make->shows_progress, .site = site };
	struct build_made made = { 0 };
	struct subprocess_result result = { 0 };
	int r;

	if (log_fd < 0)
		return error_set_errno(err, -errno, "%s cannot be made", make->log);
	r = objects_prepare(site, err);
	if (r == 0)
		r = config_put(site, make->config, &made.is_incremental, err);
	if (r < 0)
		return r;
	/* What the caller expects is a whole build. */
	tick.expected_s = made.is_incremental ? 0 : make->expected_s;
	if (make->shows_progress)
		progress_start(&tick.progress, make->what, tick.expected_s);
	r = make_start(site, make, targets, log_fd, &tick, &result, err);
	if (make->shows_progress)
		progress_finish(&tick.progress, r == 0 && result.exit_status == 0 ? "done" : "failed");
	made.exit_status = result.exit_status;
	made.timed_out = result.timed_out;
	made.was_disk_full = tick.is_disk_full;
	made.cpu_time_ms = result.cpu_time_ms;
	made.wall_time_ms = result.wall_time_ms;
	subprocess_result_done(&result);
	/* A make that was killed keeps its marker. */
	if (r == 0 && made.exit_status >= 0 && !made.timed_out)
		r = objects_keep(site, err);
	if (r == 0)
		*ret_made = made;
	return r;
}

int build_make_install_modules(const struct build_site *site, const struct build_make *make,
			       const char *directory, struct build_made *made, struct error *err)
{
	_cleanup_close_ int log_fd = log_open(make->log);
	_cleanup_free_ char *path = text_format("INSTALL_MOD_PATH=%s", directory);
	/* depmod is run where the modules are used; debug info is of no use there. */
	const char *const targets[] = { "modules_install", path, "INSTALL_MOD_STRIP=1",
					"DEPMOD=true", NULL };
	struct tick tick = { .log = make->log, .shows_progress = make->shows_progress, .site = site };
	struct subprocess_result result = { 0 };
	int r;

	if (log_fd < 0)
		return error_set_errno(err, -errno, "%s cannot be opened", make->log);
	r = file_remove_tree(directory, err);
	if (r == 0)
		r = build_site_own_directory(site, directory, err);
	if (r < 0)
		return r;
	if (make->shows_progress)
		progress_start(&tick.progress, "installing modules", 0);
	r = make_start(site, make, targets, log_fd, &tick, &result, err);
	if (make->shows_progress)
		progress_finish(&tick.progress, r == 0 && result.exit_status == 0 ? "done" : "failed");
	made->exit_status = result.exit_status;
	made->timed_out = result.timed_out;
	made->was_disk_full = tick.is_disk_full;
	made->cpu_time_ms += result.cpu_time_ms;
	made->wall_time_ms += result.wall_time_ms;
	subprocess_result_done(&result);
	return r;
}

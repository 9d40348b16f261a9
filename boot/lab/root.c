// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the lab's root file system once and keeps it: debootstrap into a directory,
 * recipe applied, one ext4 image that appears by rename when it is complete. It holds
 * no kernel and none of our programs: those are put into each run's copy (inject.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "boot/lab/lab.h"
#include "boot/lab/recipe.h"
#include "boot/lab/tools.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/progress.h"
#include "common/subprocess.h"
#include "common/text.h"

#define DEBOOTSTRAP_EXPECTED_S 90.0
#define DEBOOTSTRAP_TIMEOUT_MS (30 * 60 * 1000)

struct debootstrap_progress {
	struct progress progress;
	bool is_shown;
};

static void debootstrap_tick(void *context, uint64_t elapsed_ms)
{
	struct debootstrap_progress *shown = context;

	if (shown->is_shown)
		progress_update(&shown->progress,
				(double)elapsed_ms / 1000.0 / DEBOOTSTRAP_EXPECTED_S, NULL);
}

static int run_debootstrap(const char *directory, bool shows_progress, struct error *err)
{
	_cleanup_free_ char *program = lab_tool_find("debootstrap");
	_cleanup_free_ char *include = text_format("--include=%s", lab_recipe.packages);
	const char *mirror = getenv("ABBOT_LAB_MIRROR");
	struct debootstrap_progress shown = {.is_shown = shows_progress};
	const char *argv[] = {program, "--variant=minbase", include, lab_recipe.suite, directory,
			      mirror && *mirror ? mirror : lab_recipe.mirror, NULL};
	struct subprocess_options options = {
		.argv = argv,
		.merge_stderr = true,
		.timeout_ms = DEBOOTSTRAP_TIMEOUT_MS,
		.tick = debootstrap_tick,
		.tick_context = &shown,
	};
	struct subprocess_result result = {0};

	if (!program)
		return error_set(err, -ENOENT, "debootstrap is not installed");
	if (shows_progress)
		progress_start(&shown.progress, "making the lab's Debian", DEBOOTSTRAP_EXPECTED_S);
	int status = subprocess_check(&options, &result, err);

	if (shows_progress)
		progress_finish(&shown.progress, status < 0 ? "failed" : "done");
	subprocess_result_done(&result);
	if (status < 0)
		return error_prefix(err, status, "debootstrap of %s from %s (ABBOT_LAB_MIRROR names another mirror)",
				    lab_recipe.suite, argv[5]);
	return 0;
}

/* debootstrap leaves some of these names behind as links or with other content. */
static int write_file(const char *root, const char *path, const char *text, struct error *err)
{
	_cleanup_free_ char *full = text_format("%s%s", root, path);

	if (unlink(full) < 0 && errno != ENOENT)
		return error_set_errno(err, -errno, "cannot replace %s", full);
	return file_write_durable(full, text, strlen(text), 0644, err);
}

static int make_link(const char *root, const char *path, const char *target, struct error *err)
{
	_cleanup_free_ char *full = text_format("%s%s", root, path);

	if (unlink(full) < 0 && errno != ENOENT)
		return error_set_errno(err, -errno, "cannot replace %s", full);
	if (symlink(target, full) < 0)
		return error_set_errno(err, -errno, "cannot make the link %s", full);
	return 0;
}

static int apply_recipe(const char *root, struct error *err)
{
	int status = 0;

	for (const char *const *path = lab_recipe.removed; *path && status == 0; path++) {
		_cleanup_free_ char *full = text_format("%s%s", root, *path);

		status = file_remove_tree(full, err);
	}
	for (const char *const *path = lab_recipe.directories; *path && status == 0; path++) {
		_cleanup_free_ char *full = text_format("%s%s", root, *path);

		status = file_make_directories(full, 0755, err);
	}
	for (const struct lab_recipe_file *file = lab_recipe.files; file->path && status == 0; file++)
		status = write_file(root, file->path, file->text, err);
	for (const char *const *unit = lab_recipe.masked_units; *unit && status == 0; unit++) {
		_cleanup_free_ char *path = text_format("/etc/systemd/system/%s", *unit);

		status = make_link(root, path, "/dev/null", err);
	}
	if (status == 0)
		status = make_link(root, "/etc/systemd/system/default.target",
				   "/usr/lib/systemd/system/multi-user.target", err);
	return status;
}

static int make_file_system(const char *root, const char *image, struct error *err)
{
	_cleanup_free_ char *size = text_format("%dM", LAB_ROOT_SIZE_MIB);
	/* GRUB 2.06 reads neither of the two features that newer mke2fs turn on. */
	const char *argv[] = {"mke2fs", "-q", "-F", "-t", "ext4",
			      "-O", "^metadata_csum_seed,^orphan_file",
			      "-E", "hash_seed=" LAB_ROOT_UUID ",lazy_itable_init=0,lazy_journal_init=0",
			      "-U", LAB_ROOT_UUID, "-L", LAB_ROOT_LABEL, "-m", "0",
			      "-d", root, image, size, NULL};

	return lab_tool_run(argv, err);
}

static int make_root(const char *directory, const char *image, bool shows_progress,
		     struct error *err)
{
	_cleanup_free_ char *tree = path_join(directory, "root.tree");
	_cleanup_free_ char *partial = path_join(directory, "root.partial");
	int status = file_remove_tree(tree, err);

	if (status == 0)
		status = run_debootstrap(tree, shows_progress, err);
	if (status == 0)
		status = apply_recipe(tree, err);
	if (status == 0 && unlink(partial) < 0 && errno != ENOENT)
		status = error_set_errno(err, -errno, "cannot replace %s", partial);
	if (status == 0)
		status = make_file_system(tree, partial, err);
	if (status == 0 && rename(partial, image) < 0)
		status = error_set_errno(err, -errno, "cannot rename %s", partial);
	if (status == 0)
		status = file_sync_directory(directory, err);
	int removed = file_remove_tree(tree, status == 0 ? err : NULL);

	return status < 0 ? status : removed;
}

/* Another lab of the same state directory may be making it: then it is waited for. */
static int make_root_alone(const char *directory, const char *image, bool shows_progress,
			   struct error *err)
{
	_cleanup_free_ char *path = path_join(directory, "root.lock");
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int r;

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot open %s", path);
	while ((r = flock(fd, LOCK_EX)) < 0 && errno == EINTR)
		;
	if (r < 0)
		return error_set_errno(err, -errno, "cannot lock %s", path);
	return file_exists(image) ? 0 : make_root(directory, image, shows_progress, err);
}

int lab_prepare_root(const char *state_directory, bool shows_progress, char **ret_path,
		     struct error *err)
{
	char version[13];

	lab_recipe_version(version);
	_cleanup_free_ char *directory = path_join(state_directory, "lab");
	_cleanup_free_ char *image = text_format("%s/root-%s.ext4", directory, version);

	if (!file_exists(image)) {
		if (geteuid() != 0)
			return error_set(err, -EPERM,
					 "making the lab's root file system needs root; run this once as root");
		int status = file_make_directories(directory, 0755, err);

		if (status == 0)
			status = make_root_alone(directory, image, shows_progress, err);
		if (status < 0)
			return status;
	}
	*ret_path = TAKE_PTR(image);
	return 0;
}

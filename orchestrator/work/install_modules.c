// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Putting a kernel's modules into /lib/modules and taking them away. A directory comes
 * and goes by rename: its name never stands for a part of it, and never lacks the mark.
 */
#include "orchestrator/work/install_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/install_tool.h"
#include "orchestrator/work/module_tree.h"

#define DEPMOD_TIMEOUT_MS (5 * 60 * 1000)

struct place {
	char *parent;    /* /lib/modules */
	char *directory; /* /lib/modules/RELEASE */
	char *aside;     /* on its way there, or away: always ours */
	char *config;    /* /boot/config-RELEASE */
};

static void place_done(struct place *place)
{
	free(place->parent);
	free(place->directory);
	free(place->aside);
	free(place->config);
}

char *install_config_path(const char *root, const char *release)
{
	return text_format("%s/boot/config-%s", root, release);
}

/* It becomes part of paths that are removed. */
static int place_find(const char *root, const char *release, struct place *ret_place,
		      struct error *err)
{
	if (!*release || *release == '.' || strchr(release, '/'))
		return error_set(err, -EINVAL, "'%.80s' is no kernel release", release);
	ret_place->parent = install_modules_directory(root);
	ret_place->directory = path_join(ret_place->parent, release);
	ret_place->aside = text_format("%s/" INSTALL_ASIDE_PREFIX "%s", ret_place->parent, release);
	ret_place->config = install_config_path(root, release);
	return 0;
}

/* Everything in the directory aside, but for what depmod adds. */
static int fill(const struct install_modules *modules, const struct place *place,
		const struct install_mark *mark, struct error *err)
{
	_cleanup_free_ char *config = path_join(place->aside, "config");
	const struct module_tree_source source = { .directory = modules->source };
	struct module_tree tree;
	int r = file_remove_tree(place->aside, err);

	if (r == 0 && modules->source)
		r = module_tree_copy(&source, place->aside, &tree, err);
	else if (r == 0)
		r = file_make_directories(place->aside, 0755, err);
	if (r == 0 && modules->source && strcmp(tree.sha256, modules->sha256) != 0)
		r = error_set(err, -EBADMSG,
			      "%s is not what was built: remove its kernel (abbot kernels remove %.12s) to build it again",
			      modules->source, modules->key);
	if (r == 0)
		r = file_copy_durable(modules->config, config, 0644, err);
	return r < 0 ? r : install_mark_write_at(place->aside, mark, err);
}

/* In one step: a crash leaves the old one or the new one, and the other aside. */
static int put_in_place(const struct place *place, bool is_there, struct error *err)
{
	int r;

	if (renameat2(AT_FDCWD, place->aside, AT_FDCWD, place->directory,
		      is_there ? RENAME_EXCHANGE : RENAME_NOREPLACE) < 0)
		return error_set_errno(err, -errno, "%s cannot be renamed to %s", place->aside,
				       place->directory);
	r = file_sync_directory(place->parent, err);
	return r < 0 ? r : file_remove_tree(place->aside, err);
}

static int run_depmod(const struct install_modules *modules, const char *log_path,
		      struct error *err)
{
	const char *base = *modules->root ? modules->root : "/";
	const char *const argv[] = { "depmod", "-b", base, modules->release, NULL };
	const struct install_tool tool = { .argv = argv, .log_path = log_path,
					   .timeout_ms = DEPMOD_TIMEOUT_MS };

	return install_tool_run(&tool, err);
}

static int check_config(const struct place *place, const struct install_mark *mark,
			struct error *err)
{
	if (!mark->has_config && file_exists(place->config))
		return error_set(err, -EEXIST, "%s is there and is not Abbot's: move it away, and run the job again",
				 place->config);
	return 0;
}

int install_modules_put(const struct install_modules *modules, const char *log_path,
			struct error *err)
{
	_cleanup_(place_done) struct place place = { 0 };
	_cleanup_(install_mark_done) struct install_mark mark = { 0 };
	bool is_there, is_shared;
	int r = place_find(modules->root, modules->release, &place, err);

	if (r == 0)
		r = install_mark_read_at(place.directory, &mark, err);
	if (r < 0)
		return r;
	is_there = r > 0;
	r = check_config(&place, &mark, err);
	if (r < 0)
		return r;
	install_mark_remove(&mark, modules->job);
	is_shared = mark.n_jobs > 0 && strcmp(mark.key, modules->key) == 0;
	if (install_mark_add(&mark, modules->job) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	(void)snprintf(mark.key, sizeof(mark.key), "%s", modules->key);
	mark.has_config = true;
	r = file_make_directories(place.parent, 0755, err);
	if (r == 0 && is_shared)
		r = install_mark_write_at(place.directory, &mark, err);
	else if (r == 0)
		r = fill(modules, &place, &mark, err);
	if (r == 0 && !is_shared)
		r = put_in_place(&place, is_there, err);
	if (r == 0)
		r = file_copy_durable(modules->config, place.config, 0644, err);
	return r < 0 ? r : run_depmod(modules, log_path, err);
}

/* The config first: the mark is the only record of it. */
static int take_away(const struct place *place, const struct install_mark *mark,
		     struct error *err)
{
	_cleanup_free_ char *boot = text_duplicate(place->config);
	int r;

	if (mark->has_config) {
		if (unlink(place->config) < 0 && errno != ENOENT)
			return error_set_errno(err, -errno, "%s cannot be removed", place->config);
		*strrchr(boot, '/') = '\0';
		r = file_sync_directory(boot, err);
		if (r < 0)
			return r;
	}
	r = file_remove_tree(place->aside, err);
	if (r < 0)
		return r;
	if (rename(place->directory, place->aside) < 0)
		return error_set_errno(err, -errno, "%s cannot be renamed", place->directory);
	r = file_sync_directory(place->parent, err);
	return r < 0 ? r : file_remove_tree(place->aside, err);
}

int install_modules_drop(const char *root, const char *release, int64_t job, struct error *err)
{
	_cleanup_(place_done) struct place place = { 0 };
	_cleanup_(install_mark_done) struct install_mark mark = { 0 };
	int r = place_find(root, release, &place, err);

	if (r == 0)
		r = install_mark_read_at(place.directory, &mark, err);
	if (r == -EEXIST)
		return 0;
	if (r == 0) /* what a crash left of it */
		return file_remove_tree(place.aside, err);
	if (r < 0)
		return r;
	if (mark.n_jobs > 0 && !install_mark_has(&mark, job))
		return 0;
	install_mark_remove(&mark, job);
	return mark.n_jobs > 0 ? install_mark_write_at(place.directory, &mark, err) :
				 take_away(&place, &mark, err);
}

int install_modules_drop_job(const char *root, int64_t job, struct error *err)
{
	_cleanup_(install_names_done) char **releases = NULL;
	_cleanup_(install_names_done) char **asides = NULL;
	int result = install_names_read(root, INSTALL_NAMES_OURS, &releases, err);

	if (result == 0)
		result = install_names_read(root, INSTALL_NAMES_ASIDE, &asides, err);
	if (result < 0)
		return result;
	for (size_t i = 0; releases[i]; i++) {
		int r = install_modules_drop(root, releases[i], job, result < 0 ? NULL : err);

		result = result < 0 ? result : r;
	}
	for (size_t i = 0; asides[i]; i++) {
		const char *release = asides[i] + strlen(INSTALL_ASIDE_PREFIX);
		_cleanup_(place_done) struct place place = { 0 };
		int r = place_find(root, release, &place, result < 0 ? NULL : err);

		if (r == 0)
			r = file_remove_tree(place.aside, result < 0 ? NULL : err);
		result = result < 0 ? result : r;
	}
	return result;
}

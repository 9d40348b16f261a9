// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mark in a module directory of ours: reading and writing it, and finding all
 * directories that have one. What is done with them is install_modules.c's.
 */
#include "orchestrator/work/install_mark.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define MARK_MAX_BYTES 65536

void install_mark_done(struct install_mark *mark)
{
	if (!mark)
		return;
	free(mark->jobs);
	*mark = (struct install_mark){ 0 };
}

bool install_mark_has(const struct install_mark *mark, int64_t job)
{
	for (size_t i = 0; i < mark->n_jobs; i++)
		if (mark->jobs[i] == job)
			return true;
	return false;
}

int install_mark_add(struct install_mark *mark, int64_t job)
{
	int64_t *jobs;

	if (install_mark_has(mark, job))
		return 0;
	jobs = reallocarray(mark->jobs, mark->n_jobs + 1, sizeof(*jobs));
	if (!jobs)
		return -ENOMEM;
	mark->jobs = jobs;
	jobs[mark->n_jobs++] = job;
	return 0;
}

void install_mark_remove(struct install_mark *mark, int64_t job)
{
	size_t n = 0;

	for (size_t i = 0; i < mark->n_jobs; i++)
		if (mark->jobs[i] != job)
			mark->jobs[n++] = mark->jobs[i];
	mark->n_jobs = n;
}

static int parse_line(const char *line, struct install_mark *mark)
{
	int64_t job;

	if (text_has_prefix(line, "key ") && strlen(line) == 4 + 64)
		memcpy(mark->key, line + 4, 65);
	else if (text_has_prefix(line, "job ") && text_parse_i64(line + 4, 1, INT64_MAX, &job) == 0)
		return install_mark_add(mark, job);
	else if (strcmp(line, "config") == 0)
		mark->has_config = true;
	else if (*line && *line != '#')
		return -EBADMSG;
	return 0;
}

int install_mark_read_at(const char *directory, struct install_mark *ret_mark, struct error *err)
{
	_cleanup_(install_mark_done) struct install_mark mark = { 0 };
	_cleanup_free_ char *path = path_join(directory, INSTALL_MARK_NAME), *text = NULL;
	char *rest;
	struct stat status;
	int r;

	if (lstat(directory, &status) < 0)
		return errno == ENOENT ? 0 : error_set_errno(err, -errno, "%s cannot be looked at", directory);
	if (!S_ISDIR(status.st_mode) || !file_exists(path))
		return error_set(err, -EEXIST,
				 "%s is there and is not Abbot's: move it away, and run the job again",
				 directory);
	r = file_read_regular(path, MARK_MAX_BYTES, &text, NULL, err);
	if (r < 0)
		return r;
	rest = text;
	for (char *line; r == 0 && (line = strsep(&rest, "\n"));)
		r = parse_line(line, &mark);
	if (r < 0 || !mark.key[0])
		return error_set(err, -EEXIST, "%s is not a mark of Abbot's: if nobody else needs it, remove %s",
				 path, directory);
	*ret_mark = mark;
	mark = (struct install_mark){ 0 };
	return 1;
}

int install_mark_write_at(const char *directory, const struct install_mark *mark,
			  struct error *err)
{
	_cleanup_free_ char *path = path_join(directory, INSTALL_MARK_NAME);
	_cleanup_text_ struct text_buffer text = { 0 };

	text_append(&text, "# Abbot made this directory, and removes it with the last of these jobs.\n");
	text_printf(&text, "key %s\n", mark->key);
	for (size_t i = 0; i < mark->n_jobs; i++)
		text_printf(&text, "job %" PRId64 "\n", mark->jobs[i]);
	if (mark->has_config)
		text_append(&text, "config\n");
	return file_write_durable(path, text.text, text.size, 0644, err);
}

char *install_modules_directory(const char *root)
{
	return text_format("%s/lib/modules", root);
}

int install_mark_read(const char *root, const char *release, struct install_mark *ret_mark,
		      struct error *err)
{
	_cleanup_free_ char *parent = install_modules_directory(root);
	_cleanup_free_ char *directory = path_join(parent, release);

	return install_mark_read_at(directory, ret_mark, err);
}

void install_names_done(char ***names)
{
	for (size_t i = 0; *names && (*names)[i]; i++)
		free((*names)[i]);
	free(*names);
	*names = NULL;
}

static bool is_wanted(const char *root, const char *name, enum install_names wanted)
{
	_cleanup_(install_mark_done) struct install_mark mark = { 0 };

	switch (wanted) {
	case INSTALL_NAMES_OURS:
		return *name != '.' && install_mark_read(root, name, &mark, NULL) > 0;
	case INSTALL_NAMES_ASIDE:
		return text_has_prefix(name, INSTALL_ASIDE_PREFIX);
	}
	return false;
}

static int name_add(char ***names, size_t *n, const char *name)
{
	char **larger = reallocarray(*names, *n + 2, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	*names = larger;
	larger[(*n)++] = text_duplicate(name);
	larger[*n] = NULL;
	return 0;
}

int install_names_read(const char *root, enum install_names wanted, char ***ret_names,
		       struct error *err)
{
	_cleanup_free_ char *parent = install_modules_directory(root);
	_cleanup_(install_names_done) char **names = calloc(1, sizeof(*names));
	DIR *stream = opendir(parent);
	const struct dirent *entry;
	size_t n = 0;
	int r = names ? 0 : -ENOMEM;

	if (!stream && errno != ENOENT)
		return error_set_errno(err, -errno, "%s cannot be read", parent);
	while (r == 0 && stream && (entry = readdir(stream)))
		if (is_wanted(root, entry->d_name, wanted))
			r = name_add(&names, &n, entry->d_name);
	if (stream)
		(void)closedir(stream);
	if (r < 0)
		return error_set(err, r, "out of memory");
	*ret_names = TAKE_PTR(names);
	return 0;
}

int install_modules_list(const char *root, char ***ret_releases, struct error *err)
{
	return install_names_read(root, INSTALL_NAMES_OURS, ret_releases, err);
}

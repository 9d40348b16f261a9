// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the directory of the kernel store. What is in one kernel's is kernel_store.c's;
 * names that are no keys are builds on their way in or out, and left alone.
 */
#include "orchestrator/work/kernel_list.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define META_MAX_BYTES ((size_t)1024 * 1024)

void kernel_list_done(struct kernel_list *list)
{
	for (size_t i = 0; i < list->n_rows; i++)
		json_decref(list->rows[i].meta);
	free(list->rows);
	*list = (struct kernel_list){ 0 };
}

static bool is_key(const char *name)
{
	return strlen(name) == 64 && strspn(name, "0123456789abcdef") == 64;
}

static uint64_t tree_bytes(const char *directory)
{
	_cleanup_free_ char *top = text_duplicate(directory);
	char *paths[] = { top, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	uint64_t n_bytes = 0;

	for (const FTSENT *entry; tree && (entry = fts_read(tree));)
		if (entry->fts_info == FTS_F)
			n_bytes += (uint64_t)entry->fts_statp->st_size;
	if (tree)
		(void)fts_close(tree);
	return n_bytes;
}

static void row_read(const char *directory, struct kernel_list_row *row)
{
	_cleanup_free_ char *path = path_join(directory, "meta.json"), *text = NULL;
	struct stat status;
	size_t size;

	row->n_bytes = tree_bytes(directory);
	if (stat(path, &status) == 0 || stat(directory, &status) == 0)
		row->stored_s = status.st_mtime;
	if (file_read(path, META_MAX_BYTES, &text, &size, NULL) == 0)
		row->meta = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
}

static int row_add(struct kernel_list *list, const char *parent, const char *key)
{
	_cleanup_free_ char *directory = path_join(parent, key);
	struct kernel_list_row *rows = reallocarray(list->rows, list->n_rows + 1, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	list->rows = rows;
	rows += list->n_rows++;
	*rows = (struct kernel_list_row){ 0 };
	memcpy(rows->key, key, sizeof(rows->key));
	row_read(directory, rows);
	return 0;
}

static int by_age(const void *a, const void *b)
{
	const struct kernel_list_row *first = a, *second = b;

	if (first->stored_s != second->stored_s)
		return first->stored_s < second->stored_s ? -1 : 1;
	return strcmp(first->key, second->key);
}

int kernel_list_read(const char *state_directory, struct kernel_list *ret_list, struct error *err)
{
	_cleanup_(kernel_list_done) struct kernel_list list = { 0 };
	_cleanup_free_ char *parent = path_join(state_directory, "kernels");
	DIR *stream = opendir(parent);
	const struct dirent *entry;
	int r = 0;

	if (!stream && errno != ENOENT)
		return error_set_errno(err, -errno, "%s cannot be read", parent);
	while (stream && r == 0 && (entry = readdir(stream)))
		if (is_key(entry->d_name))
			r = row_add(&list, parent, entry->d_name);
	if (stream)
		(void)closedir(stream);
	if (r < 0)
		return error_set(err, r, "out of memory");
	if (list.n_rows > 0)
		qsort(list.rows, list.n_rows, sizeof(*list.rows), by_age);
	*ret_list = list;
	list = (struct kernel_list){ 0 };
	return 0;
}

int kernel_list_remove(const char *state_directory, const char *key, struct error *err)
{
	_cleanup_free_ char *parent = path_join(state_directory, "kernels");
	_cleanup_free_ char *directory = path_join(parent, key);
	_cleanup_free_ char *aside = text_format("%s/.old-%s", parent, key);
	int r;

	if (!is_key(key))
		return error_set(err, -EINVAL, "'%.80s' is not a kernel key (64 hex digits)", key);
	r = file_remove_tree(aside, err);
	if (r < 0)
		return r;
	if (rename(directory, aside) < 0)
		return errno == ENOENT ? 0 : error_set_errno(err, -errno, "%s cannot be removed", directory);
	r = file_sync_directory(parent, err);
	return r < 0 ? r : file_remove_tree(aside, err);
}

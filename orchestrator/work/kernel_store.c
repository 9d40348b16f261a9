// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The store of built kernels: a directory a key, complete or absent. What is put
 * in and when is build.c's; nothing here knows how a kernel is made.
 */
#include "orchestrator/work/kernel_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/text.h"

#define META_MAX_BYTES ((size_t)1024 * 1024)

static bool is_key(const char *key)
{
	size_t size = strspn(key, "0123456789abcdef");

	/* SHA-256. A key becomes part of paths: nothing else may pass. */
	return size == 64 && key[size] == '\0';
}

static char *key_directory(const char *state_directory, const char *key)
{
	return is_key(key) ? text_format("%s/kernels/%s", state_directory, key) : NULL;
}

/* Where a record goes that gives way to another one. */
static char *aside_directory(const char *state_directory, const char *key)
{
	return text_format("%s/kernels/.old-%s", state_directory, key);
}

static int key_refuse(const char *key, struct error *err)
{
	return error_set(err, -EINVAL, "'%.80s' is not a kernel key (64 hex digits)", key);
}

char *kernel_store_path(const char *state_directory, const char *key, const char *file)
{
	_cleanup_free_ char *directory = key_directory(state_directory, key);

	if (!directory || !*file || strchr(file, '/') || *file == '.')
		return NULL;
	return path_join(directory, file);
}

static int meta_read(const char *directory, json_t **ret_meta, struct error *err)
{
	_cleanup_free_ char *path = path_join(directory, "meta.json");
	_cleanup_free_ char *data = NULL;
	_cleanup_json_ json_t *meta = NULL;
	size_t size;
	const char *status;
	int r = file_read(path, META_MAX_BYTES, &data, &size, err);

	if (r < 0)
		return r;
	meta = json_loadb(data, size, JSON_REJECT_DUPLICATES, NULL);
	status = json_string_value(json_object_get(meta, "status"));
	if (!status || (strcmp(status, "built") != 0 && strcmp(status, "failed") != 0))
		return error_set(err, -EBADMSG, "%s is damaged: remove its directory to build the kernel again",
				 path);
	*ret_meta = TAKE_PTR(meta);
	return 0;
}

static bool is_built(const json_t *meta)
{
	return !strcmp(json_string_value(json_object_get(meta, "status")), "built");
}

/* A kernel that changed since it was stored must never be booted. */
static int image_check(const char *directory, const json_t *meta, struct error *err)
{
	const char *image = json_string_value(json_object_get(meta, "image"));
	const char *expected = json_string_value(json_object_get(meta, "image_sha256"));
	_cleanup_free_ char *path = NULL;
	char found[DIGEST_HEX_SIZE];
	int r;

	if (!image || !expected || strchr(image, '/'))
		return error_set(err, -EBADMSG, "%s/meta.json is damaged: remove that directory to build the kernel again",
				 directory);
	path = path_join(directory, image);
	r = digest_file(path, found, err);
	if (r < 0)
		return r;
	if (strcmp(found, expected) != 0)
		return error_set(err, -EBADMSG, "%s is not what was built: remove its directory to build the kernel again",
				 path);
	return 0;
}

int kernel_store_find(const char *state_directory, const char *key, json_t **ret_meta,
		      struct error *err)
{
	_cleanup_free_ char *directory = key_directory(state_directory, key);
	_cleanup_json_ json_t *meta = NULL;
	int r;

	if (!directory)
		return key_refuse(key, err);
	if (!file_exists(directory))
		return error_set(err, -ENOENT, "the kernel %.12s is not in the store %s/kernels", key,
				 state_directory);
	r = meta_read(directory, &meta, err);
	/* A directory without its meta file is damage, never "not there". */
	if (r == -ENOENT)
		return error_set(err, -EBADMSG, "%s has no meta.json: remove that directory to build the kernel again",
				 directory);
	if (r == 0 && is_built(meta))
		r = image_check(directory, meta, err);
	if (r < 0)
		return r;
	*ret_meta = TAKE_PTR(meta);
	return 0;
}

int kernel_store_stage(const char *state_directory, const char *key, char **ret_directory,
		       struct error *err)
{
	_cleanup_free_ char *directory = NULL;
	_cleanup_free_ char *aside = NULL;
	int r;

	if (!is_key(key))
		return key_refuse(key, err);
	/* A fixed name: what a crash left behind is found and removed here. */
	directory = text_format("%s/kernels/.stage-%s", state_directory, key);
	aside = aside_directory(state_directory, key);
	r = file_remove_tree(aside, err);
	if (r == 0)
		r = file_remove_tree(directory, err);
	if (r == 0)
		r = file_make_directories(directory, 0755, err);
	if (r < 0)
		return r;
	*ret_directory = TAKE_PTR(directory);
	return 0;
}

static int file_flush(int directory_fd, const char *name)
{
	_cleanup_close_ int fd = openat(directory_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

/* fsync of every file in the flat @directory, then of itself. */
static int directory_flush(const char *directory, struct error *err)
{
	DIR *stream = opendir(directory);
	const struct dirent *entry;
	int r = stream ? 0 : -errno;

	while (stream && r == 0 && (entry = readdir(stream))) {
		if (entry->d_name[0] != '.')
			r = file_flush(dirfd(stream), entry->d_name);
	}
	if (stream)
		(void)closedir(stream);
	if (r < 0)
		return error_set_errno(err, r, "%s cannot be flushed to the disk", directory);
	return file_sync_directory(directory, err);
}

/*
 * A recorded failure gives way to a new outcome; a built kernel never does. Put aside by
 * rename first: at no time is there a half-removed directory that has the key's name.
 */
static int place_clear(const char *final, const char *aside, bool *ret_taken, struct error *err)
{
	_cleanup_json_ json_t *meta = NULL;

	*ret_taken = false;
	if (!file_exists(final))
		return 0;
	if (meta_read(final, &meta, NULL) == 0 && is_built(meta)) {
		*ret_taken = true;
		return 0;
	}
	if (rename(final, aside) < 0)
		return error_set_errno(err, -errno, "%s cannot be renamed to %s", final, aside);
	return 0;
}

int kernel_store_commit(const char *state_directory, const char *key, const char *directory,
			const json_t *meta, struct error *err)
{
	_cleanup_free_ char *final = key_directory(state_directory, key);
	_cleanup_free_ char *aside = aside_directory(state_directory, key);
	_cleanup_free_ char *parent = path_join(state_directory, "kernels");
	_cleanup_free_ char *path = path_join(directory, "meta.json");
	_cleanup_free_ char *text = json_dumps(meta, JSON_INDENT(2) | JSON_SORT_KEYS);
	bool taken = false;
	int r;

	if (!final)
		return key_refuse(key, err);
	if (!text)
		return error_set(err, -EINVAL, "the description of kernel %.12s is not valid JSON", key);
	r = file_write_durable(path, text, strlen(text), 0644, err);
	if (r == 0)
		r = directory_flush(directory, err);
	if (r == 0)
		r = file_remove_tree(aside, err);
	if (r == 0)
		r = place_clear(final, aside, &taken, err);
	if (r < 0)
		return r;
	if (taken)
		return file_remove_tree(directory, err);
	if (rename(directory, final) < 0)
		return error_set_errno(err, -errno, "%s cannot be renamed to %s", directory, final);
	r = file_sync_directory(parent, err);
	return r < 0 ? r : file_remove_tree(aside, err);
}

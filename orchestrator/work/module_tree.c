// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copying a tree of modules. Each name is opened without following links and looked at
 * through its descriptor: nothing is believed that could change in between.
 */
#include "orchestrator/work/module_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

/* A distribution's kernel has some 6000 modules in 9 levels, 600 MB when not compressed. */
#define DEPTH_MAX 16
#define FILES_MAX 50000
#define BYTES_MAX (8ULL << 30)
#define PIECE_BYTES 65536

struct copy {
	const struct module_tree_source *source;
	struct module_tree tree;
	struct digest *digest;
	char *piece;
};

static void copy_done(struct copy *copy)
{
	char ignored[DIGEST_HEX_SIZE];

	if (copy->digest)
		digest_finish(copy->digest, ignored);
	free(copy->piece);
}

struct names {
	struct dirent **list;
	int n;
};

static void names_done(struct names *names)
{
	for (int i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_no_dot(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static bool is_name(const char *name)
{
	return *name != '.' && *name != '-' &&
	       name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "._+-=,@~:")] == '\0';
}

static int refuse(const char *path, const char *why, struct error *err)
{
	return error_set(err, -EPERM, "the modules hold %s, %s: such a kernel is not installed", path,
			 why);
}

static int copy_content(struct copy *copy, int from, int to, uint64_t size, const char *path,
			struct error *err)
{
	uint64_t n_read = 0;
	ssize_t n;

	while ((n = read(from, copy->piece, PIECE_BYTES)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set_errno(err, -errno, "%s cannot be read", path);
		n_read += (uint64_t)n;
		if (n_read > size)
			break;
		digest_add(copy->digest, copy->piece, (size_t)n);
		int r = file_write_fd(to, copy->piece, (size_t)n);

		if (r < 0)
			return error_set_errno(err, r, "%s cannot be copied", path);
	}
	return n_read == size ? 0 : refuse(path, "a file that changes while it is read", err);
}

static int copy_file(struct copy *copy, int from, const struct stat *status, int to_parent,
		     const char *name, const char *path, struct error *err)
{
	_cleanup_free_ char *size = text_format("%lld", (long long)status->st_size);
	_cleanup_close_ int to = -1;

	copy->tree.n_files++;
	copy->tree.n_bytes += (uint64_t)status->st_size;
	if (copy->tree.n_files > FILES_MAX || copy->tree.n_bytes > BYTES_MAX)
		return refuse(path, "one file too many, or too large", err);
	to = openat(to_parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (to < 0 || fchmod(to, 0644) < 0)
		return error_set_errno(err, -errno, "the module %s cannot be made", path);
	digest_add_text(copy->digest, path);
	digest_add_text(copy->digest, size);
	return copy_content(copy, from, to, (uint64_t)status->st_size, path, err);
}

static int copy_directory(struct copy *copy, int from, int to, const char *path, int depth,
			  struct error *err);

static int copy_sub_directory(struct copy *copy, int from, int to_parent, const char *name,
			      const char *path, int depth, struct error *err)
{
	_cleanup_close_ int to = -1;

	if (mkdirat(to_parent, name, 0755) < 0)
		return error_set_errno(err, -errno, "the directory %s cannot be made", path);
	to = openat(to_parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (to < 0 || fchmod(to, 0755) < 0)
		return error_set_errno(err, -errno, "the directory %s cannot be opened", path);
	return copy_directory(copy, from, to, path, depth + 1, err);
}

/* "build" and "source" lead to the tree that it was built from, which may be gone. */
static bool is_left_out(int parent, const char *name, int depth)
{
	struct stat status;

	return depth == 0 && (!strcmp(name, "build") || !strcmp(name, "source")) &&
	       fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

static int copy_entry(struct copy *copy, int from_parent, int to_parent, const char *name,
		      const char *directory, int depth, struct error *err)
{
	_cleanup_free_ char *path = *directory ? path_join(directory, name) : text_duplicate(name);
	_cleanup_close_ int from = -1;
	struct stat status;

	if (is_left_out(from_parent, name, depth))
		return 0;
	if (!is_name(name))
		return refuse(path, "a name that no module has", err);
	/* Without waiting: it may be a fifo. */
	from = openat(from_parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (from < 0)
		return errno == ELOOP ? refuse(path, "a symbolic link", err) :
					error_set_errno(err, -errno, "%s cannot be opened", path);
	if (fstat(from, &status) < 0)
		return error_set_errno(err, -errno, "%s cannot be looked at", path);
	if (copy->source->checks_owner && status.st_uid != copy->source->uid)
		return refuse(path, "which is not the build user's", err);
	if (S_ISREG(status.st_mode))
		return copy_file(copy, from, &status, to_parent, name, path, err);
	if (!S_ISDIR(status.st_mode) || depth >= DEPTH_MAX)
		return refuse(path, "neither a file nor a directory, or too deep", err);
	return copy_sub_directory(copy, from, to_parent, name, path, depth, err);
}

static int copy_directory(struct copy *copy, int from, int to, const char *path, int depth,
			  struct error *err)
{
	_cleanup_(names_done) struct names names = { 0 };
	int r = 0;

	names.n = scandirat(from, ".", &names.list, is_no_dot, by_bytes);
	if (names.n < 0) {
		names.n = 0;
		return error_set_errno(err, -errno, "the modules' directory %s cannot be read", path);
	}
	for (int i = 0; i < names.n && r == 0; i++)
		r = copy_entry(copy, from, to, names.list[i]->d_name, path, depth, err);
	return r;
}

int module_tree_copy(const struct module_tree_source *source, const char *to,
		     struct module_tree *ret_tree, struct error *err)
{
	_cleanup_(copy_done) struct copy copy = { .source = source, .digest = digest_new(),
						  .piece = malloc(PIECE_BYTES) };
	_cleanup_close_ int from_fd = open(source->directory,
					   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	_cleanup_close_ int to_fd = -1;
	int r;

	if (!copy.digest || !copy.piece)
		return error_set(err, -ENOMEM, "out of memory");
	if (from_fd < 0)
		return error_set_errno(err, -errno, "the modules in %s cannot be read",
				       source->directory);
	if (mkdir(to, 0755) < 0)
		return error_set_errno(err, -errno, "the directory %s cannot be made", to);
	to_fd = open(to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (to_fd < 0 || fchmod(to_fd, 0755) < 0)
		return error_set_errno(err, -errno, "the directory %s cannot be opened", to);
	r = copy_directory(&copy, from_fd, to_fd, "", 0, err);
	if (r < 0)
		return error_prefix(err, r, "copying modules to %s", to);
	/* One call for thousands of files; what is renamed into place later must be whole. */
	if (syncfs(to_fd) < 0)
		return error_set_errno(err, -errno, "%s cannot be flushed to the disk", to);
	digest_finish(copy.digest, copy.tree.sha256);
	copy.digest = NULL;
	*ret_tree = copy.tree;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of an installation: look, reckon, modules, initrd. How each is done is in
 * install_modules.c and install_initrd.c; the kernel and its entry are the boot loader's.
 */
#include "orchestrator/work/install.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/install_initrd.h"
#include "orchestrator/work/install_modules.h"
#include "orchestrator/work/kernel_store.h"

/* depmod's tables; and that a file system is never filled to its last block. */
#define MODULES_EXTRA_BYTES (8LL << 20)
#define BOOT_EXTRA_BYTES (4LL << 20)
/* An initrd before it is made: programs and drivers, compressed. */
#define INITRD_GUESS_BYTES (24LL << 20)

struct needs {
	const char *release;
	const char *modules_sha256; /* NULL: the kernel has no modules */
	char *modules;
	char *config_path;
	struct kernel_config config;
	bool needs_initrd;
	const char *why;
	long long modules_bytes, image_bytes;
};

static void needs_done(struct needs *needs)
{
	free(needs->modules);
	free(needs->config_path);
	kernel_config_done(&needs->config);
}

static int config_read(struct needs *needs, struct error *err)
{
	_cleanup_free_ char *data = NULL;
	size_t size;
	int r = file_read(needs->config_path, KERNEL_CONFIG_MAX_BYTES, &data, &size, err);

	return r < 0 ? r : kernel_config_parse(data, size, needs->config_path, &needs->config, err);
}

static int needs_find(const struct install *install, struct needs *ret_needs, struct error *err)
{
	const json_t *modules = json_object_get(install->meta, "modules");
	const char *file = json_string_value(json_object_get(install->meta, "image"));
	_cleanup_free_ char *image = kernel_store_path(install->state_directory, install->key,
						       file ? file : "");
	struct stat status;
	int r;

	ret_needs->release = json_string_value(json_object_get(install->meta, "release"));
	ret_needs->config_path = kernel_store_path(install->state_directory, install->key, "config");
	if (!ret_needs->release || !ret_needs->config_path || !image || stat(image, &status) < 0)
		return error_set(err, -EBADMSG, "the stored kernel %.12s is damaged: remove it with abbot kernels remove %.12s",
				 install->key, install->key);
	ret_needs->image_bytes = status.st_size;
	if (modules) {
		ret_needs->modules = kernel_store_path(install->state_directory, install->key,
						       KERNEL_STORE_MODULES);
		ret_needs->modules_sha256 = json_string_value(json_object_get(modules, "sha256"));
		ret_needs->modules_bytes = json_integer_value(json_object_get(modules, "bytes"));
		if (!ret_needs->modules_sha256)
			return error_set(err, -EBADMSG, "the stored kernel %.12s does not say what its modules are: remove it with abbot kernels remove %.12s",
					 install->key, install->key);
	}
	r = config_read(ret_needs, err);
	if (r == 0)
		ret_needs->needs_initrd = install_initrd_is_needed(&ret_needs->config,
								   install->options, &ret_needs->why);
	return r;
}

/* Some directories above may not be there yet. */
static long long free_bytes_near(const char *path)
{
	_cleanup_free_ char *at = text_duplicate(path);
	long long bytes;

	while ((bytes = file_free_bytes(at)) == -ENOENT && strrchr(at, '/') > at)
		*strrchr(at, '/') = '\0';
	return bytes;
}

static int room_check(const char *path, long long needed, const char *what, struct error *err)
{
	long long available = free_bytes_near(path);

	if (available < 0)
		return error_set_errno(err, (int)available, "the free space of %s is unknown", path);
	if (available >= needed)
		return 0;
	return error_set(err, -ENOSPC, "%s has %lld MiB free, and %s needs %lld: remove old kernels there, or what else it can spare",
			 path, available >> 20, what, (needed >> 20) + 1);
}

static bool is_same_file_system(const char *a, const char *b)
{
	struct stat first, second;

	return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev;
}

/* Before anything is written. What is there already from an earlier try counts as not there. */
static int room_reckon(const struct install *install, const struct needs *needs, struct error *err)
{
	_cleanup_free_ char *boot = text_format("%s/boot", install->root);
	_cleanup_free_ char *lib = text_format("%s/lib/modules", install->root);
	_cleanup_free_ char *lib_parent = text_format("%s/lib", install->root);
	long long initrd = needs->needs_initrd ? INITRD_GUESS_BYTES : 0;
	long long in_boot = needs->image_bytes + initrd + BOOT_EXTRA_BYTES;
	long long in_lib = needs->modules_bytes + MODULES_EXTRA_BYTES;
	int r = 0;

	if (is_same_file_system(boot, lib_parent))
		in_boot += in_lib;
	r = room_check(boot, in_boot, "a test kernel", err);
	if (r == 0 && (needs->modules || initrd))
		r = room_check(lib, in_lib, "the modules of a test kernel", err);
	if (r == 0 && initrd)
		r = room_check(install->state_directory, 2 * initrd + needs->modules_bytes,
			       "making an initrd", err);
	return r;
}

static char *work_path(const struct install *install, const char *suffix)
{
	return text_format("%s/install/%.12s.%s", install->state_directory, install->key, suffix);
}

/* Now its size is known: the boot loader's copy must fit beside the kernel. */
static int initrd_check_room(const struct install *install, const struct needs *needs,
			     const char *initrd, struct error *err)
{
	_cleanup_free_ char *boot = text_format("%s/boot", install->root);
	struct stat status;

	if (stat(initrd, &status) < 0)
		return error_set_errno(err, -errno, "%s is gone", initrd);
	return room_check(boot, needs->image_bytes + (long long)status.st_size + BOOT_EXTRA_BYTES,
			  "a test kernel with its initrd", err);
}

static int initrd_make(const struct install *install, const struct needs *needs,
		       const char *log_path, char **ret_initrd, struct error *err)
{
	_cleanup_free_ char *initrd = work_path(install, "initrd");
	int r = file_remove_tree(initrd, err);

	if (r == 0)
		r = install_initrd_make(install->root, needs->release, initrd, log_path, err);
	if (r == 0)
		r = initrd_check_room(install, needs, initrd, err);
	if (r < 0) {
		(void)unlink(initrd);
		return error_prefix(err, r, "no initrd for %s", needs->release);
	}
	*ret_initrd = TAKE_PTR(initrd);
	return 0;
}

static int log_start(const struct install *install, const char *log_path, struct error *err)
{
	_cleanup_free_ char *directory = path_join(install->state_directory, "install");
	int r = file_make_directories(directory, 0750, err);

	return r < 0 ? r : file_write_durable(log_path, "", 0, 0640, err);
}

static int modules_put(const struct install *install, const struct needs *needs,
		       const char *log_path, struct error *err)
{
	const struct install_modules modules = {
		.root = install->root,
		.release = needs->release,
		.key = install->key,
		.job = install->job,
		.source = needs->modules,
		.sha256 = needs->modules_sha256,
		.config = needs->config_path,
	};

	return install_modules_put(&modules, log_path, err);
}

static json_t *note_make(const struct install *install, const struct needs *needs, bool has_modules)
{
	_cleanup_free_ char *parent = install_modules_directory(install->root);
	_cleanup_free_ char *directory = path_join(parent, needs->release);
	_cleanup_free_ char *config = install_config_path(install->root, needs->release);
	_cleanup_free_ char *why = text_format("%s: %s", needs->needs_initrd ? "made" : "none",
					       needs->why);

	return has_modules ? json_pack("{s:[s,s], s:s}", "paths", directory, config, "initrd", why) :
			     json_pack("{s:[], s:s}", "paths", "initrd", why);
}

int install_prepare(const struct install *install, char **ret_initrd, json_t **ret_note,
		    struct error *err)
{
	_cleanup_(needs_done) struct needs needs = { 0 };
	_cleanup_free_ char *log_path = work_path(install, "log"), *initrd = NULL;
	int r = needs_find(install, &needs, err);
	bool has_modules = needs.modules || needs.needs_initrd;

	if (r == 0)
		r = room_reckon(install, &needs, err);
	if (r == 0 && has_modules)
		r = log_start(install, log_path, err);
	/* The makers of initrds want a directory, though it hold no module. */
	if (r == 0 && has_modules)
		r = modules_put(install, &needs, log_path, err);
	if (r == 0 && needs.needs_initrd)
		r = initrd_make(install, &needs, log_path, &initrd, err);
	if (r < 0)
		return r;
	*ret_note = note_make(install, &needs, has_modules);
	if (!*ret_note)
		return error_set(err, -ENOMEM, "out of memory");
	*ret_initrd = TAKE_PTR(initrd);
	return 0;
}

void install_finish(const struct install *install)
{
	_cleanup_free_ char *initrd = work_path(install, "initrd");

	(void)unlink(initrd);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of the GRUB backend: kernels under /boot/abbot, and our block in custom.cfg.
 * Kernel first and entry last when installing, the other way round when removing, so
 * that no entry ever names a missing file.
 */
#include "boot/grub_loader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/boot_options.h"
#include "boot/grub_config.h"
#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/text.h"

#define CMDLINE_MAX_BYTES (64 * 1024)

static void cleanup_dir(DIR **directory)
{
	if (*directory)
		(void)closedir(*directory);
}

/* An absent file is an empty one. *ret_mode: its mode, or 0644. */
static int grub_read_custom(const struct grub_loader *grub, struct grub_config *ret_config,
			    mode_t *ret_mode, struct error *err)
{
	_cleanup_free_ char *data = NULL;
	struct stat st;
	size_t size = 0;
	int r;

	*ret_mode = 0644;
	if (lstat(grub->custom_path, &st) < 0)
		return errno == ENOENT ? grub_config_parse("", 0, ret_config, err) :
					 error_set_errno(err, -errno, "Cannot look at %s", grub->custom_path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EBADMSG,
				 "%s is not a plain file: Abbot writes only plain files there.",
				 grub->custom_path);
	*ret_mode = st.st_mode & 07777;
	r = file_read(grub->custom_path, GRUB_CONFIG_MAX_BYTES, &data, &size, err);
	if (r < 0)
		return r;
	r = grub_config_parse(data, size, ret_config, err);
	return r < 0 ? error_prefix(err, r, "%s", grub->custom_path) : 0;
}

static int grub_write_custom(struct grub_loader *grub, const struct grub_config *config,
			     mode_t mode, struct error *err)
{
	_cleanup_free_ char *text = grub_config_write(config), *again = NULL;
	size_t length = strlen(text), size = 0;
	int r;

	if (length == 0) {
		if (unlink(grub->custom_path) < 0 && errno != ENOENT)
			return error_set_errno(err, -errno, "Cannot remove %s", grub->custom_path);
		return file_sync_directory(grub->directory, err);
	}
	if (length > GRUB_CONFIG_MAX_BYTES)
		return error_set(err, -EFBIG, "%s would become too long.", grub->custom_path);
	r = file_write_durable(grub->custom_path, text, length, mode, err);
	if (r < 0)
		return r;
	r = file_read(grub->custom_path, GRUB_CONFIG_MAX_BYTES, &again, &size, err);
	if (r < 0)
		return r;
	if (size != length || memcmp(again, text, length) != 0)
		return error_set(err, -EIO, "%s does not hold what was just written: check the disk.",
				 grub->custom_path);
	return 0;
}

/* GRUB would find out at boot; better here. Documentation/arch/x86/boot.rst, "HdrS". */
static int grub_check_image(const char *path, struct error *err)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned char header[0x210];
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return error_set_errno(err, -errno, "Cannot open the kernel %s", path);
	if (pread(fd, header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    header[0x1fe] != 0x55 || header[0x1ff] != 0xaa || memcmp(header + 0x202, "HdrS", 4) != 0)
		return error_set(err, -EBADMSG, "%s is no kernel image that GRUB could load (bzImage).", path);
#else
	(void)path;
	(void)err;
#endif
	return 0;
}

/* Copies unless the same bytes are there already, and reads back. */
static int grub_copy_file(const char *from, const char *to, struct error *err)
{
	char wanted[DIGEST_HEX_SIZE], actual[DIGEST_HEX_SIZE];
	_cleanup_close_ int fd = -1;
	int r;

	r = digest_file(from, wanted, err);
	if (r < 0)
		return r;
	if (file_exists(to) && digest_file(to, actual, NULL) == 0 && strcmp(wanted, actual) == 0)
		return 0;
	r = file_copy_durable(from, to, 0644, err);
	if (r < 0)
		return r;
	fd = open(to, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0) /* so that the disk is read, not the cache */
		(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	r = digest_file(to, actual, err);
	if (r < 0)
		return r;
	if (strcmp(wanted, actual) != 0)
		return error_set(err, -EIO, "%s does not hold what was just written: check the disk.", to);
	return 0;
}

static char *grub_entry_directory(const struct grub_loader *grub, const char *id)
{
	return path_join(grub->kernels_path, id);
}

static int grub_install_files(const struct grub_loader *grub, const struct boot_entry *entry,
			      struct error *err)
{
	_cleanup_free_ char *directory = grub_entry_directory(grub, entry->id);
	_cleanup_free_ char *kernel = path_join(directory, "kernel"), *initrd = path_join(directory, "initrd");
	int r;

	r = file_make_directories(directory, 0755, err);
	if (r < 0)
		return r;
	r = grub_copy_file(entry->kernel_path, kernel, err);
	if (r == 0 && entry->initrd_path)
		r = grub_copy_file(entry->initrd_path, initrd, err);
	if (r == 0 && !entry->initrd_path && unlink(initrd) < 0 && errno != ENOENT)
		r = error_set_errno(err, -errno, "Cannot remove %s", initrd);
	if (r == 0)
		r = file_sync_directory(directory, err);
	if (r == 0)
		r = file_sync_directory(grub->kernels_path, err);
	return r < 0 ? r : file_sync_directory(grub->boot_directory, err);
}

static int grub_write_menu_entry(struct grub_loader *grub, const struct boot_entry *entry,
				 char **ret_text, struct error *err)
{
	_cleanup_free_ char *directory = grub_entry_directory(grub, entry->id);
	_cleanup_free_ char *kernel = path_join(directory, "kernel"), *initrd = path_join(directory, "initrd");
	_cleanup_free_ char *grub_kernel = boot_mount_relative(&grub->boot_mount, grub_system_path(grub, kernel));
	_cleanup_free_ char *grub_initrd = boot_mount_relative(&grub->boot_mount, grub_system_path(grub, initrd));
	const struct boot_paths paths = { .root = grub->root };
	char uuid[BOOT_MOUNT_UUID_SIZE];
	struct grub_menu_entry menu = {
		.id = entry->id,
		.title = entry->title,
		.uuid = uuid,
		.kernel_path = grub_kernel,
		.initrd_path = entry->initrd_path ? grub_initrd : NULL,
		.options = entry->options,
	};
	int r;

	r = boot_mount_read_uuid(&paths, &grub->boot_mount, uuid, err);
	return r < 0 ? r : grub_menu_entry_write(&menu, ret_text, err);
}

/* The default kernel's command line is in /proc only while that kernel runs. */
static int grub_running_options(const struct grub_loader *grub, char **ret_options, struct error *err)
{
	_cleanup_free_ char *path = text_format("%s/proc/cmdline", grub->root), *cmdline = NULL;
	int r;

	r = file_read(path, CMDLINE_MAX_BYTES, &cmdline, NULL, err);
	if (r < 0)
		return r;
	if (boot_options_has(cmdline, "abbot.token"))
		return error_set(err, -ENOENT,
				 "The default entry's command line is not known while a test kernel runs: reboot into the default kernel.");
	*ret_options = boot_options_inherit(cmdline);
	return 0;
}

int grub_default_options(struct boot_loader *loader, char **ret_options, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	struct grub_loader *grub = grub_loader_of(loader);
	mode_t mode;
	int r;

	r = grub_running_options(grub, ret_options, err);
	if (r != -ENOENT)
		return r;
	if (grub_read_custom(grub, &config, &mode, NULL) < 0 || !config.default_options)
		return r;
	*ret_options = TAKE_PTR(config.default_options);
	return 0;
}

int grub_install_entry(struct boot_loader *loader, const struct boot_entry *entry, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	struct grub_loader *grub = grub_loader_of(loader);
	_cleanup_free_ char *text = NULL, *options = NULL;
	mode_t mode;
	int r;

	r = grub_check_id(entry->id, err);
	if (r < 0)
		return r;
	r = boot_options_check(entry->options, err);
	if (r < 0)
		return r;
	r = grub_check_image(entry->kernel_path, err);
	if (r < 0)
		return r;
	r = grub_read_custom(grub, &config, &mode, err);
	if (r < 0)
		return r;
	r = grub_write_menu_entry(grub, entry, &text, err);
	if (r < 0)
		return r;
	if (grub_running_options(grub, &options, NULL) == 0) {
		free(config.default_options);
		config.default_options = TAKE_PTR(options);
	}
	r = grub_prepare_environment(grub, err);
	if (r < 0)
		return r;
	r = grub_install_files(grub, entry, err);
	if (r < 0) { /* a half-copied kernel must not fill /boot */
		if (!grub_config_has(&config, entry->id))
			(void)grub_remove_entry(loader, entry->id, NULL);
		return r;
	}
	r = grub_config_set(&config, entry->id, TAKE_PTR(text), err);
	if (r < 0)
		return r;
	r = grub_write_custom(grub, &config, mode, err);
	if (r < 0)
		return r;
	boot_mount_settle(&grub->boot_mount);
	boot_mount_settle(&grub->directory_mount);
	return 0;
}

int grub_check_installed(struct grub_loader *grub, const char *id, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	_cleanup_free_ char *directory = grub_entry_directory(grub, id), *kernel = path_join(directory, "kernel");
	mode_t mode;
	int r;

	r = grub_read_custom(grub, &config, &mode, err);
	if (r < 0)
		return r;
	if (!grub_config_has(&config, id))
		return error_set(err, -ENOENT, "There is no boot entry %s in %s.", id, grub->custom_path);
	return grub_check_image(kernel, err);
}

static int grub_disarm_if(struct boot_loader *loader, const char *id, struct error *err)
{
	struct boot_one_shot armed;
	int r;

	r = grub_read_armed(loader, &armed, err);
	if (r < 0)
		return r;
	return armed.is_armed && strcmp(armed.entry, id) == 0 ? grub_disarm(loader, err) : 0;
}

int grub_remove_entry(struct boot_loader *loader, const char *id, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	struct grub_loader *grub = grub_loader_of(loader);
	_cleanup_free_ char *directory = NULL;
	mode_t mode;
	int r;

	r = grub_check_id(id, err);
	if (r < 0)
		return r;
	r = grub_read_custom(grub, &config, &mode, err);
	if (r < 0)
		return r;
	r = grub_disarm_if(loader, id, err);
	if (r < 0)
		return r;
	if (grub_config_has(&config, id)) {
		grub_config_remove(&config, id);
		r = grub_write_custom(grub, &config, mode, err);
		if (r < 0)
			return r;
	}
	directory = grub_entry_directory(grub, id);
	r = file_remove_tree(directory, err);
	if (r < 0)
		return r;
	if (config.n_entries == 0) { /* the last one: leave no trace */
		(void)rmdir(grub->kernels_path);
		r = grub_remove_environment(grub, err);
		if (r < 0)
			return r;
	}
	r = file_sync_directory(grub->boot_directory, err);
	boot_mount_settle(&grub->boot_mount);
	boot_mount_settle(&grub->directory_mount);
	return r;
}

static void grub_free_ids(char ***ids)
{
	for (size_t i = 0; *ids && (*ids)[i]; i++)
		free((*ids)[i]);
	free(*ids);
}

static int grub_add_id(char ***ids, size_t *n_ids, const char *id)
{
	char **grown = reallocarray(*ids, *n_ids + 2, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*ids = grown;
	grown[*n_ids] = text_duplicate(id);
	grown[++*n_ids] = NULL;
	return 0;
}

/* Directories that an interrupted install left without an entry are ours to remove, too. */
static int grub_add_leftovers(const struct grub_loader *grub, const struct grub_config *config,
			      char ***ids, size_t *n_ids)
{
	_cleanup_(cleanup_dir) DIR *directory = opendir(grub->kernels_path);
	const struct dirent *item;

	if (!directory)
		return errno == ENOENT ? 0 : -errno;
	while ((item = readdir(directory)))
		if (grub_check_id(item->d_name, NULL) == 0 && !grub_config_has(config, item->d_name) &&
		    grub_add_id(ids, n_ids, item->d_name) < 0)
			return -ENOMEM;
	return 0;
}

int grub_list_entries(struct boot_loader *loader, char ***ret_ids, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	_cleanup_(grub_free_ids) char **ids = calloc(1, sizeof(*ids));
	struct grub_loader *grub = grub_loader_of(loader);
	size_t n_ids = 0;
	mode_t mode;
	int r;

	r = grub_read_custom(grub, &config, &mode, err);
	if (r < 0)
		return r;
	if (!ids)
		return error_set(err, -ENOMEM, "Out of memory.");
	for (size_t i = 0; i < config.n_entries; i++)
		if (grub_add_id(&ids, &n_ids, config.entries[i].id) < 0)
			return error_set(err, -ENOMEM, "Out of memory.");
	r = grub_add_leftovers(grub, &config, &ids, &n_ids);
	if (r < 0)
		return error_set_errno(err, r, "Cannot list %s", grub->kernels_path);
	*ret_ids = TAKE_PTR(ids);
	return 0;
}

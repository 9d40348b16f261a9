// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names and files of test entries, the same whichever loader boots them. What an entry
 * looks like to a loader is in each backend's own files.
 */
#include "boot/entry_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/boot_options.h"
#include "boot/esp.h"
#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/text.h"

#define CMDLINE_MAX_BYTES (64UL * 1024)

int entry_check_id(const char *id, struct error *err)
{
	size_t length = strlen(id);
	bool is_good = text_has_prefix(id, BOOT_ENTRY_PREFIX) && length < BOOT_ENTRY_SIZE &&
		       length > strlen(BOOT_ENTRY_PREFIX);

	for (const char *at = id; *at; at++)
		is_good &= (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
			   (*at >= '0' && *at <= '9') || *at == '-';
	if (!is_good)
		return error_set(err, -EINVAL,
				 "'%s' is no id for a boot entry: it is " BOOT_ENTRY_PREFIX
				 " and letters, digits and '-', at most %d characters.",
				 id, BOOT_ENTRY_SIZE - 1);
	return 0;
}

int entry_check_token(const char *token, struct error *err)
{
	size_t n_hex = strspn(token, "0123456789abcdef");

	if (n_hex != BOOT_TOKEN_SIZE - 1 || token[n_hex] != '\0')
		return error_set(err, -EINVAL, "A boot token is %d lower-case hex digits.",
				 BOOT_TOKEN_SIZE - 1);
	return 0;
}

static bool has_line_end(const char *text)
{
	return strpbrk(text, "\r\n") != NULL;
}

int entry_check_efi(const struct boot_entry *entry, struct error *err)
{
	int r = boot_options_check(entry->options, err);

	if (r == 0)
		r = esp_check_image(entry->kernel_path, err);
	if (r == 0 && (has_line_end(entry->title) || has_line_end(entry->owner)))
		r = error_set(err, -EINVAL, "The title of a boot entry must be one line.");
	return r;
}

void entry_add_header(struct text_buffer *text, const struct boot_entry *entry)
{
	text_printf(text, "# Abbot wrote this for %s, and removes it when that ends.\n", entry->owner);
}

/* Copies unless the same bytes are there already, and reads back. */
static int entry_copy_file(const char *from, const char *to, struct error *err)
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

/* The directory above @path, so that the name @path lasts. */
static int entry_sync_parent(const char *path, struct error *err)
{
	_cleanup_free_ char *parent = text_format("%s/..", path);

	return file_sync_directory(parent, err);
}

int entry_files_install(const char *base, const struct boot_entry *entry, struct error *err)
{
	_cleanup_free_ char *directory = path_join(base, entry->id);
	_cleanup_free_ char *kernel = path_join(directory, "kernel"), *initrd = path_join(directory, "initrd");
	int r;

	r = file_make_directories(directory, 0755, err);
	if (r < 0)
		return r;
	r = entry_copy_file(entry->kernel_path, kernel, err);
	if (r == 0 && entry->initrd_path)
		r = entry_copy_file(entry->initrd_path, initrd, err);
	if (r == 0 && !entry->initrd_path && unlink(initrd) < 0 && errno != ENOENT)
		r = error_set_errno(err, -errno, "Cannot remove %s", initrd);
	if (r == 0)
		r = file_sync_directory(directory, err);
	if (r == 0)
		r = file_sync_directory(base, err);
	return r < 0 ? r : entry_sync_parent(base, err);
}

int entry_running_options(const char *root, char **ret_options, struct error *err)
{
	_cleanup_free_ char *path = text_format("%s/proc/cmdline", root), *cmdline = NULL;
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

int entry_ids_add(struct entry_ids *ids, const char *id, struct error *err)
{
	char **grown;

	for (size_t i = 0; i < ids->n_ids; i++)
		if (strcmp(ids->ids[i], id) == 0)
			return 0;
	grown = reallocarray(ids->ids, ids->n_ids + 2, sizeof(*grown));
	if (!grown)
		return error_set(err, -ENOMEM, "Out of memory.");
	ids->ids = grown;
	grown[ids->n_ids++] = text_duplicate(id);
	grown[ids->n_ids] = NULL;
	return 0;
}

int entry_ids_add_directories(struct entry_ids *ids, const char *base, struct error *err)
{
	_cleanup_dir_ DIR *directory = opendir(base);
	const struct dirent *item;
	int r;

	if (!directory)
		return errno == ENOENT ? 0 : error_set_errno(err, -errno, "Cannot list %s", base);
	while ((item = readdir(directory)))
		if (entry_check_id(item->d_name, NULL) == 0 &&
		    (r = entry_ids_add(ids, item->d_name, err)) < 0)
			return r;
	return 0;
}

char **entry_ids_take(struct entry_ids *ids)
{
	char **taken = ids->ids ? ids->ids : calloc(1, sizeof(*taken));

	if (!taken)
		abort(); /* as the text functions do */
	*ids = (struct entry_ids){ 0 };
	return taken;
}

void entry_ids_done(struct entry_ids *ids)
{
	for (size_t i = 0; i < ids->n_ids; i++)
		free(ids->ids[i]);
	free(ids->ids);
	*ids = (struct entry_ids){ 0 };
}

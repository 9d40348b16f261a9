// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one-shot of the GRUB backend: abbot_next and abbot_token in our own environment
 * block beside grub.cfg. GRUB clears them (see boot/grub_config.c) before it believes them.
 */
#include "boot/grub_loader.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/entry_files.h"
#include "boot/grubenv.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define GRUB_NEXT "abbot_next"
#define GRUB_TOKEN "abbot_token"

int grub_prepare_environment(struct grub_loader *loader, struct error *err)
{
	char block[GRUBENV_SIZE];

	if (grubenv_read_file(loader->environment_path, block, NULL) == 0)
		return 0;
	/*
	 * Absent or damaged: GRUB takes that for "not armed". A rename is right here, as
	 * nothing is armed that a stale block could arm again.
	 */
	grubenv_init(block);
	return file_write_durable(loader->environment_path, block, sizeof(block), 0644, err);
}

int grub_remove_environment(struct grub_loader *loader, struct error *err)
{
	if (unlink(loader->environment_path) < 0 && errno != ENOENT)
		return error_set_errno(err, -errno, "Cannot remove %s", loader->environment_path);
	return file_sync_directory(loader->directory, err);
}

/* Both variables at once; the block is written only when that changes it. */
static int grub_write_one_shot(struct grub_loader *grub, const char *id, const char *token,
			       struct error *err)
{
	char block[GRUBENV_SIZE];
	int r;

	r = grubenv_read_file(grub->environment_path, block, err);
	if (r < 0)
		return r;
	r = grubenv_set(block, GRUB_NEXT, id, err);
	if (r < 0)
		return r;
	r = grubenv_set(block, GRUB_TOKEN, token, err);
	if (r < 0)
		return r;
	r = grubenv_write_file(grub->environment_path, block, err);
	if (r < 0)
		return r;
	grub_settle(grub, &grub->directory_mount);
	return 0;
}

int grub_read_armed(struct boot_loader *loader, struct boot_one_shot *ret_one_shot,
		    struct error *err)
{
	struct grub_loader *grub = grub_loader_of(loader);
	struct boot_one_shot one_shot = { 0 };
	_cleanup_free_ char *data = NULL;
	size_t size = 0;
	int r;

	r = file_read(grub->environment_path, GRUBENV_MAX_BYTES, &data, &size, err);
	if (r == -ENOENT) {
		*ret_one_shot = one_shot;
		return 0;
	}
	if (r < 0)
		return r;
	/* Whatever GRUB would read counts: any size, and an id that is too long for us, too. */
	r = grubenv_get(data, size, GRUB_NEXT, one_shot.entry, sizeof(one_shot.entry));
	one_shot.is_armed = r == -ENOSPC || (r == 0 && one_shot.entry[0] != '\0');
	if (one_shot.is_armed)
		(void)grubenv_get(data, size, GRUB_TOKEN, one_shot.token, sizeof(one_shot.token));
	*ret_one_shot = one_shot;
	return 0;
}

int grub_arm_once(struct boot_loader *loader, const char *id, const char *token,
		  struct error *err)
{
	struct grub_loader *grub = grub_loader_of(loader);
	struct boot_one_shot armed;
	int r;

	r = entry_check_id(id, err);
	if (r < 0)
		return r;
	r = entry_check_token(token, err);
	if (r < 0)
		return r;
	/* An unknown id makes GRUB boot entry 0 without a word. */
	r = grub_check_installed(grub, id, err);
	if (r < 0)
		return r;
	r = grub_prepare_environment(grub, err);
	if (r < 0)
		return r;
	r = grub_write_one_shot(grub, id, token, err);
	if (r < 0)
		return r;
	r = grub_read_armed(loader, &armed, err);
	if (r < 0)
		return r;
	if (!armed.is_armed || strcmp(armed.entry, id) != 0 || strcmp(armed.token, token) != 0)
		return error_set(err, -EIO, "%s does not hold the one-shot that was just set: check the disk.",
				 grub->environment_path);
	return 0;
}

int grub_disarm(struct boot_loader *loader, struct error *err)
{
	struct grub_loader *grub = grub_loader_of(loader);
	struct boot_one_shot armed;
	struct stat st;
	int r;

	if (lstat(grub->environment_path, &st) < 0 && errno == ENOENT)
		return 0;
	r = grub_read_armed(loader, &armed, NULL);
	if (r == 0 && !armed.is_armed)
		return 0;
	r = grub_write_one_shot(grub, "", "", NULL);
	if (r < 0) { /* not a block of ours any more: it must go as a whole */
		r = grub_remove_environment(grub, err);
		if (r < 0)
			return r;
		grub_settle(grub, &grub->directory_mount);
	}
	r = grub_read_armed(loader, &armed, err);
	if (r < 0)
		return r;
	if (armed.is_armed)
		return error_set(err, -EIO, "The one-shot in %s cannot be cleared: remove that file.",
				 grub->environment_path);
	return 0;
}

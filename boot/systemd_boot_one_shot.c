// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one-shot of systemd-boot: the UEFI variable LoaderEntryOneShot, which it deletes
 * before it looks for the entry. The token is on the entry's own command line, so the
 * entry is rewritten first: one with an old token that is not armed does no harm.
 */
#include "boot/systemd_boot.h"

#include <errno.h>
#include <string.h>

#include "boot/bls_entry.h"
#include "boot/boot_options.h"
#include "boot/efi_variable.h"
#include "boot/entry_files.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define ONE_SHOT "LoaderEntryOneShot"
#define SUFFIX ".conf"
#define ENTRY_MAX_BYTES (64UL * 1024)

static void read_token(const struct systemd_boot *sd, const char *id, char token[BOOT_TOKEN_SIZE])
{
	_cleanup_free_ char *path = systemd_boot_entry_path(sd, id), *data = NULL, *options = NULL;
	size_t size = 0;

	if (file_read(path, ENTRY_MAX_BYTES, &data, &size, NULL) == 0 &&
	    bls_entry_get(data, size, "options", &options))
		(void)boot_options_get(options, "abbot.token", token, BOOT_TOKEN_SIZE);
}

/* The id as systemd-boot has it, "" when nothing is set. An id too long for us is nobody's of ours. */
static int read_variable(const struct systemd_boot *sd, char id[BOOT_ENTRY_SIZE + sizeof(SUFFIX)],
			 struct error *err)
{
	char text[1024] = "";
	int r = efi_variable_read_text(&sd->paths, ONE_SHOT, EFI_GUID_LOADER, text, sizeof(text));

	id[0] = '\0';
	if (r == -ENOENT)
		return 0;
	if (r < 0 && r != -EBADMSG && r != -ENOSPC)
		return error_set_errno(err, r, "The UEFI variable " ONE_SHOT " cannot be read");
	if (r < 0 || strlen(text) >= BOOT_ENTRY_SIZE + sizeof(SUFFIX))
		strcpy(id, "?"); /* set, and not by us */
	else
		strcpy(id, text);
	return 0;
}

/* Cuts ".conf" off an id of ours. */
static bool is_ours(char *id)
{
	if (!text_has_suffix(id, SUFFIX))
		return false;
	id[strlen(id) - strlen(SUFFIX)] = '\0';
	return systemd_boot_check_id(id, NULL) == 0;
}

int systemd_boot_read_armed(struct boot_loader *loader, struct boot_one_shot *ret_one_shot,
			    struct error *err)
{
	struct systemd_boot *sd = systemd_boot_of(loader);
	char id[BOOT_ENTRY_SIZE + sizeof(SUFFIX)];
	struct boot_one_shot one_shot = { 0 };
	int r = read_variable(sd, id, err);

	if (r < 0)
		return r;
	one_shot.is_armed = is_ours(id);
	if (one_shot.is_armed) {
		memcpy(one_shot.entry, id, strlen(id) + 1);
		read_token(sd, id, one_shot.token);
	}
	*ret_one_shot = one_shot;
	return 0;
}

static int check_not_pending(struct systemd_boot *sd, struct error *err)
{
	char id[BOOT_ENTRY_SIZE + sizeof(SUFFIX)];
	int r = read_variable(sd, id, err);

	if (r < 0 || id[0] == '\0')
		return r;
	if (!is_ours(id))
		return error_set(err, -EBUSY,
				 "Somebody else has set an entry for the next boot (the UEFI variable " ONE_SHOT "): run bootctl set-oneshot '', or reboot once.");
	return 0;
}

int systemd_boot_arm_once(struct boot_loader *loader, const char *id, const char *token,
			  struct error *err)
{
	struct systemd_boot *sd = systemd_boot_of(loader);
	_cleanup_free_ char *name = text_format("%s" SUFFIX, id);
	_cleanup_free_ void *data = NULL;
	struct boot_one_shot armed;
	size_t size = 0;
	int r;

	r = systemd_boot_check_id(id, err);
	if (r == 0)
		r = entry_check_token(token, err);
	if (r == 0)
		r = check_not_pending(sd, err);
	/* 252 goes back to the firmware when an image does not load, and may stay there. */
	if (r == 0)
		r = systemd_boot_check_installed(sd, id, err);
	if (r == 0)
		r = systemd_boot_write_token(sd, id, token, err);
	if (r < 0)
		return r;
	if (efi_text_make(name, &data, &size) < 0)
		return error_set(err, -ENOMEM, "Out of memory.");
	r = efi_variable_write(&sd->paths, ONE_SHOT, EFI_GUID_LOADER, data, size, err);
	if (r == 0)
		r = systemd_boot_read_armed(loader, &armed, err);
	if (r < 0)
		return r;
	if (!armed.is_armed || strcmp(armed.entry, id) != 0 || strcmp(armed.token, token) != 0)
		return error_set(err, -EIO, "%s and the UEFI variable " ONE_SHOT " do not hold the one-shot that was just set: check the EFI system partition.",
				 sd->entries_path);
	return 0;
}

int systemd_boot_disarm(struct boot_loader *loader, struct error *err)
{
	struct systemd_boot *sd = systemd_boot_of(loader);
	struct boot_one_shot armed;
	int r = systemd_boot_read_armed(loader, &armed, err);

	if (r < 0 || !armed.is_armed) /* somebody else's stays */
		return r;
	return efi_variable_remove(&sd->paths, ONE_SHOT, EFI_GUID_LOADER, err);
}

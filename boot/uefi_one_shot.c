// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one-shot of UEFI firmware: BootNext, which it deletes before it starts what it names
 * (UEFI 2.10, 3.1.2). It names an option of ours, made anew with the token first: one that
 * is neither in BootNext nor in BootOrder is never started.
 */
#include "boot/uefi.h"

#include <errno.h>
#include <string.h>

#include "boot/efi_variable.h"
#include "boot/entry_files.h"
#include "common/cleanup.h"
#include "common/text.h"

#define ONE_SHOT "BootNext"

static bool is_pending(const struct uefi *uefi)
{
	_cleanup_free_ void *data = NULL;
	size_t size = 0;

	return efi_variable_read(&uefi->paths, ONE_SHOT, EFI_GUID_GLOBAL, &data, &size, NULL) != -ENOENT;
}

int uefi_read_armed(struct boot_loader *loader, struct boot_one_shot *ret_one_shot,
		    struct error *err)
{
	struct uefi *uefi = uefi_of(loader);
	struct boot_one_shot one_shot = { 0 };
	_cleanup_free_ void *data = NULL;
	struct uefi_option option;
	size_t size = 0;
	int r = efi_variable_read(&uefi->paths, ONE_SHOT, EFI_GUID_GLOBAL, &data, &size, NULL);

	if (r < 0 && r != -ENOENT)
		return error_set_errno(err, r, "The UEFI variable " ONE_SHOT " cannot be read");
	if (r == 0 && size == 2) {
		const unsigned char *bytes = data;

		one_shot.is_armed = uefi_is_ours(&uefi->paths, bytes[0] | bytes[1] << 8, &option);
	}
	if (one_shot.is_armed) {
		memcpy(one_shot.entry, option.id, sizeof(one_shot.entry));
		memcpy(one_shot.token, option.token, sizeof(one_shot.token));
	}
	*ret_one_shot = one_shot;
	return 0;
}

/* Makes or replaces our Boot#### for @id. */
static int write_option(struct uefi *uefi, const char *id, const char *options, int *ret_number,
			struct error *err)
{
	_cleanup_free_ char *path = text_format("\\" ENTRY_FILES_NAME "\\%s\\kernel", id);
	_cleanup_free_ char *description = text_format("Abbot %s", id);
	_cleanup_free_ void *bytes = NULL;
	int number = uefi_find_option(&uefi->paths, id);
	size_t size = 0;
	char name[9];

	if (number == UEFI_OPTION_NONE)
		number = uefi_free_option(&uefi->paths);
	if (number == UEFI_OPTION_NONE)
		return error_set(err, -ENOSPC, "The firmware has no number left for a boot entry: remove unused ones with efibootmgr.");
	if (efi_load_option_make(description, &uefi->partition, path, options, &bytes, &size) < 0)
		return error_set(err, -EINVAL, "The command line of %s cannot be handed to the firmware: it is no UTF-8, or too long.",
				 id);
	uefi_option_name(number, name);
	*ret_number = number;
	return efi_variable_write(&uefi->paths, name, EFI_GUID_GLOBAL, bytes, size, err);
}

int uefi_arm_once(struct boot_loader *loader, const char *id, const char *token,
		  struct error *err)
{
	struct uefi *uefi = uefi_of(loader);
	_cleanup_free_ char *options = NULL;
	struct boot_one_shot armed;
	unsigned char next[2];
	int number = UEFI_OPTION_NONE, r;

	r = entry_check_id(id, err);
	if (r == 0)
		r = entry_check_token(token, err);
	if (r == 0)
		r = uefi_read_armed(loader, &armed, err);
	if (r == 0 && !armed.is_armed && is_pending(uefi))
		r = error_set(err, -EBUSY, "Somebody else has set an entry for the next boot (the UEFI variable " ONE_SHOT "): run efibootmgr --delete-bootnext, or reboot once.");
	if (r == 0)
		r = uefi_entry_options(uefi, id, token, &options, err);
	if (r == 0)
		r = write_option(uefi, id, options, &number, err);
	if (r < 0)
		return r;
	next[0] = (unsigned char)number;
	next[1] = (unsigned char)(number >> 8);
	r = efi_variable_write(&uefi->paths, ONE_SHOT, EFI_GUID_GLOBAL, next, sizeof(next), err);
	if (r == 0)
		r = uefi_read_armed(loader, &armed, err);
	if (r < 0)
		return r;
	if (!armed.is_armed || strcmp(armed.entry, id) != 0 || strcmp(armed.token, token) != 0)
		return error_set(err, -EIO, "The UEFI variables " ONE_SHOT " and Boot%04X do not hold the one-shot that was just set: this firmware cannot be trusted with a one-shot boot.",
				 (unsigned int)number);
	return 0;
}

int uefi_disarm(struct boot_loader *loader, struct error *err)
{
	struct uefi *uefi = uefi_of(loader);
	struct boot_one_shot armed;
	int r = uefi_read_armed(loader, &armed, err);

	if (r < 0 || !armed.is_armed) /* somebody else's stays */
		return r;
	return efi_variable_remove(&uefi->paths, ONE_SHOT, EFI_GUID_GLOBAL, err);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside of the backend for machines whose firmware starts the kernel itself (EFI stub):
 * what its files share. For boot/uefi*.c only. BootOrder is read and never written.
 */
#pragma once

#include <stdint.h>

#include "boot/boot_loader.h"
#include "boot/esp.h"
#include "common/error.h"

struct uefi {
	struct boot_loader base;
	char *root;
	struct boot_paths paths; /* root is the one above */
	struct esp esp;
	struct efi_partition partition;
	char *kernels_path;      /* ESP/abbot */
};

static inline struct uefi *uefi_of(struct boot_loader *loader)
{
	return (struct uefi *)loader; /* base comes first */
}

/* One of our Boot#### variables. */
struct uefi_option {
	char id[BOOT_ENTRY_SIZE];
	char token[BOOT_TOKEN_SIZE]; /* "" when there is none on its command line */
};

#define UEFI_OPTION_NONE (-1)

/* The 16-bit number in the variable @name, or UEFI_OPTION_NONE. */
int uefi_read_number(const struct boot_paths *paths, const char *name);
/* Boot####, parsed; caller frees *ret_bytes, into which it points. Negative: none, or damaged. */
int uefi_read_option(const struct boot_paths *paths, int number, void **ret_bytes,
		     struct efi_load_option *ret_option);
/* Is Boot@number one of ours, "\abbot\ID\kernel"? Says which. */
bool uefi_is_ours(const struct boot_paths *paths, int number, struct uefi_option *ret_option);
/* The lowest number of our options for @id, or UEFI_OPTION_NONE. */
int uefi_find_option(const struct boot_paths *paths, const char *id);
/* A number that no option has; UEFI_OPTION_NONE when all are taken. */
int uefi_free_option(const struct boot_paths *paths);
/* Every id that has an option. */
struct entry_ids;
int uefi_add_option_ids(const struct boot_paths *paths, struct entry_ids *ids, struct error *err);
/* "Boot0A01". */
void uefi_option_name(int number, char ret_name[9]);

/* The command line of @id with @token on it. Caller frees. */
int uefi_entry_options(struct uefi *uefi, const char *id, const char *token, char **ret_options,
		       struct error *err);
int uefi_install_entry(struct boot_loader *loader, const struct boot_entry *entry,
		       struct error *err);
int uefi_remove_entry(struct boot_loader *loader, const char *id, struct error *err);
int uefi_list_entries(struct boot_loader *loader, char ***ret_ids, struct error *err);

int uefi_arm_once(struct boot_loader *loader, const char *id, const char *token,
		  struct error *err);
int uefi_read_armed(struct boot_loader *loader, struct boot_one_shot *ret_one_shot,
		    struct error *err);
int uefi_disarm(struct boot_loader *loader, struct error *err);

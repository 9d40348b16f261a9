// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The UEFI variables of a machine that is off, read from its flash file as OVMF keeps them:
 * edk2's MdeModulePkg/Include/Guid/VariableFormat.h (authenticated variables).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define VARIABLES_NAME "uefi-variables.fd" /* in the run directory */

struct variables_found {
	char name[64];       /* "" when it is longer, or not ASCII */
	const uint8_t *data; /* in the flash's bytes */
	size_t size;
};

/*
 * The next valid variable from *at (0 to begin) on, of any vendor. 1: *ret_found; 0: that was
 * the last, *at is where another one would go. -EBADMSG: this is no such flash. Pure.
 */
int variables_next(const void *flash, size_t size, size_t *at, struct variables_found *ret_found);

/* The one with @name; otherwise as variables_next(). Pure. */
int variables_find(const void *flash, size_t size, const char *name,
		   struct variables_found *ret_found);

/*
 * Adds the variable @name (ASCII, EFI_GUID_GLOBAL's; it must not be there yet). -ENOSPC: the
 * store, its part of the volume before the fault-tolerant one, is full. Pure.
 */
int variables_add(void *flash, size_t size, const char *name, const void *data, size_t data_size);

/* The flash in @run_directory; caller frees. */
int variables_read(const char *run_directory, char **ret_flash, size_t *ret_size, struct error *err);

/* *ret_lacks: the flash in @run_directory has no such variable. */
int variables_lack(const char *run_directory, const char *name, bool *ret_lacks,
		   struct error *err);

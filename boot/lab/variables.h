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
	const uint8_t *data; /* in the flash's bytes */
	size_t size;
};

/*
 * The valid variable @name of any vendor. 1: *ret_found, 0: there is none. -EBADMSG: this is
 * no such flash. Pure.
 */
int variables_find(const void *flash, size_t size, const char *name,
		   struct variables_found *ret_found);

/* *ret_lacks: the flash in @run_directory has no such variable. */
int variables_lack(const char *run_directory, const char *name, bool *ret_lacks,
		   struct error *err);

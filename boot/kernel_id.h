// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which kernel is this? The GNU build id: of the running kernel from
 * /sys/kernel/notes, of a built one from its vmlinux's .notes.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"

#define KERNEL_BUILD_ID_SIZE 41 /* SHA-1 in hex, and NUL */

/*
 * Finds the note (name "GNU", type 3) among ELF notes in the machine's byte order:
 * u32 namesz, descsz, type, then name and desc, each padded to 4. -ENOENT if absent.
 */
int kernel_id_from_notes(const void *notes, size_t size, char ret_hex[KERNEL_BUILD_ID_SIZE],
			 struct error *err);
/* Reads the ELF file's SHT_NOTE sections and PT_NOTE segments; bounded, hostile input is fine. */
int kernel_id_of_vmlinux(const char *path, char ret_hex[KERNEL_BUILD_ID_SIZE],
			 struct error *err);

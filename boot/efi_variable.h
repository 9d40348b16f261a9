// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UEFI variables through efivarfs: Documentation/filesystems/efivarfs.rst. A file is four
 * bytes of attributes and the data; it is written in one write(2) or not at all.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/boot_loader.h"
#include "common/error.h"

#define EFI_VARIABLES_DIRECTORY "/sys/firmware/efi/efivars"
#define EFI_GUID_GLOBAL "8be4df61-93ca-11d2-aa0d-00e098032b8c"
/* systemd's Boot Loader Interface: https://systemd.io/BOOT_LOADER_INTERFACE */
#define EFI_GUID_LOADER "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

#define EFI_VARIABLE_MAX_BYTES (64UL * 1024)
#define EFI_VARIABLE_ATTRIBUTES_BYTES 4

/*
 * The data without the attributes; caller frees. -ENOENT: there is no such variable (or no
 * efivarfs), no sentence needed. Blocks for as long as the firmware takes.
 */
int efi_variable_read(const struct boot_paths *paths, const char *name, const char *guid,
		      void **ret_data, size_t *ret_size, struct error *err);

/*
 * Sets it, non-volatile and for boot and runtime, whatever it was; read back and compared. The
 * same data again: nothing is written, since flash wears.
 */
int efi_variable_write(const struct boot_paths *paths, const char *name, const char *guid,
		       const void *data, size_t size, struct error *err);

/* Absent is success; looked for afterwards. */
int efi_variable_remove(const struct boot_paths *paths, const char *name, const char *guid,
			struct error *err);

/*
 * UTF-16LE as UEFI keeps text, up to a NUL or the end, to UTF-8 in @text. -EBADMSG: half a
 * character; -ENOSPC: does not fit (@text is "" then).
 */
int efi_text_read(const void *data, size_t size, char *text, size_t text_size);
/* UTF-8 to UTF-16LE with a NUL; *ret_size counts both its bytes. Caller frees. -EINVAL: no UTF-8. */
int efi_text_make(const char *text, void **ret_data, size_t *ret_size);

/* efi_text_read() of a variable: -ENOENT, -EBADMSG, -ENOSPC as above. */
int efi_variable_read_text(const struct boot_paths *paths, const char *name, const char *guid,
			   char *text, size_t text_size);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside of `abbot check`: what its groups of checks share. For boot/preflight*.c only.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "boot/boot_loader.h"

enum preflight_status {
	PREFLIGHT_OK,
	PREFLIGHT_WARNING,
	PREFLIGHT_REFUSAL,
	PREFLIGHT_SKIPPED, /* not available here: never the same as ok */
};

struct preflight {
	const struct boot_paths *paths;
	const char *state_directory;
	int kernels;
	struct boot_loader *loader; /* NULL: none that could be used */
	json_t *lines;
	bool is_refused;
};

/* One line of the answer. @remedy: what to do, "" when nothing. */
void preflight_add(struct preflight *preflight, const char *check, enum preflight_status status,
		   const char *remedy, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* A file below paths->root of at most 64 KiB, or NULL. Caller frees. */
char *preflight_read(const struct preflight *preflight, const char *path, size_t *ret_size);
bool preflight_exists(const struct preflight *preflight, const char *path);

/* Each looks at one part of the machine and adds its findings. */
void preflight_check_loader(struct preflight *preflight);  /* sets preflight->loader */
void preflight_check_grub(struct preflight *preflight);
void preflight_check_firmware(struct preflight *preflight);
void preflight_check_kernel(struct preflight *preflight);
void preflight_check_services(struct preflight *preflight);
void preflight_check_space(struct preflight *preflight);
void preflight_check_tools(struct preflight *preflight);

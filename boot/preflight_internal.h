// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside of `abbot check`: what its groups of checks share. For boot/preflight*.c only.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "boot/os_release.h"
#include "boot/preflight.h"
#include "boot/system_bus.h"

enum preflight_status {
	PREFLIGHT_OK,
	PREFLIGHT_WARNING,
	PREFLIGHT_REFUSAL,
	PREFLIGHT_SKIPPED, /* not available here: never the same as ok */
};

struct preflight {
	const struct boot_paths *paths;
	const struct preflight_request *request;
	struct os_commands commands; /* the distribution's own, for remedies */
	struct boot_loader *loader;  /* NULL: none that could be used */
	json_t *lines;
	bool is_armed;   /* a one-shot of ours is set */
	bool is_refused;
};

/* One line of the answer. @remedy: what to do, "" when nothing. */
void preflight_add(struct preflight *preflight, const char *check, enum preflight_status status,
		   const char *remedy, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* A file below paths->root of at most 64 KiB, or NULL. Caller frees. */
char *preflight_read(const struct preflight *preflight, const char *path, size_t *ret_size);
/* The first line of such a file, without white space around it; "" when there is none. */
void preflight_read_line(const struct preflight *preflight, const char *path, char *ret_line, size_t size);
bool preflight_exists(const struct preflight *preflight, const char *path);

/* Each looks at one part of the machine and adds its findings. */
void preflight_check_loader(struct preflight *preflight);  /* sets preflight->loader */
void preflight_check_grub(struct preflight *preflight);
void preflight_check_firmware(struct preflight *preflight);
void preflight_check_kernel(struct preflight *preflight);
void preflight_check_hang(struct preflight *preflight);
void preflight_check_drivers(struct preflight *preflight); /* taint, foreign modules, root's drivers */
void preflight_check_root(struct preflight *preflight);    /* encrypted? in the config? */
void preflight_check_services(struct preflight *preflight);
void preflight_check_units(struct preflight *preflight, sd_bus *bus);
void preflight_check_people(struct preflight *preflight, sd_bus *bus);
void preflight_check_space(struct preflight *preflight);
void preflight_check_tools(struct preflight *preflight);

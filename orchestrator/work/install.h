// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a stored kernel needs on the machine besides its boot entry: room, modules, an
 * initrd. For the install and remove ports.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "common/error.h"

struct install {
	const char *root;            /* "" on a machine */
	const char *state_directory;
	const char *key;
	const json_t *meta;          /* of the stored kernel */
	int64_t job;
	const char *options;         /* the entry's whole command line */
};

/*
 * Reckons the room, installs the modules, makes the initrd; idempotent. *ret_initrd is the
 * path of a file to be copied by the boot loader and then removed with install_finish(),
 * or NULL; *ret_note is for the event: {"paths":[..],"initrd":"why, or why not"}. -ENOSPC with
 * the MiB needed and free before anything is written. Blocks for minutes.
 */
int install_prepare(const struct install *install, char **ret_initrd, json_t **ret_note,
		    struct error *err);

/* The boot loader has its copy, or will have none. Absent is fine. */
void install_finish(const struct install *install);

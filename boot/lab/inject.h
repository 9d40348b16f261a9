// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts files into an ext4 partition of a disk image and takes them out, without
 * mounting anything: a script of debugfs commands. Owner is root throughout.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "common/text.h"

struct inject {
	const char *image;       /* borrowed */
	uint64_t offset_bytes;   /* of the partition in the image */
	struct text_buffer script;
	int status;              /* of the first call that failed: later ones do nothing */
	struct error error;
};

void inject_start(struct inject *inject, const char *image, uint64_t offset_bytes);
/* The guest directory must exist, or come from inject_directory() or inject_tree(). */
void inject_file(struct inject *inject, const char *host_path, const char *guest_directory,
		 const char *name, mode_t mode);
void inject_link(struct inject *inject, const char *guest_directory, const char *name,
		 const char *target);
void inject_directory(struct inject *inject, const char *guest_path);
/* All regular files and directories in @host_directory; anything else is refused. */
void inject_tree(struct inject *inject, const char *host_directory,
		 const char *guest_directory);
/* Carries everything out; the first failure of any call above comes back here. Blocks. */
int inject_finish(struct inject *inject, const char *script_path, struct error *err);

/* Copies one file out. 0, or 1 when the image has no such file. */
int inject_extract(const char *image, uint64_t offset_bytes, const char *guest_path,
		   const char *host_path, struct error *err);
/* Copies a tree into the existing @host_directory, below its own last name. */
int inject_extract_tree(const char *image, uint64_t offset_bytes, const char *guest_path,
			const char *host_directory, struct error *err);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How the lab's machine is started: what its disk needs for that, and how to see afterwards
 * that the default is what it was. One table of functions for each boot loader.
 */
#pragma once

#include <stdbool.h>

#include "boot/lab/inject.h"
#include "boot/lab/lab.h"
#include "common/error.h"

/* Names found on a disk; NULL-terminated once it has one. */
struct lab_names {
	char **names;
	size_t n_names;
};

struct lab_loader {
	const char *name;
	/* Puts what firmware starts, and what that needs, on the empty EFI system partition,
	 * as mtools name it. Small files may be made in the run directory. */
	int (*fill_esp)(const struct lab_options *options, const char *partition,
			struct error *err);
	/* The rest, into the root partition; failures are inject_finish()'s. */
	void (*fill_root)(const struct lab_options *options, struct inject *inject);
	/* Into the machine's UEFI variables, a fresh copy of the firmware's; NULL: nothing. */
	int (*fill_variables)(const char *path, struct error *err);
	/* Copies what the three below look at from the disk into the run directory. */
	int (*fetch)(const char *disk, const char *run_directory, struct error *err);
	/* sha256 over all that decides what boots by default. Caller frees. */
	int (*hash_default)(const char *run_directory, char **ret_hash, struct error *err);
	/* Entries and files of Abbot's. */
	int (*find_leftovers)(const char *run_directory, struct lab_names *names,
			      struct error *err);
	int (*is_one_shot_empty)(const char *run_directory, bool *ret_is_empty,
				 struct error *err);
};

extern const struct lab_loader lab_loader_grub;
extern const struct lab_loader lab_loader_systemd_boot;
extern const struct lab_loader lab_loader_uefi;

/* NULL is GRUB. -EINVAL with a sentence for a name that the lab has no machine for. */
int lab_loader_find(const char *name, const struct lab_loader **ret_loader, struct error *err);

void lab_names_done(struct lab_names *names);
/* Takes @name over. */
void lab_names_add(struct lab_names *names, char *name);
/* Everything below @directory whose name begins with "abbot-", as "SHOWN/...". */
int lab_names_add_files(struct lab_names *names, const char *directory, const char *shown,
			struct error *err);

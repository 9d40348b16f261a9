// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the lab's root file system consists of. A change to any of it gives another
 * version, so that the cached image is made again.
 */
#pragma once

#include <sys/types.h>

#define LAB_ROOT_LABEL "abbot-root"
#define LAB_ROOT_UUID "ab5007ab-0001-4000-8000-000000000001"
#define LAB_ROOT_SIZE_MIB 1024

struct lab_recipe_file {
	const char *path;
	const char *text;
};

struct lab_recipe {
	const char *suite;
	const char *mirror;
	const char *packages;                 /* as debootstrap's --include= takes them */
	const char *const *directories;       /* made, 0755; NULL-terminated */
	const struct lab_recipe_file *files;  /* written, 0644; ended by a NULL path */
	const char *const *masked_units;      /* NULL-terminated */
	const char *const *removed;           /* trees that a lab never reads; NULL-terminated */
};

extern const struct lab_recipe lab_recipe;

/* 12 hex digits over the whole recipe, and NUL. */
void lab_recipe_version(char ret_version[13]);

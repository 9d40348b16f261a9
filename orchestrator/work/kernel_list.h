// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All kernels of the store: which there are, how large, how old; and taking one away.
 * Whether one may go is kernel_use.h's question.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct kernel_list_row {
	char key[65];
	json_t *meta;      /* NULL: damaged */
	uint64_t n_bytes;
	int64_t stored_s;  /* when, seconds since the epoch */
};

struct kernel_list {
	struct kernel_list_row *rows; /* oldest first */
	size_t n_rows;
};

/* No store at all is an empty list. Blocks: looks at every file. */
int kernel_list_read(const char *state_directory, struct kernel_list *ret_list, struct error *err);
void kernel_list_done(struct kernel_list *list);

/* Never half-removed under its name; absent is success. */
int kernel_list_remove(const char *state_directory, const char *key, struct error *err);

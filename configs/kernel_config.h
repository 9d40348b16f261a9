// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel .config as data: reading, setting, writing, the canonical hash. Pure.
 * Format: Documentation/kbuild/kconfig.rst, "CONFIG_X=value" and
 * "# CONFIG_X is not set".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/digest.h"
#include "common/error.h"

#define KERNEL_CONFIG_MAX_BYTES (4 * 1024 * 1024)

struct kernel_config_symbol {
	char *name;  /* without CONFIG_ */
	char *value; /* "y", "m", "n" (is not set), "\"text\"", "0x10", "3" */
};

struct kernel_config {
	struct kernel_config_symbol *symbols; /* sorted by name once parsed */
	size_t n_symbols;
};

/* Strict: a line that is neither comment, blank, assignment nor "is not set" is -EINVAL with its number. */
int kernel_config_parse(const char *data, size_t size, const char *name,
			struct kernel_config *ret_config, struct error *err);
void kernel_config_done(struct kernel_config *config);

/* NULL when the symbol is not mentioned; "n" when it is not set. */
const char *kernel_config_get(const struct kernel_config *config, const char *name);
int kernel_config_set(struct kernel_config *config, const char *name, const char *value,
		      struct error *err);
/* Text that kconfig reads back; the caller's to free. */
char *kernel_config_write(const struct kernel_config *config);

/* SHA-256 over "NAME=VALUE\n" sorted, without LOCALVERSION (and n symbols left out). */
void kernel_config_canonical_hash(const struct kernel_config *config,
				  char ret_hex[DIGEST_HEX_SIZE]);

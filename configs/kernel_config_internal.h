// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared by kernel_config.c and kernel_config_parse.c only.
 */
#pragma once

#include "configs/kernel_config.h"

/* Letters, digits and underscores: a symbol without its CONFIG_. */
bool kernel_config_is_name(const char *text, size_t size);
/* y, m, n, a decimal or 0x number, or a quoted string. */
bool kernel_config_is_value(const char *text, size_t size);
/* At the end, unsorted: the parser sorts once. -ENOMEM. */
int kernel_config_append(struct kernel_config *config, const char *name, size_t name_size,
			 const char *value, size_t value_size);
void kernel_config_symbol_done(struct kernel_config_symbol *symbol);

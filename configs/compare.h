// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two kernel configs side by side: what differs, what only one tree knows. Pure.
 */
#pragma once

#include <jansson.h>

#include "configs/kernel_config.h"

/*
 * *ret_comparison: {"equal":bool,"conflicts":[{"symbol","a","b"}],"only_a":[..],"only_b":[..]}.
 * A conflict is a symbol that both mention with different values; LOCALVERSION never counts,
 * nor do the CC_VERSION_TEXT-like descriptions of the same toolchain.
 * Returns the number of conflicts.
 */
size_t kernel_config_compare(const struct kernel_config *a, const struct kernel_config *b,
			     json_t **ret_comparison);
/* A readable diff of the conflicts, a line each: "  PREEMPT: parent y, child n". Caller frees. */
char *kernel_config_conflicts_text(const json_t *comparison, const char *name_a,
				   const char *name_b);

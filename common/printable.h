// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text of others made safe to print: commit titles, compilers, kernels under test and
 * clients choose it, terminals and logs obey it.
 */
#pragma once

#include <stdbool.h>

/*
 * Replaces in place, byte by byte, with '?': control characters (C0, DEL, C1), what turns
 * the direction of writing, and whatever is not UTF-8. @keeps_lines: line feeds and tabs
 * stay. The result is valid UTF-8, so it can be stored as JSON.
 */
void printable_clean(char *text, bool keeps_lines);

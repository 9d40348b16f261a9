// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The value of one "--name VALUE" or "--name=VALUE" of a command line. Which options
 * there are, and what they mean, is each program's affair.
 */
#pragma once

#include "common/error.h"

/*
 * Looks whether the word at @index of the @argc words @argv is option @name. Returns 1
 * and its value (borrowed from @argv; may be empty), @index moved to the last word that
 * was used; 0 when the word is something else; -EINVAL when the value is lacking.
 */
int option_value(const char *name, int argc, char **argv, int *index, const char **ret_value,
		 struct error *err);

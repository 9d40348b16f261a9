// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes an option's value from its own word or from the next one.
 */
#include "common/option_value.h"

#include <errno.h>
#include <string.h>

int option_value(const char *name, int argc, char **argv, int *index, const char **ret_value,
		 struct error *err)
{
	const char *word = argv[*index];
	size_t size = strlen(name);

	if (strncmp(word, name, size) != 0)
		return 0;
	if (word[size] == '=') {
		*ret_value = word + size + 1;
		return 1;
	}
	if (word[size])
		return 0;
	if (*index + 1 >= argc)
		return error_set(err, -EINVAL, "%s needs a value", name);
	*ret_value = argv[++*index];
	return 1;
}

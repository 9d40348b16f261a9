// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Temporary directories of the tests. Cleaning up uses the library's own tree
 * removal, which test_file.c checks.
 */
#include "common/tests/temporary.h"

#include <stdlib.h>

#include "common/file.h"
#include "common/text.h"

int temporary_setup(void **state)
{
	const char *base = getenv("TMPDIR");
	char *path = text_format("%s/abbot-test.XXXXXX", base ? base : "/tmp");

	if (!mkdtemp(path)) {
		free(path);
		return -1;
	}
	*state = path;
	return 0;
}

int temporary_teardown(void **state)
{
	int r = file_remove_tree(*state, NULL);

	free(*state);
	return r;
}

char *temporary_path(void **state, const char *name)
{
	return text_format("%s/%s", (const char *)*state, name);
}

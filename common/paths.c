// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds Abbot's own programs and data from the place of the running executable.
 * ABBOT_PREFIX comes from the Makefile.
 */
#include "common/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/text.h"

/* From BUILD/reports/render/tests/test_x up to BUILD's own parent. */
#define ANCESTORS_MAX 5

/* The directory of the running executable, without a trailing slash. */
static int paths_own_directory(char **ret_directory, struct error *err)
{
	char target[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", target, sizeof(target) - 1);
	char *slash;

	if (n < 0)
		return error_set_errno(err, -errno, "cannot read /proc/self/exe");
	target[n] = '\0';
	slash = strrchr(target, '/');
	if (!slash)
		return error_set(err, -EINVAL, "/proc/self/exe is not an absolute path");
	*slash = '\0';
	*ret_directory = text_duplicate(target);
	return 0;
}

/* Takes @candidate: *ret_path is set and true returned if it is there, else it is freed. */
static bool paths_accept(char *candidate, int mode, char **ret_path)
{
	if (access(candidate, mode) < 0) {
		free(candidate);
		return false;
	}
	*ret_path = candidate;
	return true;
}

/*
 * Climbs from @directory to the first ancestor that holds @marker, and looks
 * for @below/@name there.
 */
static bool paths_climb(const char *directory, const char *marker, const char *below,
			const char *name, int mode, char **ret_path)
{
	_cleanup_free_ char *place = text_duplicate(directory);

	for (int i = 0; i < ANCESTORS_MAX && *place; i++) {
		char *found = NULL;

		if (paths_accept(text_format("%s/%s", place, marker), F_OK, &found)) {
			free(found);
			return paths_accept(text_format("%s/%s%s", place, below, name), mode,
					    ret_path);
		}
		*strrchr(place, '/') = '\0';
	}
	return false;
}

int paths_program(const char *name, char **ret_path, struct error *err)
{
	_cleanup_free_ char *own = NULL;
	int r = paths_own_directory(&own, err);

	if (r < 0)
		return r;
	if (paths_accept(text_format("%s/%s", own, name), X_OK, ret_path) ||
	    paths_climb(own, "libabbot.a", "", name, X_OK, ret_path) ||
	    paths_accept(text_format("%s/../bin/%s", own, name), X_OK, ret_path) ||
	    paths_accept(text_format("%s/bin/%s", ABBOT_PREFIX, name), X_OK, ret_path))
		return 0;
	return error_set(err, -ENOENT,
			 "cannot find the program %s in %s or %s/bin; run `make install`", name,
			 own, ABBOT_PREFIX);
}

int paths_built(const char *name, char **ret_path, struct error *err)
{
	_cleanup_free_ char *own = NULL;
	int r = paths_own_directory(&own, err);

	if (r < 0)
		return r;
	if (paths_accept(text_format("%s/%s", own, name), R_OK, ret_path) ||
	    paths_climb(own, "libabbot.a", "", name, R_OK, ret_path) ||
	    paths_accept(text_format("%s/../share/abbot/%s", own, name), R_OK, ret_path) ||
	    paths_accept(text_format("%s/share/abbot/%s", ABBOT_PREFIX, name), R_OK, ret_path))
		return 0;
	return error_set(err, -ENOENT, "cannot find %s in %s or %s/share/abbot; run `make install`",
			 name, own, ABBOT_PREFIX);
}

int paths_data(const char *name, char **ret_path, struct error *err)
{
	_cleanup_free_ char *own = NULL;
	const char *directory = secure_getenv("ABBOT_DATA");
	int r;

	if (directory && *directory == '/' &&
	    paths_accept(text_format("%s/%s", directory, name), R_OK, ret_path))
		return 0;
	r = paths_own_directory(&own, err);
	if (r < 0)
		return r;
	if (paths_climb(own, "common/paths.h", "configs/", name, R_OK, ret_path) ||
	    paths_accept(text_format("%s/../share/abbot/%s", own, name), R_OK, ret_path) ||
	    paths_accept(text_format("%s/share/abbot/%s", ABBOT_PREFIX, name), R_OK, ret_path))
		return 0;
	return error_set(err, -ENOENT, "cannot find %s in %s/share/abbot; run `make install`",
			 name, ABBOT_PREFIX);
}

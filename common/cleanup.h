// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scope-bound resources: a variable marked with one of these is released when
 * it leaves its scope, on every path. TAKE_PTR / TAKE_FD hand ownership on.
 */
#pragma once

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void cleanup_close(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

static inline void cleanup_fclose(FILE **file)
{
	if (*file)
		(void)fclose(*file);
}

static inline void cleanup_dir(DIR **directory)
{
	if (*directory)
		(void)closedir(*directory);
}

static inline void cleanup_json(json_t **value)
{
	json_decref(*value);
}

#define _cleanup_(function) __attribute__((cleanup(function)))
#define _cleanup_free_ _cleanup_(cleanup_free)
#define _cleanup_close_ _cleanup_(cleanup_close)
#define _cleanup_fclose_ _cleanup_(cleanup_fclose)
#define _cleanup_dir_ _cleanup_(cleanup_dir)
#define _cleanup_json_ _cleanup_(cleanup_json)

#define TAKE_PTR(pointer)                                   \
	({                                                  \
		__typeof__(pointer) *take_from_ = &(pointer); \
		__typeof__(pointer) taken_ = *take_from_;     \
		*take_from_ = NULL;                         \
		taken_;                                     \
	})

#define TAKE_FD(fd)                     \
	({                              \
		int *take_from_ = &(fd); \
		int taken_ = *take_from_; \
		*take_from_ = -1;       \
		taken_;                 \
	})

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

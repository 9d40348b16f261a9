// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * os-release(5): which distribution is this, so that advice names its own commands. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The value of @name, quotes and backslashes undone; the last assignment counts. False, and
 * *ret_value untouched, when it is absent, longer than @size - 1 bytes, or not well formed.
 */
bool os_release_get(const char *data, size_t size, const char *name, char *ret_value,
		    size_t value_size);

/* Commands as somebody at this machine would type them. Static strings. */
struct os_commands {
	const char *make_grub_config; /* writes grub.cfg anew */
	const char *grub_editenv;
	const char *grub_set_default;
	const char *install_build_tools; /* what a kernel build needs; "" where it is not known */
};

/* By ID and ID_LIKE; the upstream names where neither is known. @data may be NULL with @size 0. */
struct os_commands os_commands_of(const char *data, size_t size);

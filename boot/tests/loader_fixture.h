// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A backend in charge of a directory that stands for a machine, with a kernel to install.
 */
#pragma once

#include "boot/boot_loader.h"
#include "boot/tests/fake_root.h"

struct fixture {
	char *root;
	char *kernel;
	struct boot_loader *loader;
	const struct boot_loader_operations *operations;
};

/* @root, with /store/bzImage in it, is the fixture's now; @name is the backend in charge there. */
static inline int fixture_new(void **state, char *root, const char *name)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct boot_paths paths = { .root = root };
	struct error err = { 0 };

	assert_non_null(fixture);
	fixture->root = root;
	fixture->kernel = text_format("%s/store/bzImage", root);
	if (boot_loader_find(&paths, &fixture->loader, &err) < 0)
		fail_msg("%s", err.text);
	fixture->operations = fixture->loader->operations;
	assert_string_equal(fixture->operations->name, name);
	*state = fixture;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *fixture = *state;

	boot_loader_free(fixture->loader);
	fake_root_free(fixture->root);
	free(fixture->kernel);
	free(fixture);
	return 0;
}

static inline bool has(struct fixture *fixture, const char *path)
{
	_cleanup_free_ char *full = text_format("%s%s", fixture->root, path);

	return file_exists(full);
}

static inline struct boot_one_shot armed(struct fixture *fixture)
{
	struct boot_one_shot one_shot = { 0 };

	assert_int_equal(fixture->operations->read_armed(fixture->loader, &one_shot, NULL), 0);
	return one_shot;
}

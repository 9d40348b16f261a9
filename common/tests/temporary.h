// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fresh directory for each test, removed afterwards. For cmocka setup and
 * teardown; usable from every folder's tests.
 */
#pragma once

/* Setup: *state becomes the path of a new directory below $TMPDIR or /tmp. */
int temporary_setup(void **state);
/* Teardown: removes it with everything in it. */
int temporary_teardown(void **state);
/* "*state/NAME", the caller's to free. */
char *temporary_path(void **state, const char *name);

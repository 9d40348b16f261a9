// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mark of a module directory, for install_*.c only; what others need is in
 * install_modules.h.
 */
#pragma once

#include "orchestrator/work/install_modules.h"

bool install_mark_has(const struct install_mark *mark, int64_t job);
int install_mark_add(struct install_mark *mark, int64_t job); /* -ENOMEM */
void install_mark_remove(struct install_mark *mark, int64_t job);

/* As install_mark_read(), with the directory itself. */
int install_mark_read_at(const char *directory, struct install_mark *ret_mark, struct error *err);
/* Durable when it returns 0. */
int install_mark_write_at(const char *directory, const struct install_mark *mark,
			  struct error *err);

#define INSTALL_ASIDE_PREFIX ".abbot-"

enum install_names {
	INSTALL_NAMES_OURS,  /* releases whose directory has our mark */
	INSTALL_NAMES_ASIDE, /* what a crash left on its way there, or away */
};

/* Names in /lib/modules, NULL-terminated, released by install_names_done(). */
int install_names_read(const char *root, enum install_names wanted, char ***ret_names,
		       struct error *err);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Abbot's own git directory of a user's repository, for checkout.c and range_merge.c; only
 * ever called inside their child processes.
 */
#pragma once

#include "orchestrator/work/source_git.h"

/*
 * Opens DIRECTORY/git, which is made when it is not there. It reads all objects of
 * @user_repository; what is written stays in DIRECTORY/git. The caller frees it.
 */
int checkout_own_open(const char *user_repository, const char *directory, git_repository **ret_repository,
		      struct error *err);

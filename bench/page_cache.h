// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dropping the page cache before memory is measured.
 */
#pragma once

#include <stdbool.h>

/*
 * Drops the page cache of the whole machine (Documentation/admin-guide/sysctl/vm.rst, drop_caches),
 * then sleeps for 200 ms: the kernel frees much of it later, from softirqs and kernel threads, which
 * would run while the clock does. False where that is not allowed (only root may); then it does not sleep.
 */
bool page_cache_drop(void);

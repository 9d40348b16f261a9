// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * drop_caches, and the time that its echo takes: freed by RCU, what held the pages in the
 * cache is given back some ticks later.
 */
#include "bench/page_cache.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"

#define SETTLE_MS 200

bool page_cache_drop(void)
{
	const struct timespec pause = { .tv_nsec = SETTLE_MS * 1000000L };
	_cleanup_close_ int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1", 1) != 1)
		return false;
	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	return true;
}

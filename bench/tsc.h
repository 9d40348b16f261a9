// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time-stamp counter of x86, serialised: nothing before the start is counted, and
 * everything up to the end is (Intel SDM, RDTSC: LFENCE before it and after). Other machines have none.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __x86_64__
#include <x86intrin.h>
#endif

static inline bool tsc_is_available(void)
{
#ifdef __x86_64__
	return true;
#else
	return false;
#endif
}

static inline uint64_t tsc_begin(void)
{
#ifdef __x86_64__
	_mm_lfence();

	uint64_t now = __rdtsc();

	_mm_lfence();
	return now;
#else
	return 0;
#endif
}

static inline uint64_t tsc_end(void)
{
#ifdef __x86_64__
	/* As RDTSCP, which not every processor has: QEMU's default one, for one. */
	_mm_lfence();

	uint64_t now = __rdtsc();

	_mm_lfence();
	return now;
#else
	return 0;
#endif
}

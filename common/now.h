// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What time it is. Modules without side effects get it as an argument instead; the
 * benchmark measures with a clock of its own (bench/clock.h). Neither function blocks
 * or fails.
 */
#pragma once

#include <stdint.h>

/* CLOCK_REALTIME, in nanoseconds since 1970: what events are stamped with. */
int64_t now_realtime_ns(void);

/* CLOCK_MONOTONIC, in milliseconds: for time-outs and durations within one boot. */
uint64_t now_monotonic_ms(void);

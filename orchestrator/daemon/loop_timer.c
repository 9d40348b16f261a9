// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When the daemon's next step comes: at the planner's time, or a while after a failure.
 */
#include "orchestrator/daemon/loop_internal.h"

#include <time.h>

#include "common/log.h"

#define BACKOFF_MAX_S 300

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	(void)source;
	(void)usec;
	loop_wake(userdata);
	return 0;
}

void loop_drop_timer(struct loop *loop)
{
	loop->timer = sd_event_source_disable_unref(loop->timer);
}

static void wake_after(struct loop *loop, int64_t seconds)
{
	loop_drop_timer(loop);
	(void)sd_event_add_time_relative(loop->event, &loop->timer, CLOCK_MONOTONIC,
					 (uint64_t)seconds * LOOP_USEC_PER_S, LOOP_TIMER_ACCURACY_US,
					 on_timer, loop);
}

void loop_wake_at(struct loop *loop, int64_t wall_s)
{
	int64_t soonest_s = (int64_t)time(NULL) + 1;

	loop_drop_timer(loop);
	if (wall_s < soonest_s)
		wall_s = soonest_s;
	(void)sd_event_add_time(loop->event, &loop->timer, CLOCK_REALTIME,
				(uint64_t)wall_s * LOOP_USEC_PER_S, LOOP_TIMER_ACCURACY_US, on_timer, loop);
}

int64_t loop_back_off(struct loop *loop)
{
	int64_t delay_s = loop->n_failures >= 8 ? BACKOFF_MAX_S : (int64_t)1 << loop->n_failures;

	if (loop->n_failures < 30)
		loop->n_failures++;
	wake_after(loop, delay_s);
	return delay_s;
}

void loop_fail(struct loop *loop, const char *what, const struct error *err)
{
	int64_t delay_s = loop_back_off(loop);

	log_line(LOG_LEVEL_ERROR, "abbotd: %s: %s; trying again in %lld s", what, err->text,
		 (long long)delay_s);
}

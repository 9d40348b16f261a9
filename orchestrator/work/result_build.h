// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a job's events to the result model that every renderer takes.
 */
#pragma once

#include "common/error.h"
#include "queue/event.h"
#include "queue/store.h"
#include "reports/render/result.h"

/* *ret_result is released by result_done(). Works for unfinished jobs too: what is absent is absent. */
int result_build(const struct store_job *job, const struct event_list *events,
		 struct result *ret_result, struct error *err);

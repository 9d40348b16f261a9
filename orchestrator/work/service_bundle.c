// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `abbot bundle` needs of the store: one job that has ended, with all its events. The
 * files beside the store it reads itself, with its caller's own rights.
 */
#include <errno.h>

#include "common/cleanup.h"
#include "orchestrator/work/service_internal.h"

int service_bundle(const struct service *service, const json_t *request, json_t **ret_reply,
		   struct error *err)
{
	_cleanup_service_job_ struct service_job job = { 0 };
	int r = service_job_load(service, request, &job, err);

	if (r < 0)
		return r;
	if (!run_state_is_ended(&job.state))
		return error_set(err, -EALREADY,
				 "job %lld has not ended: bundle it when it has, or end it with \"abbot cancel %lld\"",
				 (long long)job.row.id, (long long)job.row.id);
	*ret_reply = json_pack("{s:{s:I, s:s, s:i, s:I, s:I}, s:o, s:s}", "row", "id",
			       (json_int_t)job.row.id, "name", job.row.name, "machine",
			       (int)job.row.machine, "rehearses", (json_int_t)job.row.rehearses,
			       "submitted_ns", (json_int_t)job.row.submitted_ns, "events",
			       event_list_to_json(&job.events), "state", service->state_directory);
	return 0;
}

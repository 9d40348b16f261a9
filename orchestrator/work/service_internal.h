// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared by the files of the service: service.c (dispatch, loading a job, list,
 * report), service_queue.c (what changes the queue), service_status.c (status, log)
 * and service_plan.c (what is left to do, and how long it takes),
 * service_kernels.c (the kernel store), service_evidence.c (kept kernel logs),
 * service_bundle.c (a job as a whole), service_compare.c (two kernels of any jobs),
 * service_bisect.c (ranges).
 */
#pragma once

#include "orchestrator/work/service.h"
#include "queue/run_state.h"

/* One job, loaded and folded. */
struct service_job {
	struct store_job row;
	struct event_list events;
	struct run_state state;
};

/*
 * The job that @request names under "job"; without it the first that has not ended,
 * else the newest. -ENOENT with a sentence. Released by service_job_done().
 */
int service_job_load(const struct service *service, const json_t *request,
		     struct service_job *ret_job, struct error *err);
void service_job_done(struct service_job *job);

#define _cleanup_service_job_ __attribute__((cleanup(service_job_done)))

/* Each answers one "op": *ret_reply is a new object; negative errno with a sentence. */
int service_queue(const struct service *service, const json_t *request, json_t **ret_reply,
		  struct error *err);
int service_cancel(const struct service *service, const json_t *request, json_t **ret_reply,
		   struct error *err);
int service_pause(const struct service *service, const json_t *request, json_t **ret_reply,
		  struct error *err);
int service_resume(const struct service *service, const json_t *request, json_t **ret_reply,
		   struct error *err);
int service_status(const struct service *service, const json_t *request, json_t **ret_reply,
		   struct error *err);
int service_log(const struct service *service, const json_t *request, json_t **ret_reply,
		struct error *err);
/* service_evidence.c: {"text"}, what was kept of boot @boot, from 1. */
int service_boot_log(const struct service *service, const struct service_job *job, int64_t boot,
		     json_t **ret_reply, struct error *err);
/* service_bisect.c: looks at the range of a bisection; one of a single commit becomes a sandwich. */
int service_bisect_check(struct job *job, char **ret_said, struct error *err);
/* {"text"}: the "log" for git bisect replay, or the "story". */
int service_bisect_log(const struct service_job *job, const char *what, json_t **ret_reply,
		       struct error *err);
int service_kernels(const struct service *service, const json_t *request, json_t **ret_reply,
		    struct error *err);
int service_kernels_remove(const struct service *service, const json_t *request,
			   json_t **ret_reply, struct error *err);
int service_kernels_gc(const struct service *service, const json_t *request, json_t **ret_reply,
		       struct error *err);
int service_bundle(const struct service *service, const json_t *request, json_t **ret_reply,
		   struct error *err);
int service_compare(const struct service *service, const json_t *request, json_t **ret_reply,
		    struct error *err);
int service_plan(const struct service *service, const json_t *request, json_t **ret_reply,
		 struct error *err);

/*
 * What is left of @job, as {"job","steps":[{"what","seconds"}],"total_s","basis":[..]};
 * @with_history: learn durations from other jobs too. Never NULL.
 */
json_t *service_plan_make(const struct service *service, const struct service_job *job,
			  bool with_history);

/*
 * {"may_be_silent": bool, "silence_s": N, "ask_again_s": N}: a new reference. @plan is that of
 * service_plan_make().
 */
json_t *service_watch_json(const struct service_job *job, const json_t *plan);

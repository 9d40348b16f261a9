// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is in a bundle, from a job's events and what its state directory keeps.
 *
 *   README.txt, bundle.json      what it is; {"schema","abbot","job":{..},"is_private","scrubbed":{..},"absent":[..],"mail"}
 *   events.json                  every event (queue/event.h); of a measurement, all but the benchmark's own result
 *   raw/boot-NN-attempt-M/process-NN.json    that result: one file a process
 *   job.json, machine.json       the resolved job; settings in force and environment of each boot
 *   report/                      the report in every format that the job has
 *   kernels/POINT/{config,build.log,meta.json}, kernels/config-differences.txt
 *   boots/boot-NN-attempt-M/     kernel log, journal, pstore
 *   bench/                       abbot-bench and its source
 *   SHA256SUMS
 */
#pragma once

#include <stdbool.h>

#include "orchestrator/work/bundle.h"
#include "orchestrator/work/scrub.h"
#include "queue/event.h"
#include "queue/store.h"

#define BUNDLE_SCHEMA 1
#define BUNDLE_FACTS "bundle.json"
#define BUNDLE_EVENTS "events.json"
#define BUNDLE_REPORT "report/report.json"

struct bundle_request {
	const struct store_job *row;
	const struct event_list *events;
	const char *state_directory;
	bool is_private;               /* nothing is scrubbed */
	const json_t *mail;            /* of result_mail.h, for report.mail; NULL: none */
};

/*
 * The whole bundle with its sums. What the state directory no longer has is listed under
 * "absent". -EPERM: a file holds a private key, or what was scrubbed would change the result.
 * Reads files; *ret_said: what was scrubbed, in words, the caller's to free.
 */
int bundle_make(const struct bundle_request *request, struct bundle *ret_bundle, char **ret_said,
		struct error *err);

/* Seconds since 1970 of the job's end: when the bundle's files were changed. */
int64_t bundle_time(const struct event_list *events);

/* bundle_raw.c: events.json and raw/; and back, from a bundle of anybody's. */
int bundle_add_events(struct bundle *bundle, const struct event_list *events, struct error *err);
int bundle_read_events(const struct bundle *bundle, int64_t job, struct event_list *ret_events,
		       struct error *err);

/*
 * bundle_derive.c: what follows from these alone: job.json, machine.json, report/. @mail may be
 * NULL; -EINVAL for one that cannot be.
 */
int bundle_add_derived(struct bundle *bundle, const struct store_job *row,
		       const struct event_list *events, const json_t *mail, struct error *err);
/* "kernels/parent", "kernels/point-1" where the name cannot be a file's. The caller's to free. */
char *bundle_point_directory(const struct job_point *point, size_t index);

/* bundle_files.c: kernels/ and boots/ from the state directory; what is not there goes to @absent. */
int bundle_add_kept(struct bundle *bundle, const struct event_list *events,
		    const char *state_directory, json_t *absent, struct error *err);
/* JSON, indented, its keys in their order, final line feed. */
int bundle_add_json(struct bundle *bundle, const char *name, const json_t *json, struct error *err);
/* The job of the first event. Released by job_done(). */
int bundle_job(const struct event_list *events, struct job *ret_job, struct error *err);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `abbot` may ask for, as JSON in and JSON out: the daemon answers it over its
 * socket, and `abbot` itself with a store of its own, through this one function.
 *
 *   {"op":"queue","job":{..},"files":{SHA-256: base64},"dry_run":bool}
 *                                             -> {"job":ID,"note":..,"text":..}
 *   {"op":"list"}                             -> {"jobs":[..],"text":..}
 *   {"op":"status","job":ID}                  -> {"status":{..},"text":..}
 *   {"op":"log","job":ID}                     -> {"events":[..],"text":..}
 *   {"op":"log","job":ID,"boot":N}            -> {"text":..}   the kernel's, kept
 *   {"op":"plan","job":ID}                    -> {"plan":{..},"text":..}
 *   {"op":"report","job":ID,"format":"text|json"} -> {"text":..}
 *   {"op":"bundle","job":ID}                  -> {"row":{..},"events":[..],"state":DIR}   of a job that has ended
 *   {"op":"compare","old":"JOB:POINT","new":"JOB:POINT","format":"text|json","workload",
 *    "threshold_pct"}                          -> {"text":..}
 *   {"op":"cancel"|"pause"|"resume","job":ID} -> {"text":..}
 *   {"op":"kernels"}                          -> {"kernels":{"kernels":[..],"orphans":[..],"bytes"},"text":..}
 *   {"op":"kernels-remove","keys":[..]}       -> {"text":..}
 *   {"op":"kernels-gc","older_than_days":N,"keep_bytes":N}
 *                                             -> {"removed":{"kernels":[..],"orphans":[..]},"text":..}
 * Failure: {"error":"one sentence","errno":positive number}.
 * Without "job", status, log, plan and report are about the first job that has not
 * ended, else the newest; cancel, pause and resume want the number.
 */
#pragma once

#include <jansson.h>

#include "boot/boot_loader.h"
#include "common/error.h"
#include "queue/store.h"

struct service {
	struct store *store;
	const char *state_directory;
	const struct boot_paths *machine; /* a job must be fit for it; NULL: jobs are only kept */
	const char *caller;    /* "root", "uid 1000": who asks, for the log */
	int64_t now_ns;
	const char *root;      /* "": boot entries and modules on this machine are this queue's; NULL: not */
};

/* "kernels-gc" without a rule: kernels that were stored so many days ago. */
#define SERVICE_GC_DAYS 30

/* Never NULL: always an object, with "error" on failure. */
json_t *service_handle(const struct service *service, const json_t *request);

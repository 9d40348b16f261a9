// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What happened, one fact an event, append-only. run_state is a fold over these;
 * reports and logs are made from nothing else.
 *
 *   kind            phase   scope           data (JSON object)
 *   submitted       note    job             {"job": <job_to_json>}                 first event of every job
 *   begin           note    job             {"build_id","release","history":{"s0","nu0"}}: the default kernel, before any reboot
 *   configure       intent, result  job     {"points":[{"config_sha256","n_symbols","has_modules":bool}],"equal":bool,"differences":[..],
 *                                           "recipients":{"to":[..],"cc":[..]} or {"note"}}
 *   range           intent, result  job     of a bisection: {"ids": n + 1 commits, 40 hex digits each, good first,
 *                                          "heavy":[indices of those that touch the job's paths],
 *                                          "first_parents": each is the first parent of the next}
 *   select          intent, result  point   a commit becomes the next point: {"index","commit","tree","title",
 *                                          "of_commit": true where an error is the commit's own}
 *   skip            note    boot            of a bisection: {"reason"}: the kernel cannot be measured
 *   build           intent, result  point   see orchestrator/work/kernel_store.h ("meta")
 *   install         intent, result  point   {"entry","build_id","paths":[..],"initrd":"why, or why not"}
 *   hop             intent  boot, attempt   {"token","from_boot_id","build_id","entry"}   before arming
 *   arm             intent, result  boot    {"entry","token"}
 *   reboot          intent, result  boot    {"method","terminals_told"}
 *   verify          result  boot, attempt   {"verdict","boot_id","build_id","release","version","cmdline","armed",
 *                                          "text", "deadline": why its timer was not stopped}
 *   profile         intent, result  boot    intent {"saved":{..}}, result {"in_force":{..},"available":[..]}
 *   measure         intent, result  boot, process   result: abbot-bench's JSON under "bench"; "status": "ok"|"unexpected";
 *                                          "workload": its name in the job, "is_warmup" (jobs with one: absent in old stores);
 *                                          "daemon": {"rss_anon_kib","wakeups"} meanwhile
 *   diagnose        intent, result  boot    after the last process, in no figure: orchestrator/work/diagnose.h
 *   restore         intent, result  boot    profile put back
 *   evidence        intent, result  boot, attempt   before the boot is left, or once it was lost:
 *                                          orchestrator/work/evidence.h
 *   disarm          intent, result  job     {"why"}
 *   return          intent, result  job     reboot into the default kernel
 *   remove          intent, result  job     entries and installed files removed
 *   pause           note    job             {"reason","by"}
 *   resume          note    job             {"by"}
 *   cancel          note    job             {"by"}
 *   end             note    job             {"status","reason"}
 *
 * A result whose data has "error" (a sentence) says that the action failed.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define EVENT_BOOT_ID_SIZE 37

enum event_kind {
	EVENT_SUBMITTED,
	EVENT_BEGIN,
	EVENT_CONFIGURE,
	EVENT_RANGE,
	EVENT_SELECT,
	EVENT_SKIP,
	EVENT_BUILD,
	EVENT_INSTALL,
	EVENT_HOP,
	EVENT_ARM,
	EVENT_REBOOT,
	EVENT_VERIFY,
	EVENT_PROFILE,
	EVENT_MEASURE,
	EVENT_DIAGNOSE,
	EVENT_RESTORE,
	EVENT_EVIDENCE,
	EVENT_DISARM,
	EVENT_RETURN,
	EVENT_REMOVE,
	EVENT_PAUSE,
	EVENT_RESUME,
	EVENT_CANCEL,
	EVENT_END,
	EVENT_KIND_COUNT,
};

enum event_phase {
	EVENT_NOTE,
	EVENT_INTENT,
	EVENT_RESULT,
	EVENT_PHASE_COUNT,
};

struct event {
	int64_t sequence;  /* given by the store */
	int64_t job;
	int64_t at_ns;     /* CLOCK_REALTIME */
	enum event_kind kind;
	enum event_phase phase;
	int point;         /* -1: does not apply; likewise the next three */
	int boot;          /* ordinal in the design, from 0 */
	int attempt;       /* from 1 */
	int process;       /* warm-ups first, from 0 */
	char boot_id[EVENT_BOOT_ID_SIZE]; /* of the boot in which it was written */
	json_t *data;      /* object, owned; never NULL */
};

struct event_list {
	struct event *events;
	size_t n_events;
};

/* All scopes -1, data an empty object. */
void event_init(struct event *event, int64_t job, enum event_kind kind, enum event_phase phase);
void event_done(struct event *event);
void event_list_done(struct event_list *list);

/* The words of the store and of programs: static, never to change their meaning. */
const char *event_kind_name(enum event_kind kind);
const char *event_phase_name(enum event_phase phase);
/* -EINVAL for an unknown word. */
int event_kind_from_name(const char *name, enum event_kind *ret_kind);
int event_phase_from_name(const char *name, enum event_phase *ret_phase);

/*
 * event_json.c. New references: {"sequence","at_ns","kind","phase","point","boot","attempt",
 * "process","boot_id","data"}, the data shared with the event.
 */
json_t *event_to_json(const struct event *event);
json_t *event_list_to_json(const struct event_list *list);
/* Strict, for JSON from anybody: -EBADMSG with a sentence. @job is the events' job; the data is shared. */
int event_from_json(const json_t *json, int64_t job, struct event *ret_event, struct error *err);
int event_list_from_json(const json_t *array, int64_t job, struct event_list *ret_list,
			 struct error *err);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts boot/lab's machine with the guest's state, imports what its daemon recorded,
 * and writes outcome.json: how the machine was left, for the tests that judge it.
 */
#include "orchestrator/cli/lab_run.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "boot/lab/lab.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/paths.h"
#include "common/text.h"
#include "orchestrator/cli/lab_guest.h"
#include "orchestrator/work/evidence.h"
#include "orchestrator/work/kernel_store.h"
#include "queue/design.h"

/* Seconds of one boot under emulation, power-on to the next, and a limit no boot reaches. */
#define BOOT_S 12.0
#define BOOT_COUNTED_S 16.0
#define BOOT_TIMEOUT_S 240
/* For who uses the store when the machine is off: another lab may be building kernels. */
#define STORE_WAIT_S 3600

/* The jobs of one machine. */
struct lab_states {
	const struct run_state *states;
	size_t n_states;
};

/* Those of the host's half are there already, and the guest only looked them up. */
static bool is_for_import(const struct event *event)
{
	return event->kind != EVENT_SUBMITTED && event->kind != EVENT_BEGIN &&
	       event->kind != EVENT_CONFIGURE && event->kind != EVENT_BUILD;
}

static int write_outcome(const struct lab_outcome *outcome, const char *directory,
			 struct error *err)
{
	_cleanup_free_ char *path = path_join(directory, "outcome.json");
	_cleanup_free_ char *text = NULL;
	_cleanup_json_ json_t *leftovers = json_array();
	_cleanup_json_ json_t *json = NULL;

	for (char **name = outcome->leftover_files; name && *name; name++)
		(void)json_array_append_new(leftovers, json_string(*name));
	json = json_pack("{s:f, s:b, s:i, s:s?, s:s?, s:b, s:O}", "wall_s", outcome->wall_s,
			 "timed_out", outcome->was_timed_out ? 1 : 0, "power_switched",
			 outcome->power_switched, "default_entry_before",
			 outcome->default_entry_before, "default_entry_after",
			 outcome->default_entry_after, "one_shot_empty",
			 outcome->is_one_shot_empty ? 1 : 0, "leftovers", leftovers);
	text = json ? json_dumps(json, JSON_INDENT(2) | JSON_SORT_KEYS) : NULL;
	if (!text)
		return error_set(err, -ENOMEM, "out of memory");
	return file_write_durable(path, text, strlen(text), 0644, err);
}

static void fill_options(const struct lab_host *host, const struct lab_states *jobs,
			 const struct lab_run_options *options, struct lab_options *lab)
{
	/* The default kernel's boot, and of each job the order's and the return to the default. */
	int64_t boots = 1;

	for (size_t i = 0; i < jobs->n_states; i++)
		boots += design_first_boots(&jobs->states[i].job) + 1;
	lab->state_directory = host->state_directory;
	lab->counts_instructions = options->counts_instructions;
	lab->keeps_disk = options->keeps_disk;
	lab->boot_loader = options->boot_loader;
	lab->more_units = options->more_units;
	lab->power = options->power;
	lab->timeout_s = boots * BOOT_TIMEOUT_S;
	lab->expected_s = (double)boots * (options->counts_instructions ? BOOT_COUNTED_S : BOOT_S);
	lab->shows_progress = true;
}

static int run_machine(const struct lab_host *host, const struct lab_states *jobs,
		       const struct lab_run_options *options, const char *directory,
		       struct lab_outcome *ret_outcome, struct error *err)
{
	_cleanup_free_ char *guest_state = path_join(directory, "guest-state");
	_cleanup_free_ char *image =
		kernel_store_path(host->state_directory, host->default_key, "bzImage");
	_cleanup_free_ char *daemon = NULL, *units = NULL;
	struct lab_options lab = {
		.run_directory = directory,
		.default_image = image,
		.guest_state_directory = guest_state,
	};
	int r = paths_program("abbotd", &daemon, err);

	if (r == 0)
		r = paths_data("systemd", &units, err);
	if (r == 0)
		r = lab_guest_make_state(jobs->states, jobs->n_states, host->state_directory,
					 guest_state, err);
	if (r < 0)
		return r;
	lab.binaries = dirname(daemon);
	lab.units = units;
	fill_options(host, jobs, options, &lab);
	r = lab_run(&lab, ret_outcome, err);
	if (r == 0)
		r = file_remove_tree(guest_state, err);
	return r;
}

/* One attempt's files, to where those of this job are looked for. */
static int take_attempt(const struct lab_host *host, const char *from, int64_t guest_job,
			const struct event *event, struct error *err)
{
	_cleanup_free_ char *source = evidence_directory(from, guest_job, event->boot, event->attempt);
	_cleanup_free_ char *target = evidence_directory(host->state_directory, event->job,
							 event->boot, event->attempt);
	static const char *const names[] = { EVIDENCE_KERNEL_LOG, EVIDENCE_JOURNAL, EVIDENCE_PSTORE };
	int r = file_make_directories(target, 0755, err);

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *old = path_join(source, names[i]);
		_cleanup_free_ char *new = path_join(target, names[i]);

		if (file_exists(old))
			r = file_copy_durable(old, new, 0640, err);
	}
	return r;
}

/* Not the whole tree: what a guest has is only copied where it is asked for. */
static int take_evidence(const struct lab_host *host, const char *directory, int64_t guest_job,
			 int64_t job_id, struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	int r = store_load_events(host->store, job_id, &events, err);

	for (size_t i = 0; r == 0 && i < events.n_events; i++) {
		const struct event *event = &events.events[i];

		if (event->kind == EVENT_EVIDENCE && event->phase == EVENT_RESULT)
			r = take_attempt(host, directory, guest_job, event, err);
	}
	return r;
}

static int import_job(struct lab_host *host, const struct lab_outcome *outcome,
		      const char *directory, int64_t guest_job, int64_t job_id, struct error *err)
{
	int r = store_import_events(host->store, outcome->store_path, guest_job, job_id,
				    is_for_import, err);

	return r < 0 ? r : take_evidence(host, directory, guest_job, job_id, err);
}

/* What the guest recorded stays in its own file when it cannot be brought home. */
static int import(struct lab_host *host, const struct lab_states *jobs,
		  const struct lab_outcome *outcome, const char *directory, struct error *err)
{
	_cleanup_free_ char *evidence = path_join(directory, "jobs");
	int r = lab_host_open(host, STORE_WAIT_S, err);

	if (r < 0)
		return error_prefix(err, r, "what the machine recorded stays in %s",
				    outcome->store_path);
	for (size_t i = 0; i < jobs->n_states && r == 0; i++)
		r = import_job(host, outcome, directory, LAB_GUEST_JOB + (int64_t)i,
			       jobs->states[i].job_id, err);
	if (r == 0)
		r = file_remove_tree(evidence, err);
	if (r == 0 && outcome->was_timed_out)
		r = error_set(err, -ETIMEDOUT, "the lab's machine did not finish in time; its serial log is %s",
			      outcome->serial_path);
	return r;
}

int lab_run_jobs(struct lab_host *host, const struct run_state *states, size_t n_states,
		 const struct lab_run_options *options, char **ret_directory, struct error *err)
{
	const struct lab_states jobs = { .states = states, .n_states = n_states };
	_cleanup_(lab_outcome_done) struct lab_outcome outcome = { 0 };
	char *directory = text_format("%s/lab/job-%lld", host->state_directory,
				      (long long)host->job_id);
	int r;

	*ret_directory = directory;
	if (!host->default_key)
		return error_set(err, -ENOENT, "the lab has no default kernel");
	lab_host_close(host);
	r = run_machine(host, &jobs, options, directory, &outcome, err);
	if (r == 0)
		r = write_outcome(&outcome, directory, err);
	if (r == 0)
		return import(host, &jobs, &outcome, directory, err);
	/* For whoever records the failure. */
	(void)lab_host_open(host, STORE_WAIT_S, NULL);
	return r;
}

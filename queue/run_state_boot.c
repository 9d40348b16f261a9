// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the events of one boot of the design change: decided, armed, verified, profiled,
 * measured, restored.
 */
#include "queue/run_state_internal.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static int add_boot(struct run_state *state, const struct event *event, struct error *err)
{
	struct boot_state *boots;

	if (event->boot != state->n_boots || event->boot >= RUN_STATE_BOOTS_MAX)
		return error_set(err, -EBADMSG, "event %lld starts boot %d, but boot %d is next",
				 (long long)event->sequence, event->boot, state->n_boots);
	boots = realloc(state->boots, (size_t)(state->n_boots + 1) * sizeof(*boots));
	if (!boots)
		return error_set(err, -ENOMEM, "out of memory");
	state->boots = boots;
	memset(&boots[state->n_boots], 0, sizeof(*boots));
	boots[state->n_boots].point = event->point;
	state->n_boots++;
	return 0;
}

int run_state_apply_hop(struct run_state *state, const struct event *event, struct error *err)
{
	struct boot_state *boot = boot_of(state, event);

	if (!point_of(state, event))
		return error_set(err, -EBADMSG, "hop event %lld names no point of the job",
				 (long long)event->sequence);
	if (!boot) {
		int r = add_boot(state, event, err);

		if (r < 0)
			return r;
		boot = boot_of(state, event);
	} else if (boot->phase == BOOT_VERIFIED || boot->phase == BOOT_PROFILED) {
		/* It came up, but the machine went down before all was measured. */
		if (!boot->was_paused)
			boot->failures++;
	} else if (boot->phase != BOOT_WANTED) {
		return error_set(err, -EBADMSG, "event %lld boots %d again, which needs no boot",
				 (long long)event->sequence, event->boot);
	}
	boot->phase = BOOT_HOPPING;
	boot->attempt = event->attempt;
	boot->decided_s = event_seconds(event);
	boot->is_evidence_kept = false;
	boot->n_evidences = 0;
	boot->was_paused = false;
	copy_text(boot->token, sizeof(boot->token), data_text(event, "token"));
	copy_text(boot->from_boot_id, sizeof(boot->from_boot_id),
		  data_text(event, "from_boot_id"));
	boot->verdict[0] = '\0';
	boot->boot_id[0] = '\0';
	boot->reboot_asked_s = 0;
	boot->reboot_failures = 0;
	boot->n_reboot_asks = 0;
	boot->was_arm_begun = false;
	boot->was_measure_started = false;
	boot->n_processes = 0;
	boot->is_diagnosed = false;
	boot->n_diagnoses = 0;
	for (size_t i = 0; i < JOB_BENCHES_MAX; i++) {
		boot->benches[i].n_values = 0;
		replace_text(&boot->benches[i].invalid_reason, NULL);
	}
	replace_text(&boot->profile, NULL);
	state->n_reboots++;
	state->n_return_boots = 0;
	return 0;
}

int run_state_apply_arm(struct run_state *state, const struct event *event, struct error *err)
{
	struct boot_state *boot = boot_of(state, event);
	const char *failure = result_error(event);

	(void)err;
	if (boot)
		boot->was_arm_begun = true;
	if (boot && failure)
		replace_text(&boot->error, failure);
	return 0;
}

int run_state_apply_reboot(struct run_state *state, const struct event *event, struct error *err)
{
	struct boot_state *boot = boot_of(state, event);

	(void)err;
	if (!boot || event->phase != EVENT_RESULT)
		return 0;
	boot->reboot_asked_s = event_seconds(event);
	boot->n_reboot_asks++;
	if (result_error(event))
		boot->reboot_failures++;
	return 0;
}

static bool point_has_booted(const struct run_state *state, const struct boot_state *but)
{
	for (int i = 0; i < state->n_boots; i++) {
		const struct boot_state *boot = &state->boots[i];

		if (boot != but && boot->point == but->point && boot->boot_id[0])
			return true;
	}
	return false;
}

static void boot_fell_back(struct run_state *state, struct boot_state *boot)
{
	/* Paused, or cut off before it was armed: it was not asked to boot at all. */
	if (boot->was_paused || !boot->was_arm_begun) {
		boot->phase = BOOT_WANTED;
		return;
	}
	boot->failures++;
	boot->phase = BOOT_WANTED;
	/* A kernel that had booted is not at fault: three in a row pause, whatever the attempts. */
	if (point_has_booted(state, boot))
		state->consecutive_fallbacks++;
	else if (boot->failures >= state->job.boot.max_attempts)
		boot->phase = BOOT_GIVEN_UP;
}

int run_state_apply_verify(struct run_state *state, const struct event *event, struct error *err)
{
	struct boot_state *boot = boot_of(state, event);
	const char *verdict = data_text(event, "verdict");

	if (!boot || boot->phase != BOOT_HOPPING)
		return error_set(err, -EBADMSG, "event %lld verifies a boot that was not asked for",
				 (long long)event->sequence);
	copy_text(boot->verdict, sizeof(boot->verdict), verdict);
	if (strcmp(verdict, "expected") == 0) {
		boot->phase = BOOT_VERIFIED;
		copy_text(boot->boot_id, sizeof(boot->boot_id), data_text(event, "boot_id"));
		state->consecutive_fallbacks = 0;
	} else if (strcmp(verdict, "fell-back") == 0) {
		boot_fell_back(state, boot);
	} else {
		/* The loader, or a person, did something else: stop and let a person look. */
		boot->phase = BOOT_WANTED;
		free(state->stop_reason);
		state->stop_reason = text_format("boot %d (%s): %s", event->boot + 1,
						 state->job.points[boot->point].name,
						 data_text(event, "text"));
	}
	return 0;
}

int run_state_apply_profile(struct run_state *state, const struct event *event,
			 struct error *err)
{
	struct boot_state *boot = boot_of(state, event);
	const char *failure = result_error(event);

	if (!boot)
		return error_set(err, -EBADMSG, "profile event %lld names no boot",
				 (long long)event->sequence);
	if (event->phase == EVENT_INTENT) {
		if (state->is_profile_open && strcmp(state->profile_boot_id, event->boot_id) == 0)
			return 0; /* tried again after a crash: the first "saved" is the true one */
		state->is_profile_open = true;
		state->profile_boot = event->boot;
		copy_text(state->profile_boot_id, sizeof(state->profile_boot_id),
			  event->boot_id);
		json_decref(state->profile_saved);
		state->profile_saved = json_incref(json_object_get(event->data, "saved"));
		return 0;
	}
	if (failure) {
		replace_text(&boot->error, failure);
		return 0;
	}
	free(boot->profile);
	boot->profile = json_dumps(json_object_get(event->data, "in_force"),
				   JSON_SORT_KEYS | JSON_COMPACT | JSON_ENCODE_ANY);
	boot->phase = BOOT_PROFILED;
	return 0;
}

static int add_value(struct boot_values *bench, const struct event *event, struct error *err)
{
	const json_t *value = json_object_get(event->data, "value");
	double *values;

	if (!json_is_number(value) || !isfinite(json_number_value(value)))
		return error_set(err, -EBADMSG, "event %lld holds no measured value",
				 (long long)event->sequence);
	values = realloc(bench->values, (size_t)(bench->n_values + 1) * sizeof(*values));
	if (!values)
		return error_set(err, -ENOMEM, "out of memory");
	bench->values = values;
	values[bench->n_values++] = json_number_value(value);
	return 0;
}

int run_state_apply_measure(struct run_state *state, const struct event *event,
			 struct error *err)
{
	struct boot_state *boot = boot_of(state, event);
	const char *failure = result_error(event);
	struct job_process process;

	if (!boot)
		return error_set(err, -EBADMSG, "measure event %lld names no boot",
				 (long long)event->sequence);
	boot->was_measure_started = true;
	if (event->phase != EVENT_RESULT)
		return 0;
	if (failure) {
		replace_text(&boot->error, failure);
		return 0;
	}
	if (event->process != boot->n_processes)
		return error_set(err, -EBADMSG, "event %lld is process %d where %d was due",
				 (long long)event->sequence, event->process, boot->n_processes);
	process = job_process_at(&state->job, event->boot, event->process);
	if (strcmp(data_text(event, "status"), "unexpected") == 0)
		replace_text(&boot->benches[process.bench].invalid_reason,
			     data_text(event, "reason"));
	else if (!process.is_warmup) {
		int r = add_value(&boot->benches[process.bench], event, err);

		if (r < 0)
			return r;
	}
	boot->n_processes++;
	if (boot->n_processes == job_n_processes(&state->job))
		boot->phase = BOOT_MEASURED;
	return 0;
}

int run_state_apply_diagnose(struct run_state *state, const struct event *event,
			     struct error *err)
{
	struct boot_state *boot = boot_of(state, event);

	if (!boot)
		return error_set(err, -EBADMSG, "diagnose event %lld names no boot",
				 (long long)event->sequence);
	/* Whatever came of it: a diagnosis is never a reason to fail. */
	if (event->phase == EVENT_RESULT)
		boot->is_diagnosed = true;
	else
		boot->n_diagnoses++;
	return 0;
}

int run_state_apply_evidence(struct run_state *state, const struct event *event,
			     struct error *err)
{
	struct boot_state *boot = boot_of(state, event);
	const char *crash = data_text(event, "crash");

	if (!boot)
		return error_set(err, -EBADMSG, "evidence event %lld names no boot",
				 (long long)event->sequence);
	if (event->phase != EVENT_RESULT) {
		boot->n_evidences++;
		return 0;
	}
	/* Whatever came of it: what could not be kept is in the report, and no reason to fail. */
	boot->is_evidence_kept = true;
	if (crash[0])
		replace_text(&boot->crash, crash);
	return 0;
}

int run_state_apply_restore(struct run_state *state, const struct event *event,
			 struct error *err)
{
	struct boot_state *boot = boot_of(state, event);

	(void)err;
	if (event->phase != EVENT_RESULT)
		return 0;
	state->is_profile_open = false;
	if (boot && boot->phase == BOOT_MEASURED)
		boot->phase = BOOT_DONE;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ports of a real machine, each a few lines around the module that does the work.
 * The boot loader is looked up anew each time: a call may be in another process, and
 * the machine may have been changed since. Entries are in ports_machine_boot.c.
 */
#include "orchestrator/work/ports_machine.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "boot/deadline.h"
#include "boot/reboot.h"
#include "boot/wall.h"
#include "common/cleanup.h"
#include "common/now.h"
#include "common/text.h"
#include "orchestrator/work/build.h"
#include "orchestrator/work/diagnose.h"
#include "orchestrator/work/evidence.h"
#include "orchestrator/work/kernel_store.h"
#include "orchestrator/work/measure.h"
#include "orchestrator/work/observe.h"
#include "orchestrator/work/ports_machine_boot.h"
#include "orchestrator/work/preflight_job.h"

static int machine_observe(void *context, struct observation *ret_observation, struct error *err)
{
	const struct ports_machine *machine = context;
	const struct boot_paths paths = { .root = machine->root, .loader = machine->boot_loader };

	return observe_machine(&paths, ret_observation, err);
}

static int machine_now_ns(void *context, int64_t *ret_now_ns)
{
	(void)context;
	*ret_now_ns = now_realtime_ns();
	return 0;
}

static int machine_make_token(void *context, char ret_token[33], struct error *err)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[16];

	(void)context;
	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return error_set(err, -EIO, "The kernel gives no random bytes for a boot token.");
	for (size_t i = 0; i < sizeof(bytes); i++) {
		ret_token[2 * i] = digits[bytes[i] >> 4];
		ret_token[2 * i + 1] = digits[bytes[i] & 15];
	}
	ret_token[32] = '\0';
	return 0;
}

static struct build_context machine_build_context(const struct ports_machine *machine)
{
	return (struct build_context){ .state_directory = machine->state_directory };
}

static int machine_preflight(void *context, const struct run_state *state, struct error *err)
{
	const struct ports_machine *machine = context;
	const struct boot_paths paths = { .root = machine->root, .loader = machine->boot_loader };

	return preflight_job_begin(&paths, machine->state_directory, state, err);
}

static int machine_configure(void *context, const struct run_state *state, json_t **ret_result,
			     struct error *err)
{
	struct build_context build = machine_build_context(context);

	return build_configure(&build, &state->job, ret_result, err);
}

static int machine_build(void *context, const struct run_state *state, int point,
			 json_t **ret_result, struct error *err)
{
	struct build_context build = machine_build_context(context);

	return build_kernel(&build, &state->job, (size_t)point, ret_result, err);
}

static void wait_for_people(void)
{
	const struct timespec wait = { .tv_sec = 10 };

	(void)nanosleep(&wait, NULL);
}

static int machine_reboot(void *context, json_t **ret_result, struct error *err)
{
	const char *method = NULL;
	int n_told, r;

	(void)context;
	n_told = wall_notice("abbotd reboots this machine in 10 seconds (abbot status says why).");
	if (n_told > 0)
		wait_for_people();
	r = reboot_machine(&method, err);
	if (r < 0)
		return r;
	*ret_result = json_pack("{s:s, s:i}", "method", method, "terminals_told", n_told < 0 ? 0 : n_told);
	return *ret_result ? 0 : error_set(err, -ENOMEM, "Out of memory.");
}

static int machine_stop_deadline(void *context, struct error *err)
{
	(void)context;
	return deadline_stop(err);
}

static int machine_profile_read(void *context, const struct run_state *state, json_t **ret_saved,
				struct error *err)
{
	const struct ports_machine *machine = context;

	return profile_read(machine->root, &state->job, ret_saved, err);
}

static int machine_profile_apply(void *context, const struct run_state *state,
				 json_t **ret_result, struct error *err)
{
	const struct ports_machine *machine = context;
	const struct boot_state *boot = &state->boots[state->n_boots - 1];
	_cleanup_free_ char *config_path =
		kernel_store_path(machine->state_directory, state->points[boot->point].kernel_key,
				  "config");

	return profile_apply(machine->root, &state->job, config_path, ret_result, err);
}

static int machine_profile_restore(void *context, const json_t *saved, json_t **ret_result,
				   struct error *err)
{
	const struct ports_machine *machine = context;

	return profile_restore(machine->root, saved, ret_result, err);
}

static int machine_measure(void *context, const struct run_state *state, int boot, int process,
			   json_t **ret_result, struct error *err)
{
	const struct job_process which = job_process_at(&state->job, boot, process);
	int r = measure_process(&state->job, which.bench, ret_result, err);

	(void)context;
	if (r == 0)
		(void)json_object_set_new(*ret_result, "is_warmup", json_boolean(which.is_warmup));
	return r;
}

/* STATE/jobs/JOB/boot-N/ holds what it leaves. */
static int machine_diagnose(void *context, const struct run_state *state, int boot,
			    json_t **ret_result, struct error *err)
{
	const struct ports_machine *machine = context;
	_cleanup_free_ char *directory =
		text_format("%s/jobs/%lld/boot-%d", machine->state_directory,
			    (long long)state->job_id, boot + 1);

	return diagnose_run(machine->root, directory, &state->job, ret_result, err);
}

/* The boot that runs now, or one that is over. */
static int machine_evidence(void *context, const struct run_state *state, int boot,
			    json_t **ret_result, struct error *err)
{
	const struct ports_machine *machine = context;
	const struct boot_paths paths = { .root = machine->root, .loader = machine->boot_loader };
	const struct boot_state *of = &state->boots[boot];
	struct observation seen;
	int r = observe_machine(&paths, &seen, err);

	if (r < 0)
		return r;
	const struct evidence_request request = {
		.root = machine->root,
		.state_directory = machine->state_directory,
		.job = state->job_id,
		.boot = boot,
		.attempt = of->attempt,
		.is_running = of->boot_id[0] && strcmp(of->boot_id, seen.boot_id) == 0,
		.has_crashed = strcmp(of->verdict, "fell-back") == 0 ||
			       (of->boot_id[0] && strcmp(of->boot_id, seen.boot_id) != 0),
		.boot_id = of->boot_id,
		.token = of->token,
		.since_s = of->decided_s,
	};

	return evidence_collect(&request, ret_result, err);
}

int ports_machine_new(const struct boot_paths *paths, const char *state_directory,
		      struct ports **ret_ports, struct error *err)
{
	_cleanup_free_ struct ports_machine *machine = calloc(1, sizeof(*machine));
	_cleanup_free_ struct ports *ports = calloc(1, sizeof(*ports));

	if (!machine || !ports)
		return error_set(err, -ENOMEM, "Out of memory.");
	machine->root = text_duplicate(paths->root);
	machine->boot_loader = text_duplicate(paths->loader);
	machine->state_directory = text_duplicate(state_directory);
	*ports = (struct ports){
		.context = TAKE_PTR(machine),
		.observe = machine_observe,
		.now_ns = machine_now_ns,
		.make_token = machine_make_token,
		.preflight = machine_preflight,
		.range = machine_range,
		.select = machine_select,
		.configure = machine_configure,
		.build = machine_build,
		.install = machine_install,
		.arm = machine_arm,
		.disarm = machine_disarm,
		.stop_deadline = machine_stop_deadline,
		.reboot = machine_reboot,
		.profile_read = machine_profile_read,
		.profile_apply = machine_profile_apply,
		.profile_restore = machine_profile_restore,
		.measure = machine_measure,
		.diagnose = machine_diagnose,
		.evidence = machine_evidence,
		.remove_entries = machine_remove_entries,
	};
	*ret_ports = TAKE_PTR(ports);
	return 0;
}

void ports_machine_free(struct ports *ports)
{
	struct ports_machine *machine = ports ? ports->context : NULL;

	if (machine) {
		free(machine->root);
		free(machine->boot_loader);
		free(machine->state_directory);
		free(machine);
	}
	free(ports);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot lab`: rehearses a job in a virtual machine. Kernels are built here, by the
 * ordinary executor (lab_host.c); the machine is lab_run.c's; what its daemon recorded
 * becomes a job of this queue, marked emulated.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot/lab/lab.h"
#include "boot/lab/loader.h"
#include "common/cleanup.h"
#include "common/now.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/lab_host.h"
#include "orchestrator/cli/lab_power.h"
#include "orchestrator/cli/lab_run.h"
#include "orchestrator/cli/lab_watch.h"
#include "orchestrator/work/service.h"

static const struct verb_option options[] = {
	{ "--boot-loader", "NAME", "what starts the machine: grub (unless said), systemd-boot or uefi" },
	{ "--no-icount", NULL, "let the guest's clock follow real time: faster, and noisy" },
	{ "--keep", NULL, "keep the virtual machine's disk" },
	{ "--units", "DIR", "put the files of DIR among the guest's systemd units" },
	{ "--power-cut", "SECONDS", "cut the machine's power after SECONDS, and switch it on again" },
	{ "--power-switch", "SECONDS", "switch it off and on when its console is silent for SECONDS" },
	{ "--no-watchdog", NULL, "a machine without a watchdog" },
	{ "--record-writes", "FILE", "record every write to the disk, and the disk before (FILE.disk)" },
	{ NULL, NULL, NULL },
};

static int require_real(struct store *store, int64_t job_id, struct error *err)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	int r = store_list_jobs(store, &list, err);

	for (size_t i = 0; i < list.n_jobs && r == 0; i++)
		if (list.jobs[i].id == job_id && list.jobs[i].is_emulated)
			return error_set(err, -EINVAL, "job %lld is a lab run itself; rehearse job %lld",
					 (long long)job_id, (long long)list.jobs[i].rehearses);
	return r;
}

/* The same job again, as a record of the lab's own. */
static int add_rehearsal(struct store *store, int64_t job_id, bool counts_instructions,
			 int64_t *ret_id, struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state;
	int r;

	run_state_init(&state);
	r = require_real(store, job_id, err);
	if (r == 0)
		r = store_load_events(store, job_id, &events, err);
	if (r == 0)
		r = run_state_fold(&state, &events, err);
	if (r < 0)
		return r;
	return store_add_job(store, &state.job,
			     counts_instructions ? STORE_MACHINE_COUNTED : STORE_MACHINE_EMULATED,
			     job_id, now_realtime_ns(), ret_id, err);
}

static int print_report(const struct cli *cli, struct store *store, int64_t job_id)
{
	const struct service service = {
		.store = store,
		.state_directory = cli->state_directory,
		.caller = "lab",
		.now_ns = now_realtime_ns(),
	};
	_cleanup_json_ json_t *request = json_pack("{s:s, s:I, s:s}", "op", "report", "job",
						   (json_int_t)job_id, "format", "text");
	_cleanup_json_ json_t *reply = service_handle(&service, request);
	const char *text = json_string_value(json_object_get(reply, "text"));
	const char *failure = json_string_value(json_object_get(reply, "error"));

	if (failure)
		fprintf(stderr, "abbot: %s\n", failure);
	return !text || fputs(text, stdout) < 0 || fflush(stdout) != 0 ? 3 : 0;
}

/* 1: the machine ran; 0: the job ended before it was needed. */
static int rehearse(struct lab_host *host, const struct lab_run_options *run_options,
		    char **ret_directory, struct error *err)
{
	struct error ignored;
	struct run_state state;
	int r = lab_host_prepare(host, &state, err);

	if (r >= 0) {
		bool needs_machine = r > 0;

		if (needs_machine)
			r = lab_run_job(host, &state, run_options, ret_directory, err);
		run_state_done(&state);
		if (r == 0 && needs_machine)
			r = 1;
	}
	if (r != 0)
		(void)lab_host_fail(host, r < 0 ? err->text : "the lab's machine went off before "
							      "the job had ended", &ignored);
	return r;
}

static int final_status(struct store *store, int64_t job_id, struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state;
	int r;

	run_state_init(&state);
	r = store_load_events(store, job_id, &events, err);
	if (r == 0)
		r = run_state_fold(&state, &events, err);
	if (r < 0)
		return cli_fail(r, err);
	return state.status == JOB_DONE ? 0 : 1;
}

struct lab_request {
	const struct cli *cli;
	int64_t job_id;
	struct lab_run_options run_options;
};

static int run_job(void *context, volatile int64_t *ret_rehearsal)
{
	const struct lab_request *request = context;
	const struct cli *cli = request->cli;
	const struct lab_run_options *run_options = &request->run_options;
	int64_t job_id = request->job_id;
	_cleanup_close_ int claim = -1;
	_cleanup_(lab_host_done) struct lab_host host = { .state_directory = cli->state_directory };
	_cleanup_free_ char *directory = NULL;
	struct error err = { 0 };
	int r = lab_check_tools(&err);
	int status;

	if (r == 0)
		r = lab_host_open(&host, 0, &err);
	if (r == 0)
		r = lab_watch_clean(&host, &err);
	if (r == 0)
		r = add_rehearsal(host.store, job_id, run_options->counts_instructions, &host.job_id, &err);
	if (r < 0)
		return cli_fail(r, &err);
	*ret_rehearsal = host.job_id;
	fprintf(stderr, "rehearsing job %lld as job %lld\n", (long long)job_id,
		(long long)host.job_id);
	r = lab_watch_claim(&host, &claim, &err);
	if (r < 0)
		(void)lab_host_fail(&host, err.text, NULL);
	else
		r = rehearse(&host, run_options, &directory, &err);
	if (directory)
		fprintf(stderr, "the serial log is %s/serial.log\n", directory);
	if (r < 0)
		return cli_fail(r, &err);
	status = print_report(cli, host.store, host.job_id);
	return status ? status : final_status(host.store, host.job_id, &err);
}

static int run(const struct cli *cli, int argc, char **argv)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	struct lab_request request = { .cli = cli };
	struct lab_run_options *run_options = &request.run_options;
	int64_t cuts_ms[LAB_POWER_CUTS_MAX];
	const struct lab_loader *loader;
	struct error err = { 0 };

	if (cli_arguments_parse(&verb_lab, argc, argv, &arguments, &err) < 0)
		return cli_fail_usage(&verb_lab, &err);
	if (arguments.n_words != 1) {
		(void)error_set(&err, -EINVAL, "lab takes one job number");
		return cli_fail_usage(&verb_lab, &err);
	}
	if (cli_parse_job(arguments.words[0], &request.job_id, &err) < 0)
		return cli_fail_usage(&verb_lab, &err);
	run_options->boot_loader = cli_arguments_get(&arguments, "--boot-loader");
	if (lab_loader_find(run_options->boot_loader, &loader, &err) < 0)
		return cli_fail_usage(&verb_lab, &err);
	run_options->counts_instructions = !cli_arguments_get(&arguments, "--no-icount");
	run_options->keeps_disk = cli_arguments_get(&arguments, "--keep") != NULL;
	run_options->more_units = cli_arguments_get(&arguments, "--units");
	if (lab_power_parse(&arguments, cuts_ms, &run_options->power, &err) < 0)
		return cli_fail_usage(&verb_lab, &err);
	return lab_watch(cli->state_directory, run_job, &request);
}

const struct verb verb_lab = {
	.name = "lab",
	.synopsis = "lab [OPTION...] JOB",
	.summary = "Rehearse a job in a virtual machine: same daemon, boot loader and kernels",
	.options = options,
	.run = run,
};

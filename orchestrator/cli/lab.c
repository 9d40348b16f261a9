// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot lab`: rehearses jobs in a virtual machine, one after the other. Kernels are built
 * here, by the ordinary executor (lab_host.c); the machine is lab_run.c's; what its daemon
 * recorded becomes jobs of this queue, marked emulated (lab_jobs.c).
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
#include "orchestrator/cli/lab_jobs.h"
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

static int print_reports(const struct cli *cli, struct store *store, const struct lab_jobs *rehearsals)
{
	int status = 0;

	for (size_t i = 0; i < rehearsals->n_jobs && status == 0; i++) {
		if (i > 0)
			(void)putchar('\n');
		status = print_report(cli, store, rehearsals->ids[i]);
	}
	return status;
}

/* The jobs that are to go on in the machine. */
struct prepared {
	struct run_state states[LAB_JOBS_MAX];
	size_t n_states;
};

static void prepared_done(struct prepared *prepared)
{
	for (size_t i = 0; i < prepared->n_states; i++)
		run_state_done(&prepared->states[i]);
}

/* All kernels first: the machine is given every job from the start. */
static int prepare(struct lab_host *host, const struct lab_jobs *rehearsals,
		   struct prepared *prepared, struct error *err)
{
	for (size_t i = 0; i < rehearsals->n_jobs; i++) {
		struct run_state *state = &prepared->states[prepared->n_states];
		int r;

		host->job_id = rehearsals->ids[i];
		r = lab_host_prepare(host, state, err);
		if (r < 0)
			return r;
		if (r > 0)
			prepared->n_states++;
		else
			run_state_done(state);
	}
	return 0;
}

static int rehearse(struct lab_host *host, const struct lab_jobs *rehearsals,
		    const struct lab_run_options *run_options, char **ret_directory,
		    struct error *err)
{
	_cleanup_(prepared_done) struct prepared prepared = { .n_states = 0 };
	int r = prepare(host, rehearsals, &prepared, err);

	host->job_id = rehearsals->ids[0];
	if (r == 0 && prepared.n_states > 0)
		r = lab_run_jobs(host, prepared.states, prepared.n_states, run_options,
				 ret_directory, err);
	lab_jobs_end(host, rehearsals, r < 0 ? err->text : "the lab's machine went off before "
							   "the job had ended");
	return r;
}

/* One directory and one mark for all of them. */
static int claim_all(struct lab_host *host, const struct lab_jobs *rehearsals, int *ret_claim,
		     struct error *err)
{
	int r;

	host->job_id = rehearsals->ids[0];
	r = lab_watch_claim(host, ret_claim, err);
	for (size_t i = 1; i < rehearsals->n_jobs && r == 0; i++)
		r = lab_watch_share(host, rehearsals->ids[i], err);
	return r;
}

struct lab_request {
	const struct cli *cli;
	struct lab_jobs jobs;
	struct lab_run_options run_options;
};

static int run_jobs(void *context, struct lab_jobs *rehearsals)
{
	const struct lab_request *request = context;
	const struct cli *cli = request->cli;
	const struct lab_run_options *run_options = &request->run_options;
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
		r = lab_jobs_add(host.store, &request->jobs, run_options->counts_instructions,
				 rehearsals, &err);
	if (r == 0)
		r = claim_all(&host, rehearsals, &claim, &err);
	if (r < 0)
		lab_jobs_end(&host, rehearsals, err.text);
	else
		r = rehearse(&host, rehearsals, run_options, &directory, &err);
	if (directory)
		fprintf(stderr, "the serial log is %s/serial.log\n", directory);
	if (r < 0)
		return cli_fail(r, &err);
	status = print_reports(cli, host.store, rehearsals);
	if (status)
		return status;
	r = lab_jobs_are_done(host.store, rehearsals, &err);
	return r < 0 ? cli_fail(r, &err) : r == 0;
}

static int parse_jobs(const struct cli_arguments *arguments, struct lab_jobs *ret_jobs,
		      struct error *err)
{
	int r = 0;

	if (arguments->n_words == 0 || arguments->n_words > LAB_JOBS_MAX)
		return error_set(err, -EINVAL, "lab takes the numbers of 1 to %d jobs", LAB_JOBS_MAX);
	for (size_t i = 0; i < arguments->n_words && r == 0; i++)
		r = cli_parse_job(arguments->words[i], &ret_jobs->ids[i], err);
	ret_jobs->n_jobs = arguments->n_words;
	return r;
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
	if (parse_jobs(&arguments, &request.jobs, &err) < 0)
		return cli_fail_usage(&verb_lab, &err);
	run_options->boot_loader = cli_arguments_get(&arguments, "--boot-loader");
	if (lab_loader_find(run_options->boot_loader, &loader, &err) < 0)
		return cli_fail_usage(&verb_lab, &err);
	run_options->counts_instructions = !cli_arguments_get(&arguments, "--no-icount");
	run_options->keeps_disk = cli_arguments_get(&arguments, "--keep") != NULL;
	run_options->more_units = cli_arguments_get(&arguments, "--units");
	if (lab_power_parse(&arguments, cuts_ms, &run_options->power, &err) < 0)
		return cli_fail_usage(&verb_lab, &err);
	return lab_watch(cli->state_directory, run_jobs, &request);
}

const struct verb verb_lab = {
	.name = "lab",
	.synopsis = "lab [OPTION...] JOB...",
	.summary = "Rehearse jobs in a virtual machine: same daemon, boot loader and kernels",
	.options = options,
	.run = run,
};

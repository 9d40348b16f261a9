// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One QEMU process from each power-on to the next. A cut is QEMU killed: what the guest
 * wrote is kept, what it only had in memory is gone. What the disk itself might lose is
 * the matter of the write log.
 */
#include "boot/lab/power.h"

#include <string.h>

#include "boot/lab/tools.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

static int start_write_log(struct machine *machine, const char *write_log, struct error *err)
{
	_cleanup_free_ char *copy = text_format("%s.disk", write_log);
	const char *const argv[] = { "cp", "--sparse=always", "--", machine->disk, copy, NULL };
	int status = lab_tool_run(argv, err);

	/* QEMU wants the file to be there. */
	if (status == 0)
		status = file_write_durable(write_log, "", 0, 0600, err);
	machine->write_log = write_log;
	return status;
}

static int power_on(struct machine *machine, struct lab_outcome *outcome,
		    enum machine_end *ret_end, struct error *err)
{
	double wall_s = 0;
	/* Each time: QEMU's question of the run before is written over the answer. */
	int status = machine_write_tpm(machine->tpm, err);

	if (status == 0)
		status = machine_run(machine, &wall_s, ret_end, err);
	machine->continues_write_log = true;
	outcome->wall_s += wall_s;
	return status;
}

int power_run(struct machine *machine, const struct lab_options *options,
	      struct lab_outcome *outcome, struct error *err)
{
	const struct lab_power *power = &options->power;
	enum machine_end end = MACHINE_TIMED_OUT;
	int status = 0;

	machine->has_no_watchdog = power->has_no_watchdog;
	if (power->write_log)
		status = start_write_log(machine, power->write_log, err);
	for (size_t i = 0; i < power->n_cuts && status == 0 && end == MACHINE_TIMED_OUT; i++) {
		machine->timeout_ms = power->cuts_ms[i];
		machine->is_timeout_wanted = true;
		status = power_on(machine, outcome, &end, err);
	}
	if (status < 0 || end != MACHINE_TIMED_OUT)
		return status;
	machine->is_timeout_wanted = false;
	machine->silence_ms = power->switch_ms;
	do {
		int64_t left_ms = options->timeout_s * 1000 - (int64_t)(outcome->wall_s * 1000);

		/* 0 would be no limit at all. */
		machine->timeout_ms = options->timeout_s == 0 ? 0 : left_ms > 1 ? left_ms : 1;
		status = power_on(machine, outcome, &end, err);
		if (status == 0 && end == MACHINE_SILENT)
			outcome->power_switched++;
	} while (status == 0 && end == MACHINE_SILENT);
	outcome->was_timed_out = end == MACHINE_TIMED_OUT;
	return status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The QEMU process: one from power-on to the guest's power-off.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct machine {
	const char *disk;        /* raw image */
	const char *variables;   /* UEFI variables: the machine's own copy */
	const char *tpm;         /* see machine_write_tpm() */
	const char *serial;      /* file that gets the serial console, after what it holds */
	const char *write_log;   /* file that gets every write to the disk, see power.h; or NULL */
	bool continues_write_log;
	bool counts_instructions;
	bool has_no_watchdog;
	int64_t timeout_ms;      /* 0: none */
	bool is_timeout_wanted;  /* a power cut: for the words only */
	int64_t silence_ms;      /* of the serial console, after which the run ends; 0: never */
	double expected_s;
	bool shows_progress;
};

/*
 * Makes @path a security chip that answers QEMU's first question and no other, so that
 * the firmware takes it for broken. Without any, reads of its registers give 0, and
 * OVMF waits there for more than a second of guest time: half a minute a boot when
 * instructions are counted.
 */
int machine_write_tpm(const char *path, struct error *err);

enum machine_end {
	MACHINE_OFF,       /* the guest's own power-off */
	MACHINE_TIMED_OUT,
	MACHINE_SILENT,
};

/* Blocks until the guest powers off, time is up, or it is silent. -EPROTO when QEMU fails. */
int machine_run(const struct machine *machine, double *ret_wall_s, enum machine_end *ret_end,
		struct error *err);

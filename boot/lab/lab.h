// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab: a whole machine in QEMU with UEFI, a real boot loader, a small Debian with systemd
 * and abbotd, and the kernels of a job. One QEMU process from power-on to the job's end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* What happens to the machine's power, and what else a fault may need of it. */
struct lab_power {
	/* Cut, and switched on again, so long after the power came; one after the other. */
	const int64_t *cuts_ms;
	size_t n_cuts;
	int64_t switch_ms;     /* silence of the console after which power goes off and on; 0: never */
	bool has_no_watchdog;  /* a machine without i6300esb */
	/*
	 * Gets every write to the disk, in the format of Linux's dm-log-writes; "NAME.disk"
	 * beside it the disk as it was before. NULL: neither.
	 */
	const char *write_log;
};

struct lab_options {
	const char *state_directory; /* host: cache under STATE/lab/ */
	const char *boot_loader;     /* "grub" (also NULL), "systemd-boot" or "uefi" */
	const char *run_directory;   /* host: made here; disk, serial.log, results of this run */
	const char *default_image;   /* bzImage of the lab's default kernel */
	const char *binaries;        /* directory holding abbotd, abbot, abbot-bench */
	const char *units;           /* directory holding the systemd units */
	/*
	 * Becomes /var/lib/abbot in the guest: abbot.sqlite with the job (closed, so that
	 * no -wal is left behind) and kernels/KEY/ for each of its points.
	 */
	const char *guest_state_directory;
	const char *more_units;      /* directory put among the guest's systemd units; or NULL */
	bool counts_instructions;    /* -icount shift=0,sleep=on */
	bool keeps_disk;             /* leave disk.img in the run directory */
	int64_t timeout_s;           /* wall time for the whole run; 0: none */
	struct lab_power power;
	double expected_s;           /* for progress; 0 unknown */
	bool shows_progress;
};

struct lab_outcome {
	char *store_path;       /* the guest's abbot.sqlite on the host, its -wal (if any) beside it */
	char *serial_path;
	double wall_s;
	bool was_timed_out;
	int power_switched;     /* how often the power switch was needed */
	char *default_entry_before; /* sha256 of all that decides the default boot, before the run and after it */
	char *default_entry_after;
	char **leftover_files;  /* abbot-* files and entries under /boot after it; NULL-terminated */
	bool is_one_shot_empty;
};

/*
 * Makes (once) STATE/lab/root-VERSION.ext4 by debootstrap; *ret_path is the caller's to
 * free. Needs root and the distribution's mirror. Blocks for minutes.
 */
int lab_prepare_root(const char *state_directory, bool shows_progress, char **ret_path,
		     struct error *err);

/*
 * Makes the disk and runs it to the end of the job (the guest powers off), in one QEMU
 * process from power-on to power-on. 0 also when time ran out: see was_timed_out; what could be read from the disk is in the outcome.
 * Blocks for as long as the job takes.
 */
int lab_run(const struct lab_options *options, struct lab_outcome *ret_outcome,
	    struct error *err);
void lab_outcome_done(struct lab_outcome *outcome);

/* Missing tools, named with the Debian package that has each: -ENOENT and a sentence. */
int lab_check_tools(struct error *err);

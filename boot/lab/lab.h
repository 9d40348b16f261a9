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

struct lab_options {
	const char *state_directory; /* host: cache under STATE/lab/ */
	const char *boot_loader;     /* "grub" (also NULL) or "systemd-boot" */
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
	int64_t power_cut_ms;        /* after so long: power off, and on again; 0: never */
	double expected_s;           /* for progress; 0 unknown */
	bool shows_progress;
};

struct lab_outcome {
	char *store_path;       /* the guest's abbot.sqlite on the host, its -wal (if any) beside it */
	char *serial_path;
	double wall_s;
	bool was_timed_out;
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
 * process, or in two with a power cut between. 0 also when
 * time ran out: see was_timed_out; what could be read from the disk is in the outcome.
 * Blocks for as long as the job takes.
 */
int lab_run(const struct lab_options *options, struct lab_outcome *ret_outcome,
	    struct error *err);
void lab_outcome_done(struct lab_outcome *outcome);

/* Missing tools, named with the Debian package that has each: -ENOENT and a sentence. */
int lab_check_tools(struct error *err);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab: a whole machine in QEMU with UEFI, real GRUB, a small Debian with systemd
 * and abbotd, and the kernels of a job. One QEMU process from power-on to the job's end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct lab_kernel {
	const char *key;        /* directory name in the guest's kernel store */
	const char *directory;  /* host's STATE/kernels/KEY */
};

struct lab_options {
	const char *state_directory; /* host: cache under STATE/lab/ */
	const char *run_directory;   /* host: disk, serial.log, results of this run */
	const char *default_image;   /* bzImage of the lab's default kernel */
	const char *binaries;        /* directory holding abbotd, abbot, abbot-bench */
	const char *units;           /* directory holding the systemd units */
	const char *job_json;        /* the job for the guest, as text */
	const struct lab_kernel *kernels;
	size_t n_kernels;
	bool counts_instructions;    /* -icount shift=0,sleep=off */
	int64_t timeout_s;           /* wall time for the whole run */
	double expected_s;           /* for progress; 0 unknown */
	bool shows_progress;
};

struct lab_outcome {
	char *store_path;       /* the guest's abbot.sqlite (checkpointed copy) on the host */
	char *serial_path;
	double wall_s;
	bool was_timed_out;
	char *default_entry_before; /* sha256 of grub.cfg and grubenv before and after, leftovers */
	char *default_entry_after;
	char **leftover_files;      /* abbot-* files under /boot after the run; NULL-terminated */
	bool is_one_shot_empty;
};

/* Makes (once) STATE/lab/root-*.tar or image: debootstrap. Needs root. Blocks for minutes. */
int lab_prepare_root(const char *state_directory, bool shows_progress, struct error *err);
/* Makes the disk and runs it to the end of the job (the guest powers off). */
int lab_run(const struct lab_options *options, struct lab_outcome *ret_outcome,
	    struct error *err);
void lab_outcome_done(struct lab_outcome *outcome);
/* Missing tools, named with the Debian package that has each: -ENOENT and a sentence. */
int lab_check_tools(struct error *err);

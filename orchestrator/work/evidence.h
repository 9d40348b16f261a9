// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What one attempt of a boot left behind, kept in the job: the kernel's log and this boot's
 * journal while it still runs; after a crash the records in pstore, what the watchdog says,
 * and that boot's journal where it was kept. Never while something is measured.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

/* Files of one attempt, at most; a name that is read by people and by abbot log. */
#define EVIDENCE_KERNEL_LOG "dmesg.txt"
#define EVIDENCE_JOURNAL "journal.txt"
#define EVIDENCE_PSTORE "pstore.txt"

struct evidence_request {
	const char *root;            /* stands for / */
	const char *state_directory;
	int64_t job;
	int boot;                    /* from 0 */
	int attempt;                 /* from 1 */
	bool is_running;             /* it is the boot that runs now */
	bool has_crashed;            /* asked for, and it fell back or went down */
	const char *boot_id;         /* of the attempt; "" when it never got that far */
	const char *token;           /* of its command line */
	int64_t since_s;             /* when it was decided: what is older is somebody else's */
};

/* STATE/jobs/JOB/boot-NN-attempt-M; the caller's to free. */
char *evidence_directory(const char *state_directory, int64_t job, int boot, int attempt);

/*
 * {"files": [NAME..], "findings": [{"kind","text","from"}..], "taint": N, "crash": why it went
 * down}; the last two where they are known. Kinds are those of boot/kernel_log.h, "failed-unit",
 * "watchdog-reset", "nothing" (a crash that left no trace) and "not-collected"; "from" is
 * "pstore" or absent. What cannot be had is a finding, so this fails only for lack of memory.
 * Files are 0640 root:abbot, durable before pstore's records are removed. Blocks, a minute or
 * two at most.
 */
int evidence_collect(const struct evidence_request *request, json_t **ret_result,
		     struct error *err);

/* evidence_journal.c: as below, of the journal. */
struct evidence;
void evidence_keep_journal(struct evidence *evidence);

/* What is being collected. */
struct evidence {
	const struct evidence_request *request;
	char *directory;
	json_t *files;
	json_t *findings;
	char *crash;
};

/* Writes one file of the attempt; a failure becomes a finding. False then. */
bool evidence_keep(struct evidence *evidence, const char *name, const char *data, size_t size);
void evidence_found(struct evidence *evidence, const char *kind, const char *text,
		    const char *from);

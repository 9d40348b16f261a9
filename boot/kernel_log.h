// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a kernel's log says went wrong: panics, oopses, warnings, lockups, stalls. Pure: the
 * text comes from /dev/kmsg, a journal or pstore, and may be whatever a broken kernel wrote.
 */
#pragma once

#include <stddef.h>

#define KERNEL_LOG_FINDINGS_MAX 16
#define KERNEL_LOG_TEXT_SIZE 200

struct kernel_log_finding {
	/* "panic", "oops", "warning", "lockup", "rcu-stall", "hung-task", "oom", "hardware-error", "trace" */
	const char *kind;
	char text[KERNEL_LOG_TEXT_SIZE]; /* its first line, safe to print; cut to fit */
	int n;                           /* how often, but for its numbers */
};

struct kernel_log {
	struct kernel_log_finding findings[KERNEL_LOG_FINDINGS_MAX]; /* in order of first sight */
	int n_findings;
	int n_more; /* for which there was no room */
};

/*
 * Reads @size bytes of log, a message a line, with or without "<4>", "[   12.345678]" and
 * "[    T1]" before it. Only what a line begins with counts: anybody may quote the word BUG.
 * Formats: the kernel's own messages, Documentation/admin-guide/bug-hunting.rst and
 * tainted-kernels.rst.
 */
void kernel_log_scan(const char *data, size_t size, struct kernel_log *ret_log);

/*
 * Why the kernel went down, as part of a sentence: "it panicked: ... (after: ...)". Caller
 * frees; NULL where the log does not say.
 */
char *kernel_log_crash(const struct kernel_log *log);

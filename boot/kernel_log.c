// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at the beginning of each line. A report of the kernel is many lines of which several
 * would match: what follows closely on a finding belongs to it.
 */
#include "boot/kernel_log.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/printable.h"
#include "common/text.h"

/* "BUG: ..." is followed by "Oops: ..." in so many lines, and by its call trace in so many. */
#define OOPS_LINES 12
#define REPORT_LINES 80

#define KIND_PANIC "panic"
#define KIND_OOPS "oops"
#define KIND_TRACE "trace"

/* The first that fits counts. */
static const struct {
	const char *begins;
	const char *holds; /* further on; NULL: whatever */
	const char *kind;
} patterns[] = {
	{ "Kernel panic - not syncing", NULL, KIND_PANIC },
	{ "watchdog: ", "soft lockup", "lockup" },
	{ "watchdog: ", "hard LOCKUP", "lockup" },
	{ "NMI watchdog: ", "soft lockup", "lockup" },
	{ "NMI watchdog: ", "hard LOCKUP", "lockup" },
	{ "BUG: soft lockup", NULL, "lockup" },
	{ "BUG: workqueue lockup", NULL, "lockup" },
	{ "rcu: INFO: rcu", " stall", "rcu-stall" },
	{ "rcu: INFO: rcu", "self-detected", "rcu-stall" },
	{ "INFO: rcu", " stall", "rcu-stall" },
	{ "INFO: task ", "blocked for more than", "hung-task" },
	{ "BUG: ", NULL, KIND_OOPS },
	{ "kernel BUG at ", NULL, KIND_OOPS },
	{ "Oops: ", NULL, KIND_OOPS },
	{ "general protection fault", NULL, KIND_OOPS },
	{ "Internal error: ", NULL, KIND_OOPS },
	{ "Unable to handle kernel ", NULL, KIND_OOPS },
	{ "invalid opcode: ", NULL, KIND_OOPS },
	{ "divide error: ", NULL, KIND_OOPS },
	{ "WARNING: ", NULL, "warning" },
	{ "Out of memory: Killed process", NULL, "oom" },
	{ "Memory cgroup out of memory: Killed process", NULL, "oom" },
	{ "mce: [Hardware Error]", NULL, "hardware-error" },
	{ "{1}[Hardware Error]", NULL, "hardware-error" },
	{ "Call Trace:", NULL, KIND_TRACE },
	{ "Call trace:", NULL, KIND_TRACE },
};

/* Skips "[" or "<", what may stand within, and its end; or nothing. */
static const char *skip_bracket(const char *line, char opens, char closes, const char *within)
{
	size_t size = *line == opens ? strspn(line + 1, within) : 0;

	return size && line[1 + size] == closes ? line + 1 + size + 1 : line;
}

static const char *skip_prefix(const char *line)
{
	line = skip_bracket(line, '<', '>', "0123456789");
	line = skip_bracket(line, '[', ']', " .0123456789");
	line += strspn(line, " ");
	line = skip_bracket(line, '[', ']', " TC0123456789");
	return line + strspn(line, " ");
}

static const char *kind_of(const char *message)
{
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		if (text_has_prefix(message, patterns[i].begins) &&
		    (!patterns[i].holds || strstr(message, patterns[i].holds)))
			return patterns[i].kind;
	return NULL;
}

/* Equal but for numbers: the same place in the code, another process or address. */
static bool is_alike(const char *a, const char *b)
{
	while (*a && *b) {
		if (isxdigit((unsigned char)*a) && isxdigit((unsigned char)*b)) {
			while (isxdigit((unsigned char)*a))
				a++;
			while (isxdigit((unsigned char)*b))
				b++;
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

static void add(struct kernel_log *log, const char *kind, const char *text)
{
	struct kernel_log_finding made = { .kind = kind, .n = 1 };

	(void)snprintf(made.text, sizeof(made.text), "%s", text);
	printable_clean(made.text, false);
	for (int i = 0; i < log->n_findings; i++) {
		if (strcmp(log->findings[i].kind, kind) == 0 &&
		    is_alike(log->findings[i].text, made.text)) {
			log->findings[i].n++;
			return;
		}
	}
	if (log->n_findings < KERNEL_LOG_FINDINGS_MAX)
		log->findings[log->n_findings++] = made;
	else
		log->n_more++;
}

struct scan {
	struct kernel_log *log;
	int since; /* lines since the last finding */
	bool is_oops; /* that was one */
	char last[KERNEL_LOG_TEXT_SIZE]; /* the last line that may have begun a report */
};

/* What stands between a report's first line and its call trace, in each report alike. */
static bool is_boilerplate(const char *message)
{
	return !*message || text_has_prefix(message, "CPU: ") ||
	       text_has_prefix(message, "Hardware name: ") || text_has_prefix(message, "Workqueue: ");
}

static void scan_line(struct scan *scan, const char *message)
{
	const char *kind = kind_of(message);

	scan->since++;
	if (!kind) {
		if (!is_boilerplate(message))
			(void)snprintf(scan->last, sizeof(scan->last), "%s", message);
		return;
	}
	if (strcmp(kind, KIND_TRACE) == 0) {
		if (scan->since < REPORT_LINES)
			return;
		add(scan->log, kind, scan->last[0] ? scan->last : message);
	} else if (strcmp(kind, KIND_OOPS) == 0 && scan->is_oops && scan->since < OOPS_LINES) {
		return;
	} else {
		add(scan->log, kind, message);
	}
	scan->since = 0;
	scan->is_oops = strcmp(kind, KIND_OOPS) == 0;
}

void kernel_log_scan(const char *data, size_t size, struct kernel_log *ret_log)
{
	struct scan scan = { .log = ret_log, .since = REPORT_LINES };
	const char *end = data + size;
	char line[512];

	*ret_log = (struct kernel_log){ 0 };
	while (data < end) {
		const char *feed = memchr(data, '\n', (size_t)(end - data));
		size_t length = (size_t)((feed ? feed : end) - data);

		(void)snprintf(line, sizeof(line), "%.*s",
			       (int)(length < sizeof(line) ? length : sizeof(line) - 1), data);
		scan_line(&scan, skip_prefix(line));
		data += length + (feed ? 1 : 0);
	}
}

char *kernel_log_crash(const struct kernel_log *log)
{
	const char *panic = NULL, *before = NULL;

	for (int i = 0; i < log->n_findings; i++) {
		const struct kernel_log_finding *finding = &log->findings[i];

		if (strcmp(finding->kind, KIND_PANIC) == 0)
			panic = panic ? panic : finding->text;
		else if (strcmp(finding->kind, "warning") != 0 && strcmp(finding->kind, KIND_TRACE) != 0)
			before = before ? before : finding->text;
	}
	if (panic && before)
		return text_format("it panicked: %s (after: %s)", panic, before);
	if (panic)
		return text_format("it panicked: %s", panic);
	return before ? text_format("it crashed: %s", before) : NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls of kernel functions where the function profiler is missing: a kprobe on each, by
 * tracefs (the kernel's Documentation/trace/kprobetrace.rst: kprobe_events, kprobe_profile).
 * The probes are of a group of our own and taken away again.
 */
#include "orchestrator/work/diagnose.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define GROUP "abbot"
#define PROFILE_MAX_BYTES (1U << 20)

/* An event's name has no dots: "foo.isra.0" is foo_isra_0. */
static char *event_name(const char *function)
{
	char *name = text_duplicate(function);

	for (char *c = name; *c; c++)
		if (*c == '.')
			*c = '_';
	return name;
}

/* One line more: appended, for truncating would remove the probes of others. */
static int write_line(const char *tracing, const char *line, struct error *err)
{
	_cleanup_free_ char *path = path_join(tracing, "kprobe_events");
	_cleanup_close_ int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	int code = fd < 0 ? -errno : file_write_fd(fd, line, strlen(line));

	return code < 0 ? error_set_errno(err, code, "cannot write %s", path) : 0;
}

/* Of somebody else, or of a daemon that was killed: what they count is not ours. */
static bool has_our_group(const char *tracing)
{
	_cleanup_free_ char *path = path_join(tracing, "kprobe_events");
	_cleanup_free_ char *text = NULL;

	return file_read(path, PROFILE_MAX_BYTES, &text, NULL, NULL) < 0 ||
	       strstr(text, ":" GROUP "/");
}

static int add_probes(const char *tracing, json_t *counts, struct error *err)
{
	const char *function;
	json_t *value;
	int n = 0;

	json_object_foreach(counts, function, value) {
		_cleanup_free_ char *name = event_name(function);
		_cleanup_free_ char *line = text_format("p:" GROUP "/%s %s\n", name, function);

		if (write_line(tracing, line, NULL) < 0)
			continue;
		(void)json_object_set_new(counts, function, json_integer(0));
		n++;
	}
	return n ? 0 : error_set(err, -ENOENT,
				 "this kernel has none of these functions to probe: inlined, or named otherwise");
}

static int remove_probes(const char *tracing, json_t *counts, struct error *err)
{
	const char *function;
	json_t *value;
	int code = 0;

	json_object_foreach(counts, function, value) {
		_cleanup_free_ char *name = event_name(function);
		_cleanup_free_ char *line = text_format("-:" GROUP "/%s\n", name);
		int one = json_is_null(value) ? 0 : write_line(tracing, line, code < 0 ? NULL : err);

		code = code < 0 ? code : one;
	}
	return code;
}

/* Lines "  EVENT   HITS   MISSES"; a function whose probe missed has been called all the same. */
static void read_profile(const char *tracing, json_t *counts)
{
	_cleanup_free_ char *path = path_join(tracing, "kprobe_profile");
	_cleanup_free_ char *text = NULL;
	char *lines = NULL;

	if (file_read(path, PROFILE_MAX_BYTES, &text, NULL, NULL) < 0)
		return;
	for (char *line = strtok_r(text, "\n", &lines); line;
	     line = strtok_r(NULL, "\n", &lines)) {
		char *words = NULL;
		const char *event = strtok_r(line, " \t", &words);
		const char *hits = strtok_r(NULL, " \t", &words);
		const char *misses = strtok_r(NULL, " \t", &words);
		int64_t n_hits, n_misses;
		const char *function;
		json_t *value;

		if (!event || !hits || !misses ||
		    text_parse_i64(hits, 0, INT64_MAX / 2, &n_hits) < 0 ||
		    text_parse_i64(misses, 0, INT64_MAX / 2, &n_misses) < 0)
			continue;
		json_object_foreach(counts, function, value) {
			_cleanup_free_ char *name = event_name(function);

			if (strcmp(name, event) == 0 && json_is_integer(value))
				(void)json_integer_set(value, n_hits + n_misses);
		}
	}
}

int diagnose_kprobes(const char *tracing, const struct job *job, json_t *counts,
		     struct error *err)
{
	_cleanup_free_ char *enable = path_join(tracing, "events/" GROUP "/enable");
	int code, cleaned;

	if (has_our_group(tracing))
		return error_set(err, -EBUSY, "tracefs has probes of a group " GROUP
					      " already; they are left alone");
	code = add_probes(tracing, counts, err);
	if (code < 0)
		return code;
	code = file_write_knob(enable, "1", err);
	if (code == 0)
		code = diagnose_run_process(job, NULL, err);
	if (code == 0)
		read_profile(tracing, counts);
	/* Whatever happened: an event in use cannot be removed. */
	cleaned = file_write_knob(enable, "0", code < 0 ? NULL : err);
	if (cleaned == 0)
		cleaned = remove_probes(tracing, counts, code < 0 ? NULL : err);
	return code < 0 ? code : cleaned;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls of kernel functions, by the function profiler of tracefs (the kernel's
 * Documentation/trace/ftrace.rst: set_ftrace_filter, function_profile_enabled, trace_stat). It
 * counts for the whole machine, on every CPU.
 */
#include "orchestrator/work/diagnose.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define STAT_MAX_BYTES (1U << 20)
#define NAME_COLUMNS 30 /* of trace_stat: longer names are cut */
#define NO_FILTER "#### all functions enabled ####"

static const char *const tracing_places[] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };

static char *find_tracing(const char *root)
{
	for (size_t i = 0; i < ARRAY_SIZE(tracing_places); i++) {
		_cleanup_free_ char *place = text_format("%s/%s", root, tracing_places[i]);
		_cleanup_free_ char *known = path_join(place, "current_tracer");

		if (file_exists(known))
			return TAKE_PTR(place);
	}
	return NULL;
}

/* -EBUSY unless the first line of the file @name is what it is when nobody uses it. */
static int check_unused(const char *tracing, const char *name, const char *unused,
			struct error *err)
{
	_cleanup_free_ char *path = path_join(tracing, name);
	_cleanup_free_ char *text = NULL;
	int code = file_read(path, STAT_MAX_BYTES, &text, NULL, err);

	if (code < 0)
		return code; /* a kernel that is locked down, for one */
	text[strcspn(text, "\n")] = '\0';
	if (strcmp(text, unused) == 0)
		return 0;
	return error_set(err, -EBUSY, "tracefs is in use by somebody else and is left alone: %s is %.60s",
			 path, text);
}

/* To an empty filter, or (with O_APPEND) one name more. */
static int write_filter(const char *path, int flags, const char *name, struct error *err)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	int code = fd < 0 ? -errno : 0;

	if (code == 0 && name)
		code = file_write_fd(fd, name, strlen(name));
	return code < 0 ? error_set_errno(err, code, "cannot write %s", path) : 0;
}

/* Adds the calls that one CPU's table has for a function that was counted. */
static void add_calls(json_t *counts, const char *function, json_int_t calls)
{
	const char *name;
	json_t *value;

	json_object_foreach(counts, name, value) {
		if (strncmp(name, function, NAME_COLUMNS) == 0 && json_is_integer(value))
			(void)json_integer_set(value, json_integer_value(value) + calls);
	}
}

/* Lines "  NAME   HIT   TIME ..." after a heading of two. */
static void read_table(json_t *counts, const char *path)
{
	_cleanup_free_ char *text = NULL;
	char *lines = NULL;

	if (file_read(path, STAT_MAX_BYTES, &text, NULL, NULL) < 0)
		return;
	for (char *line = strtok_r(text, "\n", &lines); line;
	     line = strtok_r(NULL, "\n", &lines)) {
		char *words = NULL;
		const char *function = strtok_r(line, " \t", &words);
		const char *hits = strtok_r(NULL, " \t", &words);
		int64_t calls;

		if (function && hits && text_parse_i64(hits, 0, INT64_MAX, &calls) == 0)
			add_calls(counts, function, calls);
	}
}

static void read_tables(json_t *counts, const char *tracing)
{
	_cleanup_free_ char *place = path_join(tracing, "trace_stat");
	DIR *directory = opendir(place);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		_cleanup_free_ char *path = path_join(place, entry->d_name);

		if (text_has_prefix(entry->d_name, "function"))
			read_table(counts, path);
	}
	if (directory)
		(void)closedir(directory);
}

/* Each name that the kernel takes gets a zero instead of its null; 0 of them is an error. */
static int set_filter(const char *path, json_t *counts, struct error *err)
{
	const char *name;
	json_t *value;
	int n = 0;
	int code = write_filter(path, O_TRUNC, NULL, err);

	if (code < 0)
		return code;
	json_object_foreach(counts, name, value) {
		_cleanup_free_ char *line = text_format("%s\n", name);

		if (write_filter(path, O_APPEND, line, NULL) < 0)
			continue;
		(void)json_object_set_new(counts, name, json_integer(0));
		n++;
	}
	return n ? 0 : error_set(err, -ENOENT,
				 "this kernel has none of these functions to trace: inlined, or named otherwise");
}

static int profile(const char *tracing, const struct job *job, json_t *counts, struct error *err)
{
	_cleanup_free_ char *filter = path_join(tracing, "set_ftrace_filter");
	_cleanup_free_ char *enabled = path_join(tracing, "function_profile_enabled");
	int code = check_unused(tracing, "function_profile_enabled", "0", err);
	int off;

	if (code == 0)
		code = check_unused(tracing, "set_ftrace_filter", NO_FILTER, err);
	if (code == 0)
		code = check_unused(tracing, "current_tracer", "nop", err);
	if (code < 0)
		return code;
	code = set_filter(filter, counts, err);
	if (code == 0)
		code = file_write_knob(enabled, "1", err);
	if (code == 0)
		code = diagnose_run_process(job, NULL, err);
	/* Whatever happened. */
	off = file_write_knob(enabled, "0", code < 0 ? NULL : err);
	if (code == 0)
		code = off;
	if (code == 0)
		read_tables(counts, tracing);
	off = write_filter(filter, O_TRUNC, NULL, code < 0 ? NULL : err);
	return code < 0 ? code : off;
}

/* {"A": null, "B": null} */
static json_t *names_of(const char *list)
{
	json_t *counts = json_object();

	while (*list) {
		_cleanup_free_ char *name = text_format("%.*s", (int)strcspn(list, ","), list);

		(void)json_object_set_new(counts, name, json_null());
		list += strlen(name);
		list += *list == ',';
	}
	return counts;
}

int diagnose_functions(const char *root, const struct job *job, const char *list,
		       json_t **ret_result, struct error *err)
{
	_cleanup_free_ char *tracing = find_tracing(root && strcmp(root, "/") != 0 ? root : "");
	_cleanup_free_ char *profiler =
		tracing ? path_join(tracing, "function_profile_enabled") : NULL;
	_cleanup_free_ char *kprobes = tracing ? path_join(tracing, "kprobe_events") : NULL;
	_cleanup_json_ json_t *counts = names_of(list);
	bool has_profiler = profiler && file_exists(profiler);
	int code;

	if (!tracing)
		return error_set(err, -ENOENT,
				 "there is no tracefs: this kernel has none, or it is not mounted at /sys/kernel/tracing");
	if (!has_profiler && !file_exists(kprobes))
		return error_set(err, -EOPNOTSUPP,
				 "this kernel has neither CONFIG_FUNCTION_PROFILER nor CONFIG_KPROBE_EVENTS");
	code = has_profiler ? profile(tracing, job, counts, err)
			    : diagnose_kprobes(tracing, job, counts, err);
	if (code < 0)
		return code;
	*ret_result = json_pack("{s:s, s:O}", "by",
				has_profiler ? "the function profiler" : "kprobes", "counts", counts);
	return *ret_result ? 0 : error_set(err, -ENOMEM, "out of memory");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The events that a job of five processes a boot leaves, warm-ups far off so that one counted
 * by mistake would show.
 */
#include "orchestrator/tests/stored_job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "queue/store.h"

#define PROCESSES 3
#define SECOND_NS INT64_C(1000000000)
#define BUILD_ID_PARENT "1111111111111111111111111111111111111111"
#define BUILD_ID_CHILD "2222222222222222222222222222222222222222"

struct writer {
	struct store *store;
	int64_t job;
	int64_t at_ns;
	const struct stored_job *what;
};

static const char *or_usual(const char *given, const char *usual)
{
	return given ? given : usual;
}

/* Takes the reference to @data. */
static void add(struct writer *writer, enum event_kind kind, enum event_phase phase, int point,
		int boot, int process, json_t *data)
{
	struct error err = { "" };
	struct event event;

	assert_non_null(data);
	event_init(&event, writer->job, kind, phase);
	event.at_ns = writer->at_ns += SECOND_NS;
	event.point = point;
	event.boot = boot;
	event.attempt = boot < 0 ? -1 : 1;
	event.process = process;
	json_decref(event.data);
	event.data = data;
	if (store_append(writer->store, &event, &err) < 0)
		fail_msg("%s", err.text);
	event_done(&event);
}

static void submit(struct writer *writer)
{
	const struct stored_job *what = writer->what;
	struct error err = { "" };
	struct job job;

	job_init(&job);
	assert_int_equal(job_add_point(&job, "parent", "HEAD^", NULL), 0);
	assert_int_equal(job_add_point(&job, "child", "HEAD", NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		memset(job.points[i].commit, i ? 'c' : 'a', 40);
		memset(job.points[i].tree, i ? 'd' : 'b', 40);
		job.points[i].title = text_duplicate(i ? "mm: the change" : "mm: before it");
	}
	free(job.name);
	job.name = text_duplicate("trial");
	free(job.order);
	job.order = text_duplicate(what->boots == 5 ? "PCPCP" : "PCP");
	job.is_exact = true;
	free(job.repository);
	job.repository = text_duplicate(or_usual(what->repository, "/home/alice/src/linux"));
	job.measure.warmups = what->warmups ? what->warmups : 2;
	job.measure.processes = PROCESSES;
	free(job.measure.workload);
	job.measure.workload = text_duplicate(or_usual(what->workload, "mprotect-toggle"));
	if (what->argument) {
		free(job.measure.arguments);
		job.measure.arguments = calloc(2, sizeof(char *));
		job.measure.arguments[0] = text_duplicate(what->argument);
	}
	if (store_add_job(writer->store, &job, what->is_counted ? STORE_MACHINE_COUNTED : STORE_MACHINE_REAL,
			  0, writer->at_ns, &writer->job, &err) < 0)
		fail_msg("%s", err.text);
	job_done(&job);
}

static void begin(struct writer *writer)
{
	const char *sum = or_usual(writer->what->config_sum, "feed");

	add(writer, EVENT_BEGIN, EVENT_NOTE, -1, -1, -1,
	    json_pack("{s:s, s:s}", "build_id", "00", "release", "6.1.0-default"));
	add(writer, EVENT_CONFIGURE, EVENT_RESULT, -1, -1, -1,
	    json_pack("{s:[{s:s},{s:s}], s:b, s:[]}", "points", "config_sha256", sum,
		      "config_sha256", sum, "equal", 1, "differences"));
	for (int point = 0; point < 2; point++)
		add(writer, EVENT_BUILD, EVENT_RESULT, point, -1, -1,
		    json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "status", "built", "key",
			      point ? STORED_KEY_CHILD : STORED_KEY_PARENT, "release",
			      point ? "6.12.0-ab2" : "6.12.0-ab1", "build_id",
			      point ? BUILD_ID_CHILD : BUILD_ID_PARENT, "compiler", "gcc 12.2.0",
			      "config_sha256", sum));
}

static void add_process(struct writer *writer, int boot, int process, double value)
{
	const struct stored_job *what = writer->what;
	json_t *bench;

	if (what->unexpected && boot == 1 && process == 2) {
		add(writer, EVENT_MEASURE, EVENT_RESULT, 1, boot, process,
		    json_pack("{s:s, s:s, s:n}", "status", "unexpected", "reason", what->unexpected, "value"));
		return;
	}
	bench = json_pack("{s:{s:{s:f, s:s}, s:{s:f, s:s}, s:{s:f, s:s}}, s:{s:s, s:s, s:i}, s:{s:i, s:i, s:I}}",
			  "metrics", "iteration", "mean", value, "unit", "ns/page", "protect", "mean",
			  value / 2, "unit", "ns/page", "touch", "mean", 7.0, "unit", "ns/page",
			  "environment", "cpu_model", or_usual(what->cpu_model, "Test CPU"), "release",
			  "ignored", "cpu", 3, "parameters", "warmup_iterations", 10, "iterations", 20, "page_size_bytes",
			  (json_int_t)(what->page_size ? what->page_size : 4096));
	add(writer, EVENT_MEASURE, EVENT_RESULT, boot % 2, boot, process,
	    json_pack("{s:s, s:f, s:o}", "status", "ok", "value", value, "bench", bench));
}

static void add_boot(struct writer *writer, int boot)
{
	int point = boot % 2, warmups = (int)(writer->what->warmups ? writer->what->warmups : 2);
	double child_pct = writer->what->child_pct != 0 ? writer->what->child_pct : 25;
	double value = (100 + 0.125 * boot) * (point ? 1 + child_pct / 100 : 1);
	_cleanup_free_ char *boot_id = text_format("00000000-0000-4000-8000-%04lld%08d",
						   (long long)writer->job, boot + 1);

	add(writer, EVENT_HOP, EVENT_INTENT, point, boot, -1, json_pack("{s:s}", "token", "t"));
	add(writer, EVENT_VERIFY, EVENT_RESULT, point, boot, -1,
	    json_pack("{s:s, s:s, s:s, s:s}", "verdict", "expected", "boot_id", boot_id, "build_id",
		      point ? BUILD_ID_CHILD : BUILD_ID_PARENT, "release",
		      point ? "6.12.0-ab2" : "6.12.0-ab1"));
	add(writer, EVENT_PROFILE, EVENT_RESULT, point, boot, -1,
	    json_pack("{s:{s:s, s:n}, s:[s]}", "in_force", "governor",
		      or_usual(writer->what->governor, "performance"), "turbo", "not_available",
		      "turbo"));
	for (int i = 0; i < warmups + PROCESSES; i++)
		add_process(writer, boot, i, i < warmups ? 1000 : value + 0.25 * i);
	add(writer, EVENT_EVIDENCE, EVENT_RESULT, point, boot, -1,
	    json_pack("{s:[s,s], s:[]}", "files", "dmesg.txt", "journal.txt", "findings"));
}

void stored_job_file(const char *state_directory, const char *name, const char *text)
{
	_cleanup_free_ char *path = path_join(state_directory, name);
	_cleanup_free_ char *parent = text_format("%.*s", (int)(strrchr(path, '/') - path), path);
	struct error err = { "" };

	if (file_make_directories(parent, 0755, &err) < 0 ||
	    file_write_durable(path, text, strlen(text), 0644, &err) < 0)
		fail_msg("%s", err.text);
}

static void keep_files(const char *state, int64_t job, int boots)
{
	static const char config[] = "CONFIG_MMU=y\n# CONFIG_KASAN is not set\n";

	for (int point = 0; point < 2; point++) {
		const char *key = point ? STORED_KEY_CHILD : STORED_KEY_PARENT;
		_cleanup_free_ char *kernel = text_format("kernels/%s/config", key);
		_cleanup_free_ char *log = text_format("kernels/%s/build.log", key);
		_cleanup_free_ char *meta = text_format("kernels/%s/meta.json", key);

		stored_job_file(state, kernel, point ? "CONFIG_MMU=y\nCONFIG_KASAN=y\n" : config);
		stored_job_file(state, log, "  CC      mm/mprotect.o\n/home/alice/src/linux/mm/x.c:1: note\n");
		stored_job_file(state, meta, "{\"status\": \"built\"}\n");
	}
	for (int boot = 0; boot < boots; boot++) {
		_cleanup_free_ char *dmesg = text_format("jobs/%lld/boot-%02d-attempt-1/dmesg.txt", (long long)job, boot + 1);
		_cleanup_free_ char *journal = text_format("jobs/%lld/boot-%02d-attempt-1/journal.txt", (long long)job, boot + 1);

		stored_job_file(state, dmesg, "[    1.000000] eth0: 52:54:00:12:34:56 up\n"
					      "[    1.100000] usb 1-1: SerialNumber: 4C530001\n");
		stored_job_file(state, journal, "[    2.000000] snowdon kernel: Linux\n"
						"[    2.500000] snowdon dhclient[9]: bound to 192.168.7.12 -- renewal\n");
	}
}

int64_t stored_job_add(const char *state_directory, const struct stored_job *what)
{
	struct writer writer = { .what = what,
				 .at_ns = (what->at_s ? what->at_s : 1700000000) * SECOND_NS };
	int boots = what->boots ? what->boots : 3;
	struct error err = { "" };

	if (store_open(state_directory, true, &writer.store, &err) < 0)
		fail_msg("%s", err.text);
	submit(&writer);
	begin(&writer);
	for (int i = 0; i < boots; i++)
		add_boot(&writer, i);
	if (!what->is_running)
		add(&writer, EVENT_END, EVENT_NOTE, -1, -1, -1,
		    json_pack("{s:s, s:s}", "status", or_usual(what->end, "done"), "reason", "all boots measured"));
	store_close(writer.store);
	keep_files(state_directory, writer.job, boots);
	return writer.job;
}

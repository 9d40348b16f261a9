// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Diagnoses against trees that stand for tracefs: what is counted, what is left alone, and
 * that everything is put back. The watched process is a script.
 */
#include "orchestrator/work/diagnose.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "queue/job_key.h"

#define TRACING "sys/kernel/tracing"
#define NO_FILTER "#### all functions enabled ####\n"
#define FUNCTIONS "functions=change_pte_range,vm_normal_folio,a_function_whose_name_is_longer_than_thirty"

struct place {
	char *root;
	struct job job;
};

static char *at(const struct place *place, const char *name)
{
	return text_format("%s/%s", place->root, name);
}

static void put(const struct place *place, const char *name, const char *text, mode_t mode)
{
	_cleanup_free_ char *path = at(place, name);
	_cleanup_free_ char *directory = text_format("%.*s", (int)(strrchr(path, '/') - path), path);

	assert_int_equal(file_make_directories(directory, 0755, NULL), 0);
	assert_int_equal(file_write_durable(path, text, strlen(text), mode, NULL), 0);
}

static void assert_file(const struct place *place, const char *name, const char *text)
{
	_cleanup_free_ char *path = at(place, name);
	_cleanup_free_ char *data = NULL;

	assert_int_equal(file_read(path, 1 << 16, &data, NULL, NULL), 0);
	assert_string_equal(data, text);
}

/* The script keeps what tracefs says while it runs. */
static void put_bench(const struct place *place, int status)
{
	_cleanup_free_ char *text = text_format(
		"#!/bin/sh\ncat '%s/" TRACING "/function_profile_enabled' '%s/" TRACING
		"/set_ftrace_filter' >'%s/seen' 2>/dev/null\nexit %d\n",
		place->root, place->root, place->root, status);
	_cleanup_free_ char *path = at(place, "bench");

	put(place, "bench", text, 0755);
	assert_int_equal(setenv("ABBOT_BENCH", path, 1), 0);
}

static void put_profiler(const struct place *place)
{
	put(place, TRACING "/current_tracer", "nop\n", 0644);
	put(place, TRACING "/set_ftrace_filter", NO_FILTER, 0644);
	put(place, TRACING "/function_profile_enabled", "0\n", 0644);
	put(place, TRACING "/trace_stat/function0",
	    "  Function                               Hit    Time            Avg             s^2\n"
	    "  --------                               ---    ----            ---             ---\n"
	    "  change_pte_range                       128    40.5 us         0.3 us          0.0 us\n"
	    "  a_function_whose_name_is_longer_        9     1.0 us         0.3 us          0.0 us\n"
	    "  somebody_else                        99999     1.0 us         0.3 us          0.0 us\n",
	    0644);
	put(place, TRACING "/trace_stat/function1",
	    "  Function                               Hit\n  --------        ---\n"
	    "  change_pte_range                         2\n  vm_normal_folio  5\n", 0644);
}

static void want(struct place *place, const char *diagnosis)
{
	assert_int_equal(job_list_append(&place->job.measure.diagnoses, diagnosis, NULL), 0);
}

static json_t *diagnose(const struct place *place)
{
	_cleanup_free_ char *directory = at(place, "jobs/1/boot-1");
	json_t *result = NULL;

	assert_int_equal(diagnose_run(place->root, directory, &place->job, &result, NULL), 0);
	assert_non_null(result);
	return result;
}

static const char *note_of(const json_t *result, const char *diagnosis)
{
	return json_string_value(json_object_get(json_object_get(result, diagnosis), "note"));
}

static int set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	place->root = text_duplicate("/tmp/abbot-diagnose-XXXXXX");
	assert_non_null(mkdtemp(place->root));
	job_init(&place->job);
	put_bench(place, 0);
	*state = place;
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	assert_int_equal(file_remove_tree(place->root, NULL), 0);
	job_done(&place->job);
	free(place->root);
	free(place);
	return 0;
}

static void test_function_profiler(void **state)
{
	struct place *place = *state;
	_cleanup_json_ json_t *result = NULL;
	const json_t *functions;

	put_profiler(place);
	want(place, FUNCTIONS);
	result = diagnose(place);
	functions = json_object_get(json_object_get(result, "functions"), "counts");
	assert_int_equal(json_integer_value(json_object_get(functions, "change_pte_range")), 130);
	assert_int_equal(json_integer_value(json_object_get(functions, "vm_normal_folio")), 5);
	assert_int_equal(json_object_size(functions), 3);
	/* Counted while it ran, and put back. */
	assert_file(place, "seen",
		    "1change_pte_range\nvm_normal_folio\na_function_whose_name_is_longer_than_thirty\n");
	assert_file(place, TRACING "/function_profile_enabled", "0");
	assert_file(place, TRACING "/set_ftrace_filter", "");
}

static void test_put_back_after_a_failure(void **state)
{
	struct place *place = *state;
	_cleanup_json_ json_t *result = NULL;

	put_profiler(place);
	put_bench(place, 2);
	want(place, FUNCTIONS);
	result = diagnose(place);
	assert_non_null(note_of(result, "functions"));
	assert_file(place, TRACING "/function_profile_enabled", "0");
	assert_file(place, TRACING "/set_ftrace_filter", "");
}

/* Each of the three says that somebody traces: nothing is written anywhere. */
static void test_tracing_in_use_is_left_alone(void **state)
{
	static const char *const uses[][2] = {
		{ TRACING "/current_tracer", "function\n" },
		{ TRACING "/set_ftrace_filter", "schedule\n" },
		{ TRACING "/function_profile_enabled", "1\n" },
	};
	struct place *place = *state;

	want(place, FUNCTIONS);
	for (size_t i = 0; i < ARRAY_SIZE(uses); i++) {
		_cleanup_json_ json_t *result = NULL;

		put_profiler(place);
		put(place, uses[i][0], uses[i][1], 0644);
		result = diagnose(place);
		assert_non_null(strstr(note_of(result, "functions"), "in use by somebody else"));
		assert_file(place, uses[i][0], uses[i][1]);
		assert_file(place, TRACING "/set_ftrace_filter", i == 1 ? uses[i][1] : NO_FILTER);
	}
}

static void test_kprobes(void **state)
{
	struct place *place = *state;
	_cleanup_json_ json_t *result = NULL;
	_cleanup_json_ json_t *again = NULL;
	const json_t *counts;

	put(place, TRACING "/current_tracer", "nop\n", 0644);
	put(place, TRACING "/kprobe_events", "p:kprobes/mine schedule\n", 0644);
	put(place, TRACING "/kprobe_profile",
	    "  change_pte_range                   12               3\n"
	    "  foo_isra_0                          4               0\n"
	    "  mine                              999               0\n", 0644);
	want(place, "functions=change_pte_range,foo.isra.0");
	/* The kernel makes it with the first probe of the group. */
	put(place, TRACING "/events/abbot/enable", "0\n", 0644);
	result = diagnose(place);
	counts = json_object_get(json_object_get(result, "functions"), "counts");
	/* A probe that was missed was a call too. */
	assert_int_equal(json_integer_value(json_object_get(counts, "change_pte_range")), 15);
	assert_int_equal(json_integer_value(json_object_get(counts, "foo.isra.0")), 4);
	assert_file(place, TRACING "/events/abbot/enable", "0");
	assert_file(place, TRACING "/kprobe_events",
		    "p:kprobes/mine schedule\n"
		    "p:abbot/change_pte_range change_pte_range\np:abbot/foo_isra_0 foo.isra.0\n"
		    "-:abbot/change_pte_range\n-:abbot/foo_isra_0\n");
	/* Here they are still listed, as if a daemon had been killed: left alone. */
	again = diagnose(place);
	assert_non_null(strstr(note_of(again, "functions"), "already"));
}

static void test_what_is_missing_is_said(void **state)
{
	struct place *place = *state;
	_cleanup_json_ json_t *result = NULL;
	_cleanup_json_ json_t *bare = NULL;

	want(place, FUNCTIONS);
	result = diagnose(place);
	assert_non_null(strstr(note_of(result, "functions"), "there is no tracefs"));
	put(place, TRACING "/current_tracer", "nop\n", 0644);
	bare = diagnose(place);
	assert_non_null(strstr(note_of(bare, "functions"), "CONFIG_FUNCTION_PROFILER"));
}

/* A perf of our own in front of the machine's. */
static void test_perf(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *path = text_format("%s/bin:%s", place->root, getenv("PATH"));
	_cleanup_free_ char *old = text_duplicate(getenv("PATH"));
	_cleanup_free_ char *none = at(place, "none");
	_cleanup_json_ json_t *result = NULL;
	_cleanup_json_ json_t *missing = NULL;
	const json_t *perf;

	put(place, "bin/perf",
	    "#!/bin/sh\nif [ \"$1\" = record ]; then echo \"$@\" >\"$4\"; else\n"
	    "printf '# a heading\\n\\n    41.02%%  [k] change_pte_range\\n    9.00%%  [.] main\\n'; fi\n",
	    0755);
	want(place, "perf");
	assert_int_equal(setenv("PATH", path, 1), 0);
	result = diagnose(place);
	assert_int_equal(setenv("PATH", none, 1), 0);
	missing = diagnose(place);
	assert_int_equal(setenv("PATH", old, 1), 0);
	perf = json_object_get(result, "perf");
	assert_string_equal(json_string_value(json_object_get(perf, "text")),
			    "41.02% [k] change_pte_range; 9.00% [.] main");
	assert_true(file_exists(json_string_value(json_object_get(perf, "file"))));
	assert_string_equal(note_of(missing, "perf"), "perf is not installed");
}

/* The machine's own perf on the real abbot-bench: samples, or a sentence. */
static void test_perf_of_this_machine(void **state)
{
	struct place *place = *state;
	_cleanup_json_ json_t *result = NULL;
	const char *text;

	assert_int_equal(unsetenv("ABBOT_BENCH"), 0);
	assert_int_equal(job_list_append(&place->job.measure.arguments, "--size=4M", NULL), 0);
	assert_int_equal(job_list_append(&place->job.measure.arguments, "--iterations=200", NULL), 0);
	want(place, "perf");
	result = diagnose(place);
	text = json_string_value(json_object_get(json_object_get(result, "perf"), "text"));
	print_message("perf here: %s\n", text ? text : note_of(result, "perf"));
	assert_true(text ? strchr(text, '%') != NULL : note_of(result, "perf")[0] != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_function_profiler, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_put_back_after_a_failure, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tracing_in_use_is_left_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kprobes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_is_missing_is_said, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_perf, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_perf_of_this_machine, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

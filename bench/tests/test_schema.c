// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Real output of every workload, right and wrong, against bench/abbot-bench.schema.json;
 * and outputs that were changed by hand, so that the validator is seen to refuse.
 */
#include "bench/tests/bench_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/tests/json_schema.h"
#include "bench/workload.h"
#include "common/cleanup.h"
#include "common/tests/temporary.h"
#include "common/text.h"

static const struct setting honest = { 0 };
static const struct setting nobody = { .is_nobody = true };

/* Small, so that all of them take a second. */
static const char *const runs[][8] = {
	{ "mprotect-toggle", "--size", "4M", "--iterations", "3", NULL },
	{ "mprotect-toggle", "--size", "4M", "--iterations", "1", "--fault", "split-mapping", NULL },
	{ "mprotect-single", "--size", "4M", "--iterations", "3", NULL },
	{ "mprotect-single", "--size", "4M", "--iterations", "1", "--fault", "lost-page", NULL },
	{ "mprotect-regions", "--size", "40K", "--iterations", "10", "--regions", "3", NULL },
	{ "mprotect-regions", "--iterations", "100", NULL },
	{ "mprotect-populated", "--size", "4M", "--iterations", "3", NULL },
	{ "mprotect-pmd", "--size", "4M", "--iterations", "3", NULL },
	{ "mprotect-large-folio", "--size", "4M", "--iterations", "3", NULL },
	{ "mprotect-large-folio", "--size", "4M", "--folio", "64K", NULL },
	{ "write-fault", "--size", "4M", "--iterations", "3", NULL },
	{ "write-fault", "--size", "4M", "--iterations", "3", "--shared", NULL },
	{ "exec", "--", "echo", "a=1 ms", NULL },
};

static void assert_valid(const json_t *schema, const struct bench_run *run, const char *name)
{
	struct error err = { 0 };

	if (!run->json || json_schema_validate(schema, run->json, &err) < 0)
		fail_msg("%s: %s", name, run->json ? err.text : run->error);
}

static void test_output_of_every_workload(void **state)
{
	_cleanup_json_ json_t *schema = json_schema_load("bench/abbot-bench.schema.json");
	/*
	 * A sweep would fill the memory: 256 MiB of address space make it skip the large sizes. Root
	 * would drop the page cache.
	 */
	const struct setting small = { .is_nobody = true, .memory_bytes = 256U << 20 };

	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		bool is_regions = strcmp(runs[i][0], "mprotect-regions") == 0;

		if (is_regions && (bench_is_emulated() || bench_is_sanitized()))
			continue; /* no limit holds there */

		_cleanup_bench_run_ struct bench_run run =
			bench_run(state, is_regions ? &small : &honest, runs[i]);

		/* Huge pages and large folios are not everywhere to be had. */
		if (run.status == 2 && (strcmp(runs[i][0], "mprotect-pmd") == 0 ||
					strcmp(runs[i][0], "mprotect-large-folio") == 0)) {
			print_message("left out: %s", run.error);
			continue;
		}
		assert_valid(schema, &run, runs[i][0]);
	}
}

static void test_output_without_privilege(void **state)
{
	static const char *const arguments[] = { "mprotect-toggle", "--size", "4M",
						 "--iterations", "1", NULL };
	_cleanup_json_ json_t *schema = json_schema_load("bench/abbot-bench.schema.json");
	_cleanup_bench_run_ struct bench_run run = bench_run(state, &nobody, arguments);

	assert_valid(schema, &run, "as nobody");
}

static void test_schema_names_every_workload(void **state)
{
	_cleanup_json_ json_t *schema = json_schema_load("bench/abbot-bench.schema.json");
	const json_t *names = json_object_get(json_object_get(json_object_get(schema, "properties"),
							      "workload"), "enum");
	size_t n = 0;

	(void)state;
	for (; workload_table[n]; n++)
		assert_string_equal(json_string_value(json_array_get(names, n)),
				    workload_table[n]->name);
	assert_int_equal(json_array_size(names), n);
}

static void test_wrong_output_is_refused(void **state)
{
	static const struct {
		const char *schema;
		const char *value;
		int code;
		const char *words;
	} cases[] = {
		{ "{\"type\": \"integer\"}", "[1.5]", -EINVAL, "another type" },
		{ "{\"type\": [\"null\", \"string\"]}", "[1]", -EINVAL, "another type" },
		{ "{\"const\": 1}", "[2]", -EINVAL, "constant" },
		{ "{\"enum\": [\"a\", \"b\"]}", "[\"c\"]", -EINVAL, "none of the words" },
		{ "{\"minimum\": 0}", "[-1]", -EINVAL, "too small" },
		{ "{\"maximum\": 3}", "[4]", -EINVAL, "too large" },
		{ "{\"required\": [\"a\"]}", "[{\"b\": 1}]", -EINVAL, "lacks a" },
		{ "{\"properties\": {\"a\": {}}, \"additionalProperties\": false}", "[{\"b\": 1}]",
		  -EINVAL, "$[].b: is not in the schema" },
		{ "{\"additionalProperties\": {\"type\": \"null\"}}", "[{\"b\": 1}]", -EINVAL,
		  "$[].b: is of another type" },
		{ "{\"anyOf\": [{\"type\": \"null\"}, {\"minimum\": 2}]}", "[1]", -EINVAL,
		  "too small" },
		{ "{\"$ref\": \"#/$defs/none\"}", "[1]", -ENOTSUP, "refers to nothing" },
		{ "{\"pattern\": \"a\"}", "[1]", -ENOTSUP, "pattern, which is not known" },
		{ "{\"type\": \"integer\", \"minimum\": 1}", "[1, 2]", 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error err = { 0 };
		_cleanup_json_ json_t *value = json_loads(cases[i].value, 0, NULL);
		_cleanup_json_ json_t *schema =
			json_pack("{s:o}", "items", json_loads(cases[i].schema, 0, NULL));

		assert_int_equal(json_schema_validate(schema, value, &err), cases[i].code);
		assert_non_null(strstr(err.text, cases[i].words));
	}
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_output_of_every_workload),
		TEST(test_output_without_privilege),
		cmocka_unit_test(test_schema_names_every_workload),
		cmocka_unit_test(test_wrong_output_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

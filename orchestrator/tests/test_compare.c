// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * abbot compare on a real store: kernels of one job and of two, and everything that makes
 * their numbers incomparable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/tests/programs.h"
#include "orchestrator/tests/stored_job.h"

#define COMPARE(state, ...) RUN(NULL, programs_path("abbot"), "--state", state, "compare", __VA_ARGS__)

static void expect(struct program_output output, int exit_status, const char *part)
{
	if (output.exit_status != exit_status ||
	    (!strstr(output.output, part) && !strstr(output.error_output, part)))
		fail_msg("wanted %d and \"%s\", got %d:\n%s%s", exit_status, part,
			 output.exit_status, output.output, output.error_output);
	program_output_done(&output);
}

/* Two jobs: the usual one, and @other. */
static char *two_jobs(void **state, const struct stored_job *other)
{
	char *directory = temporary_path(state, "state");

	assert_int_equal(stored_job_add(directory, &(struct stored_job){ .boots = 5 }), 1);
	assert_int_equal(stored_job_add(directory, other), 2);
	return directory;
}

static const char text_of_two_jobs[] =
	"IMPROVEMENT: 2:child takes 15.90 % less ns/page than 1:child (99 % interval\n"
	"-17.35 to -14.43 %).\n"
	"  old  1:child, cccccccccccc mm: the change\n"
	"  new  2:child, cccccccccccc mm: the change\n"
	"\n"
	"metric             old      SD      new      SD     delta     99 % interval    n\n"
	"iteration        126.1 ± 0.18%    106.0 ± 0.18%  -15.90 %  -17.35 to -14.43  2+2\n"
	"protect          63.03 ± 0.18%    53.01 ± 0.18%  -15.90 %  -17.35 to -14.43  2+2\n"
	"touch            7.000 ± 0.00%    7.000 ± 0.00%         ~             exact  2+2\n"
	"\n"
	"SD: between boots. n: boots, old and new. ~: the interval holds 0.\n"
	"\n"
	"Warnings\n"
	"  - Two jobs: what else changed on the machine between them is in the delta.\n";

static void test_two_jobs(void **state)
{
	_cleanup_free_ char *directory = two_jobs(state, &(struct stored_job){ .boots = 5, .child_pct = 5 });
	struct program_output output = COMPARE(directory, "1:child", "2:child");

	assert_string_equal(output.output, text_of_two_jobs);
	program_output_done(&output);
	expect(COMPARE(directory, "1:parent", "2:parent"), 0, "NO CHANGE: 2:parent against 1:parent is +0.00 %");
	expect(COMPARE(directory, "2:child", "1:child"), 0, "REGRESSION: 1:child takes 18.9");
	expect(COMPARE(directory, "1:child", "2:child", "--threshold=30"), 0, "NO CHANGE: ");
	expect(COMPARE(directory, "1:child", "2:child", "--format=json"), 0, "\"old_mean\": 126.062500");
}

/* As the job's own report has it. */
static void test_one_job(void **state)
{
	_cleanup_free_ char *directory = two_jobs(state, &(struct stored_job){ .boots = 5, .child_pct = 3 });

	expect(RUN(NULL, programs_path("abbot"), "--state", directory, "report", "2"), 0,
	       "REGRESSION: child takes 2.98 % more ns/page than parent (99 % interval +1.74 to\n+4.23 %)");
	expect(COMPARE(directory, "2:parent", "2:child"), 0,
	       "REGRESSION: 2:child takes 2.98 % more ns/page than 2:parent (99 % interval +1.74\nto +4.23 %)");
}

/* Two boots have no scatter of their own; the machine's other jobs tell it. */
static void test_history(void **state)
{
	_cleanup_free_ char *directory = temporary_path(state, "state");

	assert_int_equal(stored_job_add(directory, &(struct stored_job){ 0 }), 1);
	assert_int_equal(stored_job_add(directory, &(struct stored_job){ .child_pct = 5 }), 2);
	expect(COMPARE(directory, "1:child", "2:child"), 0, "(too few boots for an");
	for (int i = 0; i < 3; i++)
		assert_int_equal(stored_job_add(directory, &(struct stored_job){ .boots = 5 }), i + 3);
	expect(COMPARE(directory, "1:child", "2:child"), 0, "IMPROVEMENT: 2:child takes 15.90");
}

static void refused(void **state, const struct stored_job *other, const char *why)
{
	_cleanup_free_ char *directory = two_jobs(state, other);

	expect(COMPARE(directory, "1:child", "2:child"), 1, why);
	(void)temporary_teardown(state);
	(void)temporary_setup(state);
}

static void test_refuses_what_differs(void **state)
{
	refused(state, &(struct stored_job){ .governor = "powersave" },
		"they cannot be compared: governor: performance in job 1, powersave in job 2");
	refused(state, &(struct stored_job){ .cpu_model = "Other CPU" },
		"cpu_model: Test CPU in job 1, Other CPU in job 2");
	refused(state, &(struct stored_job){ .page_size = 65536 }, "page_size_bytes 65536 in job 2");
	refused(state, &(struct stored_job){ .workload = "write-fault" }, "workload: mprotect-toggle in job 1");
	refused(state, &(struct stored_job){ .warmups = 1 }, "warm-ups: 2 in job 1, 1 in job 2");
	refused(state, &(struct stored_job){ .is_counted = 1 },
		"measured on: a machine in job 1, a lab that counts instructions in job 2");
	refused(state, &(struct stored_job){ .end = "invalid" }, "job 2 is INVALID: all boots measured");
	refused(state, &(struct stored_job){ .end = "failed" }, "job 2 is FAILED");
	refused(state, &(struct stored_job){ .is_running = 1 }, "job 2 is");
	refused(state, &(struct stored_job){ .unexpected = "huge pages" }, "huge pages");
	/* Every reason, not only the first. */
	refused(state, &(struct stored_job){ .governor = "powersave", .page_size = 65536, .warmups = 1 },
		"warm-ups: 2 in job 1, 1 in job 2; parameters");
}

static void test_bad_words(void **state)
{
	_cleanup_free_ char *directory = two_jobs(state, &(struct stored_job){ .config_sum = "other" });

	expect(COMPARE(directory, "1:child"), 2, "compare takes two kernels of jobs");
	expect(COMPARE(directory, "1", "2:child"), 2, "\"1\" names no kernel of a job");
	expect(COMPARE(directory, "1:", "2:child"), 2, "names no kernel of a job");
	expect(COMPARE(directory, "x:child", "2:child"), 2, "names no kernel of a job");
	expect(COMPARE(directory, "1:grandchild", "2:child"), 2, "job 1 has no kernel \"grandchild\"; it has: parent, child");
	expect(COMPARE(directory, "1:child", "9:child"), 2, "there is no job 9");
	expect(COMPARE(directory, "1:child", "1:child"), 2, "compared with itself");
	expect(COMPARE(directory, "1:child", "2:child", "--threshold=-1"), 2, "above 0");
	expect(COMPARE(directory, "1:child", "2:child", "--threshold=x"), 2, "give percent");
	expect(COMPARE(directory, "1:child", "2:child", "--format=tsv"), 2, "text or json");
	expect(COMPARE(directory, "1:child", "2:child", "--workload=a"), 2, "one workload only");
	expect(COMPARE(directory, "1:child", "2:child"), 0, "configs differ (feed, other)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_two_jobs, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_one_job, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_history, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_refuses_what_differs, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_bad_words, temporary_setup, temporary_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

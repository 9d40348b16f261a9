// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every workload but toggle and exec, which have tests of their own: its figures, and each
 * gate turned red by a state that is really wrong.
 */
#include "bench/tests/bench_program.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/tests/temporary.h"

static const struct setting honest = { 0 };
/* Leaves the page cache of the machine alone, which root would drop. */
static const struct setting nobody = { .is_nobody = true };

#define RUN(state, setting, ...) \
	bench_run(state, setting, (const char *const[]){ __VA_ARGS__, NULL })
#define SMALL "--size", "4M", "--iterations", "5", "--warmup-iterations", "1"

static const char *const toggle_names[] = { "iteration", "protect", "restore", "touch", NULL };

/* Exit 2: this machine has no such pages; the reason is printed, and the test skipped. */
static bool is_refused_here(const struct bench_run *run)
{
	if (run->status != 2)
		return false;
	print_message("cannot be made here: %s", run->error);
	return true;
}

static void test_single(void **state)
{
	static const char *const names[] = { "protect", NULL };
	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "mprotect-single", SMALL);

	bench_assert_measured(&run, names);
	assert_int_equal((int)bench_number(run.json, "metrics", "protect", "n"), 5);
	assert_int_equal((int)bench_number(run.json, "gates", "semantic",
					   "writes_refused_read_only"), 3);
}

static void test_populated(void **state)
{
	static const char *const names[] = { "iteration", "protect", "restore", NULL };
	_cleanup_bench_run_ struct bench_run run =
		RUN(state, &honest, "mprotect-populated", SMALL);

	bench_assert_measured(&run, names);
	assert_int_equal((int)bench_number(run.json, "gates", "semantic",
					   "reads_refused_no_access"), 3);
}

static void test_write_fault(void **state)
{
	static const char *const names[] = { "fault", NULL };
	_cleanup_bench_run_ struct bench_run private_run =
		RUN(state, &honest, "write-fault", SMALL);
	_cleanup_bench_run_ struct bench_run shared_run =
		RUN(state, &honest, "write-fault", SMALL, "--shared");

	bench_assert_measured(&private_run, names);
	bench_assert_measured(&shared_run, names);
	/* Each page was faulted in: five timed times and what lies around them. */
	assert_true(json_integer_value(json_object_get(json_object_get(private_run.json, "noise"),
						       "minor_faults")) >=
		    5 * (4 << 20) / sysconf(_SC_PAGESIZE));
}

static void test_regions_of_one_size(void **state)
{
	static const char *const with_tsc[] = { "call", "cycles", NULL };
	static const char *const without[] = { "call", NULL };
	static const char *const kinds[] = { "--regions=1", "--shared" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		_cleanup_bench_run_ struct bench_run run =
			RUN(state, &nobody, "mprotect-regions", "--size", "400K", "--iterations",
			    "50", "--regions", "3", kinds[i]);

#ifdef __x86_64__
		bench_assert_measured(&run, with_tsc);
		(void)without;
#else
		bench_assert_measured(&run, without);
		(void)with_tsc;
#endif
		assert_int_equal((int)bench_number(run.json, "metrics", "call", "n"), 50);
		assert_non_null(strstr(json_string_value(json_array_get(
			json_object_get(run.json, "notes"), 0)), "page cache was not dropped"));
	}
}

/* 256 MiB of address space: the sizes above are skipped, and each says so. */
static void test_sweep(void **state)
{
	bench_need_real_kernel();
	if (bench_is_sanitized())
		skip();

	const struct setting small = { .is_nobody = true, .memory_bytes = 256U << 20 };
	static const char *const sizes[] = { "call-4K", "call-40K", "call-400K", "call-4M",
					     "call-40M" };
	static const char *const skipped[] = { "400M: skipped", "4G: skipped", "40G: skipped" };
	_cleanup_bench_run_ struct bench_run run =
		RUN(state, &small, "mprotect-regions", "--iterations", "1000");

	assert_int_equal(run.status, 0);
	for (size_t i = sysconf(_SC_PAGESIZE) == 4096 ? 0 : 2; i < ARRAY_SIZE(sizes); i++)
		assert_true(bench_number(run.json, "metrics", sizes[i], "mean") > 0);
	assert_null(json_object_get(json_object_get(run.json, "metrics"), "call-400M"));
	for (size_t i = 0; i < ARRAY_SIZE(skipped); i++) {
		const json_t *notes = json_object_get(run.json, "notes");
		const char *note = json_string_value(json_array_get(
			notes, json_array_size(notes) - ARRAY_SIZE(skipped) + i));

		assert_non_null(note);
		assert_int_equal(strncmp(note, skipped[i], strlen(skipped[i])), 0);
	}
	/* The iterations fall as the sizes rise. */
	assert_true(bench_number(run.json, "metrics", "call-400K", "n") <
		    bench_number(run.json, "metrics", "call-40K", "n"));
}

static void test_huge(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run = RUN(state, &honest, "mprotect-pmd", SMALL);

	if (is_refused_here(&run))
		skip();
	bench_assert_measured(&run, toggle_names);

	const json_t *gate = json_object_get(json_object_get(run.json, "gates"), "page_state");

	assert_int_equal(json_integer_value(json_object_get(json_object_get(gate, "after"),
							    "ShmemPmdMapped_kB")), 4096);
}

static void test_huge_split(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run =
		RUN(state, &honest, "mprotect-pmd", SMALL, "--fault", "small-page");

	if (is_refused_here(&run))
		skip();
	bench_assert_unexpected(&run, "the huge pages did not stay together");
	assert_true(json_is_null(json_object_get(run.json, "metrics")));
}

static void check_folios(void **state, const char *option)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run =
		RUN(state, &honest, "mprotect-large-folio", SMALL, option);

	if (is_refused_here(&run))
		skip();
	bench_assert_measured(&run, toggle_names);

	/* Not one entry is huge, and yet each page is in its place in a large folio. */
	const json_t *after = json_object_get(json_object_get(json_object_get(run.json, "gates"),
							      "page_state"), "after");
	const json_t *flags = json_object_get(after, "page_flags");

	assert_int_equal(json_integer_value(json_object_get(after, "AnonHugePages_kB")), 0);
	assert_int_equal(json_integer_value(json_object_get(after, "ShmemPmdMapped_kB")), 0);
	assert_int_equal(json_integer_value(json_object_get(flags, "in_place")),
			 json_integer_value(json_object_get(flags, "pages")));
}

static void test_folios(void **state)
{
	check_folios(state, "--cpu=0");
}

static void test_shared_folios(void **state)
{
	check_folios(state, "--shared");
}

static void test_small_folios(void **state)
{
	check_folios(state, "--folio=64K");
}

static void test_folio_with_a_small_page(void **state)
{
	bench_need_real_kernel();

	_cleanup_bench_run_ struct bench_run run =
		RUN(state, &honest, "mprotect-large-folio", SMALL, "--fault", "small-page");

	if (is_refused_here(&run))
		skip();
	bench_assert_unexpected(&run, "pages are in folios of");
}

static void test_folios_without_privilege(void **state)
{
	_cleanup_bench_run_ struct bench_run run =
		RUN(state, &nobody, "mprotect-large-folio", SMALL);

	/* A machine without huge pages says that first. */
	bench_assert_refused(&run, strstr(run.error, "run it as root") ? "run it as root" : "huge");
}

/* What each gate is to see in each workload that has it. */
static void test_faults(void **state)
{
	bench_need_real_kernel();

	static const struct {
		const char *workload;
		const char *fault;
		const char *reason;
	} cases[] = {
		{ "mprotect-single", "split-mapping", "before timing: the range is 3 mappings" },
		{ "mprotect-single", "huge-pages", "before timing: " },
		{ "mprotect-single", "lost-page", "1 of 1024 pages do not hold what was written" },
		{ "mprotect-single", "lost-page-early", "after timing: 4092 kB of 4096 kB" },
		{ "mprotect-single", "other-cpu", "no longer runs on CPU" },
		{ "mprotect-populated", "split-mapping", "before timing: the range is 3 mappings" },
		{ "mprotect-populated", "huge-pages", "before timing: AnonHugePages is 4096 kB" },
		{ "mprotect-populated", "huge-pages-late", "after timing: AnonHugePages" },
		{ "mprotect-populated", "lost-page", "1 of 1024 pages do not hold" },
		{ "mprotect-populated", "other-cpu", "no longer runs on CPU" },
		{ "mprotect-regions", "split-mapping", "before timing: the range is 3 mappings" },
		{ "mprotect-regions", "huge-pages", "before timing: AnonHugePages" },
		{ "mprotect-regions", "huge-pages-late", "after timing: AnonHugePages" },
		{ "mprotect-regions", "lost-page", "1 of 1024 pages do not hold" },
		{ "mprotect-regions", "lost-page-early", "after timing: 4092 kB of 4096 kB" },
		{ "mprotect-regions", "other-cpu", "no longer runs on CPU" },
		{ "write-fault", "split-mapping", "before timing: the range is 3 mappings" },
		{ "write-fault", "huge-pages", "before timing: AnonHugePages" },
		{ "write-fault", "lost-page", "1 of 1024 pages do not hold" },
		{ "write-fault", "other-cpu", "no longer runs on CPU" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool is_one_cpu = strcmp(cases[i].fault, "other-cpu") == 0 &&
				  sysconf(_SC_NPROCESSORS_ONLN) < 2;
		bool needs_huge = strncmp(cases[i].fault, "huge", 4) == 0;
		_cleanup_bench_run_ struct bench_run run =
			RUN(state, &nobody, cases[i].workload, SMALL, "--fault", cases[i].fault);

		if (is_one_cpu || (needs_huge && is_refused_here(&run))) {
			print_message("left out: %s of %s\n", cases[i].fault, cases[i].workload);
			continue;
		}
		if (run.status != 3)
			print_message("%s, %s\n", cases[i].workload, cases[i].fault);
		bench_assert_unexpected(&run, cases[i].reason);
	}
}

/* Its CPU is taken away while it is timed: there is no number. */
static void test_cpu_goes_offline(void **state)
{
	const struct setting setting = { .unpinned_after_ms = 300 };
	/* About a second each. */
	static const char *const workloads[][2] = { { "mprotect-toggle", "500" },
						    { "mprotect-populated", "300" },
						    { "write-fault", "40" } };

	bench_need_real_kernel();
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++) {
		_cleanup_bench_run_ struct bench_run run =
			RUN(state, &setting, workloads[i][0], "--size", "64M", "--iterations",
			    workloads[i][1]);

		bench_assert_unexpected(&run, "no longer runs on CPU");
	}
}

/* However it is asked for, what does not fit is refused; a sweep leaves it out (test_sweep). */
static void test_forty_gigabytes_on_a_small_machine(void **state)
{
	const struct setting small = { .memory_bytes = 256U << 20 };
	static const char *const workloads[] = { "mprotect-toggle", "mprotect-single",
						 "mprotect-regions", "mprotect-populated",
						 "write-fault" };

	bench_need_real_kernel();
	if (bench_is_sanitized())
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++) {
		_cleanup_bench_run_ struct bench_run run =
			RUN(state, &small, workloads[i], "--size", "40G");

		bench_assert_refused(&run, "memory");
	}
}

/* mprotect that only pretends, fails, or is forbidden. */
static void test_lying_kernel(void **state)
{
	bench_need_real_kernel();

	static const struct {
		const char *workload;
		struct setting setting;
		const char *reason;
	} cases[] = {
		{ "mprotect-single", { .is_lying = true, .protection = PROT_READ },
		  "before timing: the mapping is rw-s, not r--s" },
		{ "mprotect-single",
		  { .is_lying = true, .protection = PROT_READ, .answer_errno = ENOMEM },
		  "mprotect(PROT_READ) failed before timing: Cannot allocate" },
		{ "mprotect-populated", { .is_lying = true, .protection = PROT_NONE },
		  "only 0 of 3 reads faulted after PROT_NONE" },
		{ "mprotect-populated",
		  { .is_lying = true, .protection = PROT_NONE, .answer_errno = ENOMEM },
		  "mprotect(PROT_NONE) failed in warm-up iteration 1: Cannot allocate" },
		{ "mprotect-regions",
		  { .is_lying = true, .protection = PROT_NONE, .is_nobody = true },
		  "only 0 of 3 reads faulted after PROT_NONE" },
		{ "mprotect-regions",
		  { .is_lying = true, .protection = PROT_NONE, .answer_errno = ENOMEM,
		    .is_nobody = true },
		  "mprotect failed in warm-up iteration 1: Cannot allocate" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct setting forbidden = cases[i].setting;
		_cleanup_bench_run_ struct bench_run run =
			RUN(state, &cases[i].setting, cases[i].workload, SMALL);

		bench_assert_unexpected(&run, cases[i].reason);
		forbidden.answer_errno = EPERM;

		_cleanup_bench_run_ struct bench_run refused =
			RUN(state, &forbidden, cases[i].workload, SMALL);

		bench_assert_refused(&refused, "mprotect is refused here");
	}
}

static void test_bad_input(void **state)
{
	static const struct {
		const char *arguments[6];
		const char *words;
	} cases[] = {
		{ { "mprotect-regions", "--size", "40G", "--regions", "1024" },
		  "of memory are available" },
		{ { "mprotect-regions", "--size", "1G", "--regions", "1024" },
		  "more than the memory that is available" },
		{ { "mprotect-regions", "--regions", "1025" }, "from 1 to 1024" },
		{ { "mprotect-regions", "--size", "5000" }, "not a multiple of the page size" },
		{ { "mprotect-regions", "--folio", "64K" }, "mprotect-regions takes no --folio" },
		{ { "mprotect-single", "--shared" }, "mprotect-single takes no --shared" },
		{ { "mprotect-pmd", "--size", "4100K" }, "huge page" },
		{ { "mprotect-large-folio", "--folio", "48K" }, "huge page|is no folio size" },
		{ { "mprotect-large-folio", "--folio", "4K" }, "huge page|is no folio size" },
		{ { "mprotect-large-folio", "--shared", "--folio", "64K" },
		  "huge page|--shared has folios of" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_bench_run_ struct bench_run run =
			bench_run(state, &nobody, cases[i].arguments);
		const char *other = strchr(cases[i].words, '|');
		bool has_huge = access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0;

		bench_assert_refused(&run, other && has_huge ? other + 1 :
					   other ? "huge page" : cases[i].words);
	}
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_single),
		TEST(test_populated),
		TEST(test_write_fault),
		TEST(test_regions_of_one_size),
		TEST(test_sweep),
		TEST(test_huge),
		TEST(test_huge_split),
		TEST(test_folios),
		TEST(test_shared_folios),
		TEST(test_small_folios),
		TEST(test_folio_with_a_small_page),
		TEST(test_folios_without_privilege),
		TEST(test_faults),
		TEST(test_cpu_goes_offline),
		TEST(test_forty_gigabytes_on_a_small_machine),
		TEST(test_lying_kernel),
		TEST(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

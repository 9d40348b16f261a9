// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page-state gate on real mappings: right ones pass; holes, split mappings, huge pages and
 * large folios behind small entries, all made for real, do not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/page_state.h"
#include "bench/tests/bench_program.h"
#include "common/cleanup.h"
#include "common/tests/temporary.h"

#define SIZE (8U << 20)
#define HUGE_BYTES (2U << 20)

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void *map_shared(size_t size)
{
	void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(start != MAP_FAILED);
	return start;
}

static struct outcome check_shape(void *start, size_t size, enum page_shape shape,
				  size_t folio_bytes, struct page_state *ret_state)
{
	struct error err = { 0 };
	struct outcome outcome = { 0 };
	const struct mapping mapping = { .start = start, .size_bytes = size, .stride_bytes = size,
					 .n_regions = 1, .page_bytes = page_bytes(),
					 .is_shared = true };
	const struct page_demand demand = { "test", "rw-s", shape, folio_bytes };

	assert_int_equal(page_state_read(&mapping, folio_bytes, ret_state, &err), 0);
	page_state_check(ret_state, &mapping, &demand, &outcome);
	return outcome;
}

static struct outcome check(void *start, size_t size, struct page_state *ret_state)
{
	return check_shape(start, size, PAGE_SHAPE_BASE, 0, ret_state);
}

static void test_right_state_passes(void **state)
{
	char *start = map_shared(SIZE);
	struct page_state page_state;

	(void)state;
	memset(start, 1, SIZE);

	struct outcome outcome = check(start, SIZE, &page_state);

	assert_string_equal(outcome.reason, "");
	assert_int_equal(outcome.n_unexpected, 0);
	assert_true(outcome_match_ratio(&outcome) == 100);
	if (geteuid() == 0) {
		assert_true(page_state.flags.is_available);
		assert_int_equal(page_state.flags.n_order0, SIZE / page_bytes());
	}
	(void)munmap(start, SIZE);
}

/* Linux 6.12 calls every private page merged in kpageflags: smaps is believed where it tells. */
static void test_merged_pages(void **state)
{
	char *start = map_shared(SIZE);
	const struct mapping mapping = { .start = (unsigned char *)start, .size_bytes = SIZE,
					 .page_bytes = page_bytes(), .stride_bytes = SIZE,
					 .n_regions = 1, .is_shared = true };
	const struct page_demand demand = { "before timing", "rw-s", PAGE_SHAPE_BASE, 0 };
	struct page_state page_state;
	struct outcome said = { 0 }, merged = { 0 }, old = { 0 };

	(void)state;
	memset(start, 1, SIZE);
	(void)check(start, SIZE, &page_state);
	page_state.flags.n_ksm = 3;
	page_state.smaps.ksm_kb = 0;
	page_state_check(&page_state, &mapping, &demand, &said);
	assert_string_equal(said.reason, "");
	page_state.smaps.ksm_kb = 8;
	page_state_check(&page_state, &mapping, &demand, &merged);
	assert_non_null(strstr(merged.reason, "8 kB are merged by KSM"));
	page_state.smaps.ksm_kb = SMAPS_ABSENT;
	page_state_check(&page_state, &mapping, &demand, &old);
	assert_non_null(strstr(old.reason, "pages are merged by KSM"));
	(void)munmap(start, SIZE);
}

/* That it could be huge pages is no failure: where there are some, other fields say so. */
static void test_eligible_for_huge_pages(void **state)
{
	char *start = map_shared(SIZE);
	const struct mapping mapping = { .start = (unsigned char *)start, .size_bytes = SIZE,
					 .page_bytes = page_bytes(), .stride_bytes = SIZE,
					 .n_regions = 1, .is_shared = true };
	const struct page_demand demand = { "before timing", "rw-s", PAGE_SHAPE_BASE, 0 };
	struct page_state page_state;
	struct outcome eligible = { 0 }, huge = { 0 };

	(void)state;
	memset(start, 1, SIZE);
	(void)check(start, SIZE, &page_state);
	page_state.smaps.is_thp_eligible = 1;
	page_state_check(&page_state, &mapping, &demand, &eligible);
	assert_string_equal(eligible.reason, "");
	page_state.smaps.shmem_pmd_kb = 2048;
	page_state_check(&page_state, &mapping, &demand, &huge);
	assert_non_null(strstr(huge.reason, "ShmemPmdMapped is 2048 kB"));
	(void)munmap(start, SIZE);
}

static void test_unwritten_page(void **state)
{
	char *start = map_shared(SIZE);
	struct page_state page_state;

	(void)state;
	memset(start, 1, SIZE - page_bytes());

	struct outcome outcome = check(start, SIZE, &page_state);

	assert_non_null(strstr(outcome.reason, "kB are present"));
	/* smaps and, where it may be read, pagemap each see it. */
	assert_int_equal(outcome.n_unexpected, page_state.flags.is_available ? 2 : 1);
	(void)munmap(start, SIZE);
}

static void test_split_and_protection(void **state)
{
	char *start = map_shared(SIZE);
	struct page_state page_state;

	(void)state;
	memset(start, 1, SIZE);
	assert_int_equal(mprotect(start, page_bytes(), PROT_READ), 0);

	struct outcome outcome = check(start, SIZE, &page_state);

	assert_non_null(strstr(outcome.reason, "2 mappings"));
	assert_int_equal(mprotect(start, SIZE, PROT_READ), 0);
	outcome = check(start, SIZE, &page_state);
	assert_non_null(strstr(outcome.reason, "r--s, not rw-s"));
	(void)munmap(start, SIZE);
}

/*
 * A tmpfs file of huge pages, written, mapped @skew bytes beyond a huge page's border: without
 * skew by huge entries, with it by small ones. For a child process.
 */
static bool map_huge_file(const char *directory, size_t skew, char **ret_start)
{
	char path[4096];
	char *start = mmap(NULL, SIZE + 2 * HUGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	if (start == MAP_FAILED || unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", directory, "tmpfs", 0, "huge=always") != 0)
		return false;
	(void)snprintf(path, sizeof(path), "%s/file", directory);

	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, SIZE) != 0)
		return false;
	start += HUGE_BYTES - (uintptr_t)start % HUGE_BYTES;
	/* Written through an aligned mapping first: only that one gets huge pages. */
	if (mmap(start, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		return false;
	memset(start, 1, SIZE);
	if (skew == 0) {
		*ret_start = start;
		return true;
	}
	start += skew;
	*ret_start = mmap(start, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	if (*ret_start == MAP_FAILED)
		return false;
	memset(*ret_start, 1, SIZE);
	return true;
}

enum { CHILD_SKIP = 77, CHILD_WRONG = 1 };

/* Mapped by huge entries: smaps itself says so. */
static int huge_child(const char *directory)
{
	char *start;
	struct page_state page_state;

	if (!map_huge_file(directory, 0, &start))
		return CHILD_SKIP;

	struct outcome outcome = check(start, SIZE, &page_state);

	if (page_state.flags.is_available && page_state.flags.n_compound == 0)
		return CHILD_SKIP; /* no huge page was to be had */
	if (!strstr(outcome.reason, "ShmemPmdMapped is 8192 kB"))
		return CHILD_WRONG;
	/* What is wrong for the one workload is right for the other. */
	outcome = check_shape(start, SIZE, PAGE_SHAPE_HUGE, HUGE_BYTES, &page_state);
	return outcome.n_unexpected == 0 ? 0 : CHILD_WRONG;
}

/* Large folios mapped by small entries: smaps shows nothing, only the flags of the pages do. */
static int folio_child(const char *directory)
{
	char *start;
	struct page_state page_state;

	if (!map_huge_file(directory, page_bytes(), &start))
		return CHILD_SKIP;

	struct outcome outcome = check(start, SIZE, &page_state);

	if (!page_state.flags.is_available || page_state.flags.n_compound == 0 ||
	    page_state.smaps.shmem_pmd_kb != 0)
		return CHILD_SKIP;
	if (outcome.n_unexpected != 1 || !strstr(outcome.reason, "large folios"))
		return CHILD_WRONG;
	outcome = check_shape(start, SIZE, PAGE_SHAPE_FOLIO, HUGE_BYTES, &page_state);
	if (outcome.n_unexpected != 0)
		return CHILD_WRONG;
	/* Smaller folios than these are other folios, and none of these has a huge entry. */
	outcome = check_shape(start, SIZE, PAGE_SHAPE_FOLIO, HUGE_BYTES / 2, &page_state);
	if (outcome.n_unexpected != 1 || !strstr(outcome.reason, "in folios of 1024 KiB"))
		return CHILD_WRONG;
	outcome = check_shape(start, SIZE, PAGE_SHAPE_HUGE, HUGE_BYTES, &page_state);
	return outcome.n_unexpected == 1 && strstr(outcome.reason, "ShmemPmdMapped is 0 kB, not 8192") ?
		       0 : CHILD_WRONG;
}

/* The page at @source once more at @place, counted in pages. */
static bool put_again(char *start, size_t source, size_t place)
{
	char *at = start + place * page_bytes();

	if (mremap(start + source * page_bytes(), 0, page_bytes(), MREMAP_MAYMOVE | MREMAP_FIXED,
		   at) == MAP_FAILED)
		return false;
	*at = 1;
	return true;
}

/* Pages of large folios, but not where they belong: a tail of the next folio, a tail for a head. */
static int misplaced_child(const char *directory)
{
	const size_t n_folio = HUGE_BYTES / page_bytes();
	char *start;
	struct page_state page_state;

	if (!map_huge_file(directory, page_bytes(), &start))
		return CHILD_SKIP;
	(void)check_shape(start, SIZE, PAGE_SHAPE_FOLIO, HUGE_BYTES, &page_state);
	if (!page_state.flags.is_available || page_state.flags.n_in_place == 0)
		return CHILD_SKIP;
	if (page_state.flags.n_in_place != SIZE / page_bytes() ||
	    !put_again(start, n_folio + 5, 5) || !put_again(start, 7, 2 * n_folio))
		return CHILD_WRONG;
	(void)check_shape(start, SIZE, PAGE_SHAPE_FOLIO, HUGE_BYTES, &page_state);
	/* The one page, and the whole folio that has lost its head. */
	return page_state.flags.n_compound == SIZE / page_bytes() &&
			       page_state.flags.n_in_place == SIZE / page_bytes() - 1 - n_folio ?
		       0 : CHILD_WRONG;
}

/* In a process of its own: the mount is gone with its namespace. */
static void run_child(int (*function)(const char *directory), const char *directory)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		_exit(function(directory));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CHILD_SKIP)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_huge_pages(void **state)
{
	run_child(huge_child, *state);
}

static void test_large_folio_behind_small_entries(void **state)
{
	run_child(folio_child, *state);
}

static void test_misplaced_pages(void **state)
{
	bench_need_real_kernel();
	run_child(misplaced_child, *state);
}

/* Without privilege the gate rests on smaps, and says so. */
static int unprivileged_child(const char *directory)
{
	char *start = map_shared(SIZE);
	struct page_state page_state;

	(void)directory;
	if (geteuid() != 0 || setgid(65534) != 0 || setuid(65534) != 0)
		return CHILD_SKIP;
	memset(start, 1, SIZE);

	struct outcome outcome = check(start, SIZE, &page_state);

	return outcome.n_unexpected == 0 && !page_state.flags.is_available &&
			       page_state.flags.why_not[0] ? 0 : CHILD_WRONG;
}

static void test_unprivileged(void **state)
{
	run_child(unprivileged_child, *state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right_state_passes),
		cmocka_unit_test(test_merged_pages),
		cmocka_unit_test(test_eligible_for_huge_pages),
		cmocka_unit_test(test_unwritten_page),
		cmocka_unit_test(test_split_and_protection),
		cmocka_unit_test_setup_teardown(test_huge_pages, temporary_setup,
						temporary_teardown),
		cmocka_unit_test_setup_teardown(test_large_folio_behind_small_entries,
						temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_misplaced_pages, temporary_setup,
						temporary_teardown),
		cmocka_unit_test(test_unprivileged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

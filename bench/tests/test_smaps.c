// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parsers of smaps and of /proc/interrupts: exact text, hostile text, cut text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/noise.h"
#include "bench/proc_file.h"
#include "bench/smaps.h"
#include "common/cleanup.h"

static const char two_mappings[] =
	"7f0000000000-7f0000200000 rw-s 00000000 00:01 1025                       /dev/zero (deleted)\n"
	"Size:               2048 kB\n"
	"KernelPageSize:        4 kB\n"
	"MMUPageSize:           4 kB\n"
	"Rss:                1024 kB\n"
	"ShmemPmdMapped:     2048 kB\n"
	"Shared_Hugetlb:        3 kB\n"
	"Private_Hugetlb:       4 kB\n"
	"KSM:                  12 kB\n"
	"THPeligible:           0\n"
	"VmFlags: rd wr sh mr mw me ms sd \n"
	"7f0000200000-7f0000300000 r--s 00000000 00:01 1026                       /dev/zero (deleted)\n"
	"Size:               1024 kB\n"
	"KernelPageSize:     2048 kB\n"
	"MMUPageSize:           4 kB\n"
	"Rss:                 512 kB\n"
	"Swap:                  8 kB\n"
	"ShmemPmdMapped:        0 kB\n"
	"THPeligible:           1\n"
	"VmFlags: rd sh\n";

static int parse(const char *text, uint64_t start, uint64_t end, struct smaps *ret_smaps)
{
	return smaps_parse(text, strlen(text), start, end, ret_smaps);
}

static void test_one_mapping(void **state)
{
	struct smaps smaps;

	(void)state;
	assert_int_equal(parse(two_mappings, 0x7f0000000000, 0x7f0000200000, &smaps), 0);
	assert_int_equal(smaps.n_mappings, 1);
	assert_string_equal(smaps.permissions, "rw-s");
	assert_int_equal(smaps.mapped_kb, 2048);
	assert_int_equal(smaps.rss_kb, 1024);
	assert_int_equal(smaps.shmem_pmd_kb, 2048);
	assert_int_equal(smaps.hugetlb_kb, 7);
	assert_int_equal(smaps.ksm_kb, 12);
	assert_int_equal(smaps.is_thp_eligible, 0);
	assert_true(smaps.anon_huge_kb == SMAPS_ABSENT);
	assert_true(smaps.swap_kb == SMAPS_ABSENT);
}

static void test_sum_and_largest(void **state)
{
	struct smaps smaps;

	(void)state;
	assert_int_equal(parse(two_mappings, 0x7f0000000000, 0x7f0000300000, &smaps), 0);
	assert_int_equal(smaps.n_mappings, 2);
	assert_int_equal(smaps.mapped_kb, 3072);
	assert_int_equal(smaps.rss_kb, 1536);
	assert_int_equal(smaps.swap_kb, 8);
	assert_int_equal(smaps.kernel_page_kb, 2048);
	assert_int_equal(smaps.is_thp_eligible, 1);
}

static void test_refusals(void **state)
{
	struct smaps smaps = { .n_mappings = 77 };

	(void)state;
	assert_int_equal(parse(two_mappings, 0x1000, 0x2000, &smaps), -ENOENT);
	assert_int_equal(parse("", 0x1000, 0x2000, &smaps), -ENOENT);
	assert_int_equal(parse("Rss: 4 kB\n", 0x1000, 0x2000, &smaps), -EBADMSG);
	assert_int_equal(parse("no smaps\n", 0x1000, 0x2000, &smaps), -EBADMSG);
	assert_int_equal(smaps.n_mappings, 77);
}

/* Every prefix, without a terminator behind it: ASan sees a read beyond the size. */
static void test_cut_anywhere(void **state)
{
	(void)state;
	for (size_t size = 0; size < sizeof(two_mappings); size++) {
		_cleanup_free_ char *cut = malloc(size ? size : 1);
		struct smaps smaps;

		memcpy(cut, two_mappings, size);
		(void)smaps_parse(cut, size, 0x7f0000000000, 0x7f0000300000, &smaps);
	}
}

static void test_long_lines(void **state)
{
	static const char rest[] = "\nRss: 4 kB\n";
	char text[4096];
	struct smaps smaps;
	int n = snprintf(text, sizeof(text), "1000-2000 rw-p 0 0 0 /");

	(void)state;
	memset(text + n, 'a', 3000);
	memcpy(text + n + 3000, rest, sizeof(rest));
	assert_int_equal(parse(text, 0x1000, 0x2000, &smaps), 0);
	assert_int_equal(smaps.rss_kb, 4);
}

static const char interrupts[] =
	"            CPU0       CPU2       CPU10      \n"
	"   1:          9         20        300  IR-IO-APIC    1-edge      i8042 7 8\n"
	" NMI:          1          2          3   Non-maskable interrupts\n"
	" ERR:          5\n"
	" MIS:          0\n";

static void test_interrupts(void **state)
{
	uint64_t sum = 0;

	(void)state;
	assert_int_equal(noise_parse_interrupts(interrupts, strlen(interrupts), 2, &sum), 0);
	assert_int_equal(sum, 22);
	assert_int_equal(noise_parse_interrupts(interrupts, strlen(interrupts), 10, &sum), 0);
	assert_int_equal(sum, 303);
	assert_int_equal(noise_parse_interrupts(interrupts, strlen(interrupts), 1, &sum), -ENOENT);
	assert_int_equal(noise_parse_interrupts("", 0, 0, &sum), -EBADMSG);
	assert_int_equal(sum, 303);
	for (size_t size = 0; size < sizeof(interrupts); size++) {
		_cleanup_free_ char *cut = malloc(size ? size : 1);

		memcpy(cut, interrupts, size);
		(void)noise_parse_interrupts(cut, size, 10, &sum);
	}
}

static void test_find_number(void **state)
{
	uint64_t value = 7;

	(void)state;
	assert_int_equal(proc_file_find_number("MemTotal: 12 kB\nMemAvailable:   34 kB\n",
					       "MemAvailable", &value), 0);
	assert_int_equal(value, 34);
	assert_int_equal(proc_file_find_number("se.nr_migrations      :      5\n",
					       "se.nr_migrations", &value), 0);
	assert_int_equal(value, 5);
	assert_int_equal(proc_file_find_number("MemAvailableX: 3\n", "MemAvailable", &value), -ENOENT);
	assert_int_equal(proc_file_find_number("A: -3\n", "A", &value), -ENOENT);
	assert_int_equal(proc_file_find_number("A: 99999999999999999999999\n", "A", &value), -ENOENT);
	assert_int_equal(value, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_mapping),   cmocka_unit_test(test_sum_and_largest),
		cmocka_unit_test(test_refusals),      cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_long_lines),    cmocka_unit_test(test_interrupts),
		cmocka_unit_test(test_find_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

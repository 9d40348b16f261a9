// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pinning, and noticing that a pin has been loosened.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "bench/placement.h"

static void allow_all(void)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

static void test_pin(void **state)
{
	struct placement placement;
	struct error err = { 0 };

	(void)state;
	allow_all();
	assert_int_equal(placement_apply(0, &placement, &err), 0);
	assert_int_equal(placement.cpu, 0);
	assert_int_equal(sched_getcpu(), 0);
	assert_true(placement_holds(&placement));
}

/* Of those that may be used, not of those that exist. */
static void test_highest_allowed(void **state)
{
	struct placement placement;
	struct error err = { 0 };
	cpu_set_t first;

	(void)state;
	allow_all();
	assert_int_equal(placement_apply(-1, &placement, &err), 0);
	assert_int_equal(placement.cpu, sysconf(_SC_NPROCESSORS_CONF) - 1);
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	assert_int_equal(sched_setaffinity(0, sizeof(first), &first), 0);
	assert_int_equal(placement_apply(-1, &placement, &err), 0);
	assert_int_equal(placement.cpu, 0);
}

/* Still on that CPU, but free to leave it. */
static void test_loosened_pin(void **state)
{
	struct placement placement;
	struct error err = { 0 };

	(void)state;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();
	allow_all();
	assert_int_equal(placement_apply(0, &placement, &err), 0);
	allow_all();
	assert_false(placement_holds(&placement));
}

static void test_refusals(void **state)
{
	struct placement placement = { .cpu = 77 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(placement_apply(16383, &placement, &err), -EINVAL);
	assert_non_null(strstr(err.text, "CPU 16383 cannot be used"));
	assert_int_equal(placement_apply(16384, &placement, &err), -EINVAL);
	assert_int_equal(placement.cpu, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pin),
		cmocka_unit_test(test_highest_allowed),
		cmocka_unit_test(test_loosened_pin),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

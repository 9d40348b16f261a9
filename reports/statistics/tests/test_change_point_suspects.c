// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commits under suspicion: how many cells it takes, and which commits in them count.
 */
#include "reports/statistics/change_point_suspects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void likeliest_cells_are_counted(void **state)
{
	static const size_t positions[] = { 0, 4, 5, 10 };
	static const double p[] = { 0, .25, .7, .05 };
	struct change_point_posterior posterior = { .n_positions = 4 };
	struct change_point_data data;
	struct error err;

	(void)state;
	assert_int_equal(change_point_data_init(&data, 10, NULL, &err), 0);
	for (size_t i = 0; i < 4; i++) {
		posterior.position[i] = positions[i];
		posterior.p[i] = p[i];
	}
	assert_int_equal(change_point_suspects(&data, &posterior, .7), 1);
	assert_int_equal(change_point_suspects(&data, &posterior, .71), 1 + 4);
	assert_int_equal(change_point_suspects(&data, &posterior, .99), 1 + 4 + 5);
	/* More than there is: all of them, and it ends. */
	assert_int_equal(change_point_suspects(&data, &posterior, 2), 10);
	/* Commits 2 and 3 cannot be it. */
	for (size_t i = 2; i <= 10; i++)
		data.mass[i] -= i == 2 ? 1 : 2;
	assert_int_equal(change_point_suspects(&data, &posterior, .95), 1 + 2);
	change_point_data_done(&data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(likeliest_cells_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

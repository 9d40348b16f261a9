// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The store of a lab run that is closed while the machine runs: opened again when the
 * other program that has it meanwhile leaves, and missing when that one does not.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/tests/temporary.h"
#include "orchestrator/cli/lab_host.h"

/* Another program that has the store of @directory for @hold_ms. */
static pid_t hold_store(const char *directory, long hold_ms)
{
	const struct timespec hold = { hold_ms / 1000, hold_ms % 1000 * 1000000 };
	int ready[2];
	char byte = 0;

	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct store *store;

		if (store_open(directory, true, &store, NULL) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		(void)nanosleep(&hold, NULL);
		_exit(0);
	}
	(void)close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	(void)close(ready[0]);
	return pid;
}

static void test_store_is_waited_for(void **state)
{
	_cleanup_free_ char *directory = temporary_path(state, "state");
	struct lab_host host = { .state_directory = directory };
	struct error err = { 0 };
	pid_t pid = hold_store(directory, 400);

	assert_int_equal(lab_host_open(&host, 0, &err), -EBUSY);
	assert_null(host.store);
	assert_int_equal(lab_host_open(&host, 30, &err), 0);
	assert_non_null(host.store);
	lab_host_done(&host);
	assert_null(host.store);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* No failure can be recorded, and the reason is told all the same. */
static void test_failure_without_store(void **state)
{
	struct lab_host host = { .state_directory = "/nonexistent", .job_id = 1 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(lab_host_fail(&host, "the machine burnt", &err), -EBADF);
	lab_host_done(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_store_is_waited_for, temporary_setup,
						temporary_teardown),
		cmocka_unit_test(test_failure_without_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How QEMU's end is judged, with a QEMU of the test's own in PATH. Real machines are
 * tests/lab's.
 */
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

#include "boot/lab/disk.h"
#include "boot/lab/machine.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

static int run_fake(const char *script, struct error *err)
{
	char directory[] = "/tmp/abbot-machine-XXXXXX";
	_cleanup_free_ char *saved = text_duplicate(getenv("PATH"));
	_cleanup_free_ char *text = text_format("#!/bin/sh\n%s\n", script);
	_cleanup_free_ char *program = NULL;
	_cleanup_free_ char *path = NULL;
	struct machine machine = { "/nonexistent/disk", "/nonexistent/vars", "/nonexistent/tpm",
				   "/nonexistent/serial.log", false, 10000, 1, false };
	double wall_s;
	bool was_timed_out;
	int status;

	assert_non_null(mkdtemp(directory));
	program = path_join(directory, "qemu-system-x86_64");
	path = text_format("%s:%s", directory, saved);
	assert_int_equal(file_write_durable(program, text, strlen(text), 0755, NULL), 0);
	(void)setenv("PATH", path, 1);
	status = machine_run(&machine, &wall_s, &was_timed_out, err);
	(void)setenv("PATH", saved, 1);
	assert_int_equal(file_remove_tree(directory, NULL), 0);
	return status;
}

static void assert_says(const struct error *err, const char *part)
{
	if (!strstr(err->text, part))
		fail_msg("'%s' does not hold '%s'", err->text, part);
}

static void test_guest_powers_off(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_fake("exit 0", &err), 0);
}

/* QEMU ends with status 0 on SIGTERM: that is no power-off. */
static void test_ended_from_outside(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_fake("echo qemu-system-x86_64: terminating on signal 15 from pid 7; exit 0", &err),
			 -EINTR);
	assert_says(&err, "ended from outside before the guest powered off");
	assert_says(&err, "signal 15 from pid 7");
	assert_int_equal(run_fake("kill -9 $$", &err), -EPROTO);
	assert_says(&err, "signal 9 before the guest powered off; the serial log is /nonexistent/serial.log");
}

static void test_qemu_fails(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_fake("echo no such device; exit 1", &err), -EPROTO);
	assert_says(&err, "QEMU ended with status 1: no such device");
}

/* e2fsck's exit status alone says nothing to a user. */
static void test_unreadable_disk(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_true(lab_disk_repair("/dev/null", &err) < 0);
	assert_says(&err, "the file system that the lab's guest left on /dev/null cannot be read: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guest_powers_off),
		cmocka_unit_test(test_ended_from_outside),
		cmocka_unit_test(test_qemu_fails),
		cmocka_unit_test(test_unreadable_disk),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}

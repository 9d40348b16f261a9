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
#include "boot/lab/power.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

static int run_fake(const char *script, enum machine_end *ret_end, struct error *err)
{
	char directory[] = "/tmp/abbot-machine-XXXXXX";
	_cleanup_free_ char *saved = text_duplicate(getenv("PATH"));
	_cleanup_free_ char *text = text_format("#!/bin/sh\n%s\n", script);
	_cleanup_free_ char *program = NULL;
	_cleanup_free_ char *path = NULL;
	struct machine machine = {
		.disk = "/nonexistent/disk",
		.variables = "/nonexistent/vars",
		.tpm = "/nonexistent/tpm",
		.serial = "/nonexistent/serial.log",
		.timeout_ms = 10000,
		.silence_ms = 2000,
	};
	double wall_s;
	int status;

	assert_non_null(mkdtemp(directory));
	program = path_join(directory, "qemu-system-x86_64");
	path = text_format("%s:%s", directory, saved);
	assert_int_equal(file_write_durable(program, text, strlen(text), 0755, NULL), 0);
	(void)setenv("PATH", path, 1);
	status = machine_run(&machine, &wall_s, ret_end, err);
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
	enum machine_end end;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_fake("exit 0", &end, &err), 0);
	assert_int_equal(end, MACHINE_OFF);
}

/* What is silent for two seconds is ended, long before the ten of the time limit. */
static void test_silence(void **state)
{
	enum machine_end end;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_fake("exec sleep 60", &end, &err), 0);
	assert_int_equal(end, MACHINE_SILENT);
}

/* The watchdog is there unless it is asked away; its absence is the lab cases' to see. */
static void test_arguments(void **state)
{
	enum machine_end end;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_fake("case \"$*\" in *-device\\ i6300esb*) exit 0;; esac; exit 1", &end,
				  &err), 0);
}

/* QEMU ends with status 0 on SIGTERM: that is no power-off. */
static void test_ended_from_outside(void **state)
{
	enum machine_end end;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_fake("echo qemu-system-x86_64: terminating on signal 15 from pid 7; exit 0", &end,
				  &err),
			 -EINTR);
	assert_says(&err, "ended from outside before the guest powered off");
	assert_says(&err, "signal 15 from pid 7");
	assert_int_equal(run_fake("kill -9 $$", &end, &err), -EPROTO);
	assert_says(&err, "signal 9 before the guest powered off; the serial log is /nonexistent/serial.log");
}

static void test_qemu_fails(void **state)
{
	enum machine_end end;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_fake("echo no such device; exit 1", &end, &err), -EPROTO);
	assert_says(&err, "QEMU ended with status 1: no such device");
}

/* Hangs three times, off the fourth; the write log is begun once and then continued. */
static const char fake_power[] =
	"#!/bin/sh\n"
	"cd \"${0%/*}\"\n"
	"case \"$*\" in *i6300esb*) exit 1;; esac\n"
	"[ -e runs ] && append=on || append=off\n"
	"case \"$*\" in *log-append=$append,*) ;; *) exit 1;; esac\n"
	"echo >>runs\n"
	"[ \"$(wc -l <runs)\" = 4 ] || exec sleep 60\n";

static void test_power(void **state)
{
	char directory[] = "/tmp/abbot-power-XXXXXX";
	_cleanup_free_ char *saved = text_duplicate(getenv("PATH"));
	_cleanup_free_ char *program = NULL, *path = NULL, *disk = NULL, *tpm = NULL, *log = NULL;
	_cleanup_free_ char *copy = NULL;
	static const int64_t cuts_ms[] = { 300, 600 };
	struct lab_options options = {
		.timeout_s = 30,
		.power = { .cuts_ms = cuts_ms, .n_cuts = 2, .switch_ms = 1000, .has_no_watchdog = true },
	};
	struct lab_outcome outcome = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_non_null(mkdtemp(directory));
	program = path_join(directory, "qemu-system-x86_64");
	disk = path_join(directory, "disk");
	tpm = path_join(directory, "tpm");
	log = path_join(directory, "log");
	copy = text_format("%s.disk", log);
	path = text_format("%s:%s", directory, saved);
	assert_int_equal(file_write_durable(program, fake_power, strlen(fake_power), 0755, NULL), 0);
	assert_int_equal(file_write_durable(disk, "disk", 4, 0644, NULL), 0);
	options.power.write_log = log;
	struct machine machine = { .disk = disk, .variables = disk, .tpm = tpm, .serial = "/nonexistent" };

	(void)setenv("PATH", path, 1);
	int status = power_run(&machine, &options, &outcome, &err);

	(void)setenv("PATH", saved, 1);
	if (status != 0)
		fail_msg("%s", err.text);
	assert_int_equal(outcome.power_switched, 1);
	assert_false(outcome.was_timed_out);
	assert_true(outcome.wall_s >= 1.9);
	assert_true(file_exists(copy));
	assert_int_equal(file_remove_tree(directory, NULL), 0);
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
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_ended_from_outside),
		cmocka_unit_test(test_qemu_fails),
		cmocka_unit_test(test_unreadable_disk),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}

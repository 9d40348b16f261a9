// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is found in kernel logs of the kinds that exist, and what is not; records of
 * /dev/kmsg as text.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/kernel_log.h"
#include "boot/kernel_messages.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

static struct kernel_log scan(const char *text)
{
	struct kernel_log log;

	kernel_log_scan(text, strlen(text), &log);
	return log;
}

static void assert_finding(const struct kernel_log *log, int i, const char *kind, const char *text)
{
	assert_true(i < log->n_findings);
	assert_string_equal(log->findings[i].kind, kind);
	assert_string_equal(log->findings[i].text, text);
}

/* One crash is one finding: what follows on its first line belongs to it. */
static void test_oops_and_panic(void **state)
{
	struct kernel_log log = scan(
		"[    1.000000] Linux version 6.12.0 (root@host)\n"
		"[   12.345678] BUG: kernel NULL pointer dereference, address: 0000000000000008\n"
		"[   12.345679] #PF: supervisor read access in kernel mode\n"
		"[   12.345680] PGD 0 P4D 0\n"
		"[   12.345681] Oops: Oops: 0000 [#1] PREEMPT SMP NOPTI\n"
		"[   12.345682] CPU: 0 UID: 0 PID: 123 Comm: abbot-bench Not tainted 6.12.0 #1\n"
		"[   12.345683] RIP: 0010:change_pte_range+0x1c/0x3a0\n"
		"[   12.345684] Call Trace:\n"
		"[   12.345685]  <TASK>\n"
		"[   12.345686] ---[ end trace 0000000000000000 ]---\n"
		"[   12.345687] Kernel panic - not syncing: Fatal exception\n"
		"[   12.345688] ---[ end Kernel panic - not syncing: Fatal exception ]---\n");
	_cleanup_free_ char *crash = kernel_log_crash(&log);

	(void)state;
	assert_int_equal(log.n_findings, 2);
	assert_finding(&log, 0, "oops",
		       "BUG: kernel NULL pointer dereference, address: 0000000000000008");
	assert_finding(&log, 1, "panic", "Kernel panic - not syncing: Fatal exception");
	assert_string_equal(crash, "it panicked: Kernel panic - not syncing: Fatal exception (after: "
				   "BUG: kernel NULL pointer dereference, address: 0000000000000008)");
}

static void test_kinds(void **state)
{
	static const struct {
		const char *line;
		const char *kind;
	} rows[] = {
		{ "<4>[    3.1] WARNING: CPU: 0 PID: 1 at mm/mprotect.c:77 change_pte_range+0x1/0x2", "warning" },
		{ "[    3.1] WARNING: possible circular locking dependency detected", "warning" },
		{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [abbot-bench:99]", "lockup" },
		{ "watchdog: CPU1: Watchdog detected hard LOCKUP on cpu 1", "lockup" },
		{ "NMI watchdog: Watchdog detected hard LOCKUP on cpu 3", "lockup" },
		{ "BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 36s!", "lockup" },
		{ "rcu: INFO: rcu_preempt self-detected stall on CPU", "rcu-stall" },
		{ "rcu: INFO: rcu_sched detected stalls on CPUs/tasks:", "rcu-stall" },
		{ "INFO: task kworker/0:1:7 blocked for more than 120 seconds.", "hung-task" },
		{ "BUG: KASAN: use-after-free in foo+0x1/0x2", "oops" },
		{ "kernel BUG at mm/rmap.c:100!", "oops" },
		{ "Internal error: Oops: 0000000096000004 [#1] SMP", "oops" },
		{ "[    3.1][   T12] general protection fault, probably for non-canonical address", "oops" },
		{ "Out of memory: Killed process 12 (cc1) total-vm:100kB", "oom" },
		{ "mce: [Hardware Error]: Machine check events logged", "hardware-error" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kernel_log log = scan(rows[i].line);

		if (log.n_findings != 1 || strcmp(log.findings[0].kind, rows[i].kind) != 0)
			fail_msg("%s: %d findings, of kind %s", rows[i].line, log.n_findings,
				 log.n_findings ? log.findings[0].kind : "none");
	}
}

/* Anybody may write to the log, and quote what he likes: a line begins with who speaks. */
static void test_what_is_no_finding(void **state)
{
	struct kernel_log log = scan(
		"[    1.0] Command line: root=/dev/sda panic=10 oops=panic softlockup_panic=1\n"
		"[    1.1] rcu: Hierarchical RCU implementation.\n"
		"[    1.2] NMI watchdog: Enabled. Permanently consumes one hw-PMU counter.\n"
		"[    2.0] systemd[1]: Started BUG: nothing of the kernel's\n"
		"[    3.0] Spectre V2 : WARNING: Unprivileged eBPF is enabled\n"
		"[    4.0] traps: a.out[99] general protection fault ip:1 sp:2 error:0\n"
		"\n[\n<\n[   ");

	(void)state;
	assert_int_equal(log.n_findings, 0);
	assert_null(kernel_log_crash(&log));
	kernel_log_scan("", 0, &log);
	assert_int_equal(log.n_findings, 0);
}

static void test_repeats_are_counted(void **state)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	struct kernel_log log;

	(void)state;
	for (int i = 0; i < 5; i++)
		text_printf(&text, "[ %d.0] WARNING: CPU: %d PID: %d at mm/x.c:5 f+0x1/0x2\n", i, i, 100 + i);
	for (int i = 0; i < KERNEL_LOG_FINDINGS_MAX + 3; i++)
		text_printf(&text, "[ 9.0] BUG: place %c%c of many\n%s", 'g' + i % 20, 'y' - i / 20,
			    "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
	log = scan(text.text);
	assert_int_equal(log.findings[0].n, 5);
	assert_int_equal(log.n_findings, KERNEL_LOG_FINDINGS_MAX);
	assert_int_equal(log.n_more, 4);
}

/* A trace without a first line that is known: the line that began it. */
static void test_call_trace_alone(void **state)
{
	struct kernel_log log = scan("[ 1.0] foo: page allocation failure: order:4, mode:0xcc0\n"
				     "[ 1.0] CPU: 0 PID: 7 Comm: foo Not tainted\n"
				     "[ 1.0] Hardware name: QEMU\n"
				     "[ 1.0] Call Trace:\n");

	(void)state;
	assert_int_equal(log.n_findings, 1);
	assert_finding(&log, 0, "trace", "foo: page allocation failure: order:4, mode:0xcc0");
}

/* A broken kernel writes what it likes. */
static void test_hostile_text(void **state)
{
	char text[3000];
	struct kernel_log log;
	static const char begin[] = { 'B', 'U', 'G', ':', ' ', '\033', '[', '3', '1', 'm', '\xff', ' ' };

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text, begin, sizeof(begin));
	kernel_log_scan(text, sizeof(text), &log);
	assert_int_equal(log.n_findings, 1);
	assert_true(text_has_prefix(log.findings[0].text, "BUG: ?[31m? x"));
	assert_int_equal(strlen(log.findings[0].text), KERNEL_LOG_TEXT_SIZE - 1);
}

static void test_records_become_lines(void **state)
{
	static const char records[] = "6,339,5140900,-;NET: Registered PF_INET6\n"
				      " SUBSYSTEM=net\n"
				      "4,340,61234567,-,caller=T1;two\\x0alines \\x5c\n"
				      "broken\n"
				      "7,341\n"
				      "7,342,;nothing\n";
	_cleanup_text_ struct text_buffer text = { 0 };

	(void)state;
	kernel_messages_add(&text, records, strlen(records));
	assert_string_equal(text.text, "[    5.140900] NET: Registered PF_INET6\n"
				       "[   61.234567] two\nlines \\\n");
}

static void test_read(void **state)
{
	char root[] = "/tmp/abbot-kmsg-XXXXXX";
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_free_ char *directory = NULL, *path = NULL;
	struct error err = { 0 };

	(void)state;
	assert_non_null(mkdtemp(root));
	assert_true(kernel_messages_read(root, 1000, &text, &err) < 0);
	assert_non_null(strstr(err.text, "/dev/kmsg"));
	directory = text_format("%s/dev", root);
	path = text_format("%s/kmsg", directory);
	assert_int_equal(file_make_directories(directory, 0755, NULL), 0);
	assert_int_equal(file_write_durable(path, "6,1,1000000,-;old\n6,2,2000000,-;new\n", 36, 0644, NULL), 0);
	assert_int_equal(kernel_messages_read(root, 1000, &text, NULL), 0);
	assert_string_equal(text.text, "[    1.000000] old\n[    2.000000] new\n");
	text_buffer_done(&text);
	text = (struct text_buffer){ 0 };
	assert_int_equal(kernel_messages_read(root, 25, &text, NULL), 0); /* the newest stay */
	assert_string_equal(text.text, "[    2.000000] new\n");
	assert_int_equal(file_remove_tree(root, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_oops_and_panic),	    cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_what_is_no_finding),  cmocka_unit_test(test_repeats_are_counted),
		cmocka_unit_test(test_call_trace_alone),    cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_records_become_lines), cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

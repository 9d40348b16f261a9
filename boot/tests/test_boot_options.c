// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel command lines: inheriting, joining before "--", looking up, refusing. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "boot/boot_options.h"
#include "common/cleanup.h"
#include "common/text.h"

static void check_inherit(const char *cmdline, const char *expected)
{
	_cleanup_free_ char *actual = boot_options_inherit(cmdline);

	assert_string_equal(actual, expected);
}

static void test_inherit(void **state)
{
	(void)state;
	check_inherit("BOOT_IMAGE=(hd0,gpt2)/vmlinuz root=UUID=x ro  quiet\n", "root=UUID=x ro quiet");
	check_inherit("initrd=\\a.img abbot.token=12 abbot.hold root=/dev/sda1 abbot.point=x",
		      "root=/dev/sda1");
	check_inherit("dyndbg=\"file a.c +p\" ro", "dyndbg=\"file a.c +p\" ro");
	check_inherit("ro -- initrd=kept abbot.x", "ro -- initrd=kept abbot.x");
	check_inherit("", "");
}

static void check_join(const char *base, const char *more, const char *expected)
{
	_cleanup_free_ char *actual = boot_options_join(base, more);

	assert_string_equal(actual, expected);
}

static void test_join(void **state)
{
	(void)state;
	check_join("root=x ro", "panic=10", "root=x ro panic=10");
	check_join("root=x -- single", "panic=10 oops=panic", "root=x panic=10 oops=panic -- single");
	check_join("", "a=1", "a=1");
	check_join("a=1", "", "a=1");
	check_join("x=\"a -- b\"", "c", "x=\"a -- b\" c");
}

static void test_get(void **state)
{
	char value[8] = "before";

	(void)state;
	assert_true(boot_options_get("a=1 panic=5 panic=10 q", "panic", value, sizeof(value)));
	assert_string_equal(value, "10");
	assert_true(boot_options_get("x=\"1 2\"", "x", value, sizeof(value)));
	assert_string_equal(value, "1 2");
	assert_false(boot_options_get("-- panic=1", "panic", value, sizeof(value)));
	assert_false(boot_options_get("panic", "panic", value, sizeof(value)));
	assert_false(boot_options_get("panicky=1", "panic", value, sizeof(value)));
	assert_false(boot_options_get("x=12345678", "x", value, sizeof(value)));
	assert_string_equal(value, "1 2");
	assert_true(boot_options_has("ro abbot.hold", "abbot.hold"));
	assert_true(boot_options_has("abbot.hold=1", "abbot.hold"));
	assert_false(boot_options_has("abbot.holds", "abbot.hold"));
}

static void test_additions(void **state)
{
	static const char *const wanted[] = {
		"panic=10", "oops=panic", "softlockup_panic=1", "hung_task_panic=1",
		"nmi_watchdog=panic,1", "sysctl.kernel.panic_on_rcu_stall=1",
		"systemd.crash_reboot=1", "rd.shell=0", "rd.emergency=reboot", "abbot.point=p1",
		"systemd.mask=apt-daily.timer",
	};
	_cleanup_free_ char *options = boot_test_options("p1"), *padded = NULL;

	(void)state;
	padded = text_format(" %s ", options);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		_cleanup_free_ char *word = text_format(" %s ", wanted[i]);

		assert_non_null(strstr(padded, word));
	}
}

static void test_check(void **state)
{
	char longest[BOOT_OPTIONS_MAX_BYTES + 2];
	struct error err = { 0 };

	(void)state;
	memset(longest, 'a', sizeof(longest));
	longest[BOOT_OPTIONS_MAX_BYTES + 1] = '\0';
	assert_int_equal(boot_options_check(longest, &err), -E2BIG);
	longest[BOOT_OPTIONS_MAX_BYTES] = '\0';
	assert_int_equal(boot_options_check(longest, &err), 0);
	assert_int_equal(boot_options_check("a\nb", &err), -EINVAL);
	assert_int_equal(boot_options_check("a=\"b", &err), -EINVAL);
	assert_int_equal(boot_options_check("a=\"b c\" d", &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inherit), cmocka_unit_test(test_join),
		cmocka_unit_test(test_get),	cmocka_unit_test(test_additions),
		cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

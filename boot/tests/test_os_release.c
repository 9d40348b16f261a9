// SPDX-License-Identifier: GPL-2.0-or-later
/* os-release as the distributions write it, and as nobody should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "boot/os_release.h"

static void expect(const char *text, const char *value)
{
	char found[32] = "untouched";

	assert_int_equal(os_release_get(text, strlen(text), "ID", found, sizeof(found)), value != NULL);
	assert_string_equal(found, value ? value : "untouched");
}

static void test_values(void **state)
{
	(void)state;
	expect("NAME=x\nID=debian\n", "debian");
	expect("ID=debian", "debian");
	expect("ID=\"opensuse-leap\"\r\nID_LIKE=suse\n", "opensuse-leap");
	expect("ID='arch'\n", "arch");
	expect("ID=\"a\\\"b\\$c\"\n", "a\"b$c");
	expect("  ID=fedora  \n", "fedora");
	expect("ID=one\nID=two\n", "two");
	expect("ID=\n", "");
	expect("", NULL);
	expect("#ID=debian\n", NULL);
	expect("VERSION_ID=12\n", NULL);
	expect("ID=\"open\n", NULL);
	expect("ID=a b\n", NULL);
	expect("ID=a\"b\n", NULL);
	expect("ID=\"a\"b\n", NULL);
	expect("ID=\"a\\\n", NULL);
	expect("ID=0123456789012345678901234567890\n", "0123456789012345678901234567890");
	expect("ID=01234567890123456789012345678901\n", NULL);
	assert_false(os_release_get("ID=a\0b", 6, "ID", (char[8]){ 0 }, 8));
}

static void expect_command(const char *text, const char *command)
{
	assert_string_equal(os_commands_of(text, strlen(text)).make_grub_config, command);
}

static void test_commands(void **state)
{
	(void)state;
	expect_command("ID=debian\n", "update-grub");
	expect_command("ID=ubuntu\nID_LIKE=debian\n", "update-grub");
	expect_command("ID=fedora\n", "grub2-mkconfig -o /boot/grub2/grub.cfg");
	expect_command("ID=\"centos\"\nID_LIKE=\"rhel fedora\"\n", "grub2-mkconfig -o /boot/grub2/grub.cfg");
	expect_command("ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n",
		       "grub2-mkconfig -o /boot/grub2/grub.cfg");
	expect_command("ID=arch\n", "grub-mkconfig -o /boot/grub/grub.cfg");
	expect_command("ID=my\nID_LIKE=\"debianish\"\n", "grub-mkconfig -o /boot/grub/grub.cfg");
	assert_string_equal(os_commands_of(NULL, 0).grub_editenv, "grub-editenv");
	assert_string_equal(os_commands_of("ID=fedora", 9).grub_editenv, "grub2-editenv");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

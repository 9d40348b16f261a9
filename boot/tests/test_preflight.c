// SPDX-License-Identifier: GPL-2.0-or-later
/* `abbot check` on a stand-in machine: each thing that must be refused is, and says what to do. */
#include "boot/tests/fake_root.h"

#include <jansson.h>
#include <unistd.h>

#include "boot/grubenv.h"
#include "boot/preflight.h"

static int check(const char *root, json_t **ret_lines)
{
	const struct boot_paths paths = { .root = root };

	return preflight_run(&paths, root, 2, ret_lines, NULL);
}

/* The worst status of all lines of @name; "" when there is none. */
static const char *status_of(const json_t *lines, const char *name)
{
	const char *worst = "";
	const json_t *line;
	size_t i;

	json_array_foreach(lines, i, line) {
		const char *status = json_string_value(json_object_get(line, "status"));

		assert_non_null(json_string_value(json_object_get(line, "text")));
		assert_non_null(json_string_value(json_object_get(line, "remedy")));
		if (strcmp(json_string_value(json_object_get(line, "check")), name) == 0 &&
		    strcmp(worst, "refusal") != 0)
			worst = status;
	}
	return worst;
}

static char *healthy_root(void)
{
	static const unsigned char notes[] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0,
					       1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
					       17, 18, 19, 20 };
	char *root = fake_root_new();

	fake_write_bytes(root, "/sys/kernel/notes", notes, sizeof(notes));
	fake_write(root, "/dev/watchdog", "");
	fake_write(root, "/proc/sys/kernel/panic", "10\n");
	fake_write(root, "/sys/class/rtc/rtc0", "");
	return root;
}

static void expect(const char *path, const char *text, const char *name, const char *status)
{
	char *root = healthy_root();
	json_t *lines = NULL;

	if (path)
		fake_write(root, path, text);
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, name), status);
	json_decref(lines);
	fake_root_free(root);
}

static void test_healthy(void **state)
{
	static const char *const good[] = { "boot-loader", "one-shot", "pending-entry", "default-entry",
					    "build-id", "root-device", "watchdog", "panic", "clock",
					    "hold" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		expect(NULL, NULL, good[i], "ok");
	expect(NULL, NULL, "secure-boot", "skipped");
	/* No systemd in there: refused, and what could not be asked is not called ok. */
	expect(NULL, NULL, "systemd", "refusal");
	expect(NULL, NULL, "logind", "skipped");
}

static void test_refusals(void **state)
{
	(void)state;
	expect("/etc/abbot/hold", "", "hold", "refusal");
	expect("/boot/grub/grub.cfg", "set default=0\n", "boot-loader", "refusal");
	expect("/boot/grub/grub.cfg", "set default=abbot-1-a\n" FAKE_GRUB_CFG, "default-entry", "refusal");
	expect("/boot/grub/grubenv", GRUBENV_HEADER "next_entry=1>2\n", "pending-entry", "refusal");
	expect("/boot/grub/grubenv", GRUBENV_HEADER "next_entry=\n", "pending-entry", "ok");
	expect("/boot/grub/grubenv", GRUBENV_HEADER "saved_entry=abbot-1-a\n", "default-entry", "refusal");
	expect("/boot/grub/grubenv", GRUBENV_HEADER "boot_counter=1\n", "boot-counter", "warning");
	expect("/boot/grub/grubenv", GRUBENV_HEADER "recordfail=1\n", "recordfail", "warning");
	expect("/boot/grub/abbot.env", GRUBENV_HEADER "abbot_next=abbot-1-a\n", "one-shot", "refusal");
	expect("/sys/kernel/notes", "", "build-id", "refusal");
	expect("/proc/cmdline", "BOOT_IMAGE=/x root=/dev/vda2 abbot.token=1", "command-line", "refusal");
	expect("/proc/cmdline", "BOOT_IMAGE=/x root=/dev/vda2 abbot.hold", "command-line", "refusal");
	expect("/proc/cmdline", "BOOT_IMAGE=/x root=UUID=1-2", "root-device", "warning");
	expect("/proc/cmdline", "BOOT_IMAGE=/x", "root-device", "refusal");
	expect("/proc/sys/kernel/panic", "0\n", "panic", "warning");
}

static void expect_secure_boot(unsigned char value, const char *status)
{
	const unsigned char variable[] = { 6, 0, 0, 0, value };
	char *root = healthy_root();
	json_t *lines = NULL;

	fake_write_bytes(root, "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
			 variable, sizeof(variable));
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, "secure-boot"), status);
	json_decref(lines);
	fake_root_free(root);
}

static void test_firmware(void **state)
{
	(void)state;
	expect_secure_boot(1, "refusal");
	expect_secure_boot(0, "ok");
	expect("/sys/firmware/efi/efivars/BootNext-8be4df61-93ca-11d2-aa0d-00e098032b8c", "\7",
	       "firmware-one-shot", "refusal");
	expect("/sys/firmware/efi/fw_platform_size", "64\n", "secure-boot", "skipped");
}

/* A container: no boot loader at all. One clear refusal, no crash. */
static void test_bare_root(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *root = text_format("%s/abbot-bare-XXXXXX", tmp ? tmp : "/tmp");
	json_t *lines = NULL;

	(void)state;
	assert_non_null(mkdtemp(root));
	assert_int_equal(check(root, &lines), 1);
	assert_string_equal(status_of(lines, "boot-loader"), "refusal");
	assert_string_equal(status_of(lines, "default-entry"), "skipped");
	json_decref(lines);
	fake_root_free(root);
}

static void test_space(void **state)
{
	const struct boot_paths paths = { .root = "" };
	json_t *lines = NULL;

	(void)state;
	assert_int_equal(preflight_run(&paths, "/tmp/not/made/yet", 2000000000, &lines, NULL), 1);
	assert_string_equal(status_of(lines, "boot-space"), "refusal");
	assert_string_equal(status_of(lines, "state-space"), "refusal");
	json_decref(lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_healthy),	  cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_firmware),  cmocka_unit_test(test_bare_root),
		cmocka_unit_test(test_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* `abbot check` on a stand-in machine: each thing that must be refused is, and says what to do. */
#include "boot/tests/fake_disk.h"
#include "boot/tests/fake_efi.h"

#include <errno.h>
#include <jansson.h>
#include <unistd.h>

#include "boot/grubenv.h"
#include "boot/preflight.h"

static int check_for(const char *root, const struct preflight_request *request, json_t **ret_lines)
{
	const struct boot_paths paths = { .root = root };

	return preflight_run(&paths, request, ret_lines, NULL);
}

static int check(const char *root, json_t **ret_lines)
{
	const struct preflight_request request = { .state_directory = root, .kernels = 2, .builds = true };

	return check_for(root, &request, ret_lines);
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
	fake_write(root, "/sys/class/watchdog/watchdog0/identity", "i6300ESB timer\n");
	fake_write(root, "/sys/module/pstore/parameters/backend", "efi_pstore\n");
	fake_write(root, "/proc/sys/kernel/tainted", "4096\n");
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
	static const char *const good[] = { "taint", "pstore", "foreign-drivers", "boot-loader", "one-shot", "pending-entry", "default-entry",
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

/* Only an initrd finds the root disk there: is there something that makes one? */
static void test_initrd_maker(void **state)
{
	char *root = healthy_root();
	json_t *lines = NULL;

	(void)state;
	fake_write(root, "/proc/cmdline", "BOOT_IMAGE=/x root=UUID=1-2");
	fake_write(root, "/usr/bin/dracut", "");
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, "root-device"), "ok");
	json_decref(lines);
	fake_root_free(root);
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
	/* Without the script that reads them they mean nothing. */
	expect("/boot/grub/grubenv", GRUBENV_HEADER "boot_counter=1\n", "boot-counter", "");
	expect("/boot/grub/grubenv", GRUBENV_HEADER "recordfail=1\n", "recordfail", "");
	expect("/boot/grub/abbot.env", GRUBENV_HEADER "abbot_next=abbot-1-a\n", "one-shot", "refusal");
	expect("/sys/kernel/notes", "", "build-id", "refusal");
	expect("/proc/cmdline", "BOOT_IMAGE=/x root=/dev/vda2 abbot.token=1", "command-line", "refusal");
	expect("/proc/cmdline", "BOOT_IMAGE=/x root=/dev/vda2 abbot.hold", "command-line", "refusal");
	expect("/proc/cmdline", "BOOT_IMAGE=/x root=UUID=1-2", "root-device", "warning");
	expect("/proc/cmdline", "BOOT_IMAGE=/x", "root-device", "refusal");
	expect("/proc/cmdline", "BOOT_IMAGE=/x root=PARTUUID=1-2", "root-device", "ok");
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

static void expect_of(const char *root, const char *name, const char *status)
{
	json_t *lines = NULL;

	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, name), status);
	json_decref(lines);
}

static void test_grub_counters(void **state)
{
	static const char counting[] = "if [ -n \"${boot_counter}\" ]; then set default=1; fi\n" FAKE_GRUB_CFG;
	static const char recording[] = "if [ \"${recordfail}\" = 1 ]; then set timeout=30; fi\n" FAKE_GRUB_CFG;
	char *root = healthy_root();

	(void)state;
	fake_write(root, "/boot/grub/grub.cfg", counting);
	expect_of(root, "boot-counter", "ok");
	fake_write(root, "/boot/grub/grubenv", GRUBENV_HEADER "boot_counter=2\n");
	expect_of(root, "boot-counter", "refusal");
	fake_write(root, "/boot/grub/grub.cfg", recording);
	fake_write(root, "/boot/grub/grubenv", GRUBENV_HEADER "recordfail=1\n");
	expect_of(root, "recordfail", "warning");
	fake_root_free(root);
}

static void test_kernel_health(void **state)
{
	(void)state;
	expect("/proc/sys/kernel/tainted", "512\n", "taint", "warning");
	expect("/proc/sys/kernel/tainted", "4097\n", "taint", "ok");
	expect("/sys/module/pstore/parameters/backend", "(null)\n", "pstore", "warning");
	expect("/sys/class/watchdog/watchdog0/identity", "Software Watchdog\n", "watchdog", "warning");
	/* A kernel without CONFIG_WATCHDOG_SYSFS names no watchdog, and has one all the same. */
	expect("/sys/class/watchdog/watchdog0/identity", "", "watchdog", "ok");
	expect("/sys/class/watchdog/watchdog0/identity", "", "watchdog-proof", "skipped");
	expect(NULL, NULL, "early-hang", "warning");
	expect(NULL, NULL, "watchdog-proof", "skipped");
}

static void expect_early_hang(enum preflight_occasion occasion, bool is_accepted, const char *status)
{
	char *root = healthy_root();
	const struct preflight_request request = { .occasion = occasion, .state_directory = root,
						   .accepts_hang_risk = is_accepted };
	json_t *lines = NULL;
	struct error err = { 0 };

	assert_true(check_for(root, &request, &lines) >= 0);
	assert_string_equal(status_of(lines, "early-hang"), status);
	/* Whoever hands in a job hears of refusals with their remedy, and of nothing else. */
	assert_int_equal(preflight_refuse(lines, &err), -EPERM);
	assert_int_equal(strstr(err.text, "--accept-hang-risk") != NULL, strcmp(status, "refusal") == 0);
	assert_null(strstr(err.text, "pstore"));
	/* None of its points is built here. */
	assert_string_equal(status_of(lines, "build-tools"), "");
	json_decref(lines);
	fake_root_free(root);
}

static void test_occasions(void **state)
{
	char *root = healthy_root();
	const struct preflight_request request = { .occasion = PREFLIGHT_QUEUE, .state_directory = root };
	json_t *lines = NULL;

	(void)state;
	expect_early_hang(PREFLIGHT_QUEUE, false, "refusal");
	expect_early_hang(PREFLIGHT_BEGIN, false, "refusal");
	expect_early_hang(PREFLIGHT_BEGIN, true, "ok");
	/* Another job is half-way: that is no reason not to take one more. */
	fake_write(root, "/boot/grub/abbot.env", GRUBENV_HEADER "abbot_next=abbot-1-a\n");
	fake_write(root, "/proc/cmdline", "BOOT_IMAGE=/x root=/dev/vda2 abbot.token=1");
	assert_true(check_for(root, &request, &lines) >= 0);
	assert_string_equal(status_of(lines, "one-shot"), "");
	assert_string_equal(status_of(lines, "command-line"), "");
	json_decref(lines);
	fake_root_free(root);
}

static void test_foreign_drivers(void **state)
{
	char *root = healthy_root();

	(void)state;
	fake_disk_plain(root);
	expect_of(root, "foreign-drivers", "ok");
	fake_directory(root, "/sys/module/r8125");
	fake_link(root, "/sys/class/net/eth0/device/driver/module", "/sys/module/r8125");
	fake_write(root, "/sys/module/r8125/taint", "OE\n");
	expect_of(root, "foreign-drivers", "warning");
	fake_write(root, "/sys/module/nvme/taint", "PO\n");
	expect_of(root, "foreign-drivers", "refusal");
	fake_root_free(root);
}

static void test_passphrase(void **state)
{
	char *root = healthy_root();

	(void)state;
	fake_disk_plain(root);
	expect_of(root, "passphrase", "ok");
	fake_root_free(root);
	root = healthy_root();
	fake_disk_encrypted(root);
	expect_of(root, "passphrase", "refusal"); /* no crypttab: unlocked by hand */
	fake_write(root, "/etc/crypttab", "# volume\nluks UUID=1-2 none luks,discard\n");
	expect_of(root, "passphrase", "refusal");
	fake_write(root, "/etc/crypttab", "luks UUID=1-2\n");
	expect_of(root, "passphrase", "refusal");
	fake_write(root, "/etc/crypttab", "luks UUID=1-2 - tpm2-device=auto\n");
	expect_of(root, "passphrase", "ok");
	fake_write(root, "/etc/crypttab", "luks UUID=1-2 /etc/keys/root luks\n");
	expect_of(root, "passphrase", "ok");
	fake_root_free(root);
}

static void expect_config(const char *root, const char *config, const char *status)
{
	_cleanup_free_ char *path = text_format("%s/config", root);
	const struct preflight_request request = { .state_directory = root, .config_path = path };
	json_t *lines = NULL;

	if (config)
		fake_write(root, "/config", config);
	assert_true(check_for(root, &request, &lines) >= 0);
	assert_string_equal(status_of(lines, "root-drivers"), status);
	json_decref(lines);
}

static void test_root_drivers(void **state)
{
	char *root = healthy_root();

	(void)state;
	fake_disk_plain(root);
	expect_of(root, "root-drivers", "skipped");
	expect_config(root, NULL, "refusal");
	expect_config(root, "CONFIG_EXT4_FS=y\nCONFIG_BLK_DEV_NVME=y\n", "ok");
	expect_config(root, "CONFIG_EXT4_FS=y\n# CONFIG_BLK_DEV_NVME is not set\n", "refusal");
	expect_config(root, "CONFIG_EXT4_FS=y\nCONFIG_BLK_DEV_NVME=m\n", "refusal");
	expect_config(root, "CONFIG_EXT4_FS=y\nCONFIG_BLK_DEV_NVME=m\nCONFIG_BLK_DEV_INITRD=y\n", "warning");
	fake_root_free(root);
}

static void test_watchdog_proof(void **state)
{
	char *root = healthy_root();
	static const struct {
		const char *boot_id, *identity, *has_failed, *status;
	} cases[] = {
		{ "22222222-2222-3333-4444-555555555555", "i6300ESB timer", "false", "ok" },
		{ "22222222-2222-3333-4444-555555555555", "i6300ESB timer", "true", "warning" },
		{ "22222222-2222-3333-4444-555555555555", "iTCO_wdt", "false", "warning" },
		{ FAKE_BOOT_ID, "i6300ESB timer", "false", "warning" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *text = text_format(
			"{\"boot_id\":\"%s\",\"identity\":\"%s\",\"at_s\":1769860800,\"failed\":%s}",
			cases[i].boot_id, cases[i].identity, cases[i].has_failed);

		fake_write(root, "/watchdog.json", text);
		expect_of(root, "watchdog-proof", cases[i].status);
	}
	fake_write(root, "/watchdog.json", "{}");
	expect_of(root, "watchdog-proof", "warning");
	fake_root_free(root);
}

/* The advice is in the distribution's own words. */
static void test_words_of_the_distribution(void **state)
{
	char *root = healthy_root();
	json_t *lines = NULL;
	struct error err = { 0 };

	(void)state;
	fake_write(root, "/etc/os-release", "ID=fedora\n");
	fake_write(root, "/boot/grub/grubenv", GRUBENV_HEADER "next_entry=2\n");
	assert_int_equal(check(root, &lines), 1);
	(void)preflight_refuse(lines, &err);
	assert_non_null(strstr(err.text, "grub2-editenv - unset next_entry"));
	json_decref(lines);
	fake_root_free(root);
}

static void test_space(void **state)
{
	const struct boot_paths paths = { .root = "" };
	const struct preflight_request request = { .state_directory = "/tmp/not/made/yet", .kernels = 2000000000 };
	json_t *lines = NULL;

	(void)state;
	assert_int_equal(preflight_run(&paths, &request, &lines, NULL), 1);
	assert_string_equal(status_of(lines, "boot-space"), "refusal");
	assert_string_equal(status_of(lines, "state-space"), "refusal");
	json_decref(lines);
}

static void arm_one(struct boot_loader *loader, const char *root)
{
	_cleanup_free_ char *kernel = text_format("%s/store/bzImage", root);
	const struct boot_entry entry = { .id = "abbot-1-x", .title = "T", .kernel_path = kernel,
					  .options = "ro", .owner = "job 1" };

	assert_int_equal(loader->operations->install_entry(loader, &entry, NULL), 0);
	assert_int_equal(loader->operations->arm_once(loader, entry.id, "0123456789abcdef0123456789abcdef", NULL), 0);
}

/* The firmware's own one-shot is no foreign one when it is ours. */
static void test_uefi(void **state)
{
	char *root = fake_uefi_new();
	const struct boot_paths paths = { .root = root };
	struct boot_loader *loader = NULL;
	json_t *lines = NULL;

	(void)state;
	assert_int_equal(boot_loader_find(&paths, &loader, NULL), 0);
	arm_one(loader, root);
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, "default-entry"), "ok");
	assert_string_equal(status_of(lines, "one-shot"), "refusal");
	assert_string_equal(status_of(lines, "firmware-one-shot"), "");
	json_decref(lines);
	fake_variable(root, FAKE_VARIABLE("BootNext", EFI_GUID_GLOBAL), "\2\0", 2);
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, "one-shot"), "ok");
	assert_string_equal(status_of(lines, "firmware-one-shot"), "refusal");
	json_decref(lines);
	boot_loader_free(loader);
	fake_root_free(root);
}

/* With systemd-boot: its default is looked at, and our own one-shot is no foreign one. */
static void test_systemd_boot(void **state)
{
	char *root = fake_systemd_boot_new();
	const struct boot_paths paths = { .root = root };
	struct boot_loader *loader = NULL;
	json_t *lines = NULL;

	(void)state;
	assert_int_equal(boot_loader_find(&paths, &loader, NULL), 0);
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, "default-entry"), "ok");
	assert_string_equal(status_of(lines, "firmware-one-shot"), "");
	json_decref(lines);
	arm_one(loader, root);
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, "one-shot"), "refusal");
	assert_string_equal(status_of(lines, "firmware-one-shot"), "");
	json_decref(lines);
	fake_variable(root, FAKE_VARIABLE("BootNext", EFI_GUID_GLOBAL), "\0\0", 2);
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, "firmware-one-shot"), "refusal"); /* beside ours */
	json_decref(lines);
	fake_variable_text(root, FAKE_VARIABLE("LoaderEntryOneShot", EFI_GUID_LOADER), "windows.conf");
	assert_true(check(root, &lines) >= 0);
	assert_string_equal(status_of(lines, "one-shot"), "ok");
	assert_string_equal(status_of(lines, "firmware-one-shot"), "refusal");
	json_decref(lines);
	boot_loader_free(loader);
	fake_root_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_healthy),	  cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_initrd_maker),
		cmocka_unit_test(test_firmware),  cmocka_unit_test(test_bare_root),
		cmocka_unit_test(test_space),	  cmocka_unit_test(test_grub_counters),
		cmocka_unit_test(test_kernel_health),
		cmocka_unit_test(test_systemd_boot),
		cmocka_unit_test(test_uefi),
		cmocka_unit_test(test_occasions),
		cmocka_unit_test(test_foreign_drivers),
		cmocka_unit_test(test_passphrase),
		cmocka_unit_test(test_root_drivers),
		cmocka_unit_test(test_watchdog_proof),
		cmocka_unit_test(test_words_of_the_distribution),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

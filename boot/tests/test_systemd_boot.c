// SPDX-License-Identifier: GPL-2.0-or-later
/* The systemd-boot backend as a whole, on a directory that stands for a machine. */
#include "boot/tests/fake_efi.h"

#include <errno.h>
#include <unistd.h>

#include "boot/bls_entry.h"
#include "boot/tests/loader_fixture.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define OTHER_TOKEN "ffffffffffffffffffffffffffffffff"
#define ENTRY "abbot-1-child"
#define ENTRY_PATH "/boot/loader/entries/" ENTRY ".conf"
#define ONE_SHOT FAKE_VARIABLE("LoaderEntryOneShot", EFI_GUID_LOADER)

static int setup(void **state)
{
	return fixture_new(state, fake_systemd_boot_new(), "systemd-boot");
}

static int install(struct fixture *fixture, const char *id, const char *options)
{
	const struct boot_entry entry = { .id = id, .title = "T", .kernel_path = fixture->kernel,
					  .options = options, .owner = "job 1" };

	return fixture->operations->install_entry(fixture->loader, &entry, NULL);
}

static int arm(struct fixture *fixture, const char *token, struct error *err)
{
	return fixture->operations->arm_once(fixture->loader, ENTRY, token, err);
}

static void test_whole_life(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *text = NULL, *variable = NULL, *config = NULL, *config_after = NULL;
	struct error err = { 0 };

	config = fake_read(fixture->root, "/boot/loader/loader.conf");
	assert_int_equal(install(fixture, ENTRY, "root=/dev/vda2 ro"), 0);
	assert_int_equal(install(fixture, ENTRY, "root=/dev/vda2 rw -- word"), 0);
	assert_false(armed(fixture).is_armed);
	assert_int_equal(arm(fixture, OTHER_TOKEN, &err), 0);
	assert_int_equal(arm(fixture, TOKEN, &err), 0);
	text = fake_read(fixture->root, ENTRY_PATH);
	/* One token, and before the lone "--". */
	assert_non_null(strstr(text, "options    root=/dev/vda2 rw abbot.token=" TOKEN " -- word\n"));
	assert_null(strstr(text, OTHER_TOKEN));
	assert_non_null(strstr(text, "linux      /abbot/" ENTRY "/kernel\n"));
	assert_true(armed(fixture).is_armed);
	assert_string_equal(armed(fixture).entry, ENTRY);
	assert_string_equal(armed(fixture).token, TOKEN);
	variable = fake_read(fixture->root, ONE_SHOT);
	/* Attributes, then the id with its suffix: without ".conf" the default would boot. */
	assert_memory_equal(variable, "\7\0\0\0a\0b\0b\0o\0t\0-\0001\0-\0c\0h\0i\0l\0d\0.\0c\0o\0n\0f\0\0\0", 42);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_false(has(fixture, ONE_SHOT));
	assert_int_equal(arm(fixture, TOKEN, NULL), 0);
	/* Removing an armed entry must not leave the machine armed with nothing. */
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ENTRY, NULL), 0);
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ENTRY, NULL), 0);
	assert_false(armed(fixture).is_armed);
	assert_false(has(fixture, ENTRY_PATH));
	assert_false(has(fixture, "/boot/abbot"));
	assert_true(has(fixture, "/boot/loader/entries/debian-6.1.conf"));
	config_after = fake_read(fixture->root, "/boot/loader/loader.conf");
	assert_string_equal(config, config_after);
}

static void test_arm_refuses(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *kernel = text_format("%s/boot/abbot/" ENTRY "/kernel", fixture->root);
	struct error err = { 0 };

	assert_int_equal(arm(fixture, TOKEN, &err), -ENOENT);
	assert_int_equal(install(fixture, ENTRY, "ro"), 0);
	assert_int_equal(arm(fixture, "short", &err), -EINVAL);
	/* Its header is all right: firmware would refuse it, and wait at a menu. */
	assert_int_equal(truncate(kernel, 8191), 0);
	assert_int_equal(arm(fixture, TOKEN, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "cut off"));
	assert_non_null(strstr(err.text, "8192"));
	fake_write(fixture->root, "/boot/abbot/" ENTRY "/kernel", "truncated");
	assert_int_equal(arm(fixture, TOKEN, &err), -EBADMSG);
	assert_false(has(fixture, ONE_SHOT));
	fake_write_efi_kernel(fixture->root, "/boot/abbot/" ENTRY "/kernel", 'a');
	/* Somebody else's one-shot is neither ours nor ours to take away. */
	fake_variable_text(fixture->root, ONE_SHOT, "windows.conf");
	assert_int_equal(arm(fixture, TOKEN, &err), -EBUSY);
	assert_non_null(strstr(err.text, "Somebody else"));
	assert_false(armed(fixture).is_armed);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_true(has(fixture, ONE_SHOT));
}

static void test_install_refuses(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(install(fixture, "abbot-1-Child", "ro"), -EINVAL);
	assert_int_equal(install(fixture, "debian-6", "ro"), -EINVAL);
	assert_int_equal(install(fixture, ENTRY, "ro\nlinux /evil"), -EINVAL);
	fake_write_kernel(fixture->root, "/store/bzImage", 'b'); /* GRUB would take it, firmware not */
	assert_int_equal(install(fixture, ENTRY, "ro"), -EBADMSG);
	assert_false(has(fixture, "/boot/abbot"));
	assert_false(has(fixture, ENTRY_PATH));
}

static void test_lists_what_an_interrupted_install_left(void **state)
{
	struct fixture *fixture = *state;
	char **ids = NULL;

	fake_write(fixture->root, "/boot/abbot/abbot-2-parent/kernel", "half");
	fake_write(fixture->root, "/boot/loader/entries/abbot-3-x.conf", "title x\n");
	assert_int_equal(install(fixture, ENTRY, "ro"), 0);
	assert_int_equal(fixture->operations->list_entries(fixture->loader, &ids, NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_non_null(ids[i]);
		assert_int_equal(fixture->operations->remove_entry(fixture->loader, ids[i], NULL), 0);
		free(ids[i]);
	}
	assert_null(ids[3]);
	free(ids);
	assert_false(has(fixture, "/boot/abbot"));
}

static void test_default_options(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *options = NULL;

	/* What systemd-boot puts there itself (initrd=) is not inherited. */
	assert_int_equal(fixture->operations->default_options(fixture->loader, &options, NULL), 0);
	assert_string_equal(options, "root=/dev/vda2 ro console=ttyS0");
	fake_write(fixture->root, "/proc/cmdline", "root=/dev/vda2 abbot.token=" TOKEN "\n");
	free(options);
	options = NULL;
	assert_int_equal(fixture->operations->default_options(fixture->loader, &options, NULL), -ENOENT);
}

/* 0, or what the probe says about a machine changed by one file; NULL @text removes it. */
static int probe_with(const char *path, const char *text, struct error *err)
{
	char *root = fake_systemd_boot_new();
	const struct boot_paths paths = { .root = root, .loader = "systemd-boot" };
	struct boot_loader *loader = NULL;
	int r;

	if (text) {
		fake_write(root, path, text);
	} else {
		_cleanup_free_ char *full = text_format("%s%s", root, path);

		assert_int_equal(unlink(full), 0);
	}
	r = boot_loader_find(&paths, &loader, err);
	boot_loader_free(loader);
	fake_root_free(root);
	return r;
}

static void test_probe_refuses(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(probe_with(FAKE_VARIABLE("LoaderInfo", EFI_GUID_LOADER), NULL, &err), -ENODEV);
	assert_non_null(strstr(err.text, "LoaderInfo"));
	assert_int_equal(probe_with(FAKE_VARIABLE("LoaderInfo", EFI_GUID_LOADER), "\7___G\0R\0", &err), -ENODEV);
	/* Bit 3 is not in 0x67. */
	assert_int_equal(probe_with(FAKE_VARIABLE("LoaderFeatures", EFI_GUID_LOADER), "\7___\x67_______", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "LoaderFeatures"));
	assert_int_equal(probe_with(FAKE_VARIABLE("LoaderFeatures", EFI_GUID_LOADER), NULL, &err), -EOPNOTSUPP);
	assert_int_equal(probe_with("/proc/self/mountinfo", "27 1 254:2 / / rw - ext4 /dev/vda2 rw\n", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "EFI system partition"));
	assert_int_equal(probe_with("/boot/loader/loader.conf", "timeout menu-force\ndefault debian*\n", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "menu-force"));
	assert_int_equal(probe_with("/boot/loader/loader.conf", "default abbot-1*\n", &err), -EOPNOTSUPP);
}

/* With no default set, one entry more may become the first of the menu. */
static void test_default_must_stay(void **state)
{
	static const char config[] = "/boot/loader/loader.conf", other[] = "/boot/loader/entries/debian-6.1.conf";
	struct error err = { 0 };

	(void)state;
	assert_int_equal(probe_with(config, "timeout 3\n", &err), 0); /* "debian" is greater than "abbot" */
	assert_int_equal(probe_with(config, "default nothing-like-it\n", &err), 0);
	assert_int_equal(probe_with(config, "default *\n", &err), 0);
	assert_int_equal(probe_with(other, "sort-key debian\n", &err), 0);
	assert_int_equal(probe_with(other, NULL, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "bootctl set-default"));
}

static int probe_with_entry(const char *config, const char *name, const char *text)
{
	char *root = fake_systemd_boot_new();
	const struct boot_paths paths = { .root = root };
	_cleanup_free_ char *debian = text_format("%s/boot/loader/entries/debian-6.1.conf", root);
	struct boot_loader *loader = NULL;
	int r;

	assert_int_equal(unlink(debian), 0);
	fake_write(root, "/boot/loader/loader.conf", config);
	fake_write(root, name, text);
	r = boot_loader_find(&paths, &loader, NULL);
	boot_loader_free(loader);
	fake_root_free(root);
	return r;
}

static void test_default_of_machine_id(void **state)
{
	(void)state;
	/* kernel-install's names begin with the machine id: a digit is less than our "a". */
	assert_int_equal(probe_with_entry("timeout 3\n", "/boot/loader/entries/4bc0-6.1.conf", "title D\n"), -EOPNOTSUPP);
	assert_int_equal(probe_with_entry("timeout 3\n", "/boot/loader/entries/4bc0-6.1.conf", "title D\nsort-key debian\n"), 0);
	assert_int_equal(probe_with_entry("default 4bc0-*\n", "/boot/loader/entries/4bc0-6.1.conf", "title D\n"), 0);
	/* Counted entries: the id has no counter, and without tries left it comes last of all. */
	assert_int_equal(probe_with_entry("default 4bc0-6.1.conf\n", "/boot/loader/entries/4bc0-6.1+3.conf", "title D\n"), 0);
	assert_int_equal(probe_with_entry("timeout 3\n", "/boot/loader/entries/debian+0-3.conf", "title D\n"), -EOPNOTSUPP);
	assert_int_equal(probe_with_entry("timeout 3\n", "/boot/EFI/Linux/debian.efi", "MZ"), 0);
}

/* "@saved" is what was last chosen: nothing at first, and one of ours if a person chose it. */
static void test_default_saved(void **state)
{
	static const struct {
		const char *last;
		int expected;
	} cases[] = {
		{ NULL, -EOPNOTSUPP }, { "gone-5.0.conf", -EOPNOTSUPP },
		{ "4bc0-6.1.conf", 0 }, { "abbot-1-child.conf", -EOPNOTSUPP },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *root = fake_systemd_boot_new();
		const struct boot_paths paths = { .root = root };
		_cleanup_free_ char *debian = text_format("%s/boot/loader/entries/debian-6.1.conf", root);
		struct boot_loader *loader = NULL;

		assert_int_equal(unlink(debian), 0);
		fake_write(root, "/boot/loader/loader.conf", "default @saved\n");
		fake_write(root, "/boot/loader/entries/4bc0-6.1.conf", "title D\n");
		if (cases[i].last)
			fake_variable_text(root, FAKE_VARIABLE("LoaderEntryLastBooted", EFI_GUID_LOADER), cases[i].last);
		assert_int_equal(boot_loader_find(&paths, &loader, NULL), cases[i].expected);
		boot_loader_free(loader);
		fake_root_free(root);
	}
}

static void test_is_found_before_grub(void **state)
{
	char *root = fake_systemd_boot_new();
	struct boot_paths paths = { .root = root };
	struct boot_loader *loader = NULL;
	_cleanup_json_ json_t *lines = NULL;
	struct error err = { 0 };

	(void)state;
	fake_write(root, "/boot/grub/grub.cfg", FAKE_GRUB_CFG);
	lines = boot_loader_explain(&paths);
	assert_string_equal(json_string_value(json_object_get(json_array_get(lines, 0), "status")), "in charge");
	assert_string_equal(json_string_value(json_object_get(json_array_get(lines, 2), "loader")), "grub");
	assert_string_equal(json_string_value(json_object_get(json_array_get(lines, 2), "status")), "not in charge");
	paths.loader = "grub";
	assert_int_equal(boot_loader_find(&paths, &loader, &err), -ENODEV);
	paths.loader = "lilo";
	assert_int_equal(boot_loader_find(&paths, &loader, &err), -EINVAL);
	fake_root_free(root);
}

static void test_bls_entry(void **state)
{
	static const char text[] = "# options no\noptions  a b\r\n\toptions\tc\noptionsx d\noptions\nlast  e";
	char *value = NULL;

	(void)state;
	assert_true(bls_entry_get(text, strlen(text), "options", &value));
	assert_string_equal(value, "a b c");
	free(value);
	assert_true(bls_entry_get(text, strlen(text), "last", &value));
	assert_string_equal(value, "e");
	free(value);
	assert_false(bls_entry_get(text, strlen(text), "title", &value));
	assert_false(bls_entry_get("options", 7, "options", &value));
	assert_false(bls_entry_get("", 0, "options", &value));
}

int main(void)
{
#define WITH_MACHINE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_MACHINE(test_whole_life),
		WITH_MACHINE(test_arm_refuses),
		WITH_MACHINE(test_install_refuses),
		WITH_MACHINE(test_lists_what_an_interrupted_install_left),
		WITH_MACHINE(test_default_options),
		cmocka_unit_test(test_probe_refuses),
		cmocka_unit_test(test_default_must_stay),
		cmocka_unit_test(test_default_of_machine_id),
		cmocka_unit_test(test_default_saved),
		cmocka_unit_test(test_is_found_before_grub),
		cmocka_unit_test(test_bls_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The GRUB backend as a whole, on a directory that stands for a machine. */
#include "boot/tests/fake_root.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/tests/loader_fixture.h"
#include "boot/grubenv.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define ENTRY "abbot-1-child"

static int setup(void **state)
{
	char *root = fake_root_new();

	fake_write_kernel(root, "/store/bzImage", 'a');
	return fixture_new(state, root, "grub");
}

static int install(struct fixture *fixture, const char *id, const char *options)
{
	const struct boot_entry entry = { .id = id, .title = "T", .kernel_path = fixture->kernel,
					  .options = options, .owner = "job 1" };
	struct error err = { 0 };

	return fixture->operations->install_entry(fixture->loader, &entry, &err);
}

static size_t count_entries(struct fixture *fixture)
{
	char **ids = NULL;
	size_t n = 0;

	assert_int_equal(fixture->operations->list_entries(fixture->loader, &ids, NULL), 0);
	for (; ids[n]; n++)
		free(ids[n]);
	free(ids);
	return n;
}

static void test_whole_life(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *custom = NULL, *copy = NULL;

	assert_false(armed(fixture).is_armed);
	assert_int_equal(install(fixture, ENTRY, "root=/dev/vda2 ro"), 0);
	assert_int_equal(install(fixture, ENTRY, "root=/dev/vda2 rw"), 0);
	assert_int_equal(install(fixture, "abbot-1-parent", "root=/dev/vda2 ro"), 0);
	assert_int_equal(count_entries(fixture), 2);
	custom = fake_read(fixture->root, "/boot/grub/custom.cfg");
	/* /boot is a filesystem of its own: GRUB's path begins below it. */
	assert_non_null(strstr(custom, "if linux /abbot/" ENTRY "/kernel abbot.token=${abbot_try_token} root=/dev/vda2 rw; then"));
	assert_non_null(strstr(custom, FAKE_UUID));
	copy = fake_read(fixture->root, "/boot/abbot/" ENTRY "/kernel");
	assert_non_null(copy);
	assert_int_equal(fixture->operations->arm_once(fixture->loader, ENTRY, TOKEN, NULL), 0);
	assert_true(armed(fixture).is_armed);
	assert_string_equal(armed(fixture).entry, ENTRY);
	assert_string_equal(armed(fixture).token, TOKEN);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_false(armed(fixture).is_armed);
	assert_int_equal(fixture->operations->arm_once(fixture->loader, ENTRY, TOKEN, NULL), 0);
	/* Removing an armed entry must not leave the machine armed with nothing. */
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ENTRY, NULL), 0);
	assert_false(armed(fixture).is_armed);
	assert_false(has(fixture, "/boot/abbot/" ENTRY));
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ENTRY, NULL), 0);
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, "abbot-1-parent", NULL), 0);
	assert_false(has(fixture, "/boot/abbot"));
	assert_false(has(fixture, "/boot/grub/custom.cfg"));
	assert_false(has(fixture, "/boot/grub/abbot.env"));
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
}

static void test_arm_refuses(void **state)
{
	struct fixture *fixture = *state;
	int (*arm)(struct boot_loader *, const char *, const char *, struct error *) =
		fixture->operations->arm_once;
	_cleanup_free_ char *kernel = NULL;

	assert_int_equal(arm(fixture->loader, ENTRY, TOKEN, NULL), -ENOENT);
	assert_int_equal(install(fixture, ENTRY, "ro"), 0);
	assert_int_equal(arm(fixture->loader, "abbot-1-other", TOKEN, NULL), -ENOENT);
	assert_int_equal(arm(fixture->loader, "6.12-x", TOKEN, NULL), -EINVAL);
	assert_int_equal(arm(fixture->loader, ENTRY, "short", NULL), -EINVAL);
	assert_int_equal(arm(fixture->loader, ENTRY, "0123456789ABCDEF0123456789abcdef", NULL), -EINVAL);
	kernel = text_format("%s/boot/abbot/" ENTRY "/kernel", fixture->root);
	assert_int_equal(unlink(kernel), 0);
	assert_int_equal(arm(fixture->loader, ENTRY, TOKEN, NULL), -ENOENT);
	assert_false(armed(fixture).is_armed);
}

static void test_install_refuses(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *longest = calloc(1, 2000);

	memset(longest, 'a', 1999);
	assert_int_equal(install(fixture, "other-1", "ro"), -EINVAL);
	assert_int_equal(install(fixture, "abbot-", "ro"), -EINVAL);
	assert_int_equal(install(fixture, "abbot-../x", "ro"), -EINVAL);
	assert_int_equal(install(fixture, ENTRY, longest), -E2BIG);
	fake_write(fixture->root, "/store/bzImage", "no kernel");
	assert_int_equal(install(fixture, ENTRY, "ro"), -EBADMSG);
	assert_false(has(fixture, "/boot/abbot"));
	assert_false(has(fixture, "/boot/grub/custom.cfg"));
}

static void test_keeps_what_is_not_ours(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *during = NULL, *after = NULL, *env = NULL;
	char value[32];

	fake_write(fixture->root, "/boot/grub/custom.cfg", "set theirs=1\n");
	fake_write(fixture->root, "/boot/abbot/README", "not ours\n");
	assert_int_equal(install(fixture, ENTRY, "ro"), 0);
	during = fake_read(fixture->root, "/boot/grub/custom.cfg");
	assert_true(text_has_prefix(during, "set theirs=1\n"));
	env = fake_read(fixture->root, "/boot/grub/abbot.env");
	assert_int_equal(grubenv_get(env, GRUBENV_SIZE, "abbot_next", value, sizeof(value)), -ENOENT);
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ENTRY, NULL), 0);
	after = fake_read(fixture->root, "/boot/grub/custom.cfg");
	assert_string_equal(after, "set theirs=1\n");
	assert_true(has(fixture, "/boot/abbot/README"));
}

static void test_hand_edited_block_is_refused(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *text = NULL, *after = NULL;

	assert_int_equal(install(fixture, ENTRY, "panic=10"), 0);
	text = fake_read(fixture->root, "/boot/grub/custom.cfg");
	strstr(text, "panic=10")[6] = '0';
	fake_write(fixture->root, "/boot/grub/custom.cfg", text);
	assert_int_equal(fixture->operations->arm_once(fixture->loader, ENTRY, TOKEN, NULL), -EBADMSG);
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ENTRY, NULL), -EBADMSG);
	assert_int_equal(install(fixture, ENTRY, "ro"), -EBADMSG);
	after = fake_read(fixture->root, "/boot/grub/custom.cfg");
	assert_string_equal(after, text);
}

static void test_interrupted_install_is_listed(void **state)
{
	struct fixture *fixture = *state;

	fake_write(fixture->root, "/boot/abbot/abbot-1-half/kernel", "half");
	assert_int_equal(count_entries(fixture), 1);
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, "abbot-1-half", NULL), 0);
	assert_false(has(fixture, "/boot/abbot"));
}

static void test_damaged_environment(void **state)
{
	struct fixture *fixture = *state;
	char block[GRUBENV_SIZE], longer[2 * GRUBENV_SIZE];

	assert_int_equal(install(fixture, ENTRY, "ro"), 0);
	fake_write(fixture->root, "/boot/grub/abbot.env", "garbage");
	assert_false(armed(fixture).is_armed);
	assert_int_equal(fixture->operations->arm_once(fixture->loader, ENTRY, TOKEN, NULL), 0);
	assert_true(armed(fixture).is_armed);
	/* GRUB reads a block of another size, too: so it counts as armed, and disarm ends it. */
	grubenv_init(block);
	assert_int_equal(grubenv_set(block, "abbot_next", ENTRY, NULL), 0);
	memset(longer, '#', sizeof(longer));
	memcpy(longer, block, sizeof(block));
	fake_write_bytes(fixture->root, "/boot/grub/abbot.env", longer, sizeof(longer));
	assert_true(armed(fixture).is_armed);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_false(armed(fixture).is_armed);
}

static void test_default_options(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *options = NULL, *recorded = NULL;
	struct error err = { 0 };

	assert_int_equal(fixture->operations->default_options(fixture->loader, &options, NULL), 0);
	assert_string_equal(options, "root=/dev/vda2 ro console=ttyS0");
	fake_write(fixture->root, "/proc/cmdline", "BOOT_IMAGE=/x abbot.token=1 root=/dev/other\n");
	assert_int_equal(fixture->operations->default_options(fixture->loader, &recorded, &err), -ENOENT);
	fake_write(fixture->root, "/proc/cmdline", FAKE_CMDLINE);
	assert_int_equal(install(fixture, ENTRY, "ro"), 0);
	fake_write(fixture->root, "/proc/cmdline", "BOOT_IMAGE=/x abbot.token=1 root=/dev/other\n");
	assert_int_equal(install(fixture, "abbot-1-b", "ro"), 0);
	assert_int_equal(fixture->operations->default_options(fixture->loader, &recorded, NULL), 0);
	assert_string_equal(recorded, "root=/dev/vda2 ro console=ttyS0");
}

/* 0, or what the probe says about a machine changed by one file. */
static int probe_with(const char *path, const char *text, struct error *err)
{
	char *root = fake_root_new();
	const struct boot_paths paths = { .root = root };
	struct boot_loader *loader = NULL;
	int r;

	fake_write(root, path, text);
	r = boot_loader_find(&paths, &loader, err);
	boot_loader_free(loader);
	fake_root_free(root);
	return r;
}

static void test_probe_refuses(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(probe_with("/etc/other", "", &err), 0);
	assert_int_equal(probe_with("/boot/grub/grub.cfg", "set default=0\n", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "41_custom"));
	assert_int_equal(probe_with("/boot/grub/grub.cfg", FAKE_GRUB_CFG "set default=0\n", &err), -EOPNOTSUPP);
	assert_int_equal(probe_with("/boot/grub/grub.cfg", "set timeout=-1\n" FAKE_GRUB_CFG, &err), -EOPNOTSUPP);
	assert_int_equal(probe_with("/boot/grub2/grub.cfg", FAKE_GRUB_CFG, &err), -EOPNOTSUPP);
	assert_int_equal(probe_with("/proc/cmdline", "root=/dev/vda2\n", &err), -ENODEV);
	assert_non_null(strstr(err.text, "BOOT_IMAGE"));
	assert_int_equal(probe_with("/proc/self/mountinfo", "27 1 254:2 / / rw - btrfs /dev/vda2 rw\n", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "btrfs"));
	assert_int_equal(probe_with("/sys/dev/block/254:1/uevent", "DEVNAME=dm-3\n", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "LVM"));
	assert_int_equal(probe_with("/sys/dev/block/254:1/uevent", "DEVNAME=md0\n", &err), -EOPNOTSUPP);
}

static void test_no_grub(void **state)
{
	struct boot_loader *loader = NULL;
	struct error err = { 0 };
	const char *tmp = getenv("TMPDIR");
	char *root = text_format("%s/abbot-none-XXXXXX", tmp ? tmp : "/tmp");
	struct boot_paths paths = { 0 };

	(void)state;
	assert_non_null(mkdtemp(root));
	paths.root = root;
	assert_int_equal(boot_loader_find(&paths, &loader, &err), -ENODEV);
	assert_null(loader);
	assert_non_null(strstr(err.text, "GRUB"));
	fake_root_free(root);
}

static void test_systemd_boot_is_another_loader(void **state)
{
	static const char info[] = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t\0 \0" "2\0";
	char *root = fake_root_new();
	const struct boot_paths paths = { .root = root };
	struct boot_loader *loader = NULL;

	(void)state;
	fake_write_bytes(root, "/sys/firmware/efi/efivars/LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f",
			 info, sizeof(info) - 1);
	/* In charge, and not one that could be used: GRUB is not asked instead. */
	assert_int_equal(boot_loader_find(&paths, &loader, NULL), -EOPNOTSUPP);
	fake_root_free(root);
}

int main(void)
{
#define WITH_MACHINE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_MACHINE(test_whole_life),
		WITH_MACHINE(test_arm_refuses),
		WITH_MACHINE(test_install_refuses),
		WITH_MACHINE(test_keeps_what_is_not_ours),
		WITH_MACHINE(test_hand_edited_block_is_refused),
		WITH_MACHINE(test_interrupted_install_is_listed),
		WITH_MACHINE(test_damaged_environment),
		WITH_MACHINE(test_default_options),
		cmocka_unit_test(test_probe_refuses),
		cmocka_unit_test(test_no_grub),
		cmocka_unit_test(test_systemd_boot_is_another_loader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The backend for firmware that starts kernels itself, on a directory that stands for a machine. */
#include "boot/tests/fake_efi.h"

#include <errno.h>
#include <unistd.h>

#include "boot/tests/loader_fixture.h"
#include "boot/esp.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define OTHER_TOKEN "ffffffffffffffffffffffffffffffff"
#define ENTRY "abbot-1-child"
#define GLOBAL(name) FAKE_VARIABLE(name, EFI_GUID_GLOBAL)

static int setup(void **state)
{
	return fixture_new(state, fake_uefi_new(), "uefi");
}

static int install(struct fixture *fixture, const char *id, const char *options, const char *initrd)
{
	const struct boot_entry entry = { .id = id, .title = "T", .kernel_path = fixture->kernel,
					  .initrd_path = initrd, .options = options, .owner = "job 1" };

	return fixture->operations->install_entry(fixture->loader, &entry, NULL);
}

static int arm(struct fixture *fixture, const char *token, struct error *err)
{
	return fixture->operations->arm_once(fixture->loader, ENTRY, token, err);
}

static void *variable(const char *root, const char *name, size_t *ret_size)
{
	const struct boot_paths paths = { .root = root };
	void *data = NULL;

	assert_int_equal(efi_variable_read(&paths, name, EFI_GUID_GLOBAL, &data, ret_size, NULL), 0);
	return data;
}

static void check_option(struct fixture *fixture, const char *name, const char *command_line)
{
	unsigned char guid[EFI_GUID_BYTES];
	_cleanup_free_ void *bytes = NULL;
	struct efi_load_option option;
	char text[512];
	size_t size = 0;

	bytes = variable(fixture->root, name, &size);
	assert_int_equal(efi_load_option_parse(bytes, size, &option), 0);
	assert_true(option.is_active);
	assert_true(option.has_partition);
	assert_int_equal(option.partition.number, 1);
	assert_int_equal(option.partition.start, 2048);
	assert_int_equal(option.partition.size, 98304);
	assert_true(efi_guid_parse(FAKE_ESP_GUID, guid));
	assert_memory_equal(option.partition.guid, guid, sizeof(guid));
	assert_string_equal(option.path, "\\abbot\\" ENTRY "\\kernel");
	assert_int_equal(efi_text_read(option.data, option.data_size, text, sizeof(text)), 0);
	assert_string_equal(text, command_line);
}

static void test_whole_life(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *next = NULL, *order = NULL, *order_after = NULL;
	struct error err = { 0 };

	order = fake_read(fixture->root, GLOBAL("BootOrder"));
	assert_int_equal(install(fixture, ENTRY, "root=/dev/vda2 ro", NULL), 0);
	assert_int_equal(install(fixture, ENTRY, "root=/dev/vda2 rw -- word", fixture->kernel), 0);
	/* The firmware knows of it only when it is armed. */
	assert_false(has(fixture, FAKE_OPTION("0001")));
	assert_false(armed(fixture).is_armed);
	assert_int_equal(arm(fixture, OTHER_TOKEN, &err), 0);
	assert_int_equal(arm(fixture, TOKEN, &err), 0);
	check_option(fixture, "Boot0001", "root=/dev/vda2 rw initrd=\\abbot\\" ENTRY "\\initrd abbot.token=" TOKEN " -- word");
	assert_false(has(fixture, FAKE_OPTION("0003"))); /* the second time the same number */
	assert_true(armed(fixture).is_armed);
	assert_string_equal(armed(fixture).entry, ENTRY);
	assert_string_equal(armed(fixture).token, TOKEN);
	next = fake_read(fixture->root, GLOBAL("BootNext"));
	assert_memory_equal(next, "\7\0\0\0\1\0", 6);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_false(has(fixture, GLOBAL("BootNext")));
	assert_int_equal(arm(fixture, TOKEN, NULL), 0);
	/* Removing an armed entry must not leave the machine armed with nothing. */
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ENTRY, NULL), 0);
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ENTRY, NULL), 0);
	assert_false(has(fixture, GLOBAL("BootNext")));
	assert_false(has(fixture, FAKE_OPTION("0001")));
	assert_true(has(fixture, FAKE_OPTION("0002")));
	assert_false(has(fixture, "/boot/abbot"));
	assert_true(has(fixture, "/boot/vmlinuz"));
	order_after = fake_read(fixture->root, GLOBAL("BootOrder"));
	assert_memory_equal(order, order_after, 8);
}

static void test_arm_refuses(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *kernel = text_format("%s/boot/abbot/" ENTRY "/kernel", fixture->root);
	struct error err = { 0 };

	assert_int_equal(arm(fixture, TOKEN, &err), -ENOENT);
	assert_int_equal(install(fixture, ENTRY, "ro", NULL), 0);
	assert_int_equal(arm(fixture, "short", &err), -EINVAL);
	assert_int_equal(truncate(kernel, 8191), 0);
	assert_int_equal(arm(fixture, TOKEN, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "cut off"));
	fake_write_efi_kernel(fixture->root, "/boot/abbot/" ENTRY "/kernel", 'a');
	/* Somebody else's BootNext is neither ours nor ours to take away. */
	fake_variable(fixture->root, GLOBAL("BootNext"), "\2\0", 2);
	assert_int_equal(arm(fixture, TOKEN, &err), -EBUSY);
	assert_non_null(strstr(err.text, "Somebody else"));
	assert_false(has(fixture, FAKE_OPTION("0001")));
	assert_false(armed(fixture).is_armed);
	assert_int_equal(fixture->operations->disarm(fixture->loader, NULL), 0);
	assert_true(has(fixture, GLOBAL("BootNext")));
	fake_variable(fixture->root, GLOBAL("BootNext"), "odd", 3);
	assert_int_equal(arm(fixture, TOKEN, &err), -EBUSY);
}

static void test_install_refuses(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(install(fixture, "debian-6", "ro", NULL), -EINVAL);
	assert_int_equal(install(fixture, ENTRY, "ro\nlinux /evil", NULL), -EINVAL);
	fake_write_kernel(fixture->root, "/store/bzImage", 'b'); /* GRUB would take it, firmware not */
	assert_int_equal(install(fixture, ENTRY, "ro", NULL), -EBADMSG);
	assert_false(has(fixture, "/boot/abbot"));
}

/* A crash between option and BootNext, and a firmware that wrote the option anew elsewhere. */
static void test_removes_every_option(void **state)
{
	struct fixture *fixture = *state;
	char **ids = NULL;

	fake_option(fixture->root, FAKE_OPTION("0001"), "\\ABBOT\\abbot-2-x\\KERNEL", "ro");
	fake_option(fixture->root, FAKE_OPTION("00FF"), "\\abbot\\abbot-2-x\\kernel", "ro");
	fake_option(fixture->root, FAKE_OPTION("0100"), "\\abbot\\notes\\kernel", "");
	assert_int_equal(fixture->operations->list_entries(fixture->loader, &ids, NULL), 0);
	assert_string_equal(ids[0], "abbot-2-x");
	assert_null(ids[1]);
	assert_int_equal(fixture->operations->remove_entry(fixture->loader, ids[0], NULL), 0);
	assert_false(has(fixture, FAKE_OPTION("0001")));
	assert_false(has(fixture, FAKE_OPTION("00FF")));
	assert_true(has(fixture, FAKE_OPTION("0100")));
	free(ids[0]);
	free(ids);
}

static void test_default_options(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *options = NULL;

	assert_int_equal(fixture->operations->default_options(fixture->loader, &options, NULL), 0);
	assert_string_equal(options, "root=/dev/vda2 ro console=ttyS0");
}

/* While a test kernel runs its option is BootCurrent: still the same backend. */
static void test_test_boot_is_ours(void **state)
{
	struct fixture *fixture = *state;
	const struct boot_paths paths = { .root = fixture->root };
	struct boot_loader *loader = NULL;

	assert_int_equal(install(fixture, ENTRY, "ro", NULL), 0);
	assert_int_equal(arm(fixture, TOKEN, NULL), 0);
	fake_variable(fixture->root, GLOBAL("BootCurrent"), "\1\0", 2);
	assert_int_equal(boot_loader_find(&paths, &loader, NULL), 0);
	assert_string_equal(loader->operations->name, "uefi");
	boot_loader_free(loader);
}

static void unlink_in(const char *root, const char *path)
{
	_cleanup_free_ char *full = text_format("%s%s", root, path);

	assert_int_equal(unlink(full), 0);
}

/* What the probe says about @root, which it frees. */
static int probe(char *root, const char *name, struct error *err)
{
	const struct boot_paths paths = { .root = root, .loader = name };
	struct boot_loader *loader = NULL;
	int r = boot_loader_find(&paths, &loader, err);

	boot_loader_free(loader);
	fake_root_free(root);
	return r;
}

static void test_is_not_in_charge(void **state)
{
	struct error err = { 0 };
	char *root = fake_uefi_new();

	(void)state;
	unlink_in(root, GLOBAL("BootCurrent"));
	assert_int_equal(probe(root, NULL, &err), -ENODEV);
	assert_non_null(strstr(err.text, "BootCurrent"));
	root = fake_uefi_new();
	unlink_in(root, FAKE_OPTION("0000"));
	assert_int_equal(probe(root, NULL, &err), -ENODEV);
	/* A boot loader is what the firmware starts: then it is that loader's affair, unless asked for. */
	for (int asked = 0; asked < 2; asked++) {
		root = fake_uefi_new();
		fake_option(root, FAKE_OPTION("0000"), "\\EFI\\debian\\grubx64.efi", "");
		fake_write(root, "/boot/EFI/debian/grubx64.efi", "MZ");
		assert_int_equal(probe(root, asked ? "uefi" : "auto", &err), asked ? 0 : -ENODEV);
		assert_true(asked || strstr(err.text, "grubx64.efi"));
	}
	/* A unified image in the default place is a kernel. */
	root = fake_uefi_new();
	fake_option(root, FAKE_OPTION("0000"), "", "");
	fake_write_bytes(root, "/boot/EFI/BOOT/BOOTX64.EFI",
			 "MZ__________________________________________________________\x40\0\0\0"
			 "PE\0\0\x64\x86\1\0____________\0\0\0\0.linux\0\0____________\0\0\0\0________", 128);
	assert_int_equal(probe(root, NULL, &err), 0);
}

static void test_refuses(void **state)
{
	struct error err = { 0 };
	char *root = fake_uefi_new();

	(void)state;
	fake_option(root, FAKE_OPTION("0001"), "\\abbot\\" ENTRY "\\kernel", "ro");
	fake_variable(root, GLOBAL("BootOrder"), "\1\0\0\0", 4);
	assert_int_equal(probe(root, NULL, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "Boot0001"));
	/* Behind the default it is never reached; before it, what is missing is skipped. */
	root = fake_uefi_new();
	fake_option(root, FAKE_OPTION("0001"), "\\abbot\\" ENTRY "\\kernel", "ro");
	fake_variable(root, GLOBAL("BootOrder"), "\7\0\0\0\1\0", 6);
	assert_int_equal(probe(root, NULL, &err), 0);
	root = fake_uefi_new();
	unlink_in(root, GLOBAL("BootOrder"));
	assert_int_equal(probe(root, NULL, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "BootOrder"));
	/* The GPT is another one than the one that is in use. */
	root = fake_uefi_new();
	fake_write(root, "/sys/devices/vda/vda1/start", "4096\n");
	assert_int_equal(probe(root, NULL, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "GPT"));
	root = fake_uefi_new();
	unlink_in(root, "/sys/devices/vda/vda1/partition");
	assert_int_equal(probe(root, NULL, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "no partition"));
}

/* Device paths count in the disk's own blocks, sysfs always in 512 bytes. */
static void test_large_blocks(void **state)
{
	char *root = fake_uefi_new();
	const struct boot_paths paths = { .root = root };
	struct efi_partition partition;
	struct esp esp = { 0 };

	(void)state;
	fake_write(root, "/sys/devices/vda/queue/logical_block_size", "4096\n");
	fake_write(root, "/sys/devices/vda/vda1/start", "16384\n");
	fake_write(root, "/sys/devices/vda/vda1/size", "786432\n");
	fake_gpt(root, "/dev/vda", 4096);
	assert_int_equal(esp_find(&paths, NULL, &esp, NULL), 0);
	assert_int_equal(esp_find_partition(&paths, &esp, &partition, NULL), 0);
	assert_int_equal(partition.start, 2048);
	assert_int_equal(partition.size, 98304);
	esp_done(&esp);
	fake_root_free(root);
}

static void test_load_option_is_damaged(void **state)
{
	struct efi_load_option option;
	struct efi_partition partition = { .number = 3, .start = 1, .size = 2 };
	_cleanup_free_ unsigned char *bytes = NULL;
	size_t size = 0;

	(void)state;
	assert_int_equal(efi_load_option_make("D", &partition, "\\x", "ro", (void **)&bytes, &size), 0);
	for (size_t cut = 0; cut < size - 6; cut++) /* "ro" and its NUL may be cut */
		assert_int_equal(efi_load_option_parse(bytes, cut, &option), -EBADMSG);
	assert_int_equal(efi_load_option_parse(bytes, size, &option), 0);
	bytes[4] = 0xff; /* the list is longer than all */
	assert_int_equal(efi_load_option_parse(bytes, size, &option), -EBADMSG);
	assert_int_equal(efi_load_option_make("\xff", &partition, "\\x", "ro", (void **)&bytes, &size), -EINVAL);
	assert_false(efi_guid_parse("ab5007ab-0002-4000-8000-00000000000", partition.guid));
	assert_false(efi_guid_parse("ab5007ab00024000800000000000000100000", partition.guid));
}

int main(void)
{
#define WITH_MACHINE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_MACHINE(test_whole_life),
		WITH_MACHINE(test_arm_refuses),
		WITH_MACHINE(test_install_refuses),
		WITH_MACHINE(test_removes_every_option),
		WITH_MACHINE(test_default_options),
		WITH_MACHINE(test_test_boot_is_ours),
		cmocka_unit_test(test_is_not_in_charge),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_large_blocks),
		cmocka_unit_test(test_load_option_is_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What is under the root filesystem, from a made-up sysfs; and symbols in a .config. */
#include "boot/tests/fake_disk.h"

#include <errno.h>

#include "boot/root_device.h"

static bool has(const struct root_device *device, const char *name, const char *module)
{
	for (size_t i = 0; i < device->n_drivers; i++)
		if (strcmp(device->drivers[i].name, name) == 0)
			return strcmp(device->drivers[i].module, module) == 0;
	return false;
}

static void test_plain(void **state)
{
	char *root = fake_root_new();
	const struct boot_paths paths = { .root = root };
	struct root_device device;

	(void)state;
	fake_disk_plain(root);
	assert_int_equal(root_device_find(&paths, &device, NULL), 0);
	assert_string_equal(device.type, "ext4");
	assert_true(has(&device, "ext4", ""));
	assert_true(has(&device, "nvme", "nvme"));
	assert_int_equal(device.n_drivers, 2);
	assert_false(device.is_encrypted);
	assert_false(device.is_stacked);
	fake_root_free(root);
}

static void test_stacked(void **state)
{
	char *root = fake_root_new();
	const struct boot_paths paths = { .root = root };
	struct root_device device;

	(void)state;
	fake_disk_encrypted(root);
	assert_int_equal(root_device_find(&paths, &device, NULL), 0);
	assert_true(device.is_encrypted);
	assert_true(device.is_stacked);
	assert_true(has(&device, "device-mapper", ""));
	assert_true(has(&device, "dm-crypt", ""));
	assert_true(has(&device, "nvme", "nvme"));
	fake_root_free(root);
}

static void test_no_disk(void **state)
{
	char *root = fake_root_new();
	const struct boot_paths paths = { .root = root };
	struct root_device device;

	(void)state;
	fake_write(root, "/proc/self/mountinfo", "27 1 0:25 / / rw - overlay overlay rw\n");
	assert_int_equal(root_device_find(&paths, &device, NULL), -ENOENT);
	fake_root_free(root);
}

static void test_config_value(void **state)
{
	static const char config[] = "# CONFIG_XFS_FS is not set\nCONFIG_EXT4_FS=y\nCONFIG_BLK_DEV_NVME=m\n"
				     "CONFIG_BLK_DEV_NVME_CORE=y\nCONFIG_BLK_DEV_SD=";

	(void)state;
	assert_int_equal(root_config_value(config, sizeof(config) - 1, "EXT4_FS"), 'y');
	assert_int_equal(root_config_value(config, sizeof(config) - 1, "BLK_DEV_NVME"), 'm');
	assert_int_equal(root_config_value(config, sizeof(config) - 1, "XFS_FS"), 'n');
	assert_int_equal(root_config_value(config, sizeof(config) - 1, "BLK_DEV_SD"), 'n');
	assert_int_equal(root_config_value("", 0, "EXT4_FS"), 'n');
	assert_string_equal(root_driver_symbol("nvme"), "BLK_DEV_NVME");
	assert_null(root_driver_symbol("unheard_of"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_stacked),
		cmocka_unit_test(test_no_disk),
		cmocka_unit_test(test_config_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

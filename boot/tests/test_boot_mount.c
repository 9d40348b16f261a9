// SPDX-License-Identifier: GPL-2.0-or-later
/* Which filesystem a path is on, its UUID as the real mkfs made it, and what GRUB cannot clear. */
#include "boot/tests/fake_root.h"

#include <errno.h>
#include <unistd.h>

#include "boot/boot_mount.h"
#include "common/subprocess.h"

static const char mountinfo[] =
	"27 1 254:2 / / rw,relatime shared:1 master:2 - ext4 /dev/root rw\n"
	"28 27 0:5 / /dev rw - devtmpfs devtmpfs rw\n"
	"30 27 254:9 / /boot rw - vfat /dev/old rw\n"
	"31 27 254:1 / /boot rw - xfs /dev/vda1 rw\n"
	"32 27 254:3 /sub/dir /srv/a\\040b rw - btrfs /dev/vda3 rw\n";

static void check_find(const char *path, const char *type, const char *relative)
{
	_cleanup_free_ char *actual = NULL;
	struct boot_mount mount;

	assert_int_equal(boot_mount_from_mountinfo(mountinfo, path, &mount, NULL), 0);
	assert_string_equal(mount.type, type);
	actual = boot_mount_relative(&mount, path);
	assert_string_equal(actual, relative);
}

static void test_find(void **state)
{
	(void)state;
	check_find("/boot/abbot/abbot-1-a/kernel", "xfs", "/abbot/abbot-1-a/kernel");
	check_find("/boot", "xfs", "/");
	check_find("/bootx/a", "ext4", "/bootx/a");
	check_find("/srv/a b/c", "btrfs", "/sub/dir/c");
	check_find("/", "ext4", "/");
}

static void test_find_in_damaged_text(void **state)
{
	struct boot_mount mount;
	char text[sizeof(mountinfo)];

	(void)state;
	for (size_t size = 0; size < sizeof(mountinfo); size++) {
		_cleanup_free_ char *cut = strndup(mountinfo, size);

		(void)boot_mount_from_mountinfo(cut, "/boot/x", &mount, NULL);
	}
	memcpy(text, mountinfo, sizeof(text));
	for (size_t i = 0; i + 1 < sizeof(text); i++) {
		text[i] = (char)(text[i] ^ (1 << (i % 7)));
		(void)boot_mount_from_mountinfo(text, "/boot/x", &mount, NULL);
	}
	assert_int_equal(boot_mount_from_mountinfo("", "/", &mount, NULL), -ENOENT);
}

static bool run(const char *const *argv)
{
	const struct subprocess_options options = { .argv = argv, .timeout_ms = 10000 };
	struct subprocess_result result = { 0 };
	int r = subprocess_run(&options, &result, NULL);
	bool is_good = r == 0 && result.exit_status == 0;

	subprocess_result_done(&result);
	return is_good;
}

/* The first bytes of an image that @argv made at @path, and what the UUID should be. */
static void check_uuid(const char *const *argv, const char *path, const char *type,
		       const char *expected)
{
	unsigned char superblock[BOOT_MOUNT_SUPERBLOCK_BYTES];
	char uuid[BOOT_MOUNT_UUID_SIZE] = "";
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), 2L * 1024 * 1024), 0);
	assert_int_equal(fclose(file), 0);
	if (!run(argv)) {
		print_message("%s is not installed\n", argv[0]);
		return;
	}
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fread(superblock, 1, sizeof(superblock), file), sizeof(superblock));
	assert_int_equal(fclose(file), 0);
	assert_int_equal(boot_mount_parse_uuid(type, superblock, sizeof(superblock), uuid), 0);
	assert_string_equal(uuid, expected);
	assert_int_equal(boot_mount_parse_uuid("xfs", superblock, sizeof(superblock), uuid), -EBADMSG);
}

static void test_uuid_of_real_filesystems(void **state)
{
	char *root = fake_root_new();
	_cleanup_free_ char *path = text_format("%s/image", root);
	const char *const ext4[] = { "/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-U",
				     "a1b2c3d4-0001-4002-8003-00112233aabb", path, NULL };
	const char *const vfat[] = { "/sbin/mkfs.vfat", "-i", "1a2b3c4d", path, NULL };

	(void)state;
	check_uuid(ext4, path, "ext4", "a1b2c3d4-0001-4002-8003-00112233aabb");
	check_uuid(vfat, path, "vfat", "1A2B-3C4D");
	fake_root_free(root);
}

static void check_refused(const char *type, const char *device, int expected)
{
	struct boot_mount mount = { .source = "/dev/x" };
	struct error err = { 0 };

	(void)snprintf(mount.type, sizeof(mount.type), "%s", type);
	(void)snprintf(mount.device, sizeof(mount.device), "%s", device);
	assert_int_equal(boot_mount_check_grub(&mount, "/boot/grub", &err), expected);
	assert_int_equal(err.text[0] != '\0', expected != 0);
}

/*
 * Why: with Debian's GRUB 2.06 in QEMU, /boot on btrfs and the stock next_entry, save_env said
 * "sparse file not allowed" and the same entry booted again, boot after boot. That it cannot
 * write through LVM, mdraid, LUKS, ZFS and squashfs is in its source (loadenv.c writes to the
 * blocks that reading the file gave, and such disks have none that can be written).
 */
static void test_refused_filesystems(void **state)
{
	(void)state;
	check_refused("ext4", "vda1", 0);
	check_refused("vfat", "nvme0n1p1", 0);
	check_refused("xfs", "sda2", 0);
	check_refused("btrfs", "sda2", -EOPNOTSUPP);
	check_refused("zfs", "sda2", -EOPNOTSUPP);
	check_refused("f2fs", "sda2", -EOPNOTSUPP);
	check_refused("squashfs", "sda2", -EOPNOTSUPP);
	check_refused("overlay", "", -EOPNOTSUPP);
	check_refused("ext4", "dm-0", -EOPNOTSUPP);
	check_refused("ext4", "md127", -EOPNOTSUPP);
	check_refused("ext4", "loop0", -EOPNOTSUPP);
	check_refused("ext4", "", -EOPNOTSUPP);
}

static void test_find_under_root(void **state)
{
	char *root = fake_root_new();
	const struct boot_paths paths = { .root = root };
	char uuid[BOOT_MOUNT_UUID_SIZE];
	struct boot_mount mount;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(boot_mount_find(&paths, "/boot/grub", &mount, &err), 0);
	assert_string_equal(mount.device, "vda1");
	assert_int_equal(boot_mount_read_uuid(&paths, &mount, uuid, &err), 0);
	assert_string_equal(uuid, FAKE_UUID);
	fake_write(root, "/dev/vda1", "no superblock");
	assert_int_equal(boot_mount_read_uuid(&paths, &mount, uuid, &err), -EBADMSG);
	fake_root_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_find_in_damaged_text),
		cmocka_unit_test(test_uuid_of_real_filesystems),
		cmocka_unit_test(test_refused_filesystems),
		cmocka_unit_test(test_find_under_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

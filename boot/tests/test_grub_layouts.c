// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GRUB as the distributions set it up: which layouts are taken and how their paths read from
 * GRUB, which are refused and why. The grub.cfg excerpts are short, but in the generated order.
 */
#include "boot/tests/fake_root.h"

#include <errno.h>

#include "boot/boot_loader.h"
#include "boot/grubenv.h"
#include "boot/preflight.h"

#define CUSTOM                                                                     \
	"### BEGIN /etc/grub.d/41_custom ###\n"                                    \
	"if [ -f  ${config_directory}/custom.cfg ]; then\n"                        \
	"  source ${config_directory}/custom.cfg\n"                                \
	"elif [ -z \"${config_directory}\" -a -f  $prefix/custom.cfg ]; then\n"    \
	"  source $prefix/custom.cfg\n"                                            \
	"fi\n"                                                                     \
	"### END /etc/grub.d/41_custom ###\n"

#define DEBIAN_CFG                                                                                 \
	"if [ \"${next_entry}\" ] ; then\n   set default=\"${next_entry}\"\nelse\n"                \
	"   set default=\"0\"\nfi\nset timeout=5\n"                                                \
	"menuentry 'Debian GNU/Linux' --class debian $menuentry_id_option 'gnulinux-simple' {\n"   \
	"\tlinux /boot/vmlinuz-6.1.0 root=UUID=1 ro quiet\n\tinitrd /boot/initrd.img-6.1.0\n}\n"  \
	CUSTOM

#define UBUNTU_CFG                                                                         \
	"if [ \"${recordfail}\" = 1 ] ; then\n  set timeout=%s\nelse\n  set timeout=0\nfi\n"

#define FEDORA_CFG                                                                         \
	"if [ \"${next_entry}\" ] ; then\n   set default=\"${next_entry}\"\nelse\n"        \
	"   set default=\"${saved_entry}\"\nfi\nset timeout=5\n"                           \
	"### BEGIN /etc/grub.d/08_fallback_counting ###\ninsmod increment\n"               \
	"if [ -n \"${boot_counter}\" -a \"${boot_success}\" = \"0\" ]; then\n"             \
	"  if  [ \"${boot_counter}\" = \"0\" -o \"${boot_counter}\" = \"-1\" ]; then\n"    \
	"    set default=1\n    set boot_counter=-1\n  else\n    decrement boot_counter\n" \
	"  fi\n  save_env boot_counter\nfi\n"                                              \
	"### BEGIN /etc/grub.d/10_linux ###\n"                                             \
	"if [ -z \"${kernelopts}\" ]; then\n  set kernelopts=\"root=UUID=1 ro \"\nfi\n"    \
	"insmod blscfg\nblscfg\n"                                                          \
	"### BEGIN /etc/grub.d/12_menu_auto_hide ###\n"                                    \
	"if [ \"${menu_show_once}\" ]; then\n  set timeout=60\n"                           \
	"elif [ \"${menu_auto_hide}\" -a \"${menu_hide_ok}\" = \"1\" ]; then\n"            \
	"  set timeout_style=hidden\n  set timeout=1\nfi\n" CUSTOM

#define SUSE_CFG                                                                             \
	"if [ -f ${config_directory}/grubenv ]; then\n  load_env -f ${config_directory}/grubenv\nfi\n" \
	"set default=\"${saved_entry}\"\nset timeout=8\n"                                    \
	"menuentry 'openSUSE Leap' --class opensuse {\n\tlinux /boot/vmlinuz-6.4 root=UUID=1\n}\n" \
	"if [ -f \"/.snapshots/grub-snapshot.cfg\" ]; then\n  source \"/.snapshots/grub-snapshot.cfg\"\nfi\n" \
	CUSTOM

/* / on vda2, and what else there is. */
#define ROOT_ON(type) "27 1 254:2 / / rw,relatime shared:1 - " type " /dev/vda2 rw\n"
#define BOOT_ON(type) "28 27 254:1 / /boot rw,relatime shared:2 - " type " /dev/vda1 rw\n"
#define ESP "29 27 254:3 / /boot/efi rw,relatime shared:3 - vfat /dev/vda3 rw\n"

struct layout {
	const char *os_release;
	const char *config_path;
	const char *config;
	const char *mountinfo;
};

static void fake_write_xfs_superblock(const char *root, const char *path)
{
	unsigned char block[4096] = "XFSB";

	memset(block + 32, 0x12, 16);
	fake_write_bytes(root, path, block, sizeof(block));
}

static void fake_write_vfat_superblock(const char *root, const char *path)
{
	unsigned char block[4096] = { 0 };

	memset(block + 0x43, 0x12, 4);
	memcpy(block + 0x52, "FAT32   ", 8);
	block[0x1fe] = 0x55;
	block[0x1ff] = 0xaa;
	fake_write_bytes(root, path, block, sizeof(block));
}

static char *machine_new(const struct layout *layout)
{
	char *root = fake_root_new();
	_cleanup_free_ char *old = text_format("%s/boot/grub", root);

	assert_int_equal(file_remove_tree(old, NULL), 0);
	fake_write(root, layout->config_path, layout->config);
	fake_write(root, "/etc/os-release", layout->os_release);
	fake_write(root, "/proc/self/mountinfo", layout->mountinfo);
	fake_write(root, "/sys/dev/block/254:3/uevent", "MAJOR=254\nMINOR=3\nDEVNAME=vda3\n");
	fake_write(root, "/proc/cmdline", "BOOT_IMAGE=(hd0,gpt2)/vmlinuz-6.1.0 root=UUID=1 ro quiet\n");
	fake_write_kernel(root, "/kernel", 'k');
	return root;
}

/* It is taken; then @custom_path holds an entry that loads @kernel from the disk. */
static void expect_fit(const char *root, const char *custom_path, const char *kernel)
{
	const struct boot_paths paths = { .root = root };
	_cleanup_free_ char *image = text_format("%s/kernel", root), *options = NULL, *custom = NULL;
	_cleanup_free_ char *line = text_format("if linux %s abbot.token=", kernel);
	const struct boot_entry entry = { .id = "abbot-1-a", .title = "a", .kernel_path = image,
					  .options = "root=UUID=1 ro quiet", .owner = "1" };
	struct boot_loader *loader = NULL;
	struct boot_one_shot armed;
	struct error err = { 0 };

	if (boot_loader_find(&paths, &loader, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(loader->operations->name, "grub");
	/* From the kernel that runs: entries of the BLS and $kernelopts need not be looked up. */
	assert_int_equal(loader->operations->default_options(loader, &options, &err), 0);
	assert_string_equal(options, "root=UUID=1 ro quiet");
	if (loader->operations->install_entry(loader, &entry, &err) < 0)
		fail_msg("%s", err.text);
	custom = fake_read(root, custom_path);
	assert_non_null(custom);
	if (!strstr(custom, line))
		fail_msg("no \"%s\" in:\n%s", line, custom);
	assert_int_equal(loader->operations->arm_once(loader, "abbot-1-a", "0123456789abcdef0123456789abcdef", &err), 0);
	assert_int_equal(loader->operations->read_armed(loader, &armed, &err), 0);
	assert_true(armed.is_armed);
	assert_int_equal(loader->operations->remove_entry(loader, "abbot-1-a", &err), 0);
	boot_loader_free(loader);
}

static void expect_refused(const char *root, const char *part)
{
	const struct boot_paths paths = { .root = root };
	struct boot_loader *loader = NULL;
	struct error err = { 0 };

	assert_int_equal(boot_loader_find(&paths, &loader, &err), -EOPNOTSUPP);
	if (!strstr(err.text, part))
		fail_msg("no \"%s\" in: %s", part, err.text);
}

/* BIOS, all on one partition; and EFI, where the ESP's grub.cfg only leads to this one. */
static void test_debian(void **state)
{
	struct layout layout = { "ID=debian\n", "/boot/grub/grub.cfg", DEBIAN_CFG, ROOT_ON("ext4") };
	char *root = machine_new(&layout);

	(void)state;
	expect_fit(root, "/boot/grub/custom.cfg", "/boot/abbot/abbot-1-a/kernel");
	fake_write(root, "/boot/grub/grub.cfg", "set default=0\n");
	expect_refused(root, "run update-grub");
	fake_root_free(root);
	layout.mountinfo = ROOT_ON("ext4") ESP;
	root = machine_new(&layout);
	fake_write(root, "/boot/efi/EFI/debian/grub.cfg",
		   "search.fs_uuid 1 root\nset prefix=($root)'/boot/grub'\nconfigfile $prefix/grub.cfg\n");
	expect_fit(root, "/boot/grub/custom.cfg", "/boot/abbot/abbot-1-a/kernel");
	fake_root_free(root);
	layout.mountinfo = ROOT_ON("ext4") BOOT_ON("ext2");
	root = machine_new(&layout);
	expect_fit(root, "/boot/grub/custom.cfg", "/abbot/abbot-1-a/kernel");
	fake_root_free(root);
}

static void test_ubuntu(void **state)
{
	_cleanup_free_ char *patient = text_format(UBUNTU_CFG DEBIAN_CFG, "30");
	_cleanup_free_ char *stubborn = text_format(UBUNTU_CFG DEBIAN_CFG, "-1");
	struct layout layout = { "ID=ubuntu\nID_LIKE=debian\n", "/boot/grub/grub.cfg", patient, ROOT_ON("ext4") ESP };
	char *root = machine_new(&layout);

	(void)state;
	expect_fit(root, "/boot/grub/custom.cfg", "/boot/abbot/abbot-1-a/kernel");
	fake_root_free(root);
	layout.config = stubborn;
	root = machine_new(&layout);
	expect_refused(root, "GRUB_RECORDFAIL_TIMEOUT");
	fake_root_free(root);
}

/* The root filesystem may be btrfs, where /boot is not. 41_custom is the stock one there. */
static void test_fedora(void **state)
{
	struct layout layout = { "ID=fedora\n", "/boot/grub2/grub.cfg", FEDORA_CFG,
				 ROOT_ON("btrfs") BOOT_ON("ext4") ESP };
	char *root = machine_new(&layout);

	(void)state;
	fake_write(root, "/boot/loader/entries/1-6.1.0.conf",
		   "title Fedora\nlinux /vmlinuz-6.1.0\ninitrd /initramfs-6.1.0.img\noptions $kernelopts\n");
	fake_link(root, "/etc/grub2-efi.cfg", "../boot/grub2/grub.cfg");
	fake_link(root, "/boot/grub2/grubenv", "../efi/EFI/fedora/grubenv"); /* and nothing there */
	expect_fit(root, "/boot/grub2/custom.cfg", "/abbot/abbot-1-a/kernel");
	fake_write(root, "/boot/grub2/grub.cfg", "blscfg\n");
	expect_refused(root, "run grub2-mkconfig -o /boot/grub2/grub.cfg");
	fake_root_free(root);
	layout.mountinfo = ROOT_ON("btrfs") ESP;
	root = machine_new(&layout);
	expect_refused(root, "btrfs");
	fake_root_free(root);
}

/* RHEL 8 on EFI: grub.cfg and GRUB's own environment are on the ESP, kernels on xfs. */
static void test_rhel_on_the_esp(void **state)
{
	struct layout layout = { "ID=\"rhel\"\nID_LIKE=\"fedora\"\n", "/boot/efi/EFI/redhat/grub.cfg", FEDORA_CFG,
				 ROOT_ON("xfs") BOOT_ON("ext4") ESP };
	char *root = machine_new(&layout);

	(void)state;
	fake_link(root, "/etc/grub2-efi.cfg", "../boot/efi/EFI/redhat/grub.cfg");
	fake_link(root, "/boot/grub2/grubenv", "../efi/EFI/redhat/grubenv");
	fake_write(root, "/boot/efi/EFI/redhat/grubenv", GRUBENV_HEADER "saved_entry=1-4.18.0\n");
	expect_fit(root, "/boot/efi/EFI/redhat/custom.cfg", "/abbot/abbot-1-a/kernel");
	/* Two that might be read: which one is, nobody here can tell. */
	fake_write(root, "/boot/grub2/grub.cfg", FEDORA_CFG);
	expect_refused(root, "two GRUB configurations");
	fake_root_free(root);
}

/*
 * openSUSE's default: /boot in a btrfs subvolume. Tried in QEMU with Debian's GRUB 2.06: save_env there says "sparse file not allowed", the variable stays set, and the same
 * entry boots again and again. Hence the refusal; with our preamble's read-back the default boots.
 */
static void test_suse(void **state)
{
	struct layout layout = { "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "/boot/grub2/grub.cfg", SUSE_CFG,
				 "27 1 0:30 /@/.snapshots/1/snapshot / rw - btrfs /dev/vda2 rw,subvol=/@/.snapshots/1/snapshot\n"
				 "28 27 0:30 /@/boot/grub2/x86_64-efi /boot/grub2/x86_64-efi rw - btrfs /dev/vda2 rw\n" ESP };
	char *root = machine_new(&layout);

	(void)state;
	expect_refused(root, "btrfs, where GRUB cannot clear a one-shot boot by itself");
	fake_root_free(root);
	layout.mountinfo = ROOT_ON("btrfs") BOOT_ON("ext4") ESP;
	root = machine_new(&layout);
	expect_fit(root, "/boot/grub2/custom.cfg", "/abbot/abbot-1-a/kernel");
	fake_root_free(root);
	layout.mountinfo = ROOT_ON("xfs") ESP;
	root = machine_new(&layout);
	fake_write_xfs_superblock(root, "/dev/vda2");
	expect_fit(root, "/boot/grub2/custom.cfg", "/boot/abbot/abbot-1-a/kernel");
	fake_root_free(root);
}

/* /boot is the ESP. */
static void test_arch(void **state)
{
	struct layout layout = { "ID=arch\n", "/boot/grub/grub.cfg", DEBIAN_CFG, ROOT_ON("btrfs") BOOT_ON("vfat") };
	char *root = machine_new(&layout);

	(void)state;
	fake_write_vfat_superblock(root, "/dev/vda1");
	expect_fit(root, "/boot/grub/custom.cfg", "/abbot/abbot-1-a/kernel");
	fake_write(root, "/boot/grub/grub.cfg", "menuentry 'Arch Linux' {\n}\n");
	expect_refused(root, "run grub-mkconfig -o /boot/grub/grub.cfg");
	fake_root_free(root);
}

/*
 * LVM and RAID: disk/diskfilter.c of GRUB 2.06 refuses every write ("diskfilter writes are not
 * supported"), so a one-shot there would stay set and its entry boot for ever.
 */
static void test_stacked_devices(void **state)
{
	struct layout layout = { "ID=debian\n", "/boot/grub/grub.cfg", DEBIAN_CFG, ROOT_ON("ext4") };
	char *root = machine_new(&layout);

	(void)state;
	fake_write(root, "/sys/dev/block/254:2/uevent", "MAJOR=254\nMINOR=2\nDEVNAME=dm-0\n");
	expect_refused(root, "LVM or LUKS");
	fake_write(root, "/sys/dev/block/254:2/uevent", "MAJOR=9\nMINOR=0\nDEVNAME=md0\n");
	expect_refused(root, "software RAID");
	fake_root_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_debian),
		cmocka_unit_test(test_ubuntu),
		cmocka_unit_test(test_fedora),
		cmocka_unit_test(test_rhel_on_the_esp),
		cmocka_unit_test(test_suse),
		cmocka_unit_test(test_arch),
		cmocka_unit_test(test_stacked_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

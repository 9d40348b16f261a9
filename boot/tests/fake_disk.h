// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sysfs of a root disk, for tests: a partition of an NVMe disk, or an LVM volume on LUKS on it.
 * /dev/vda2 of fake_root.h (254:2) is what / is mounted from.
 */
#pragma once

#include "boot/tests/fake_root.h"

#define FAKE_PCI "/sys/devices/pci0000:00/0000:00:04.0"
#define FAKE_PARTITION FAKE_PCI "/nvme/nvme0/nvme0n1/nvme0n1p2"
#define FAKE_VOLUMES "/sys/devices/virtual/block"

static inline void fake_disk_add(const char *root)
{
	fake_write(root, FAKE_PARTITION "/uevent", "MAJOR=254\nMINOR=2\nDEVNAME=vda2\n");
	fake_directory(root, "/sys/bus/pci/drivers/nvme");
	fake_directory(root, "/sys/module/nvme");
	fake_link(root, "/sys/bus/pci/drivers/nvme/module", "/sys/module/nvme");
	fake_link(root, FAKE_PCI "/driver", "/sys/bus/pci/drivers/nvme");
}

/* / is on 254:2: the partition itself. */
static inline void fake_disk_plain(const char *root)
{
	_cleanup_free_ char *old = text_format("%s/sys/dev/block/254:2", root);

	fake_disk_add(root);
	assert_int_equal(file_remove_tree(old, NULL), 0);
	fake_link(root, "/sys/dev/block/254:2", FAKE_PARTITION);
}

/* / is on 254:2: dm-1 (LVM) on dm-0 (LUKS) on the partition. */
static inline void fake_disk_encrypted(const char *root)
{
	_cleanup_free_ char *old = text_format("%s/sys/dev/block/254:2", root);

	fake_disk_add(root);
	fake_write(root, FAKE_VOLUMES "/dm-0/dm/uuid", "CRYPT-LUKS2-0123456789abcdef-luks\n");
	fake_write(root, FAKE_VOLUMES "/dm-1/dm/uuid", "LVM-abcdef\n");
	fake_link(root, FAKE_VOLUMES "/dm-0/slaves/nvme0n1p2", FAKE_PARTITION);
	fake_link(root, FAKE_VOLUMES "/dm-1/slaves/dm-0", FAKE_VOLUMES "/dm-0");
	assert_int_equal(file_remove_tree(old, NULL), 0);
	fake_link(root, "/sys/dev/block/254:2", FAKE_VOLUMES "/dm-1");
}

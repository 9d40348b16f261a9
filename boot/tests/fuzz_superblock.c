// SPDX-License-Identifier: GPL-2.0-or-later
/* Superblocks of ext4, XFS and vfat. */
#include "boot/boot_mount.h"
#include "common/cleanup.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const types[] = { "ext4", "xfs", "vfat", "btrfs" };
	char uuid[BOOT_MOUNT_UUID_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (boot_mount_parse_uuid(types[i], data, size, uuid) == 0)
			FUZZ_REQUIRE(strspn(uuid, "0123456789abcdefABCDEF-") == strlen(uuid));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* mountinfo: mount points may be named by users. */
#include "boot/boot_mount.h"
#include "common/cleanup.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const paths[] = { "/", "/boot", "/boot/grub/grub.cfg", "/boot/efi" };
	_cleanup_free_ char *text = fuzz_text(data, size);

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_free_ char *relative = NULL;
		struct boot_mount mount;
		struct error err;

		if (boot_mount_from_mountinfo(text, paths[i], &mount, &err) < 0)
			continue;
		relative = boot_mount_relative(&mount, paths[i]);
		FUZZ_REQUIRE(*relative);
		(void)boot_mount_check_grub(&mount, paths[i], &err);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Generated grub.cfg files. */
#include "boot/grub_scan.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct grub_scan scan = grub_scan_config((const char *)data, size);

	FUZZ_REQUIRE(!scan.sets_default_after || scan.sources_custom);
	return 0;
}

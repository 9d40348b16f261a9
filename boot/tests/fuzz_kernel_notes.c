// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF notes, as /sys/kernel/notes has them. */
#include "boot/kernel_id.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char hex[KERNEL_BUILD_ID_SIZE] = "";

	if (kernel_id_from_notes(data, size, hex, NULL) == 0)
		FUZZ_REQUIRE(strspn(hex, "0123456789abcdef") == KERNEL_BUILD_ID_SIZE - 1);
	else
		FUZZ_REQUIRE(!*hex);
	return 0;
}

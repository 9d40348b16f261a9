// SPDX-License-Identifier: GPL-2.0-or-later
/* Environment blocks: anybody with the disk in hand may have written them. */
#include "boot/grubenv.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "abbot_next", "abbot_token", "next_entry", "x" };
	char value[256], block[GRUBENV_SIZE], before[GRUBENV_SIZE];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (grubenv_get((const char *)data, size, names[i], value, sizeof(value)) == 0)
			FUZZ_REQUIRE(strlen(value) < sizeof(value));
	if (size != GRUBENV_SIZE)
		return 0;
	memcpy(block, data, size);
	memcpy(before, data, size);
	if (grubenv_set(block, "abbot_next", "abbot-1-child\\\n", NULL) < 0) {
		FUZZ_REQUIRE(memcmp(block, before, size) == 0);
		return 0;
	}
	FUZZ_REQUIRE(grubenv_get(block, size, "abbot_next", value, sizeof(value)) == 0);
	FUZZ_REQUIRE(strcmp(value, "abbot-1-child\\\n") == 0);
	FUZZ_REQUIRE(memcmp(block, GRUBENV_HEADER, strlen(GRUBENV_HEADER)) == 0);
	return 0;
}

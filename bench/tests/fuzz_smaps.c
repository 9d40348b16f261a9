// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/self/smaps: names of mapped files are anybody's. */
#include "bench/smaps.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct smaps smaps = { 0 };
	char *text = fuzz_text(data, size);

	if (smaps_parse(text, size, 0x7f0000000000, 0x7f0000800000, &smaps) == 0)
		FUZZ_REQUIRE(smaps.n_mappings > 0);
	free(text);
	return 0;
}

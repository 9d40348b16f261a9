// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Logs of any kernel through the scrubber: what is scrubbed once has nothing left to scrub.
 */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "orchestrator/work/scrub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_text_ struct text_buffer once = { 0 };
	_cleanup_scrub_ struct scrub scrub = { 0 };

	scrub_add_word(&scrub, SCRUB_HOST, "snowdon");
	scrub_add_journal(&scrub, (const char *)data, size);
	scrub_text(&scrub, (const char *)data, size, &once);
	for (size_t i = 0; i < once.size; i++)
		FUZZ_REQUIRE(scrub_match_mac(once.text, once.size, i) == 0);
	return 0;
}

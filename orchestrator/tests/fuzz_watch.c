// SPDX-License-Identifier: GPL-2.0-or-later
/* What another machine, or whatever answers in its place, says is its status. */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "orchestrator/cli/watch_host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct watch_look look = { .is_heard = true };

	if (!watch_host_parse((const char *)data, size, &look))
		return 0;
	FUZZ_REQUIRE(look.answer.silence_s >= 0 && look.ask_again_s >= 0);
	FUZZ_REQUIRE(!strpbrk(look.why, "\n\033"));
	return 0;
}

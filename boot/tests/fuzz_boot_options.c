// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel command lines: /proc/cmdline, and what a job adds. */
#include "boot/boot_options.h"
#include "common/cleanup.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = fuzz_text(data, size);
	_cleanup_free_ char *inherited = boot_options_inherit(text);
	_cleanup_free_ char *again = boot_options_inherit(inherited);
	_cleanup_free_ char *joined = NULL;
	char value[33];

	/* Nothing of ours is inherited, and inheriting it again changes nothing. */
	FUZZ_REQUIRE(!boot_options_has(inherited, "abbot.token"));
	FUZZ_REQUIRE(strcmp(inherited, again) == 0);
	if (boot_options_get(text, "abbot.token", value, sizeof(value)))
		FUZZ_REQUIRE(strlen(value) < sizeof(value));
	if (boot_options_check(text, NULL) < 0)
		return 0;
	joined = boot_options_join(text, "abbot.point=child");
	FUZZ_REQUIRE(boot_options_get(joined, "abbot.point", value, sizeof(value)));
	FUZZ_REQUIRE(strcmp(value, "child") == 0);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* os-release files: whatever they say, there are commands to name. */
#include "boot/os_release.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct os_commands commands = os_commands_of((const char *)data, size);
	char value[64] = "untouched", small[2] = "";

	FUZZ_REQUIRE(commands.make_grub_config && *commands.make_grub_config);
	FUZZ_REQUIRE(commands.grub_editenv && commands.grub_set_default && commands.install_build_tools);
	if (os_release_get((const char *)data, size, "ID", value, sizeof(value)))
		FUZZ_REQUIRE(strlen(value) < sizeof(value));
	else
		FUZZ_REQUIRE(strcmp(value, "untouched") == 0);
	if (os_release_get((const char *)data, size, "ID", small, sizeof(small)))
		FUZZ_REQUIRE(strlen(small) < sizeof(small));
	return 0;
}

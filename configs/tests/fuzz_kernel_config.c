// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel configurations: what is accepted survives being written and read. */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "configs/kernel_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config again = { 0 };
	char first[DIGEST_HEX_SIZE], second[DIGEST_HEX_SIZE];
	_cleanup_free_ char *text = NULL;

	if (kernel_config_parse((const char *)data, size, "config", &config, NULL) < 0)
		return 0;
	text = kernel_config_write(&config);
	FUZZ_REQUIRE(kernel_config_parse(text, strlen(text), "written", &again, NULL) == 0);
	kernel_config_canonical_hash(&config, first);
	kernel_config_canonical_hash(&again, second);
	FUZZ_REQUIRE(strcmp(first, second) == 0);
	return 0;
}

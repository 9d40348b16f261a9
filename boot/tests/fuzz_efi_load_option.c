// SPDX-License-Identifier: GPL-2.0-or-later
/* Boot#### variables: what is read from one, put together again, reads the same. */
#include "boot/efi_load_option.h"
#include "boot/efi_variable.h"
#include "common/cleanup.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct efi_load_option option, again;
	_cleanup_free_ void *made = NULL;
	size_t made_size = 0;
	char text[256];

	if (efi_load_option_parse(data, size, &option) < 0)
		return 0;
	FUZZ_REQUIRE(option.data + option.data_size == data + size);
	FUZZ_REQUIRE(strlen(option.path) < sizeof(option.path));
	if (!option.has_partition || efi_text_read(option.data, option.data_size, text, sizeof(text)) < 0)
		return 0;
	FUZZ_REQUIRE(efi_load_option_make("d", &option.partition, option.path, text, &made, &made_size) == 0);
	FUZZ_REQUIRE(efi_load_option_parse(made, made_size, &again) == 0);
	FUZZ_REQUIRE(strcmp(again.path, option.path) == 0);
	FUZZ_REQUIRE(memcmp(&again.partition, &option.partition, sizeof(again.partition)) == 0);
	return 0;
}

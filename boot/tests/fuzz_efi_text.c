// SPDX-License-Identifier: GPL-2.0-or-later
/* The data of UEFI variables as text: what is read is UTF-8 that can be written again. */
#include "boot/efi_variable.h"
#include "common/cleanup.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = fuzz_text(data, size);
	_cleanup_free_ void *made = NULL, *back = NULL;
	char read[256] = "", short_text[3] = "", again[256];
	size_t made_size = 0, back_size = 0;

	(void)efi_text_read(data, size, short_text, sizeof(short_text));
	FUZZ_REQUIRE(strlen(short_text) < sizeof(short_text));
	if (efi_text_read(data, size, read, sizeof(read)) == 0) {
		FUZZ_REQUIRE(efi_text_make(read, &made, &made_size) == 0);
		FUZZ_REQUIRE(efi_text_read(made, made_size, again, sizeof(again)) == 0);
		FUZZ_REQUIRE(strcmp(read, again) == 0);
	}
	/* And the other way round. */
	if (strlen(text) < sizeof(again) && efi_text_make(text, &back, &back_size) == 0) {
		FUZZ_REQUIRE(efi_text_read(back, back_size, again, sizeof(again)) == 0);
		FUZZ_REQUIRE(strcmp(text, again) == 0);
	}
	return 0;
}

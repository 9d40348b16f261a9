// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of the Boot Loader Specification: a value found is one line, and can be added again. */
#include "boot/bls_entry.h"
#include "common/cleanup.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const keys[] = { "options", "linux", "title" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		_cleanup_text_ struct text_buffer entry = { 0 };
		_cleanup_free_ char *value = NULL, *again = NULL;

		if (!bls_entry_get((const char *)data, size, keys[i], &value))
			continue;
		FUZZ_REQUIRE(!strchr(value, '\n'));
		bls_entry_add(&entry, keys[i], value);
		FUZZ_REQUIRE(bls_entry_get(entry.text, entry.size, keys[i], &again) || !*value);
		/* A NUL is not of a text: after it nothing is promised. */
		if (again && !memchr(data, '\0', size))
			FUZZ_REQUIRE(strcmp(value, again) == 0);
	}
	return 0;
}

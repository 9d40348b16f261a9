// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a tree's get_maintainer.pl prints: whatever it is, recipients are plain text of one
 * line that a mail's header can hold, or there are none.
 */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "orchestrator/work/maintainers.h"

static void check(const json_t *list)
{
	const json_t *value;
	size_t i;

	json_array_foreach(list, i, value) {
		const char *text = json_string_value(value);

		FUZZ_REQUIRE(strchr(text, '@') && strlen(text) <= 256);
		for (const char *c = text; *c; c++)
			FUZZ_REQUIRE(*c >= ' ' && *c <= '~' && *c != ',');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_json_ json_t *recipients = NULL;

	if (maintainers_parse((const char *)data, size, &recipients, NULL) < 0)
		return 0;
	check(json_object_get(recipients, "to"));
	check(json_object_get(recipients, "cc"));
	return 0;
}

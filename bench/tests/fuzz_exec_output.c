// SPDX-License-Identifier: GPL-2.0-or-later
/* What a command of the user prints as its figures. */
#include "bench/exec_output.h"
#include "common/cleanup.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = fuzz_text(data, size);
	struct error err = { .text = "" };
	_cleanup_json_ json_t *metrics = NULL;

	if (exec_output_parse(text, size, &metrics, &err) < 0)
		FUZZ_REQUIRE(err.text[0]);
	else
		FUZZ_REQUIRE(json_is_object(metrics));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables measured elsewhere: what is accepted can be estimated, or is refused with a sentence. */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "reports/render/points_tsv.h"
#include "reports/render/render.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { .text = "" };
	_cleanup_free_ char *text = NULL;
	_cleanup_(result_done) struct result result;

	result_init(&result);
	if (points_tsv_parse((const char *)data, size, "points.tsv", &result, &err) < 0 ||
	    result_estimate(&result, &err) < 0) {
		FUZZ_REQUIRE(err.text[0]);
		return 0;
	}
	FUZZ_REQUIRE(render_result(&result, "text", &text, &err) == 0);
	return 0;
}

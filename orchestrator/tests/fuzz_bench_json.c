// SPDX-License-Identifier: GPL-2.0-or-later
/* What abbot-bench prints, which ran on a kernel that may have gone wrong. */
#include <math.h>

#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "orchestrator/work/measure_output.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct job job;

	job_init(&job);
	for (int exit_status = 0; exit_status <= 3; exit_status += 3) {
		const struct job_bench bench = job_bench_at(&job, 0);
		_cleanup_json_ json_t *output = NULL;
		struct error err = { .text = "" };
		double value = -1;

		if (measure_output_read(&bench, exit_status, (const char *)data, size, &output, &value,
					&err) < 0) {
			FUZZ_REQUIRE(err.text[0]);
			continue;
		}
		FUZZ_REQUIRE(json_is_object(output));
		FUZZ_REQUIRE(isfinite(value) && (exit_status == 0) == (value > 0));
	}
	job_done(&job);
	return 0;
}

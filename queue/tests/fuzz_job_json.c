// SPDX-License-Identifier: GPL-2.0-or-later
/* Jobs as JSON: from the socket, and from a store that somebody changed. */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "queue/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_json_ json_t *json = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
	_cleanup_json_ json_t *first = NULL, *second = NULL;
	struct error err = { .text = "" };
	struct job job, again;

	if (!json)
		return 0;
	if (job_from_json(json, &job, &err) < 0) {
		FUZZ_REQUIRE(err.text[0]);
		return 0;
	}
	(void)job_validate(&job, true, &err);
	first = job_to_json(&job);
	FUZZ_REQUIRE(job_from_json(first, &again, &err) == 0);
	second = job_to_json(&again);
	FUZZ_REQUIRE(json_equal(first, second));
	job_done(&again);
	job_done(&job);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Job files that anybody of the group may queue. */
#include <git2.h>

#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "queue/job_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int n_users;
	struct error err = { .text = "" };
	struct job job, again;
	_cleanup_json_ json_t *json = NULL;

	/* Kept started: each start reads the system's certificates. */
	if (n_users == 0)
		n_users = git_libgit2_init();
	if (job_file_parse((const char *)data, size, "my.job", &job, &err) < 0) {
		FUZZ_REQUIRE(err.text[0]);
		FUZZ_REQUIRE(!strchr(err.text, '\n'));
		return 0;
	}
	FUZZ_REQUIRE(job_validate(&job, false, &err) == 0);
	/* It will be kept as JSON. */
	json = job_to_json(&job);
	FUZZ_REQUIRE(job_from_json(json, &again, &err) == 0);
	job_done(&again);
	job_done(&job);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Diffs that anybody may have sent to a list, applied to one file in memory. */
#include <git2.h>

#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "common/text.h"
#include "orchestrator/work/patch.h"
#include "queue/job_change.h"

static int read_file(void *context, struct overlay_file *file, struct error *err)
{
	(void)context;
	(void)err;
	FUZZ_REQUIRE(job_change_is_path(file->path));
	if (strcmp(file->path, "x.c") != 0)
		return 0;
	file->data = text_duplicate("a\nb\nc\nd\ne\nf\ng\nh\n");
	file->size = strlen(file->data);
	file->mode = OVERLAY_MODE_FILE;
	file->is_there = true;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int n_users;
	_cleanup_free_ char *text = fuzz_text(data, size);
	_cleanup_(overlay_done) struct overlay overlay = { .read = read_file };
	struct error err = { .text = "" };

	/* Kept started: each start reads the system's certificates. */
	if (n_users == 0)
		n_users = git_libgit2_init();
	if (patch_apply_text(&overlay, text, size, "patch x", &err) < 0) {
		FUZZ_REQUIRE(err.text[0] && !strchr(err.text, '\n'));
		return 0;
	}
	for (size_t i = 0; i < overlay.n_files; i++) {
		const struct overlay_file *file = &overlay.files[i];

		FUZZ_REQUIRE(!file->is_there || (file->data && !file->data[file->size]));
		FUZZ_REQUIRE(!file->is_there || file->mode == OVERLAY_MODE_FILE ||
			     file->mode == OVERLAY_MODE_EXECUTABLE);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One run of the tree's get_maintainer.pl. Its input is maintainers_patch.c's, its output
 * maintainers_parse.c's.
 */
#include "orchestrator/work/maintainers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/printable.h"
#include "common/text.h"
#include "orchestrator/work/sandbox.h"
#include "orchestrator/work/toolchain.h"

#define SCRIPT "scripts/get_maintainer.pl"
#define NOBODY 65534
#define OUTPUT_MAX_BYTES (64U << 10)
#define MEMORY_MAX_BYTES (1ULL << 30)
#define PROCESSES_MAX 256

static int fail(const struct subprocess_result *result, struct error *err)
{
	_cleanup_free_ char *output = text_duplicate(result->error_output ? result->error_output : "");
	char *line = text_strip(output);

	line[strcspn(line, "\n")] = '\0';
	if (result->signal)
		return error_set(err, -EPROTO, "it was killed by signal %d", result->signal);
	return error_set(err, -EPROTO, "it failed with status %d%s%.200s", result->exit_status,
			 line[0] ? ": " : "", line);
}

/* Options that no configuration of the tree's changes: they come last. */
static int run(const struct maintainers_request *request, const char *patch,
	       json_t **ret_recipients, struct error *err)
{
	static const char *const argv[] = {
		"perl", SCRIPT, "--nogit", "--nogit-fallback", "--norolestats", "--roles",
		"--multiline", "--n", "--m", "--r", "--l", "--noweb", "--noscm", "--nostatus",
		"--nosubsystem", NULL,
	};
	static const char *const environment[] = {
		"PATH=" TOOLCHAIN_PATH, "HOME=/nonexistent", "LC_ALL=C.UTF-8", NULL,
	};
	const struct subprocess_options options = {
		.argv = argv,
		.environment = environment,
		.directory = request->tree,
		.input_path = patch,
		.change_user = geteuid() == 0,
		.uid = NOBODY,
		.gid = NOBODY,
		.timeout_ms = request->timeout_ms,
		.max_output_bytes = OUTPUT_MAX_BYTES,
		.max_file_bytes = 1, /* nothing that it could write is wanted */
		.max_memory_bytes = MEMORY_MAX_BYTES,
		.max_processes = PROCESSES_MAX,
		.is_expendable = true,
		.ends_strays = true,
	};
	const struct sandbox_place place = { .path = request->tree };
	struct subprocess_result result = { 0 };
	int r = sandbox_run(&options, &place, 1, &result, err);

	if (r == 0 && result.timed_out)
		r = error_set(err, -ETIMEDOUT, "it did not end within %llu seconds",
			      (unsigned long long)(request->timeout_ms + 999) / 1000);
	else if (r == 0 && result.exit_status != 0)
		r = fail(&result, err);
	else if (r == 0 && result.output_size >= OUTPUT_MAX_BYTES)
		r = error_set(err, -EBADMSG, "it printed more than %u KiB", OUTPUT_MAX_BYTES >> 10);
	else if (r == 0)
		r = maintainers_parse(result.output ? result.output : "", result.output_size,
				      ret_recipients, err);
	subprocess_result_done(&result);
	return r;
}

static json_t *note(const char *sentence)
{
	_cleanup_free_ char *clean = text_duplicate(sentence);

	printable_clean(clean, false); /* what is no UTF-8 has no place in JSON */
	return json_pack("{s:s}", "note", clean);
}

json_t *maintainers_find(const struct maintainers_request *request)
{
	_cleanup_free_ char *script = path_join(request->tree, SCRIPT);
	_cleanup_free_ char *patch = path_join(request->scratch, "maintainers.patch");
	json_t *recipients = NULL;
	struct error err = { "" };
	int r;

	if (!request->parent->commit[0] || !request->child->commit[0])
		return note("the kernels are no commits");
	if (!file_exists(script))
		return note("the tree has no " SCRIPT);
	r = maintainers_write_patch(request->repository, request->parent->commit,
				    request->child->commit, patch, &err);
	if (r == 0) {
		r = run(request, patch, &recipients, &err);
		if (r < 0)
			error_prefix(&err, r, SCRIPT " of the tree");
	}
	(void)unlink(patch);
	return r < 0 ? note(err.text) : recipients;
}

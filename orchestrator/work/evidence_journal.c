// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The journal of an attempt, by journalctl(1): of the boot that runs; of one that went down
 * only where the journal is persistent, and only when its kernel was given our token.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/text.h"
#include "orchestrator/work/evidence.h"

#define JOURNAL_TIMEOUT_MS 60000
#define JOURNAL_MAX_BYTES (4U << 20)
#define JOURNAL_LINES "20000"
#define PREVIOUS_BOOT "-1"

static int run(const char *const *argv, struct subprocess_result *ret_result, struct error *err)
{
	const struct subprocess_options options = { .argv = argv, .timeout_ms = JOURNAL_TIMEOUT_MS,
						    .max_output_bytes = JOURNAL_MAX_BYTES };

	return subprocess_check(&options, ret_result, err);
}

/* Was the previous boot that attempt? Its kernel says what its command line was. */
static bool is_previous_boot(const char *token)
{
	_cleanup_(subprocess_result_done) struct subprocess_result result = { 0 };
	_cleanup_free_ char *pattern = text_format("--grep=abbot\\.token=%s", token);
	const char *const argv[] = { "journalctl", "--quiet", "--no-pager", "--boot=" PREVIOUS_BOOT,
				     "--output=cat", "--lines=1", pattern, "_TRANSPORT=kernel",
				     NULL };

	return *token && run(argv, &result, NULL) == 0 && result.output_size > 0;
}

static void keep(struct evidence *evidence, const char *boot, bool is_wanted)
{
	_cleanup_(subprocess_result_done) struct subprocess_result result = { 0 };
	_cleanup_free_ char *option = text_format("--boot=%s", boot);
	const char *const argv[] = { "journalctl", "--quiet", "--no-pager", option,
				     "--output=short-monotonic", "--lines=" JOURNAL_LINES, NULL };
	struct error why = { 0 };

	if (run(argv, &result, &why) < 0) {
		if (is_wanted)
			evidence_found(evidence, "not-collected", why.text, NULL);
		return;
	}
	if (result.output_size > 0)
		(void)evidence_keep(evidence, EVIDENCE_JOURNAL, result.output, result.output_size);
}

/* journalctl takes a boot id without the hyphens that the kernel gives it. */
static void keep_by_id(struct evidence *evidence, const char *boot_id)
{
	_cleanup_text_ struct text_buffer id = { 0 };

	for (const char *at = boot_id; *at; at++)
		if (*at != '-')
			text_append_bytes(&id, at, 1);
	if (id.size)
		keep(evidence, id.text, false);
}

void evidence_keep_journal(struct evidence *evidence)
{
	const struct evidence_request *request = evidence->request;
	_cleanup_free_ char *system = text_format("%s/run/systemd/system", request->root);

	/* Without systemd there is none; and journalctl reads that of /, whatever the root. */
	if (!file_exists(system) || *request->root)
		return;
	if (request->is_running)
		keep(evidence, "0", true);
	else if (*request->boot_id)
		keep_by_id(evidence, request->boot_id);
	else if (request->has_crashed && is_previous_boot(request->token))
		keep(evidence, PREVIOUS_BOOT, false);
}

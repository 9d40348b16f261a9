// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects, writes down, and only then makes room in pstore for the next crash.
 */
#include "orchestrator/work/evidence.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <linux/watchdog.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/failed_units.h"
#include "boot/kernel_log.h"
#include "boot/kernel_messages.h"
#include "boot/pstore.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/printable.h"
#include "common/text.h"

#define KERNEL_LOG_MAX_BYTES (2U << 20)
#define PSTORE_MAX_BYTES (4U << 20)
#define FAILED_UNITS_MAX 10
#define FINDINGS_MAX 40
#define NUMBER_MAX_BYTES 64
#define WATCHDOGS "/sys/class/watchdog"
#define GROUP "abbot"

char *evidence_directory(const char *state_directory, int64_t job, int boot, int attempt)
{
	return text_format("%s/jobs/%lld/boot-%02d-attempt-%d", state_directory, (long long)job,
			   boot + 1, attempt);
}

void evidence_found(struct evidence *evidence, const char *kind, const char *text,
		    const char *from)
{
	_cleanup_free_ char *clean = text_duplicate(text);
	json_t *finding;

	if (json_array_size(evidence->findings) >= FINDINGS_MAX)
		return;
	printable_clean(clean, false);
	finding = json_pack("{s:s, s:s}", "kind", kind, "text", clean);
	if (from)
		(void)json_object_set_new(finding, "from", json_string(from));
	(void)json_array_append_new(evidence->findings, finding);
}

/* Readable for the group that may use abbot; where there is none, for root alone. */
static int give_to_group(const char *path)
{
	const struct group *group = getgrnam(GROUP);

	return group && chown(path, (uid_t)-1, group->gr_gid) < 0 ? -errno : 0;
}

bool evidence_keep(struct evidence *evidence, const char *name, const char *data, size_t size)
{
	_cleanup_free_ char *path = path_join(evidence->directory, name);
	struct error why = { 0 };
	int r = file_make_directories(evidence->directory, 0755, &why);

	if (r == 0)
		r = file_write_durable(path, data, size, 0640, &why);
	if (r < 0) {
		evidence_found(evidence, "not-collected", why.text, NULL);
		return false;
	}
	(void)give_to_group(path);
	(void)json_array_append_new(evidence->files, json_string(name));
	return true;
}

static void add_log_findings(struct evidence *evidence, const char *data, size_t size,
			     const char *from)
{
	struct kernel_log log;

	kernel_log_scan(data, size, &log);
	for (int i = 0; i < log.n_findings; i++) {
		const struct kernel_log_finding *finding = &log.findings[i];
		_cleanup_free_ char *text =
			finding->n > 1 ? text_format("%s (%d times)", finding->text, finding->n)
				       : text_duplicate(finding->text);

		evidence_found(evidence, finding->kind, text, from);
	}
	if (from && !evidence->crash)
		evidence->crash = kernel_log_crash(&log);
}

static void collect_kernel_log(struct evidence *evidence)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	struct error why = { 0 };

	if (kernel_messages_read(evidence->request->root, KERNEL_LOG_MAX_BYTES, &text, &why) < 0) {
		evidence_found(evidence, "not-collected", why.text, NULL);
		return;
	}
	(void)evidence_keep(evidence, EVIDENCE_KERNEL_LOG, text.text ? text.text : "", text.size);
	add_log_findings(evidence, text.text ? text.text : "", text.size, NULL);
}

static void unit_has_failed(void *context, const char *name)
{
	evidence_found(context, "failed-unit", name, NULL);
}

static void collect_failed_units(struct evidence *evidence)
{
	struct error why = { 0 };

	if (failed_units_list(FAILED_UNITS_MAX, unit_has_failed, evidence, &why) < 0)
		evidence_found(evidence, "not-collected", why.text, NULL);
}

/*
 * A try that was cut off may have made room already: what it wrote down holds all. Otherwise
 * written down first. False when there is nothing, or nothing safe.
 */
static bool pstore_is_kept(struct evidence *evidence, const struct pstore *pstore)
{
	_cleanup_free_ char *path = path_join(evidence->directory, EVIDENCE_PSTORE);
	_cleanup_free_ char *before = NULL;
	_cleanup_text_ struct text_buffer text = { 0 };
	size_t size = 0;

	if (file_read_regular(path, PSTORE_MAX_BYTES, &before, &size, NULL) == 0) {
		(void)json_array_append_new(evidence->files, json_string(EVIDENCE_PSTORE));
		add_log_findings(evidence, before, size, "pstore");
		return true;
	}
	if (!pstore->n_records)
		return false;
	pstore_text(pstore, &text);
	if (text.size > PSTORE_MAX_BYTES)
		text.size = PSTORE_MAX_BYTES;
	add_log_findings(evidence, text.text, text.size, "pstore");
	return evidence_keep(evidence, EVIDENCE_PSTORE, text.text, text.size);
}

static void collect_pstore(struct evidence *evidence)
{
	const struct evidence_request *request = evidence->request;
	_cleanup_(pstore_done) struct pstore pstore = { 0 };
	struct error why = { 0 };

	if (pstore_read(request->root, request->since_s, &pstore, &why) < 0)
		evidence_found(evidence, "not-collected", why.text, NULL);
	if (pstore_is_kept(evidence, &pstore) && pstore_clear(&pstore, &why) < 0)
		evidence_found(evidence, "not-collected", why.text, NULL);
}

static bool read_number(const char *path, long *ret_number)
{
	_cleanup_free_ char *text = NULL;
	char *rest;

	if (file_read(path, NUMBER_MAX_BYTES, &text, NULL, NULL) < 0)
		return false;
	*ret_number = strtol(text, &rest, 0);
	return rest != text;
}

/* A driver that knows says in bootstatus why the machine was reset. */
static void collect_watchdogs(struct evidence *evidence)
{
	_cleanup_free_ char *path = text_format("%s" WATCHDOGS, evidence->request->root);
	_cleanup_dir_ DIR *directory = opendir(path);

	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		_cleanup_free_ char *status = text_format("%s/%s/bootstatus", path, entry->d_name);
		long bits = 0;

		if (!text_has_prefix(entry->d_name, "watchdog") || !read_number(status, &bits) ||
		    !(bits & WDIOF_CARDRESET))
			continue;
		evidence_found(evidence, "watchdog-reset", entry->d_name, NULL);
		if (!evidence->crash)
			evidence->crash = text_format("the watchdog (%s) reset it", entry->d_name);
	}
}

static void collect(struct evidence *evidence)
{
	const struct evidence_request *request = evidence->request;

	if (request->is_running) {
		collect_kernel_log(evidence);
		collect_failed_units(evidence);
	}
	collect_pstore(evidence);
	if (request->has_crashed)
		collect_watchdogs(evidence);
	evidence_keep_journal(evidence);
	if (request->has_crashed && !evidence->crash && !json_array_size(evidence->files))
		evidence_found(evidence, "nothing",
			       "it left nothing behind: no record in pstore, no watchdog that says so, no journal of its boot",
			       NULL);
}

int evidence_collect(const struct evidence_request *request, json_t **ret_result,
		     struct error *err)
{
	_cleanup_free_ char *directory = evidence_directory(request->state_directory, request->job,
							    request->boot, request->attempt);
	_cleanup_free_ char *taint = text_format("%s/proc/sys/kernel/tainted", request->root);
	struct evidence evidence = { .request = request, .directory = directory,
				     .files = json_array(), .findings = json_array() };
	json_t *result;
	long bits;

	collect(&evidence);
	result = json_pack("{s:o, s:o}", "files", evidence.files, "findings", evidence.findings);
	if (result && request->is_running && read_number(taint, &bits))
		(void)json_object_set_new(result, "taint", json_integer(bits));
	if (result && evidence.crash)
		(void)json_object_set_new(result, "crash", json_string(evidence.crash));
	free(evidence.crash);
	if (!result)
		return error_set(err, -ENOMEM, "out of memory");
	*ret_result = result;
	return 0;
}

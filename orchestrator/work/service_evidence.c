// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot log --boot N`: the kept kernel logs of one boot, each attempt's, as text.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/evidence.h"
#include "orchestrator/work/service_internal.h"

#define FILE_MAX_BYTES (4U << 20)

/* What is longer is read where it lies. */
static void add_file(struct text_buffer *text, const char *directory, const char *name)
{
	_cleanup_free_ char *path = path_join(directory, name), *data = NULL;
	struct error why = { 0 };
	size_t size = 0;

	if (file_read_regular(path, FILE_MAX_BYTES, &data, &size, &why) < 0) {
		text_printf(text, "==> %s\n%s\n", path, why.text);
		return;
	}
	text_printf(text, "==> %s\n", path);
	text_append_bytes(text, data, size);
	text_append(text, size && data[size - 1] != '\n' ? "\n" : "");
}

static void add_attempt(struct text_buffer *text, const struct service *service,
			const struct event *event)
{
	_cleanup_free_ char *directory = evidence_directory(service->state_directory, event->job,
							    event->boot, event->attempt);
	static const char *const names[] = { EVIDENCE_KERNEL_LOG, EVIDENCE_PSTORE };
	const json_t *files = json_object_get(event->data, "files");

	for (size_t i = 0; i < json_array_size(files); i++) {
		const char *file = json_string_value(json_array_get(files, i));

		for (size_t k = 0; file && k < ARRAY_SIZE(names); k++)
			if (strcmp(file, names[k]) == 0)
				add_file(text, directory, names[k]);
		if (file && strcmp(file, EVIDENCE_JOURNAL) == 0)
			text_printf(text, "==> %s/" EVIDENCE_JOURNAL " is its journal\n", directory);
	}
}

int service_boot_log(const struct service *service, const struct service_job *job, int64_t boot,
		     json_t **ret_reply, struct error *err)
{
	_cleanup_text_ struct text_buffer text = { 0 };

	for (size_t i = 0; i < job->events.n_events; i++) {
		const struct event *event = &job->events.events[i];

		if (event->kind == EVENT_EVIDENCE && event->phase == EVENT_RESULT &&
		    event->boot == boot - 1)
			add_attempt(&text, service, event);
	}
	if (!text.size)
		return error_set(err, -ENOENT,
				 "no kernel log of boot %lld of job %lld is kept: it is, as soon as the boot is over",
				 (long long)boot, (long long)job->row.id);
	*ret_reply = json_pack("{s:o}", "text", json_stringn_nocheck(text.text, text.size));
	return 0;
}

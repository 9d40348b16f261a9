// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot kernels`: what is in the kernel store, and taking kernels away that nobody
 * needs. A kernel that a job needs, or that is on the machine, is never taken.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/describe.h"
#include "orchestrator/work/kernel_list.h"
#include "orchestrator/work/kernel_use.h"

#define SECONDS_A_DAY 86400
#define KEY_PREFIX_MIN 4
#define DAYS_MAX 100000

struct kernels {
	const struct service *service;
	struct kernel_list list;
	struct kernel_use use;
};

static void kernels_done(struct kernels *kernels)
{
	kernel_list_done(&kernels->list);
	kernel_use_done(&kernels->use);
}

static int kernels_load(const struct service *service, struct kernels *ret_kernels,
			struct error *err)
{
	_cleanup_(kernels_done) struct kernels kernels = { .service = service };
	int r = kernel_use_load(service, &kernels.use, err);

	if (r == 0)
		r = kernel_list_read(service->state_directory, &kernels.list, err);
	if (r < 0)
		return r;
	*ret_kernels = kernels;
	kernels = (struct kernels){ 0 };
	return 0;
}

static const char *member(const struct kernel_list_row *row, const char *name)
{
	const char *text = json_string_value(json_object_get(row->meta, name));

	return text ? text : "";
}

static int64_t age_days(const struct kernels *kernels, const struct kernel_list_row *row)
{
	return (kernels->service->now_ns / 1000000000 - row->stored_s) / SECONDS_A_DAY;
}

static json_t *row_json(const struct kernels *kernels, const struct kernel_list_row *row)
{
	int64_t job = kernel_use_needed_by(&kernels->use, row->key);

	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:o, s:b, s:O?}", "key", row->key,
			 "status", row->meta ? member(row, "status") : "damaged", "release",
			 member(row, "release"), "commit", member(row, "commit"), "title",
			 member(row, "title"), "bytes", (json_int_t)row->n_bytes, "stored_s",
			 (json_int_t)row->stored_s, "needed_by",
			 job ? json_integer(job) : json_null(), "is_installed",
			 kernel_use_is_installed(kernels->service, &kernels->use, row->key) ? 1 : 0,
			 "modules", json_object_get(row->meta, "modules"));
}

static void row_say(struct text_buffer *text, const struct kernels *kernels,
		    const struct kernel_list_row *row)
{
	int64_t job = kernel_use_needed_by(&kernels->use, row->key);
	const char *status = row->meta ? member(row, "status") : "damaged";
	char commit[13];

	text_printf(text, "%.12s  %-28s %8.1f  %4" PRId64 "  %s %.40s", row->key,
		    *member(row, "release") ? member(row, "release") : status,
		    (double)row->n_bytes / (1 << 20), age_days(kernels, row),
		    describe_commit(member(row, "commit"), commit), member(row, "title"));
	if (job)
		text_printf(text, "; job %" PRId64 " needs it", job);
	if (kernel_use_is_installed(kernels->service, &kernels->use, row->key))
		text_append(text, "; installed");
	text_append(text, "\n");
}

int service_kernels(const struct service *service, const json_t *request, json_t **ret_reply,
		    struct error *err)
{
	_cleanup_(kernels_done) struct kernels kernels = { 0 };
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_json_ json_t *rows = json_array(), *orphans = NULL;
	uint64_t total = 0;
	const json_t *orphan;
	size_t i;
	int r = kernels_load(service, &kernels, err);

	(void)request;
	if (r < 0)
		return r;
	text_append(&text, kernels.list.n_rows ? "KEY           RELEASE                           MiB  DAYS  COMMIT\n"
					       : "No kernels.\n");
	for (i = 0; i < kernels.list.n_rows; i++) {
		total += kernels.list.rows[i].n_bytes;
		row_say(&text, &kernels, &kernels.list.rows[i]);
		(void)json_array_append_new(rows, row_json(&kernels, &kernels.list.rows[i]));
	}
	if (kernels.list.n_rows)
		text_printf(&text, "%zu kernels, %.1f MiB\n", kernels.list.n_rows,
			    (double)total / (1 << 20));
	orphans = kernel_use_orphans(service, &kernels.use, false, &r, err);
	json_array_foreach(orphans, i, orphan)
		text_printf(&text, "orphan: %s; \"abbot kernels gc\" takes it away\n",
			    json_string_value(orphan));
	if (r < 0)
		return r;
	*ret_reply = json_pack("{s:{s:O, s:O, s:I}, s:s}", "kernels", "kernels", rows, "orphans",
			       orphans, "bytes", (json_int_t)total, "text", text.text);
	return 0;
}

/* Its key may be the very one that is about to go. */
static int refuse_while_building(const struct kernels *kernels, struct error *err)
{
	if (!kernels->use.building_job)
		return 0;
	return error_set(err, -EBUSY,
			 "job %" PRId64 " has kernels still to build or to find here: try again when they are built, or cancel it",
			 kernels->use.building_job);
}

static int find_row(const struct kernels *kernels, const char *prefix,
		    const struct kernel_list_row **ret_row, struct error *err)
{
	const struct kernel_list_row *found = NULL;

	if (!prefix || strlen(prefix) < KEY_PREFIX_MIN)
		return error_set(err, -EINVAL, "a kernel's key is at least its first %d digits",
				 KEY_PREFIX_MIN);
	for (size_t i = 0; i < kernels->list.n_rows; i++) {
		if (!text_has_prefix(kernels->list.rows[i].key, prefix))
			continue;
		if (found)
			return error_set(err, -EINVAL, "two kernels begin with %.64s: give more digits", prefix);
		found = &kernels->list.rows[i];
	}
	if (!found)
		return error_set(err, -ENOENT, "no kernel begins with %.64s; \"abbot kernels list\" shows them",
				 prefix);
	*ret_row = found;
	return 0;
}

static int refuse_if_used(const struct kernels *kernels, const char *key, struct error *err)
{
	int64_t job = kernel_use_needed_by(&kernels->use, key);

	if (job)
		return error_set(err, -EBUSY, "job %" PRId64 " needs the kernel %.12s: cancel the job first",
				 job, key);
	if (kernel_use_is_installed(kernels->service, &kernels->use, key))
		return error_set(err, -EBUSY, "the kernel %.12s is installed on this machine: \"abbot kernels gc\" takes away what no job needs",
				 key);
	return 0;
}

int service_kernels_remove(const struct service *service, const json_t *request,
			   json_t **ret_reply, struct error *err)
{
	_cleanup_(kernels_done) struct kernels kernels = { 0 };
	const json_t *keys = json_object_get(request, "keys"), *key;
	_cleanup_text_ struct text_buffer text = { 0 };
	const struct kernel_list_row *row;
	size_t i;
	int r = kernels_load(service, &kernels, err);

	if (r == 0)
		r = refuse_while_building(&kernels, err);
	if (r == 0 && json_array_size(keys) == 0)
		r = error_set(err, -EINVAL, "which kernels? Give their keys");
	/* All or nothing: every key is looked at before the first is taken. */
	json_array_foreach(keys, i, key) {
		if (r == 0)
			r = find_row(&kernels, json_string_value(key), &row, err);
		if (r == 0)
			r = refuse_if_used(&kernels, row->key, err);
	}
	json_array_foreach(keys, i, key) {
		if (r == 0)
			r = find_row(&kernels, json_string_value(key), &row, err);
		if (r == 0)
			r = kernel_list_remove(service->state_directory, row->key, err);
		if (r == 0)
			text_printf(&text, "removed %.12s %s\n", row->key, member(row, "release"));
	}
	if (r < 0)
		return r;
	*ret_reply = json_pack("{s:s}", "text", text.text);
	return 0;
}

struct gc_rules {
	int64_t older_than_days;
	int64_t keep_bytes; /* -1: no matter how many */
};

static int rules_read(const json_t *request, struct gc_rules *ret_rules, struct error *err)
{
	const json_t *days = json_object_get(request, "older_than_days");
	const json_t *bytes = json_object_get(request, "keep_bytes");

	if ((days && !json_is_integer(days)) || (bytes && !json_is_integer(bytes)) ||
	    json_integer_value(days) < 0 || json_integer_value(days) > DAYS_MAX ||
	    json_integer_value(bytes) < 0)
		return error_set(err, -EINVAL, "\"older_than_days\" and \"keep_bytes\" must be numbers, 0 or more");
	ret_rules->older_than_days = days ? json_integer_value(days) : bytes ? DAYS_MAX : SERVICE_GC_DAYS;
	ret_rules->keep_bytes = bytes ? json_integer_value(bytes) : -1;
	return 0;
}

/* Oldest first, so that what is kept within "keep_bytes" is the newest. */
static int gc_kernels(const struct kernels *kernels, const struct gc_rules *rules, json_t *removed,
		      struct text_buffer *text, struct error *err)
{
	uint64_t left = 0;

	for (size_t i = 0; i < kernels->list.n_rows; i++)
		left += kernels->list.rows[i].n_bytes;
	for (size_t i = 0; i < kernels->list.n_rows; i++) {
		const struct kernel_list_row *row = &kernels->list.rows[i];
		bool is_old = age_days(kernels, row) >= rules->older_than_days;
		bool is_too_much = rules->keep_bytes >= 0 && left > (uint64_t)rules->keep_bytes;
		int r;

		if ((!is_old && !is_too_much) || refuse_if_used(kernels, row->key, NULL) < 0)
			continue;
		r = kernel_list_remove(kernels->service->state_directory, row->key, err);
		if (r < 0)
			return r;
		left -= row->n_bytes;
		text_printf(text, "removed %.12s %s, %.1f MiB\n", row->key, member(row, "release"),
			    (double)row->n_bytes / (1 << 20));
		(void)json_array_append_new(removed, json_string(row->key));
	}
	return 0;
}

int service_kernels_gc(const struct service *service, const json_t *request, json_t **ret_reply,
		       struct error *err)
{
	_cleanup_(kernels_done) struct kernels before = { 0 }, kernels = { 0 };
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_json_ json_t *removed = json_array(), *orphans = NULL;
	struct gc_rules rules = { 0 };
	const json_t *orphan;
	size_t i;
	int r = rules_read(request, &rules, err);

	if (r == 0)
		r = kernels_load(service, &before, err);
	if (r == 0)
		r = refuse_while_building(&before, err);
	if (r < 0)
		return r;
	orphans = kernel_use_orphans(service, &before.use, true, &r, err);
	json_array_foreach(orphans, i, orphan)
		text_printf(&text, "removed %s\n", json_string_value(orphan));
	/* Looked at again: what was installed for an orphan is no longer. */
	if (r == 0)
		r = kernels_load(service, &kernels, err);
	if (r == 0)
		r = gc_kernels(&kernels, &rules, removed, &text, err);
	if (r < 0)
		return r;
	if (text.size == 0)
		text_append(&text, "Nothing to remove.\n");
	*ret_reply = json_pack("{s:{s:O, s:O}, s:s}", "removed", "kernels", removed, "orphans", orphans,
			       "text", text.text);
	return 0;
}

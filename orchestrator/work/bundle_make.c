// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts a bundle together: events and files are scrubbed first, and all else follows from
 * what is left, so that whoever checks the bundle comes to the same report.
 */
#include "orchestrator/work/bundle_make.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/paths.h"
#include "common/text.h"
#include "orchestrator/work/evidence.h"
#include "orchestrator/work/result_build.h"

#define PRIVATE_KEY "PRIVATE KEY-----"
#define BENCH_SOURCE "abbot-bench-source.tar.gz"

/* What is made, and of what. */
struct making {
	const struct bundle_request *request;
	struct event_list events;  /* scrubbed */
	struct bundle kept;        /* from the state directory, as it is there */
	struct scrub scrub;
	json_t *absent;
	struct bundle bundle;
};

static void making_done(struct making *making)
{
	event_list_done(&making->events);
	bundle_done(&making->kept);
	scrub_done(&making->scrub);
	json_decref(making->absent);
	bundle_done(&making->bundle);
}

int64_t bundle_time(const struct event_list *events)
{
	int64_t at_ns = 0;

	for (size_t i = 0; i < events->n_events; i++)
		at_ns = events->events[i].at_ns > at_ns ? events->events[i].at_ns : at_ns;
	return at_ns / 1000000000;
}

/* Boots are told apart by these: random, and of nobody. */
static void keep_boot_ids(struct scrub *scrub, const struct event_list *events)
{
	for (size_t i = 0; i < events->n_events; i++) {
		const json_t *data = events->events[i].data;
		const char *ids[] = {
			events->events[i].boot_id,
			json_string_value(json_object_get(data, "boot_id")),
			json_string_value(json_object_get(data, "from_boot_id")),
		};

		for (size_t k = 0; k < ARRAY_SIZE(ids); k++)
			if (ids[k] && *ids[k])
				scrub_keep_uuid(scrub, ids[k]);
	}
}

static void scrub_prepare(struct scrub *scrub, const struct event_list *events,
			  const struct bundle *kept)
{
	scrub_add_machine(scrub);
	keep_boot_ids(scrub, events);
	for (size_t i = 0; i < kept->n_files; i++)
		if (text_has_suffix(kept->files[i].name, "/" EVIDENCE_JOURNAL))
			scrub_add_journal(scrub, kept->files[i].data, kept->files[i].size);
}

/* Replaces the data of each event by a scrubbed copy. */
static int scrub_events(struct scrub *scrub, const struct event_list *events,
			struct event_list *ret_events, struct error *err)
{
	struct event_list copy = { .events = calloc(events->n_events, sizeof(*copy.events)) };

	if (!copy.events)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < events->n_events; i++) {
		copy.events[i] = events->events[i];
		copy.events[i].data = scrub ? scrub_json(scrub, events->events[i].data)
					    : json_incref(events->events[i].data);
		copy.n_events++;
	}
	*ret_events = copy;
	return 0;
}

static int scrub_file(struct scrub *scrub, const struct bundle_file *file, struct bundle *bundle,
		      struct error *err)
{
	_cleanup_json_ json_t *json = NULL, *clean = NULL;
	struct text_buffer text = { 0 };
	size_t size;

	if (text_has_suffix(file->name, ".json"))
		json = json_loadb(file->data, file->size, 0, NULL);
	if (json) {
		clean = scrub_json(scrub, json);
		return bundle_add_json(bundle, file->name, clean, err);
	}
	scrub_text(scrub, file->data, file->size, &text);
	size = text.size;
	return bundle_add(bundle, file->name, text_buffer_take(&text), size, err);
}

/* Into @bundle what the state directory keeps, scrubbed unless @scrub is NULL. */
static int add_kept(struct bundle *bundle, struct bundle *kept, struct scrub *scrub,
		    struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < kept->n_files; i++) {
		struct bundle_file *file = &kept->files[i];

		if (scrub)
			r = scrub_file(scrub, file, bundle, err);
		else
			r = bundle_add(bundle, file->name, TAKE_PTR(file->data), file->size, err);
	}
	return r;
}

/* Scrubbing may cost words, never the result. */
static int check_result(const struct store_job *row, const struct event_list *before,
			const struct event_list *after, struct error *err)
{
	_cleanup_(result_done) struct result a, b;
	int r;

	result_init(&a);
	result_init(&b);
	r = result_build(row, before, &a, err);
	if (r == 0)
		r = result_build(row, after, &b, err);
	if (r == 0 && (a.status != b.status || a.n_boots != b.n_boots ||
		       a.held_equal.n != b.held_equal.n))
		r = error_set(err, -EPERM,
			      "without what is private the result would be another one; --private keeps it");
	return r;
}

static int add_program(struct bundle *bundle, struct error *err)
{
	_cleanup_free_ char *program = NULL, *source = NULL;
	char *data;
	size_t size;
	int r = paths_program("abbot-bench", &program, err);

	if (r == 0)
		r = paths_built(BENCH_SOURCE, &source, err);
	if (r == 0)
		r = file_read_regular(program, BUNDLE_FILE_MAX_BYTES, &data, &size, err);
	if (r == 0)
		r = bundle_add(bundle, "bench/abbot-bench", data, size, err);
	if (r == 0)
		r = file_read_regular(source, BUNDLE_FILE_MAX_BYTES, &data, &size, err);
	return r < 0 ? r : bundle_add(bundle, "bench/" BENCH_SOURCE, data, size, err);
}

static int add_facts(struct making *making, const char *name, struct error *err)
{
	const struct bundle_request *request = making->request;
	_cleanup_json_ json_t *counts = json_object();
	_cleanup_json_ json_t *facts = NULL;

	for (size_t i = 0; i < SCRUB_KIND_COUNT; i++)
		(void)json_object_set_new(counts, scrub_kind_name((enum scrub_kind)i),
					  json_integer((json_int_t)making->scrub.counts[i]));
	facts = json_pack("{s:i, s:s, s:{s:I, s:s, s:s, s:I, s:I}, s:b, s:O, s:O, s:O*}", "schema", BUNDLE_SCHEMA,
			  "abbot", ABBOT_VERSION, "job", "id", (json_int_t)request->row->id, "name", name, "machine",
			  store_machine_name(request->row->machine), "rehearses",
			  (json_int_t)request->row->rehearses, "submitted_ns",
			  (json_int_t)request->row->submitted_ns, "is_private", request->is_private ? 1 : 0,
			  "scrubbed", counts, "absent", making->absent, "mail", request->mail);
	return bundle_add_json(&making->bundle, BUNDLE_FACTS, facts, err);
}

static int add_readme(struct making *making, const char *said, struct error *err)
{
	struct text_buffer text = { 0 };
	size_t size;

	text_printf(&text,
		    "Evidence of job %lld, made by Abbot " ABBOT_VERSION ".\n\n"
		    "  report/        the result: report.txt first\n"
		    "  raw/           what each process of the benchmark printed\n"
		    "  events.json    all that happened, in order\n"
		    "  job.json       what was asked for, commits resolved\n"
		    "  machine.json   each boot's settings and environment\n"
		    "  kernels/       config, build log and description of each kernel\n"
		    "  boots/         what each boot's kernel and services wrote\n"
		    "  bench/         the benchmark and its source: make PKGS=jansson build/abbot-bench\n"
		    "  SHA256SUMS     sha256sum -c SHA256SUMS\n\n"
		    "abbot bundle --verify PATH checks the sums and makes the report again from raw/.\n"
		    "The sums tell of damage, not of forgery: whoever changes a file can sum it again.\n\n",
		    (long long)making->request->row->id);
	if (making->request->is_private)
		text_append(&text, "PRIVATE: nothing was taken out of these files.\n");
	else
		text_printf(&text, "Taken out before it was handed on: %s.\n", said);
	for (size_t i = 0; i < json_array_size(making->absent); i++)
		text_printf(&text, "Not kept any more: %s\n",
			    json_string_value(json_array_get(making->absent, i)));
	size = text.size;
	return bundle_add(&making->bundle, "README.txt", text_buffer_take(&text), size, err);
}

static int refuse_private_keys(const struct bundle *bundle, struct error *err)
{
	for (size_t i = 0; i < bundle->n_files; i++)
		if (memmem(bundle->files[i].data, bundle->files[i].size, PRIVATE_KEY, strlen(PRIVATE_KEY)))
			return error_set(err, -EPERM,
					 "%s holds a private key, which is in no bundle: remove it from there",
					 bundle->files[i].name);
	return 0;
}

static int fill(struct making *making, char **ret_said, struct error *err)
{
	const struct bundle_request *request = making->request;
	_cleanup_text_ struct text_buffer name = { 0 };
	_cleanup_free_ char *said = NULL;
	struct bundle *bundle = &making->bundle;
	struct store_job row = *request->row;
	int r = add_kept(bundle, &making->kept, request->is_private ? NULL : &making->scrub, err);

	if (request->is_private)
		text_append(&name, row.name);
	else
		scrub_text(&making->scrub, row.name, strlen(row.name), &name);
	row.name = name.text;
	said = scrub_say(&making->scrub);
	if (r == 0)
		r = bundle_add_events(bundle, &making->events, err);
	if (r == 0)
		r = bundle_add_derived(bundle, &row, &making->events, request->mail, err);
	if (r == 0)
		r = add_facts(making, row.name, err);
	if (r == 0)
		r = add_readme(making, said, err);
	if (r == 0)
		r = refuse_private_keys(bundle, err);
	if (r == 0)
		r = add_program(bundle, err);
	if (r == 0)
		r = bundle_add_sums(bundle, err);
	if (r == 0)
		*ret_said = TAKE_PTR(said);
	return r;
}

int bundle_make(const struct bundle_request *request, struct bundle *ret_bundle, char **ret_said,
		struct error *err)
{
	_cleanup_(making_done) struct making making = { .request = request, .absent = json_array() };
	int r = bundle_add_kept(&making.kept, request->events, request->state_directory,
				making.absent, err);

	if (r < 0)
		return r;
	if (!request->is_private)
		scrub_prepare(&making.scrub, request->events, &making.kept);
	r = scrub_events(request->is_private ? NULL : &making.scrub, request->events,
			 &making.events, err);
	if (r == 0)
		r = check_result(request->row, request->events, &making.events, err);
	if (r == 0)
		r = fill(&making, ret_said, err);
	if (r < 0)
		return r;
	*ret_bundle = making.bundle;
	making.bundle = (struct bundle){ 0 };
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks a bundle of anybody's: what it was read from is bundle_read.c's care, here every byte
 * of it is data.
 */
#include "orchestrator/work/bundle_verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/bundle_make.h"
#include "orchestrator/work/result_build.h"

#define FAULTS_MAX 40

void bundle_check_done(struct bundle_check *check)
{
	if (!check)
		return;
	for (size_t i = 0; i < check->faults.n; i++)
		free(check->faults.items[i]);
	free(check->faults.items);
	free(check->headline);
	*check = (struct bundle_check){ 0 };
}

static void hear(void *context, const char *words)
{
	struct bundle_check *check = context;

	if (check->faults.n < FAULTS_MAX)
		result_texts_add(&check->faults, "%s", words);
}

static int load(const struct bundle *bundle, const char *name, json_t **ret_json, struct error *err)
{
	const struct bundle_file *file = bundle_find(bundle, name);
	json_error_t why;

	if (!file)
		return error_set(err, -EINVAL, "it has no %s", name);
	*ret_json = json_loadb(file->data, file->size, JSON_REJECT_DUPLICATES, &why);
	if (!json_is_object(*ret_json))
		return error_set(err, -EINVAL, "%s is no JSON object", name);
	return 0;
}

/* @row borrows from @facts. */
static int read_facts(const json_t *facts, struct store_job *row, bool *ret_is_ours,
		      struct error *err)
{
	const json_t *job = json_object_get(facts, "job");
	const char *machine = json_string_value(json_object_get(job, "machine"));
	const char *name = json_string_value(json_object_get(job, "name"));
	const char *version = json_string_value(json_object_get(facts, "abbot"));
	const json_t *schema = json_object_get(facts, "schema");

	if (!json_is_integer(schema) || json_integer_value(schema) != BUNDLE_SCHEMA)
		return error_set(err, -EINVAL, BUNDLE_FACTS " is of another schema than %d: use the abbot that made it",
				 BUNDLE_SCHEMA);
	if (!machine || !name || !version || !json_is_integer(json_object_get(job, "id")))
		return error_set(err, -EINVAL, BUNDLE_FACTS " lacks the job's id, name or machine");
	*row = (struct store_job){
		.id = json_integer_value(json_object_get(job, "id")),
		.name = (char *)(uintptr_t)name,
		.rehearses = json_integer_value(json_object_get(job, "rehearses")),
		.submitted_ns = json_integer_value(json_object_get(job, "submitted_ns")),
	};
	for (row->machine = STORE_MACHINE_REAL; row->machine < STORE_MACHINE_EMULATED; row->machine++)
		if (strcmp(machine, store_machine_name(row->machine)) == 0)
			break;
	if (strcmp(machine, store_machine_name(row->machine)) != 0)
		return error_set(err, -EINVAL, BUNDLE_FACTS " has the unknown machine \"%.40s\"", machine);
	row->is_emulated = row->machine != STORE_MACHINE_REAL;
	*ret_is_ours = strcmp(version, ABBOT_VERSION) == 0;
	return 0;
}

static void compare_reports(const struct bundle *bundle, const struct bundle *anew,
			    struct bundle_check *check)
{
	_cleanup_json_ json_t *there = NULL, *made = NULL;
	struct result_texts lines = { 0 };
	struct error why = { "" };

	if (load(anew, BUNDLE_REPORT, &made, &why) < 0) {
		hear(check, why.text);
		return;
	}
	if (load(bundle, BUNDLE_REPORT, &there, &why) < 0)
		hear(check, why.text);
	else
		json_differ(there, made, "", &lines);
	for (size_t i = 0; i < lines.n; i++) {
		_cleanup_free_ char *line = lines.items[i];
		_cleanup_free_ char *words = text_format(BUNDLE_REPORT ": %s", line);

		hear(check, words);
	}
	free(lines.items);
}

/* Files that follow from the events, byte by byte; and none in report/ that does not. */
static void compare_derived(const struct bundle *bundle, const struct bundle *anew,
			    struct bundle_check *check)
{
	for (size_t i = 0; i < anew->n_files; i++) {
		const struct bundle_file *made = &anew->files[i];
		const struct bundle_file *there = bundle_find(bundle, made->name);
		_cleanup_free_ char *words = NULL;

		if (there && there->size == made->size &&
		    memcmp(there->data, made->data, made->size) == 0)
			continue;
		words = text_format(there ? "%s is not what follows from the events and the raw data"
					  : "%s is missing, and follows from the events and the raw data",
				    made->name);
		hear(check, words);
	}
	for (size_t i = 0; i < bundle->n_files; i++) {
		_cleanup_free_ char *words = NULL;

		if (!text_has_prefix(bundle->files[i].name, "report/") ||
		    bundle_find(anew, bundle->files[i].name))
			continue;
		words = text_format("%s does not follow from the events and the raw data",
				    bundle->files[i].name);
		hear(check, words);
	}
}

/* The report's own first sentence. */
static char *headline_of(const struct bundle *anew)
{
	_cleanup_json_ json_t *report = NULL;
	struct error why;
	const char *words;

	if (load(anew, BUNDLE_REPORT, &report, &why) < 0)
		return text_duplicate("no report");
	words = json_string_value(json_object_get(report, "headline"));
	return text_duplicate(words ? words : "no headline");
}

int bundle_verify(const struct bundle *bundle, struct bundle_check *ret_check, struct error *err)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(bundle_check_done) struct bundle_check check = { 0 };
	_cleanup_bundle_ struct bundle anew = { 0 };
	_cleanup_json_ json_t *facts = NULL;
	struct store_job row;
	bool is_ours = false;
	int r = load(bundle, BUNDLE_FACTS, &facts, err);

	if (r == 0)
		r = read_facts(facts, &row, &is_ours, err);
	if (r < 0)
		return r;
	bundle_check_sums(bundle, hear, &check);
	r = bundle_read_events(bundle, row.id, &events, err);
	if (r == 0)
		r = bundle_add_derived(&anew, &row, &events, json_object_get(facts, "mail"), err);
	if (r == 0)
		r = bundle_sort(&anew, err);
	if (r < 0 && check.faults.n) {
		/* A file that is missing or changed explains it. */
		hear(&check, err ? err->text : "its events cannot be read");
	} else if (r < 0) {
		return r;
	} else {
		compare_reports(bundle, &anew, &check);
		if (is_ours)
			compare_derived(bundle, &anew, &check);
		check.headline = headline_of(&anew);
	}
	for (size_t i = 0; i < bundle->n_files; i++)
		check.n_processes += text_has_prefix(bundle->files[i].name, "raw/");
	check.job = row.id;
	*ret_check = check;
	check = (struct bundle_check){ 0 };
	return 0;
}

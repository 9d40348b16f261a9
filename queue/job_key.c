// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of job keys and what follows from one row: finding it and setting a
 * member from text. Where the text comes from is queue/job_file.c's business, what
 * the members must be together queue/job_validate.c's.
 */
#include "queue/job_key.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cleanup.h"
#include "common/text.h"

static const char *const design_words[] = { "sandwich", "sweep", "ladder", "bisect", NULL };
static const char *const differences_words[] = { "refuse", "allow", NULL };
static const char *const preempt_words[] = { "auto", "none", "voluntary", "lazy", "full", NULL };
static const char *const sandbox_words[] = { "auto", "required", "none", NULL };
static const char *const governor_words[] = { "performance", "keep", NULL };
static const char *const turbo_words[] = { "off", "on", "keep", NULL };

const char *const job_sections[] = { "job", "point", "build", "boot", "measure", "bench", NULL };

#define MEMBER(member) .offset = offsetof(struct job, member)
#define OF_POINT(member) .offset = offsetof(struct job_point, member)
#define OF_BENCH(member) .offset = offsetof(struct job_bench, member)
#define DAY_S 86400
/* The end of the year 9999, as far as RFC 3339 goes. */
#define TIME_MAX_S 253402300799

const struct job_key job_keys[] = {
	{ "job", "name", JOB_KEY_TEXT, MEMBER(name), .preset = "unnamed" },
	{ "job", "design", JOB_KEY_DESIGN, MEMBER(design), .words = design_words,
	  .preset = "sandwich" },
	{ "job", "repository", JOB_KEY_TEXT, MEMBER(repository) },
	{ "job", "bench", JOB_KEY_TEXT, MEMBER(measure.workload), .words = job_workload_words,
	  .preset = "mprotect-toggle" },
	{ "job", "order", JOB_KEY_TEXT, MEMBER(order), .preset = "auto" },
	{ "job", "rounds", JOB_KEY_INTEGER, MEMBER(rounds), .minimum = 1, .maximum = 100,
	  .preset = "4" },
	{ "job", "threshold", JOB_KEY_PERCENT, MEMBER(threshold_pct), .minimum = 0, .maximum = 100,
	  .preset = "2" },
	{ "job", "path", JOB_KEY_LIST, MEMBER(paths) },
	{ "job", "exactly", JOB_KEY_BOOLEAN, MEMBER(is_exact), .preset = "false" },
	{ "point", "commit", JOB_KEY_TEXT, OF_POINT(revision) },
	{ "point", "patch", JOB_KEY_CHANGE, OF_POINT(changes) },
	{ "point", "override", JOB_KEY_CHANGE, OF_POINT(changes) },
	{ "point", "revert", JOB_KEY_CHANGE, OF_POINT(changes) },
	{ "point", "config-set", JOB_KEY_CHANGE, OF_POINT(changes) },
	{ "point", "cmdline", JOB_KEY_CHANGE, OF_POINT(changes) },
	{ "build", "config", JOB_KEY_TEXT, MEMBER(build.config), .preset = "running" },
	{ "build", "fragment", JOB_KEY_LIST, MEMBER(build.fragments) },
	{ "build", "config-differences", JOB_KEY_DIFFERENCES, MEMBER(build.config_differences),
	  .words = differences_words, .preset = "refuse" },
	{ "build", "jobs", JOB_KEY_INTEGER, MEMBER(build.jobs), .minimum = 0, .maximum = 4096,
	  .preset = "0" },
	{ "build", "sandbox", JOB_KEY_TEXT, MEMBER(build.sandbox), .words = sandbox_words,
	  .preset = "auto" },
	{ "boot", "cmdline", JOB_KEY_TEXT, MEMBER(boot.cmdline), .preset = "" },
	{ "boot", "preempt", JOB_KEY_TEXT, MEMBER(boot.preempt), .words = preempt_words,
	  .preset = "auto" },
	{ "boot", "settle", JOB_KEY_DURATION, MEMBER(boot.settle_s), .minimum = 0,
	  .maximum = DAY_S, .preset = "60s" },
	{ "boot", "deadline", JOB_KEY_DURATION, MEMBER(boot.deadline_s), .minimum = 30,
	  .maximum = DAY_S, .preset = "900s" },
	{ "boot", "max-attempts", JOB_KEY_INTEGER, MEMBER(boot.max_attempts), .minimum = 1,
	  .maximum = 10, .preset = "2" },
	{ "boot", "max-reboots", JOB_KEY_INTEGER, MEMBER(boot.max_reboots), .minimum = 1,
	  .maximum = 10000, .preset = "40" },
	{ "boot", "not-before", JOB_KEY_TIME, MEMBER(boot.not_before_s), .minimum = 0,
	  .maximum = TIME_MAX_S },
	{ "boot", "accept-hang-risk", JOB_KEY_BOOLEAN, MEMBER(boot.accepts_hang_risk),
	  .preset = "false" },
	{ "measure", "cpu", JOB_KEY_INTEGER, MEMBER(measure.cpu), .minimum = -1, .maximum = 8191,
	  .preset = "-1" },
	{ "measure", "warmups", JOB_KEY_INTEGER, MEMBER(measure.warmups), .minimum = 0,
	  .maximum = JOB_PROCESSES_MAX, .preset = "3" },
	{ "measure", "processes", JOB_KEY_INTEGER, MEMBER(measure.processes), .minimum = 1,
	  .maximum = JOB_PROCESSES_MAX, .preset = "15" },
	{ "measure", "timeout", JOB_KEY_DURATION, MEMBER(measure.timeout_s), .minimum = 1,
	  .maximum = DAY_S, .preset = "600s" },
	{ "measure", "governor", JOB_KEY_TEXT, MEMBER(measure.governor), .words = governor_words,
	  .preset = "performance" },
	{ "measure", "turbo", JOB_KEY_TEXT, MEMBER(measure.turbo), .words = turbo_words,
	  .preset = "off" },
	{ "measure", "metric", JOB_KEY_TEXT, MEMBER(measure.metric), .words = job_metric_words,
	  .preset = "iteration" },
	{ "measure", "argument", JOB_KEY_LIST, MEMBER(measure.arguments) },
	{ "measure", "diagnose", JOB_KEY_LIST, MEMBER(measure.diagnoses) },
	{ "measure", "profile-differences", JOB_KEY_DIFFERENCES,
	  MEMBER(measure.profile_differences), .words = differences_words, .preset = "refuse" },
	{ "bench", "workload", JOB_KEY_TEXT, OF_BENCH(workload), .words = job_workload_words },
	{ "bench", "argument", JOB_KEY_LIST, OF_BENCH(arguments) },
	{ "bench", "metric", JOB_KEY_TEXT, OF_BENCH(metric), .words = job_metric_words },
	{ "bench", "warmups", JOB_KEY_INTEGER, OF_BENCH(warmups), .minimum = 0,
	  .maximum = JOB_PROCESSES_MAX },
	{ "bench", "processes", JOB_KEY_INTEGER, OF_BENCH(processes), .minimum = 1,
	  .maximum = JOB_PROCESSES_MAX },
	{ NULL, NULL, JOB_KEY_TEXT, .offset = 0 },
};

bool job_section_is_named(const char *section)
{
	return strcmp(section, "point") == 0 || strcmp(section, "bench") == 0;
}

const struct job_key *job_key_find(const char *section, const char *name)
{
	for (const struct job_key *key = job_keys; key->section; key++)
		if (strcmp(key->section, section) == 0 && strcmp(key->name, name) == 0)
			return key;
	return NULL;
}

const char *job_key_nearest(const char *section, const char *name)
{
	const char *words[ARRAY_SIZE(job_keys)];
	size_t n = 0;

	for (const struct job_key *key = job_keys; key->section; key++)
		if (strcmp(key->section, section) == 0)
			words[n++] = key->name;
	words[n] = NULL;
	return text_nearest(name, words);
}

int job_list_append(char ***list, const char *value, struct error *err)
{
	size_t n = 0;
	char **grown;

	while (*list && (*list)[n])
		n++;
	if (n >= JOB_LIST_MAX_ITEMS)
		return error_set(err, -E2BIG, "more than %d values for one key", JOB_LIST_MAX_ITEMS);
	grown = realloc(*list, (n + 2) * sizeof(*grown));
	if (!grown)
		abort();
	grown[n] = text_duplicate(value);
	grown[n + 1] = NULL;
	*list = grown;
	return 0;
}

void job_list_free(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

int job_key_check_integer(const struct job_key *key, int64_t value, struct error *err)
{
	if (value >= key->minimum && value <= key->maximum)
		return 0;
	return error_set(err, -ERANGE, "%s.%s is %lld, allowed is %lld to %lld", key->section,
			 key->name, (long long)value, (long long)key->minimum,
			 (long long)key->maximum);
}

int job_key_check_percent(const struct job_key *key, double value, struct error *err)
{
	if (isfinite(value) && value >= (double)key->minimum && value <= (double)key->maximum)
		return 0;
	return error_set(err, -ERANGE, "%s.%s is %g, allowed is %lld to %lld (percent)",
			 key->section, key->name, value, (long long)key->minimum,
			 (long long)key->maximum);
}

int job_key_check_text(const struct job_key *key, const char *value, struct error *err)
{
	const char *nearest;

	if (strlen(value) > JOB_TEXT_MAX_BYTES)
		return error_set(err, -E2BIG, "%s.%s is longer than %d bytes", key->section,
				 key->name, JOB_TEXT_MAX_BYTES);
	for (const char *c = value; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return error_set(err, -EINVAL, "%s.%s holds a control character",
					 key->section, key->name);
	if (!key->words)
		return 0;
	for (size_t i = 0; key->words[i]; i++)
		if (strcmp(key->words[i], value) == 0)
			return 0;
	nearest = text_nearest(value, key->words);
	return error_set(err, -EINVAL, "%s.%s does not know \"%.100s\", %s \"%s\"", key->section,
			 key->name, value, nearest ? "did you mean" : "one choice is",
			 nearest ? nearest : key->words[0]);
}

static int set_boolean(const struct job_key *key, bool *ret_value, const char *value,
		       struct error *err)
{
	static const char *const yes[] = { "true", "yes", "on", "1" };
	static const char *const no[] = { "false", "no", "off", "0", "" };

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		if (!value || strcasecmp(value, yes[i]) == 0) {
			*ret_value = true;
			return 0;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(no); i++) {
		if (strcasecmp(value, no[i]) == 0) {
			*ret_value = false;
			return 0;
		}
	}
	return error_set(err, -EINVAL, "%s.%s is \"%.100s\", write true or false", key->section,
			 key->name, value);
}

static int set_integer(const struct job_key *key, int64_t *ret_value, const char *value,
		       struct error *err)
{
	int64_t number;
	int r;

	if (key->type == JOB_KEY_DURATION)
		r = text_parse_duration(value, &number);
	else if (key->type == JOB_KEY_TIME)
		r = text_parse_time(value, &number);
	else
		r = text_parse_i64(value, INT64_MIN, INT64_MAX, &number);
	if (r < 0)
		return error_set(err, r, "%s.%s is \"%.100s\", which is not a %s", key->section,
				 key->name, value,
				 key->type == JOB_KEY_DURATION ? "duration such as 60s or 15min" :
				 key->type == JOB_KEY_TIME     ? "time such as 2026-01-31T20:00:00+01:00" :
								 "whole number");
	r = job_key_check_integer(key, number, err);
	if (r == 0)
		*ret_value = number;
	return r;
}

static int set_percent(const struct job_key *key, double *ret_value, const char *value,
		       struct error *err)
{
	double number;
	int r = text_parse_double(value, &number);

	if (r < 0)
		return error_set(err, r, "%s.%s is \"%.100s\", which is not a number",
				 key->section, key->name, value);
	r = job_key_check_percent(key, number, err);
	if (r == 0)
		*ret_value = number;
	return r;
}

static int set_change(const struct job_key *key, struct job_changes *changes, const char *value,
		      struct error *err)
{
	struct job_change *change;
	enum job_change_kind kind;
	int r = job_change_from_name(key->name, &kind);

	if (r == 0)
		r = job_changes_add(changes, kind, value, &change, err);
	return r < 0 ? r : job_change_validate(change, false, err);
}

int job_key_set_text(const struct job_key *key, void *object, const char *value,
		     struct error *err)
{
	void *member = (char *)object + key->offset;
	int r;

	if (key->type == JOB_KEY_BOOLEAN)
		return set_boolean(key, member, value, err);
	if (!value)
		return error_set(err, -EINVAL, "%s.%s has no value, write %s = ...", key->section,
				 key->name, key->name);
	r = job_key_check_text(key, value, err);
	if (r < 0)
		return r;

	switch (key->type) {
	case JOB_KEY_TEXT:
		free(*(char **)member);
		*(char **)member = text_duplicate(value);
		return 0;
	case JOB_KEY_LIST:
		r = job_list_append(member, value, err);
		return r < 0 ? error_prefix(err, r, "%s.%s", key->section, key->name) : 0;
	case JOB_KEY_INTEGER:
	case JOB_KEY_DURATION:
	case JOB_KEY_TIME:
		return set_integer(key, member, value, err);
	case JOB_KEY_PERCENT:
		return set_percent(key, member, value, err);
	case JOB_KEY_BOOLEAN:
		return 0; /* done above */
	case JOB_KEY_DESIGN:
		return job_design_from_name(value, member, err);
	case JOB_KEY_DIFFERENCES:
		*(enum job_differences *)member = strcmp(value, "allow") == 0 ?
							  JOB_DIFFERENCES_ALLOW :
							  JOB_DIFFERENCES_REFUSE;
		return 0;
	case JOB_KEY_CHANGE:
		return set_change(key, member, value, err);
	}
	return -EINVAL;
}

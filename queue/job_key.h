// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one table of a job's keys: the job file's parser, the stored JSON, the
 * defaults and the manual page's check are all driven by it. A new setting is a
 * member of struct job, a row here and a paragraph in abbot.job(5).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "queue/job.h"

#define JOB_TEXT_MAX_BYTES 4096
#define JOB_LIST_MAX_ITEMS 256

enum job_key_type {
	JOB_KEY_TEXT,        /* char *; with `words` only one of these */
	JOB_KEY_LIST,        /* char **, the key may be given many times */
	JOB_KEY_INTEGER,     /* int64_t within minimum..maximum */
	JOB_KEY_DURATION,    /* int64_t seconds: "60", "90s", "15min" in a file, a number in JSON */
	JOB_KEY_PERCENT,     /* double within minimum..maximum */
	JOB_KEY_TIME,        /* int64_t seconds since 1970: RFC 3339 in a file, a number in JSON; 0: none */
	JOB_KEY_BOOLEAN,     /* bool */
	JOB_KEY_DESIGN,      /* enum job_design */
	JOB_KEY_DIFFERENCES, /* enum job_differences: "refuse" or "allow" */
	JOB_KEY_CHANGE,      /* one more of a point's struct job_changes; the key says which kind */
};

struct job_key {
	const char *section;
	const char *name;
	enum job_key_type type;
	size_t offset;             /* within struct job; of "point" and "bench" within theirs */
	int64_t minimum;
	int64_t maximum;
	const char *const *words;  /* NULL-terminated, or NULL: anything */
	const char *preset;        /* the default as a job file would spell it; NULL: none */
};

/* Ends with a row whose section is NULL. Rows of a section are together. */
extern const struct job_key job_keys[];

/* "job", "point", "build", "boot", "measure", "bench", NULL. */
extern const char *const job_sections[];

/* Sections that there may be many of, each with a name: "point" and "bench". */
bool job_section_is_named(const char *section);

/* NULL when there is no such key. Exact, lower case. */
const struct job_key *job_key_find(const char *section, const char *name);

/* The known key of @section nearest to @name, or NULL. */
const char *job_key_nearest(const char *section, const char *name);

/*
 * Sets (lists: appends to) the member of @object, a struct job, job_point or job_bench, from its
 * spelling in a job file; a NULL @value is git-config's key without "=", true for
 * booleans and an error for the rest. The sentence names key and value.
 */
int job_key_set_text(const struct job_key *key, void *object, const char *value,
		     struct error *err);

/* Range and word checks, for values that came by another way than text. */
int job_key_check_integer(const struct job_key *key, int64_t value, struct error *err);
int job_key_check_percent(const struct job_key *key, double value, struct error *err);
int job_key_check_text(const struct job_key *key, const char *value, struct error *err);
/* End with NULL (queue/job_key_bench.c). */
extern const char *const job_workload_words[];
extern const char *const job_metric_words[];
/* Has this workload of abbot-bench that metric? */
int job_key_check_metric(const char *workload, const char *metric, struct error *err);
/* The metric that a workload is judged by where none is named; static. */
const char *job_key_first_metric(const char *workload);

/* Appends a copy to a NULL-terminated list; -E2BIG beyond JOB_LIST_MAX_ITEMS. */
int job_list_append(char ***list, const char *value, struct error *err);
void job_list_free(char **list);

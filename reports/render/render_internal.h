// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared by the renderers of this folder; not for others.
 */
#pragma once

#include <jansson.h>

#include "common/text.h"
#include "reports/render/result.h"

#define RENDER_COLUMNS 80
#define RENDER_PCT_SIZE 40

/* The one sentence that answers; the caller's to free. */
char *render_headline(const struct result *result);
/* Of a sandwich: the number beside the verdict, and the level of the interval that decides. */
double render_delta_pct(const struct result *result);
int render_level_pct(const struct result *result);
/* "REGRESSION", "INVALID": the first word of the headline. */
const char *render_verdict_word(const struct result *result);
void render_text(const struct result *result, struct text_buffer *text);
/* A line for each workload of a job that has several, its own verdict last; else nothing. */
void render_text_workloads(const struct result *result, struct text_buffer *text);
/* "toggle, mprotect-toggle: iteration in ns/page; 15 processes a boot after 3 warm-ups" */
char *render_workload(const struct result *result);
/* "+3.20 % ns/page (99 % interval +1.00 to +5.00 %): REGRESSION" */
char *render_workload_answer(const struct result *result);
/* What the report rests on: kernels, settings, machine, boots, warnings, logs. */
void render_text_facts(const struct result *result, struct text_buffer *text);
/* The table of a sweep's kernels, or of a ladder's rungs; nothing for a sandwich. */
void render_text_designs(const struct result *result, struct text_buffer *text);
/* Whether there is anything that compares the boots. */
bool render_has_estimates(const struct result *result);
char *render_headline_sweep(const struct result *result);
char *render_headline_ladder(const struct result *result);
/* -EINVAL: nothing to mail, or what the lint misses. */
int render_mail(const struct result *result, struct text_buffer *text, struct error *err);
void render_mail_body(const struct result *result, struct text_buffer *text);
/* Whether it asks for action as a regression: measured on a real machine. */
bool render_mail_is_regression(const struct result *result);
void render_html(const struct result *result, struct text_buffer *text);
/* -EINVAL where the result has no such table. */
int render_tsv_points(const struct result *result, struct text_buffer *text, struct error *err);
int render_tsv_components(const struct result *result, struct text_buffer *text, struct error *err);
int render_tsv_comparison(const struct result *result, struct text_buffer *text, struct error *err);
json_t *render_json(const struct result *result);
json_t *render_json_boots(const struct result *result);
/* Each null where it does not apply. */
json_t *render_json_estimates(const struct result *result);
json_t *render_json_sweep(const struct result *result);
/* render_bisect.c */
void render_text_bisection(const struct result *result, struct text_buffer *text);
json_t *render_json_bisection(const struct result *result);
int render_tsv_bisection(const struct result *result, struct text_buffer *text, struct error *err);
json_t *render_json_ladder(const struct result *result);
/* Out of memory ends the program: a dropped fact would be a wrong report. */
void render_json_set(json_t *object, const char *key, json_t *value);
void render_json_append(json_t *array, json_t *value);
json_t *render_json_number(double number); /* null where it is not finite */
json_t *render_json_text(const char *text); /* NULL: null; not UTF-8: '?' */
extern const char *const render_variant_names[SUMMARY_VARIANT_COUNT];

/* Text from outside: control characters become '?'. Without @keeps_lines also line feeds. */
char *render_clean(const char *text, bool keeps_lines);
/* Fills lines of 80 columns; the first starts after @lead, the others after @indent blanks. */
void render_wrap(struct text_buffer *text, const char *lead, size_t indent, const char *words);
/* The same for lines of @columns. */
void render_fill(struct text_buffer *text, size_t columns, const char *lead, size_t indent,
		 const char *words);
/* "more", "less"; instructions are counted: "fewer". */
const char *render_more_word(const struct result *result, double pct);
/* "+39.77 %"; never "-0.00 %". */
const char *render_pct(double pct, char buffer[RENDER_PCT_SIZE]);
/* "+27.01 to +53.82 %" */
#define RENDER_RANGE_SIZE (2 * RENDER_PCT_SIZE + 8)
const char *render_range(const struct interval_bounds *bounds, char buffer[RENDER_RANGE_SIZE]);
/* "sandwich PCP (P parent, C child), threshold 2 %"; the result has an order. */
char *render_design(const struct result *result);
/* "EMULATED: ..." for numbers of a machine in QEMU, else NULL. */
const char *render_emulation(const struct result *result);
/* As many decimals as leave four significant digits of the smallest mean and nine columns. */
int render_decimals(const struct result *result);

/* Sorted keys, reals with six decimals (more where they are tiny), final line feed. */
void render_json_write(const json_t *value, struct text_buffer *text);

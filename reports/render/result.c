// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Making and releasing the result model. Figures are left to result_estimate.c.
 */
#include "reports/render/result.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/render/result_finding.h"

static const char *const status_names[] = {
	[RESULT_QUEUED] = "QUEUED",
	[RESULT_RUNNING] = "RUNNING",
	[RESULT_PAUSED] = "PAUSED",
	[RESULT_DONE] = "DONE",
	[RESULT_INCONCLUSIVE] = "INCONCLUSIVE",
	[RESULT_INVALID] = "INVALID",
	[RESULT_FAILED] = "FAILED",
	[RESULT_CANCELLED] = "CANCELLED",
};

/* Room for one more zeroed element; a report too big for memory cannot be saved. */
static void *grow(void *items, size_t n, size_t size)
{
	char *grown;

	/* Powers of two: amortised, without a capacity member in every list. */
	if (n && (n & (n - 1))) {
		grown = items;
	} else {
		grown = reallocarray(items, n ? 2 * n : 1, size);
		if (!grown)
			abort();
	}
	memset(grown + n * size, 0, size);
	return grown;
}

void result_init(struct result *result)
{
	*result = (struct result){ .threshold_pct = 2 };
}

static void facts_done(struct result_facts *facts)
{
	for (size_t i = 0; i < facts->n; i++) {
		free(facts->items[i].name);
		free(facts->items[i].value);
	}
	free(facts->items);
}

void result_texts_clear(struct result_texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		free(texts->items[i]);
	free(texts->items);
	*texts = (struct result_texts){ 0 };
}

void result_point_done(struct result_point *point)
{
	free(point->name);
	free(point->revision);
	free(point->commit);
	free(point->title);
	free(point->tree);
	result_texts_clear(&point->changes);
	free(point->kernel_key);
	free(point->build_id);
	free(point->release);
	free(point->config_sha256);
	free(point->compiler);
	free(point->failure);
	free(point->log_tail);
}

void result_boot_reset(struct result_boot *boot)
{
	free(boot->boot_id);
	free(boot->build_id);
	free(boot->release);
	free(boot->unexpected);
	free(boot->values);
	free(boot->warmups);
	for (size_t i = 0; i < boot->n_phases; i++)
		free(boot->phases[i].name);
	free(boot->phases);
	facts_done(&boot->diagnosis);
	*boot = (struct result_boot){
		.point = boot->point,
		.ordinal = boot->ordinal,
		.label = boot->label,
	};
}

static void bisection_free(struct result_bisection *bisection)
{
	if (!bisection)
		return;
	result_texts_clear(&bisection->culprits);
	for (size_t i = 0; i < bisection->n_steps; i++)
		free(bisection->steps[i].commit);
	free(bisection->steps);
	free(bisection->story);
	free(bisection->log);
	free(bisection);
}

void result_done(struct result *result)
{
	if (!result)
		return;
	free(result->mail.subject_prefix);
	free(result->mail.reply_to);
	free(result->mail.note);
	result_texts_clear(&result->mail.to);
	result_texts_clear(&result->mail.cc);
	free(result->name);
	free(result->source);
	free(result->reason);
	free(result->design);
	free(result->order);
	free(result->repository);
	free(result->workload);
	free(result->metric);
	free(result->unit);
	for (size_t i = 0; i < result->n_points; i++)
		result_point_done(&result->points[i]);
	free(result->points);
	for (size_t i = 0; i < result->n_boots; i++) {
		result_boot_reset(&result->boots[i]);
		free(result->boots[i].label);
	}
	free(result->boots);
	result_texts_clear(&result->config_differences);
	result_texts_clear(&result->warnings);
	result_findings_done(&result->findings);
	facts_done(&result->held_equal);
	facts_done(&result->measured_on);
	for (size_t i = 0; i < result->estimates.n_phases; i++)
		free(result->estimates.phases[i].name);
	free(result->estimates.phases);
	free(result->summaries);
	free(result->bench);
	bisection_free(result->bisection);
	for (size_t i = 0; i < result->n_further; i++)
		result_done(&result->further[i]);
	free(result->further);
	*result = (struct result){ 0 };
}

struct result_point *result_add_point(struct result *result, const char *name)
{
	struct result_point *point;

	result->points = grow(result->points, result->n_points, sizeof(*result->points));
	point = &result->points[result->n_points++];
	point->name = text_duplicate(name);
	return point;
}

struct result_boot *result_add_boot(struct result *result, size_t point)
{
	struct result_boot *boot;

	result->boots = grow(result->boots, result->n_boots, sizeof(*result->boots));
	boot = &result->boots[result->n_boots];
	boot->point = point;
	boot->ordinal = (double)result->n_boots++;
	return boot;
}

void result_boot_add_value(struct result_boot *boot, double value)
{
	boot->values = grow(boot->values, boot->n_values, sizeof(*boot->values));
	boot->values[boot->n_values++] = value;
}

void result_boot_add_warmup(struct result_boot *boot, double value)
{
	boot->warmups = grow(boot->warmups, boot->n_warmups, sizeof(*boot->warmups));
	boot->warmups[boot->n_warmups++] = value;
}

void result_boot_add_phase(struct result_boot *boot, const char *name, double mean)
{
	boot->phases = grow(boot->phases, boot->n_phases, sizeof(*boot->phases));
	boot->phases[boot->n_phases].name = text_duplicate(name);
	boot->phases[boot->n_phases++].mean = mean;
}

void result_texts_add(struct result_texts *texts, const char *format, ...)
{
	char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		abort();
	va_end(arguments);
	texts->items = grow(texts->items, texts->n, sizeof(*texts->items));
	texts->items[texts->n++] = text;
}

void result_facts_add(struct result_facts *facts, const char *name, const char *value)
{
	if (!value || !value[0])
		return;
	facts->items = grow(facts->items, facts->n, sizeof(*facts->items));
	facts->items[facts->n].name = text_duplicate(name);
	facts->items[facts->n++].value = text_duplicate(value);
}

static int compare_facts(const void *left, const void *right)
{
	return strcmp(((const struct result_fact *)left)->name,
		      ((const struct result_fact *)right)->name);
}

void result_facts_sort(struct result_facts *facts)
{
	if (facts->n)
		qsort(facts->items, facts->n, sizeof(*facts->items), compare_facts);
}

const char *result_status_name(enum result_status status)
{
	return status_names[status];
}

int result_status_from_name(const char *name, enum result_status *ret_status)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(status_names); i++) {
		if (strcasecmp(status_names[i], name) == 0) {
			*ret_status = (enum result_status)i;
			return 0;
		}
	}
	return -EINVAL;
}

bool result_is_sweep(const struct result *result)
{
	return result->design && strcmp(result->design, "sweep") == 0;
}

bool result_is_ladder(const struct result *result)
{
	return result->design && strcmp(result->design, "ladder") == 0;
}

char result_order_letter(size_t point)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

	return point < sizeof(letters) - 1 ? letters[point] : '*';
}

const char *result_boot_label(const struct result *result, const struct result_boot *boot)
{
	return boot->label ? boot->label : result->points[boot->point].name;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables with the columns of the published data: points (which abbot analyze reads
 * again), components (phases), comparison.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render_internal.h"

#define WHOLE_MAX 1e15

/* A field: no tabs, no line feeds, never empty. */
static void field(struct text_buffer *text, const char *words, char end)
{
	_cleanup_free_ char *clean = render_clean(words && words[0] ? words : "-", false);

	text_printf(text, "%s%c", clean, end);
}

static void number(struct text_buffer *text, double value, char end)
{
	if (isfinite(value))
		text_printf(text, "%.6f%c", value, end);
	else
		text_printf(text, "-%c", end);
}

/* As few digits as give the same double again. */
static void exact(struct text_buffer *text, double value)
{
	char digits[40];

	if (value == rint(value) && fabs(value) < WHOLE_MAX) {
		text_printf(text, "%.0f", value);
		return;
	}
	for (int precision = 6; precision <= 17; precision++) {
		double again;

		(void)snprintf(digits, sizeof(digits), "%.*g", precision, value);
		if (text_parse_double(digits, &again) == 0 && !(fabs(again - value) > 0))
			break;
	}
	text_append(text, digits);
}

/* "parent-a" where a kernel has several boots and they have no names of their own. */
static char *boot_name(const struct result *result, size_t index)
{
	const struct result_boot *boot = &result->boots[index];
	size_t before = 0;
	size_t n = 0;

	for (size_t i = 0; i < result->n_boots; i++) {
		n += result->boots[i].point == boot->point;
		before += i < index && result->boots[i].point == boot->point;
	}
	if (boot->label || n < 2)
		return text_duplicate(result_boot_label(result, boot));
	if (n > 26)
		return text_format("%s-%zu", result->points[boot->point].name, before + 1);
	return text_format("%s-%c", result->points[boot->point].name, (char)('a' + before));
}

/*
 * Of a ladder's probe the table has the commit that it was made on, the child; a job's probes
 * are commits of their own, and were seen to come after it.
 */
static const char *base_commit(const struct result *result, size_t point)
{
	bool is_probe = result->job_id && result_is_ladder(result) && point > 1;

	return result->points[is_probe ? 1 : point].commit;
}

static void write_point(const struct result *result, size_t index, struct text_buffer *text)
{
	const struct result_boot *boot = &result->boots[index];
	const struct result_point *point = &result->points[boot->point];
	const struct summary *summary = &result->summaries[index];
	_cleanup_free_ char *name = boot_name(result, index);

	text_printf(text, "%zu\t", index + 1);
	field(text, name, '\t');
	field(text, point->name, '\t');
	field(text, base_commit(result, boot->point), '\t');
	text_printf(text, "%zu\t", boot->n_values);
	number(text, summary->location[SUMMARY_MEAN], '\t');
	number(text, summary->sd, '\t');
	number(text, summary->cv_pct, '\t');
	for (size_t i = 0; i < boot->n_values; i++) {
		text_append(text, i ? " " : "");
		exact(text, boot->values[i]);
	}
	text_printf(text, "\t%d\n", boot->unexpected ? 1 : 0);
}

int render_tsv_points(const struct result *result, struct text_buffer *text, struct error *err)
{
	if (!result->summaries)
		return error_set(err, -EINVAL,
				 "a boot has no measured value yet, so there is no table of points");
	text_append(text, "order\tpoint\trole\tcommit\tn\tmean_iteration_ns_per_page\tsd\tcv_pct\tvalues\tsemantic_failures\n");
	for (size_t i = 0; i < result->n_boots; i++)
		write_point(result, i, text);
	return 0;
}

int render_tsv_components(const struct result *result, struct text_buffer *text, struct error *err)
{
	const struct result_boot *first = result->n_boots ? &result->boots[0] : NULL;

	if (!first || !result->summaries || !first->n_phases)
		return error_set(err, -EINVAL, "the boots have no phases, so there are no components");
	text_append(text, "point");
	for (size_t i = 0; i < first->n_phases; i++) {
		const char *name = first->phases[i].name;

		/* The published table calls this phase by what it comes after. */
		text_append(text, "\tmean_");
		text_printf(text, "%s_ns_per_page", strcmp(name, "touch") == 0 ? "post_touch" : name);
	}
	text_append(text, "\tmean_iteration_ns_per_page\n");
	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];
		_cleanup_free_ char *name = boot_name(result, i);

		field(text, name, '\t');
		for (size_t j = 0; j < first->n_phases; j++)
			number(text, j < boot->n_phases ? boot->phases[j].mean : (double)NAN, '\t');
		number(text, result->summaries[i].location[SUMMARY_MEAN], '\n');
	}
	return 0;
}

static void write_comparison(const struct result *result, enum summary_variant variant,
			     const char *name, struct text_buffer *text)
{
	const struct sandwich_figures *figures = &result->estimates.sandwich.variants[variant];

	if (!figures->is_present)
		return;
	text_printf(text, "%s\t", name);
	number(text, result->summaries[0].location[variant], '\t');
	number(text, figures->child, '\t');
	number(text, result->summaries[result->n_boots - 1].location[variant], '\t');
	number(text, figures->midpoint, '\t');
	number(text, figures->delta_pct, '\t');
	number(text, figures->drift_pct, '\n');
}

static void write_sweep(const struct result *result, struct text_buffer *text)
{
	const struct sweep *sweep = &result->estimates.sweep;

	text_append(text, "kernel\tboots\tmean\tvs_first_pct\tci99_low_pct\tci99_high_pct\n");
	for (size_t i = 0; i < sweep->n_kernels; i++) {
		const struct sweep_kernel *kernel = &sweep->kernels[i];
		bool has_bounds = i && sweep->has_bounds;

		field(text, result->points[i].name, '\t');
		text_printf(text, "%zu\t", kernel->n_boots);
		number(text, kernel->mean, '\t');
		number(text, i ? kernel->against_first.estimate_pct : (double)NAN, '\t');
		number(text, has_bounds ? kernel->against_first.ci99.low_pct : (double)NAN, '\t');
		number(text, has_bounds ? kernel->against_first.ci99.high_pct : (double)NAN, '\n');
	}
}

static void write_ladder(const struct result *result, struct text_buffer *text)
{
	const struct ladder *ladder = &result->estimates.ladder;

	text_append(text, "rung\tmean\tdrift_pct\trecovered_pct\tshare_pct\n");
	for (size_t i = 0; i < ladder->n_rungs; i++) {
		const struct ladder_rung *rung = &ladder->rungs[i];

		field(text, result->points[i].name, '\t');
		number(text, rung->mean, '\t');
		number(text, rung->drift_pct, '\t');
		number(text, rung->recovered_pct, '\t');
		number(text, rung->share_pct, '\n');
	}
}

int render_tsv_comparison(const struct result *result, struct text_buffer *text, struct error *err)
{
	_cleanup_free_ char *all = NULL;

	if (!render_has_estimates(result))
		return error_set(err, -EINVAL, "the job has nothing to compare: it is %s",
				 result_status_name(result->status));
	if (result->estimates.has_sweep) {
		write_sweep(result, text);
		return 0;
	}
	if (result->estimates.has_ladder) {
		write_ladder(result, text);
		return 0;
	}
	all = text_format("all_%zu_rounds", result->boots[0].n_values);
	text_append(text, "analysis\tparent_a_mean\tchild_mean\tparent_b_mean\tparent_midpoint\tchild_vs_parent_midpoint_pct\tparent_b_vs_parent_a_pct\n");
	write_comparison(result, SUMMARY_MEAN, all, text);
	write_comparison(result, SUMMARY_DROP_FIRST, "drop_first_round", text);
	write_comparison(result, SUMMARY_MEDIAN, "median", text);
	write_comparison(result, SUMMARY_TRIMMED, "trimmed_10_pct", text);
	return 0;
}

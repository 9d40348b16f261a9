// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a report says of a bisection beside the sandwich that proves it.
 */
#include <errno.h>
#include <math.h>

#include "common/cleanup.h"
#include "reports/render/html_internal.h"
#include "reports/render/render_internal.h"

void render_text_bisection(const struct result *result, struct text_buffer *text)
{
	const struct result_bisection *bisection = result->bisection;

	if (!bisection)
		return;
	text_append(text, "\nBisection\n");
	if (bisection->culprits.n)
		text_printf(text, "  %s%s with probability %.4f%s\n",
			    bisection->culprits.n > 1 ? "one of the commits up to " : "",
			    bisection->culprits.items[bisection->culprits.n - 1],
			    fmin(bisection->probability, .9999),
			    bisection->probability > .9999 ? " or more" : "");
	text_printf(text, "  %zu commits, %zu kernels, %zu boots, %zu commit%s passed over\n\n",
		    bisection->n_commits, bisection->n_kernels, bisection->n_boots,
		    bisection->n_passed_over, bisection->n_passed_over == 1 ? "" : "s");
	text_append(text, bisection->story);
}

static json_t *steps_json(const struct result_bisection *bisection)
{
	json_t *array = json_array();

	for (size_t i = 0; i < bisection->n_steps; i++) {
		const struct result_bisection_step *step = &bisection->steps[i];
		json_t *object = json_object();

		render_json_set(object, "commit", render_json_text(step->commit));
		render_json_set(object, "index", json_integer((json_int_t)step->index));
		render_json_set(object, "what", render_json_text(step->what));
		render_json_set(object, "mean", render_json_number(step->value));
		render_json_set(object, "bad_probability", render_json_number(step->bad));
		render_json_append(array, object);
	}
	return array;
}

json_t *render_json_bisection(const struct result *result)
{
	const struct result_bisection *bisection = result->bisection;
	json_t *object, *culprits;

	if (!bisection)
		return json_null();
	object = json_object();
	culprits = json_array();
	for (size_t i = 0; i < bisection->culprits.n; i++)
		render_json_append(culprits, render_json_text(bisection->culprits.items[i]));
	render_json_set(object, "outcome", render_json_text(bisection->outcome));
	render_json_set(object, "culprits", culprits);
	render_json_set(object, "probability", bisection->culprits.n ? render_json_number(bisection->probability)
								      : json_null());
	render_json_set(object, "change_pct", bisection->culprits.n ? render_json_number(bisection->change_pct)
								     : json_null());
	render_json_set(object, "commits", json_integer((json_int_t)bisection->n_commits));
	render_json_set(object, "kernels", json_integer((json_int_t)bisection->n_kernels));
	render_json_set(object, "boots", json_integer((json_int_t)bisection->n_boots));
	render_json_set(object, "passed_over", json_integer((json_int_t)bisection->n_passed_over));
	render_json_set(object, "steps", steps_json(bisection));
	return object;
}

static void number(struct text_buffer *text, double value, char end)
{
	if (isnan(value))
		text_printf(text, "-%c", end);
	else
		text_printf(text, "%.6f%c", value, end);
}

int render_tsv_bisection(const struct result *result, struct text_buffer *text, struct error *err)
{
	const struct result_bisection *bisection = result->bisection;

	if (!bisection)
		return error_set(err, -EINVAL, "the job is no bisection, or it has not begun: it has no steps");
	text_append(text, "step\tcommit\tindex\twhat\tmean\tbad_probability\n");
	for (size_t i = 0; i < bisection->n_steps; i++) {
		const struct result_bisection_step *step = &bisection->steps[i];

		text_printf(text, "%zu\t%s\t%zu\t%s\t", i + 1, step->commit, step->index, step->what);
		number(text, step->value, '\t');
		number(text, step->bad, '\n');
	}
	return 0;
}

void html_append_bisection(struct text_buffer *text, const struct result *result)
{
	if (!result->bisection)
		return;
	text_append(text, "<section><h2>Bisection</h2>\n<pre>");
	html_append(text, result->bisection->story);
	text_append(text, "</pre></section>\n");
}

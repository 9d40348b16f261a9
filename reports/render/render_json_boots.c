// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The boots in the JSON report: values, their summary, phases and diagnoses.
 */
#include "common/text.h"
#include "reports/render/render_internal.h"

static json_t *numbers(const double *values, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		render_json_append(array, render_json_number(values[i]));
	return array;
}

static void set_summary(json_t *object, const struct result_boot *boot)
{
	struct summary summary;
	bool is_present = summary_make(boot->values, boot->n_values, &summary, NULL) == 0;

	render_json_set(object, "n", json_integer((json_int_t)boot->n_values));
	render_json_set(object, "sd", is_present ? render_json_number(summary.sd) : json_null());
	render_json_set(object, "cv_pct", is_present ? render_json_number(summary.cv_pct) : json_null());
	render_json_set(object, "min", is_present ? render_json_number(summary.minimum) : json_null());
	render_json_set(object, "max", is_present ? render_json_number(summary.maximum) : json_null());
	for (size_t i = 0; i < SUMMARY_VARIANT_COUNT; i++)
		render_json_set(object, render_variant_names[i],
		    is_present ? render_json_number(summary.location[i]) : json_null());
}

/* Counts as numbers, the rest as words. */
static json_t *diagnosis_json(const struct result_facts *list)
{
	json_t *object = json_object();

	for (size_t i = 0; i < list->n; i++) {
		const char *value = list->items[i].value;
		int64_t number;

		render_json_set(object, list->items[i].name,
				text_parse_i64(value, 0, INT64_MAX, &number) == 0
					? json_integer(number) : render_json_text(value));
	}
	return object;
}

json_t *render_json_boots(const struct result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];
		json_t *object = json_object();
		json_t *phases = json_object();

		for (size_t j = 0; j < boot->n_phases; j++)
			render_json_set(phases, boot->phases[j].name, render_json_number(boot->phases[j].mean));
		render_json_set(object, "boot", json_integer((json_int_t)i + 1));
		render_json_set(object, "point", render_json_text(result->points[boot->point].name));
		render_json_set(object, "label", render_json_text(result_boot_label(result, boot)));
		render_json_set(object, "attempt", boot->attempt ? json_integer(boot->attempt) : json_null());
		render_json_set(object, "boot_id", render_json_text(boot->boot_id));
		render_json_set(object, "build_id", render_json_text(boot->build_id));
		render_json_set(object, "release", render_json_text(boot->release));
		render_json_set(object, "complete", json_boolean(boot->is_complete));
		render_json_set(object, "unexpected", render_json_text(boot->unexpected));
		render_json_set(object, "values", numbers(boot->values, boot->n_values));
		render_json_set(object, "warmup_values", numbers(boot->warmups, boot->n_warmups));
		render_json_set(object, "phases", phases);
		render_json_set(object, "diagnosis", boot->diagnosis.n ? diagnosis_json(&boot->diagnosis)
								       : json_null());
		set_summary(object, boot);
		render_json_append(array, object);
	}
	return array;
}

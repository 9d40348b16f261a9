// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recognising a sandwich; sweeps and ladders are refused by name.
 */
#include "reports/render/points_design.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

/* NULL-terminated: "sandwich", "sweep", "ladder". */
static const char *const points_design_names[] = { "sandwich", "sweep", "ladder", NULL };

static int check_name(const char *design, struct error *err)
{
	const char *nearest;

	for (size_t i = 0; points_design_names[i]; i++) {
		if (strcmp(points_design_names[i], design) == 0) {
			if (i == 0)
				return 0;
			return error_set(err, -EINVAL,
					 "the analysis of a %s is not there yet; only --design sandwich is",
					 design);
		}
	}
	nearest = text_nearest(design, points_design_names);
	return error_set(err, -EINVAL, "unknown design '%s'; use %s", design,
			 nearest ? nearest : "sandwich, sweep or ladder");
}

static char *order_of(const struct result *result)
{
	struct text_buffer order = { 0 };

	for (size_t i = 0; i < result->n_boots; i++)
		text_append(&order, result->boots[i].point ? "C" : "P");
	return text_buffer_take(&order);
}

static int check_points(const struct result *result, bool is_named, struct error *err)
{
	const char *source = result->source ? result->source : "the table";

	if (result->n_points < 2)
		return error_set(err, -EINVAL,
				 "%s holds one kernel only (%s); a comparison needs two",
				 source, result->n_points ? result->points[0].name : "none");
	if (result->n_points > 2 && is_named)
		return error_set(err, -EINVAL, "%s holds %zu kernels; a sandwich has two",
				 source, result->n_points);
	if (result->n_points > 2)
		return error_set(err, -EINVAL,
				 "%s holds %zu kernels; the analysis of a sweep or a ladder is not there yet, a sandwich has two",
				 source, result->n_points);
	return 0;
}

int points_design_apply(struct result *result, const char *design, struct error *err)
{
	_cleanup_free_ char *order = NULL;
	int r;

	if (design) {
		r = check_name(design, err);
		if (r < 0)
			return r;
	}
	r = check_points(result, design != NULL, err);
	if (r < 0)
		return r;
	order = order_of(result);
	if (result->boots[result->n_boots - 1].point != 0)
		return error_set(err, -EINVAL,
				 "the boots come in the order %.40s (P %.40s, C %.40s): the closing boot of %.40s is missing; a sandwich begins and ends with the baseline",
				 order, result->points[0].name, result->points[1].name,
				 result->points[0].name);
	free(result->design);
	free(result->order);
	result->design = text_duplicate("sandwich");
	result->order = TAKE_PTR(order);
	return 0;
}

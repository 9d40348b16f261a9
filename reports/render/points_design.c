// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recognising sandwich, sweep and ladder. What follows from the design is
 * result_estimate()'s business.
 */
#include "reports/render/points_design.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/render/points_list.h"
#include "reports/statistics/orders.h"

enum points_design {
	POINTS_SANDWICH,
	POINTS_SWEEP,
	POINTS_LADDER,
};

static const char *const points_design_names[] = {
	[POINTS_SANDWICH] = "sandwich",
	[POINTS_SWEEP] = "sweep",
	[POINTS_LADDER] = "ladder",
	NULL,
};

static int design_named(const char *name, enum points_design *ret_design, struct error *err)
{
	const char *nearest;

	for (size_t i = 0; points_design_names[i]; i++) {
		if (strcmp(points_design_names[i], name) == 0) {
			*ret_design = (enum points_design)i;
			return 0;
		}
	}
	nearest = text_nearest(name, points_design_names);
	return error_set(err, -EINVAL, "unknown design '%s'; use %s", name,
			 nearest ? nearest : "sandwich, sweep or ladder");
}

static char *order_of(const struct result *result, enum points_design design)
{
	struct text_buffer order = { 0 };

	for (size_t i = 0; i < result->n_boots; i++) {
		size_t point = result->boots[i].point;
		char letter = design != POINTS_SANDWICH ? result_order_letter(point)
			      : point			? 'C'
							: 'P';

		text_append_bytes(&order, &letter, 1);
	}
	return text_buffer_take(&order);
}

static bool is_ladder(const struct result *result)
{
	if (result->n_points < 3 || result->n_boots != 2 * result->n_points - 1)
		return false;
	for (size_t i = 0; i < result->n_boots; i++) {
		if (result->boots[i].point != order_ladder(result->n_points, i))
			return false;
	}
	return true;
}

static enum points_design recognise(const struct result *result)
{
	bool is_closed = result->boots[result->n_boots - 1].point == 0;

	if (is_ladder(result))
		return POINTS_LADDER;
	if (result->n_points > 2 || (!is_closed && points_list_is_williams(result)))
		return POINTS_SWEEP;
	return POINTS_SANDWICH;
}

static int check_sandwich(const struct result *result, struct error *err)
{
	_cleanup_free_ char *order = NULL;

	if (result->n_points > 2)
		return error_set(err, -EINVAL, "%s holds %zu kernels; a sandwich has two",
				 result->source ? result->source : "the table", result->n_points);
	if (result->boots[result->n_boots - 1].point == 0)
		return 0;
	order = order_of(result, POINTS_SANDWICH);
	return error_set(err, -EINVAL,
			 "the boots come in the order %.40s (P %.40s, C %.40s): the closing boot of %.40s is missing; a sandwich begins and ends with the baseline",
			 order, result->points[0].name, result->points[1].name,
			 result->points[0].name);
}

static int check_ladder(const struct result *result, struct error *err)
{
	_cleanup_free_ char *order = NULL;

	if (is_ladder(result))
		return 0;
	order = order_of(result, POINTS_LADDER);
	return error_set(err, -EINVAL,
			 "the boots come in the order %.40s; a ladder boots parent, child and each probe in order and back, the last probe once (ABCDCBA)",
			 order);
}

static int check(const struct result *result, enum points_design design, struct error *err)
{
	switch (design) {
	case POINTS_SANDWICH:
		return check_sandwich(result, err);
	case POINTS_SWEEP:
		return 0;
	case POINTS_LADDER:
		return check_ladder(result, err);
	}
	return 0;
}

int points_design_apply(struct result *result, const char *design_name, const char *kernels,
			struct error *err)
{
	enum points_design design;
	int r = 0;

	if (result->n_points < 2)
		return error_set(err, -EINVAL,
				 "%s holds one kernel only (%s); a comparison needs two",
				 result->source ? result->source : "the table",
				 result->n_points ? result->points[0].name : "none");
	points_list_by_first_boot(result);
	design = recognise(result);
	if (design_name)
		r = design_named(design_name, &design, err);
	if (r < 0)
		return r;
	r = check(result, design, err);
	if (r < 0)
		return r;
	if (kernels && design != POINTS_SWEEP)
		return error_set(err, -EINVAL,
				 "--kernels lists the kernels of a sweep; this is a %s",
				 points_design_names[design]);
	if (kernels)
		r = points_list_by_names(result, kernels, err);
	else if (design == POINTS_SWEEP)
		points_list_by_williams(result);
	if (r < 0)
		return r;
	free(result->design);
	free(result->order);
	result->design = text_duplicate(points_design_names[design]);
	result->order = order_of(result, design);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Renumbering the points of a result. Which design they make is points_design.c's.
 */
#include "reports/render/points_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/statistics/orders.h"

#define WILLIAMS_ROUNDS_MIN 3

/* Point i of the new list is point @old_of[i] of the present one. */
static void renumber(struct result *result, const size_t *old_of)
{
	_cleanup_free_ size_t *new_of = calloc(result->n_points, sizeof(*new_of));
	_cleanup_free_ struct result_point *points = calloc(result->n_points, sizeof(*points));

	if (!new_of || !points)
		abort();
	for (size_t i = 0; i < result->n_points; i++) {
		new_of[old_of[i]] = i;
		points[i] = result->points[old_of[i]];
	}
	memcpy(result->points, points, result->n_points * sizeof(*points));
	for (size_t i = 0; i < result->n_boots; i++)
		result->boots[i].point = new_of[result->boots[i].point];
}

void points_list_by_first_boot(struct result *result)
{
	_cleanup_free_ size_t *old_of = calloc(result->n_points + 1, sizeof(*old_of));
	_cleanup_free_ bool *is_listed = calloc(result->n_points + 1, sizeof(*is_listed));
	size_t n = 0;

	if (!old_of || !is_listed)
		abort();
	for (size_t i = 0; i < result->n_boots; i++) {
		size_t point = result->boots[i].point;

		if (!is_listed[point])
			old_of[n++] = point;
		is_listed[point] = true;
	}
	renumber(result, old_of);
}

bool points_list_is_williams(const struct result *result)
{
	size_t n = result->n_points;

	if (result->n_boots % n || result->n_boots < WILLIAMS_ROUNDS_MIN * n)
		return false;
	for (size_t i = 0; i < result->n_boots; i++) {
		/* The first round shows the list in Williams order. */
		if (order_sweep(n, result->boots[i].point) != order_sweep(n, i))
			return false;
	}
	return true;
}

void points_list_by_williams(struct result *result)
{
	_cleanup_free_ size_t *old_of = calloc(result->n_points, sizeof(*old_of));

	if (!old_of)
		abort();
	if (!points_list_is_williams(result))
		return;
	for (size_t i = 0; i < result->n_points; i++)
		old_of[order_sweep(result->n_points, i)] = i;
	renumber(result, old_of);
}

static int find_point(const struct result *result, const char *name, size_t *ret_point)
{
	for (size_t i = 0; i < result->n_points; i++) {
		if (strcmp(result->points[i].name, name) == 0) {
			*ret_point = i;
			return 0;
		}
	}
	return -EINVAL;
}

int points_list_by_names(struct result *result, const char *names, struct error *err)
{
	_cleanup_free_ char *copy = text_duplicate(names);
	_cleanup_free_ size_t *old_of = calloc(result->n_points, sizeof(*old_of));
	size_t n = 0;

	if (!old_of)
		return error_set(err, -ENOMEM, "out of memory");
	for (char *next = copy; next;) {
		const char *name = strsep(&next, ",");
		size_t point;

		if (find_point(result, name, &point) < 0)
			return error_set(err, -EINVAL,
					 "--kernels names '%.40s', which is no kernel of the table", name);
		for (size_t i = 0; i < n; i++) {
			if (old_of[i] == point)
				return error_set(err, -EINVAL, "--kernels names %.40s twice", name);
		}
		old_of[n++] = point;
	}
	if (n != result->n_points)
		return error_set(err, -EINVAL,
				 "--kernels names %zu of %zu kernels; name every one", n,
				 result->n_points);
	renumber(result, old_of);
	return 0;
}

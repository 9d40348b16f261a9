// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeping the data of a bisection. What it means is left to change_point_posterior.c.
 */
#include "reports/statistics/change_point.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int change_point_data_init(struct change_point_data *data, size_t n, const double *weights,
			   struct error *err)
{
	*data = (struct change_point_data){ .n = n };
	if (n < 1 || n > CHANGE_POINT_COMMITS_MAX)
		return error_set(err, -EINVAL, "a bisection needs 1 to %d commits, not %zu",
				 CHANGE_POINT_COMMITS_MAX, n);
	data->mass = calloc(n + 1, sizeof(*data->mass));
	data->failed = calloc(n + 1, sizeof(*data->failed));
	data->is_twin = calloc(n + 1, sizeof(*data->is_twin));
	if (!data->mass || !data->failed || !data->is_twin) {
		change_point_data_done(data);
		return error_set(err, -ENOMEM, "out of memory for %zu commits", n);
	}
	for (size_t i = 1; i <= n; i++) {
		double weight = weights ? weights[i - 1] : 1;

		if (!isfinite(weight) || weight <= 0) {
			change_point_data_done(data);
			return error_set(err, -EINVAL,
					 "the weight of commit %zu is %g; give a positive number", i,
					 weight);
		}
		data->mass[i] = data->mass[i - 1] + weight;
	}
	return 0;
}

void change_point_data_done(struct change_point_data *data)
{
	free(data->mass);
	free(data->failed);
	free(data->is_twin);
	data->mass = NULL;
	data->failed = NULL;
	data->is_twin = NULL;
}

static int check_commit(const struct change_point_data *data, size_t commit, struct error *err)
{
	if (commit <= data->n)
		return 0;
	return error_set(err, -EINVAL, "commit %zu is not one of the %zu of this bisection", commit,
			 data->n);
}

int change_point_data_boot(struct change_point_data *data, size_t commit, double y,
			   struct error *err)
{
	int r = check_commit(data, commit, err);

	if (r < 0)
		return r;
	if (!isfinite(y))
		return error_set(err, -EINVAL, "the value of commit %zu is not a number", commit);
	if (change_point_data_is_failed(data, commit))
		return error_set(err, -EINVAL, "commit %zu failed before, it cannot have a value",
				 commit);
	if (data->n_boots >= CHANGE_POINT_BOOTS_MAX)
		return error_set(err, -E2BIG, "a bisection takes %d boots at most",
				 CHANGE_POINT_BOOTS_MAX);
	data->boots[data->n_boots++] = (struct change_point_boot){ .commit = commit, .y = y };
	return 0;
}

/* How many failed commits are below @commit: its place among them. */
static size_t failed_below(const struct change_point_data *data, size_t commit)
{
	size_t low = 0, high = data->n_failed;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (data->failed[middle] < commit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int change_point_data_fail(struct change_point_data *data, size_t commit, struct error *err)
{
	int r = check_commit(data, commit, err);
	size_t at;

	if (r < 0)
		return r;
	if (change_point_data_count(data, commit))
		return error_set(err, -EINVAL, "commit %zu was measured before, it cannot fail now",
				 commit);
	if (change_point_data_is_failed(data, commit))
		return 0;
	at = failed_below(data, commit);
	memmove(&data->failed[at + 1], &data->failed[at],
		(data->n_failed - at) * sizeof(*data->failed));
	data->failed[at] = commit;
	data->n_failed++;
	return 0;
}

static bool is_measured_between(const struct change_point_data *data, size_t low, size_t high)
{
	for (size_t i = 0; i < data->n_boots; i++)
		if (data->boots[i].commit > low && data->boots[i].commit < high)
			return true;
	return false;
}

static void add_twin(struct change_point_data *data, size_t commit)
{
	if (data->is_twin[commit] || change_point_data_is_failed(data, commit))
		return;
	data->is_twin[commit] = true;
	data->n_twins++;
}

int change_point_data_twin(struct change_point_data *data, size_t commit, size_t twin,
			   struct error *err)
{
	size_t low = commit < twin ? commit : twin, high = commit < twin ? twin : commit;
	int r = check_commit(data, high, err);
	double lost;

	if (r < 0)
		return r;
	if (low == high || !change_point_data_count(data, twin) ||
	    change_point_data_count(data, commit) || change_point_data_is_failed(data, commit))
		return error_set(err, -EINVAL, "commit %zu cannot be the twin of commit %zu", commit,
				 twin);
	add_twin(data, commit);
	if (is_measured_between(data, low, high))
		return 0;
	for (size_t i = low + 1; i < high; i++)
		add_twin(data, i);
	lost = data->mass[high] - data->mass[low];
	for (size_t i = low + 1; i <= data->n; i++)
		data->mass[i] = i <= high ? data->mass[low] : data->mass[i] - lost;
	return 0;
}

size_t change_point_data_count(const struct change_point_data *data, size_t commit)
{
	size_t count = 0;

	for (size_t i = 0; i < data->n_boots; i++)
		count += data->boots[i].commit == commit;
	return count;
}

bool change_point_data_is_failed(const struct change_point_data *data, size_t commit)
{
	size_t at = failed_below(data, commit);

	return at < data->n_failed && data->failed[at] == commit;
}

bool change_point_data_is_twin(const struct change_point_data *data, size_t commit)
{
	return data->is_twin[commit];
}

size_t change_point_data_left(const struct change_point_data *data, size_t lo, size_t hi)
{
	size_t left = hi - lo - 1 - (failed_below(data, hi) - failed_below(data, lo + 1));

	for (size_t i = lo + 1; data->n_twins && i < hi; i++)
		left -= data->is_twin[i];
	return left;
}

size_t change_point_data_distance(const struct change_point_data *data, size_t commit)
{
	size_t at = failed_below(data, commit);
	size_t above = at < data->n_failed ? data->failed[at] - commit : data->n;
	size_t below = at > 0 ? commit - data->failed[at - 1] : data->n;

	return above < below ? above : below;
}

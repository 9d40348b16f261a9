// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expected information of a next boot. A commit's boots are judged by which level they
 * are nearer to; alpha is how often that judgement is wrong.
 */
#include "reports/statistics/change_point_select.h"

#define MATHLIB_STANDALONE 1
#include <Rmath.h>
#include <math.h>

#define BUILD_COST 10.0        /* a build, in boots */
#define BUILT_BOOTS_MAX 3
#define UNBUILT_BOOTS_MAX 4
#define OFFSETS_DENSE 64       /* every commit this near, then ever wider steps */
#define FAILURE_LOSS 0.9       /* beside a failed build the next one mostly fails too */
#define FAILURE_REACH 8.0

struct selection {
	const struct change_point_data *data;
	const struct change_point_posterior *posterior;
	double alpha[UNBUILT_BOOTS_MAX + 1];     /* of an unbuilt commit after r boots */
	double alpha_bits[UNBUILT_BOOTS_MAX + 1];
	struct change_point_choice best;
};

static double entropy_bits(double p)
{
	if (p <= 0 || p >= 1)
		return 0;
	return -(p * log(p) + (1 - p) * log1p(-p)) / M_LN2;
}

/* What m boots of one commit are worth: its own deviation tau bounds them. */
static double worth(double m, const struct change_point_trial *trial)
{
	double ratio = trial->tau / trial->s;

	return m / (1 + m * ratio * ratio);
}

static double error_rate(const struct change_point_trial *trial, size_t more)
{
	double n = (double)trial->n_boots, r = (double)more;
	double effective = worth(n + r, trial) - worth(n, trial);

	return fmin(.5, pnorm(-trial->step * sqrt(effective) / (2 * trial->s), 0, 1, 1, 0) +
				.02 / (r * r));
}

static double gain_bits(double p, double alpha, double alpha_bits)
{
	return entropy_bits(p * (1 - alpha) + (1 - p) * alpha) - alpha_bits;
}

double change_point_information(const struct change_point_trial *trial, size_t more)
{
	double alpha = error_rate(trial, more);

	return gain_bits(trial->p, alpha, entropy_bits(alpha));
}

static void offer(struct selection *selection, size_t commit, double score)
{
	if (score > selection->best.score)
		selection->best = (struct change_point_choice){ .commit = commit, .score = score };
}

static void try_built(struct selection *selection, struct change_point_trial *trial, size_t k)
{
	trial->p = selection->posterior->bad[k];
	trial->n_boots = selection->posterior->boots[k];
	for (size_t r = 1; r <= BUILT_BOOTS_MAX; r++)
		offer(selection, selection->posterior->position[k],
		      change_point_information(trial, r) / (double)r);
}

/* The probability that @commit, between positions k-1 and k, is bad: by prior mass. */
static double bad_inside(const struct selection *selection, size_t k, size_t commit)
{
	const struct change_point_posterior *posterior = selection->posterior;
	const double *mass = selection->data->mass;
	double below = mass[posterior->position[k - 1]];
	double inside = mass[posterior->position[k]] - below;

	/* Nothing but twins: no change can be there. */
	if (inside <= 0)
		return posterior->bad[k];
	return posterior->bad[k - 1] + posterior->p[k] * (mass[commit] - below) / inside;
}

static void try_unbuilt(struct selection *selection, size_t k, size_t commit)
{
	const struct change_point_data *data = selection->data;
	double p = bad_inside(selection, k, commit);
	double builds = 1;

	/* No answer tells more than the question holds. */
	if (entropy_bits(p) / (1 + BUILD_COST) <= selection->best.score ||
	    change_point_data_is_failed(data, commit) || change_point_data_is_twin(data, commit))
		return;
	if (data->n_failed)
		builds -= FAILURE_LOSS *
			  exp(-(double)change_point_data_distance(data, commit) / FAILURE_REACH);
	for (size_t r = 1; r <= UNBUILT_BOOTS_MAX; r++)
		offer(selection, commit,
		      builds * gain_bits(p, selection->alpha[r], selection->alpha_bits[r]) /
			      ((double)r + BUILD_COST));
}

/* The first commit of the inside that is rather bad than good, or the nearest to that. */
static size_t even_point(const struct selection *selection, size_t k)
{
	size_t low = selection->posterior->position[k - 1] + 1;
	size_t high = selection->posterior->position[k] - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (bad_inside(selection, k, middle) >= .5)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void try_interval(struct selection *selection, size_t k)
{
	const struct change_point_posterior *posterior = selection->posterior;
	size_t lo = posterior->position[k - 1], hi = posterior->position[k];
	double nearest_even = fmax(posterior->bad[k - 1], fmin(posterior->bad[k], .5));
	size_t centre;

	if (hi - lo < 2 || entropy_bits(nearest_even) / (1 + BUILD_COST) <= selection->best.score)
		return;
	centre = even_point(selection, k);
	try_unbuilt(selection, k, centre);
	for (size_t offset = 1; centre + offset < hi || centre > lo + offset;
	     offset += offset < OFFSETS_DENSE ? 1 : offset / 4) {
		if (centre + offset < hi)
			try_unbuilt(selection, k, centre + offset);
		if (centre > lo + offset)
			try_unbuilt(selection, k, centre - offset);
	}
}

struct change_point_choice change_point_select(const struct change_point_data *data,
					       const struct change_point_posterior *posterior,
					       double tau)
{
	struct selection selection = { .data = data, .posterior = posterior, .best.score = -1 };
	struct change_point_trial trial = {
		.step = change_point_step(posterior), .s = posterior->s, .tau = tau,
	};

	for (size_t r = 1; r <= UNBUILT_BOOTS_MAX; r++) {
		selection.alpha[r] = error_rate(&trial, r);
		selection.alpha_bits[r] = entropy_bits(selection.alpha[r]);
	}
	for (size_t k = 0; k < posterior->n_positions; k++)
		try_built(&selection, &trial, k);
	for (size_t k = 1; k < posterior->n_positions; k++)
		try_interval(&selection, k);
	return selection.best;
}

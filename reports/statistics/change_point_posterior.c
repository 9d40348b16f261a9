// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The EM iteration. Notation: i a boot, g a level (0 good, 1 bad), k a tested position;
 * w_gi = 5 / (4 + z^2) is the weight that Student's t with 4 degrees of freedom gives.
 */
#include "reports/statistics/change_point_posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/statistics/ranked.h"

#define NU 4.0
#define SLOPE_SD 0.2           /* prior of the drift, 100 ln a boot */
#define ITERATIONS_MAX 1000
#define CHANGE_MIN 1e-12

struct em {
	const struct change_point_model *model;
	size_t n;                               /* boots used */
	size_t commit[CHANGE_POINT_BOOTS_MAX];
	size_t at[CHANGE_POINT_BOOTS_MAX];      /* position of a boot */
	double y[CHANGE_POINT_BOOTS_MAX];
	double t[CHANGE_POINT_BOOTS_MAX];       /* about their mean */
	double log_mass[CHANGE_POINT_BOOTS_MAX];
	double w[2][CHANGE_POINT_BOOTS_MAX];
	double eta[CHANGE_POINT_BOOTS_MAX];     /* of a position */
	double likelihood[2][CHANGE_POINT_BOOTS_MAX];
	double score[CHANGE_POINT_BOOTS_MAX];
};

static bool is_used(const struct change_point_range *range, bool is_ends_only, size_t commit)
{
	if (is_ends_only)
		return commit == range->lo || commit == range->hi;
	return commit >= range->lo && commit <= range->hi;
}

static int compare_sizes(const void *a, const void *b)
{
	size_t left = *(const size_t *)a, right = *(const size_t *)b;

	return left < right ? -1 : left > right;
}

static void find_positions(struct em *em, struct change_point_posterior *posterior)
{
	size_t sorted[CHANGE_POINT_BOOTS_MAX];
	size_t n = 0;

	memcpy(sorted, em->commit, em->n * sizeof(*sorted));
	qsort(sorted, em->n, sizeof(*sorted), compare_sizes);
	for (size_t i = 0; i < em->n; i++) {
		if (i == 0 || sorted[i] != sorted[i - 1]) {
			posterior->position[n] = sorted[i];
			posterior->boots[n++] = 0;
		}
		posterior->boots[n - 1]++;
	}
	posterior->n_positions = n;
	for (size_t i = 0; i < em->n; i++) {
		const size_t *found = bsearch(&em->commit[i], posterior->position, n,
					      sizeof(*found), compare_sizes);

		em->at[i] = (size_t)(found - posterior->position);
	}
}

static void em_gather(struct em *em, const struct change_point_data *data,
		      const struct change_point_range *range, bool is_ends_only,
		      struct change_point_posterior *posterior)
{
	double t_mean = 0;

	for (size_t i = 0; i < data->n_boots; i++) {
		if (!is_used(range, is_ends_only, data->boots[i].commit))
			continue;
		em->commit[em->n] = data->boots[i].commit;
		em->y[em->n] = data->boots[i].y;
		em->t[em->n] = (double)i;
		t_mean += (double)i;
		em->n++;
	}
	t_mean /= (double)em->n;
	for (size_t i = 0; i < em->n; i++)
		em->t[i] -= t_mean;
	posterior->t_mean = t_mean;
	find_positions(em, posterior);
	for (size_t k = 1; k < posterior->n_positions; k++)
		em->log_mass[k] = log(data->mass[posterior->position[k]] -
				      data->mass[posterior->position[k - 1]]);
}

static double median_at(const struct em *em, size_t k)
{
	double values[CHANGE_POINT_BOOTS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < em->n; i++)
		if (em->at[i] == k)
			values[n++] = em->y[i];
	return ranked_median(values, n);
}

/* Log likelihoods of each position at both levels. Eta tempers them: many boots of one
 * commit cannot tell more than its own deviation tau allows. */
static void em_likelihoods(struct em *em, const struct change_point_posterior *posterior)
{
	double s2 = posterior->s * posterior->s;

	for (size_t k = 0; k < posterior->n_positions; k++) {
		em->likelihood[0][k] = em->likelihood[1][k] = 0;
		em->eta[k] = s2 / (s2 + (double)posterior->boots[k] * em->model->tau * em->model->tau);
	}
	for (size_t i = 0; i < em->n; i++) {
		double level = em->y[i] - posterior->slope * em->t[i];

		for (int g = 0; g < 2; g++) {
			double residual = level - posterior->mu[g];
			double z2 = residual * residual / s2;

			em->w[g][i] = (NU + 1) / (NU + z2);
			em->likelihood[g][em->at[i]] -= (NU + 1) / 2 * log1p(z2 / NU);
		}
	}
	for (size_t k = 0; k < posterior->n_positions; k++)
		for (int g = 0; g < 2; g++)
			em->likelihood[g][k] *= em->eta[k];
}

static void em_expect(struct em *em, struct change_point_posterior *posterior)
{
	size_t n = posterior->n_positions;
	double good = 0, bad = 0, best = -(double)INFINITY, sum = 0;

	em_likelihoods(em, posterior);
	for (size_t k = 1; k < n; k++)
		bad += em->likelihood[1][k];
	for (size_t k = 1; k < n; k++) {
		good += em->likelihood[0][k - 1];
		em->score[k] = good + bad + em->log_mass[k];
		bad -= em->likelihood[1][k];
		best = fmax(best, em->score[k]);
	}
	for (size_t k = 1; k < n; k++)
		sum += posterior->p[k] = exp(em->score[k] - best);
	posterior->p[0] = 0;
	posterior->bad[0] = 0;
	for (size_t k = 1; k < n; k++) {
		posterior->p[k] /= sum;
		posterior->bad[k] = posterior->bad[k - 1] + posterior->p[k];
	}
	posterior->bad[n - 1] = 1;
}

/* How much boot @i belongs to level @g. */
static double share_of(const struct em *em, const struct change_point_posterior *posterior, int g,
		       size_t i)
{
	double bad = posterior->bad[em->at[i]];

	return g ? bad : 1 - bad;
}

/* Weighted least squares: the levels eliminated first, the drift held back by its prior. */
static void em_fit_levels(const struct em *em, struct change_point_posterior *posterior)
{
	double u[2] = { 0 }, ut[2] = { 0 }, uy[2] = { 0 };
	double tt = posterior->s / SLOPE_SD * (posterior->s / SLOPE_SD), ty = 0;

	for (int g = 0; g < 2; g++) {
		for (size_t i = 0; i < em->n; i++) {
			double weight = em->eta[em->at[i]] * share_of(em, posterior, g, i) * em->w[g][i];

			u[g] += weight;
			ut[g] += weight * em->t[i];
			uy[g] += weight * em->y[i];
		}
		for (size_t i = 0; i < em->n; i++) {
			double weight = em->eta[em->at[i]] * share_of(em, posterior, g, i) * em->w[g][i];
			double t = em->t[i] - ut[g] / u[g];

			tt += weight * t * t;
			ty += weight * t * (em->y[i] - uy[g] / u[g]);
		}
	}
	posterior->slope = ty / tt;
	for (int g = 0; g < 2; g++)
		posterior->mu[g] = uy[g] / u[g] - posterior->slope * ut[g] / u[g];
}

static void em_fit_scale(const struct em *em, struct change_point_posterior *posterior)
{
	double s2 = posterior->s * posterior->s;
	double sum = em->model->nu0 * em->model->s0 * em->model->s0;

	for (size_t i = 0; i < em->n; i++) {
		for (int g = 0; g < 2; g++) {
			double residual = em->y[i] - posterior->slope * em->t[i] - posterior->mu[g];
			double r2 = residual * residual;

			sum += share_of(em, posterior, g, i) * (NU + 1) / (NU + r2 / s2) * r2;
		}
	}
	posterior->s = sqrt(sum / (em->model->nu0 + (double)em->n - 3));
}

void change_point_posterior_make(const struct change_point_data *data,
				 const struct change_point_range *range,
				 const struct change_point_model *model, bool is_ends_only,
				 struct change_point_posterior *ret_posterior)
{
	struct change_point_posterior *posterior = ret_posterior;
	struct em em = { .model = model };

	em_gather(&em, data, range, is_ends_only, posterior);
	posterior->mu[0] = median_at(&em, 0);
	posterior->mu[1] = median_at(&em, posterior->n_positions - 1);
	posterior->s = model->s0;
	posterior->slope = 0;
	for (int iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
		double mu[2] = { posterior->mu[0], posterior->mu[1] };
		double s = posterior->s, slope = posterior->slope;

		em_expect(&em, posterior);
		em_fit_levels(&em, posterior);
		em_fit_scale(&em, posterior);
		if (fabs(posterior->mu[0] - mu[0]) + fabs(posterior->mu[1] - mu[1]) +
		    fabs(posterior->slope - slope) + fabs(posterior->s - s) < CHANGE_MIN)
			break;
	}
	em_expect(&em, posterior);
}

double change_point_step(const struct change_point_posterior *posterior)
{
	return fabs(posterior->mu[1] - posterior->mu[0]);
}

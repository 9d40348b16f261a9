// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a bisection knows: the commits from good (0) to bad (n), how probable each was
 * beforehand, which of them cannot be measured, and every boot so far. A boot's value
 * is y = 100 ln(mean), its time is its place among the boots. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define CHANGE_POINT_BOOTS_MAX 512
#define CHANGE_POINT_COMMITS_MAX 10000000

struct change_point_boot {
	size_t commit;
	double y;
};

/* Ends included. A search first looks at all commits, later perhaps at parts of them. */
struct change_point_range {
	size_t lo;
	size_t hi;
};

struct change_point_data {
	size_t n;          /* the bad end */
	double *mass;      /* n+1 sums: the prior weight of commits 1..i */
	size_t *failed;    /* commits that cannot be measured, ascending */
	size_t n_failed;
	bool *is_twin;     /* commits whose kernel is that of another one: never measured */
	size_t n_twins;
	size_t n_boots;
	struct change_point_boot boots[CHANGE_POINT_BOOTS_MAX];
};

/*
 * @weights[0..n-1] belong to the commits 1..n and must be positive; NULL: all alike.
 * -EINVAL, -ENOMEM. Released by change_point_data_done().
 */
int change_point_data_init(struct change_point_data *data, size_t n, const double *weights,
			   struct error *err);
void change_point_data_done(struct change_point_data *data);

/* -EINVAL for a commit outside or a value that is not finite, -E2BIG when full. */
int change_point_data_boot(struct change_point_data *data, size_t commit, double y,
			   struct error *err);
/* The commit does not build. -EINVAL if it was measured already, 0 also when known. */
int change_point_data_fail(struct change_point_data *data, size_t commit, struct error *err);

/*
 * @commit's kernel is that of @twin, which was measured: it is never asked for, and no
 * change is looked for between the two unless another measured commit lies there. -EINVAL
 * for a commit that was measured or failed.
 */
int change_point_data_twin(struct change_point_data *data, size_t commit, size_t twin,
			   struct error *err);

size_t change_point_data_count(const struct change_point_data *data, size_t commit);
bool change_point_data_is_failed(const struct change_point_data *data, size_t commit);
bool change_point_data_is_twin(const struct change_point_data *data, size_t commit);
/* Commits between @lo and @hi, both left out, that neither failure nor a twin rules out. */
size_t change_point_data_left(const struct change_point_data *data, size_t lo, size_t hi);
/* Commits from @commit to the nearest failed one; @data must have a failed one. */
size_t change_point_data_distance(const struct change_point_data *data, size_t commit);

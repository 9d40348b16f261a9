// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole bisection under noise: gate, search, confirmation, and further changes. The
 * caller asks for the next commit, boots it, gives the value, and asks again:
 *
 *   change_point_search_new(n, weights, NULL, &search, err);
 *   while (change_point_search_next(search, &request)) {
 *           y = 100 ln(mean of a fresh boot of request.commit)
 *           change_point_search_boot(search, y, err);  or, if it does not build,
 *           change_point_search_fail(search, err);
 *   }
 *   answer = change_point_search_answer(search);
 *
 * The same values in the same order always give the same requests. Pure.
 */
#pragma once

#include "reports/statistics/change_point_confirm.h"
#include "reports/statistics/change_point_posterior.h"

#define CHANGE_POINT_FOUND_MAX 16

enum change_point_phase {
	CHANGE_POINT_AT_GATE,      /* the ends: is there anything to find? */
	CHANGE_POINT_SEARCHING,    /* the commit that tells most */
	CHANGE_POINT_REFERENCE,    /* an end, so that drift is seen */
	CHANGE_POINT_CONFIRMING,   /* the found pair, fresh boots in turn */
	CHANGE_POINT_AGAIN,        /* more of them: the pair does not explain all */
};

enum change_point_outcome {
	CHANGE_POINT_OPEN,         /* not ended yet */
	CHANGE_POINT_FOUND,
	CHANGE_POINT_NONE,         /* no change as large as asked for between the ends */
	CHANGE_POINT_INCONCLUSIVE, /* limits reached */
	CHANGE_POINT_NO_END,       /* an end does not build: nothing can be said */
};

struct change_point_options {
	double s0;                 /* SD between boots from history, 100 ln */
	double nu0;                /* its degrees of freedom */
	double step_min;           /* smallest change worth a search, 100 ln */
	size_t boots_max;          /* at most CHANGE_POINT_SEARCH_BOOTS_MAX */
};

/* What a confirmation may add after the last look at the limit always has room. */
#define CHANGE_POINT_SEARCH_BOOTS_MAX 300

struct change_point_request {
	enum change_point_phase phase;
	size_t commit;
	bool is_built;             /* it had a boot before */
};

/* The change is in (lo, hi]: one commit, or several of which the inner ones do not build. */
struct change_point_found {
	size_t lo;
	size_t hi;
	struct change_point_proof proof; /* hi against lo, signed, 100 ln */
	size_t first_boot;         /* of the confirmation: lo hi lo .. lo */
	size_t pairs;
	double share_pct;          /* of the difference between good and bad end */
};

struct change_point_answer {
	enum change_point_outcome outcome;
	size_t n_found;            /* in the order found */
	struct change_point_found found[CHANGE_POINT_FOUND_MAX];
	size_t n_undecided;        /* parts of the range in which a further change may hide */
	double total;              /* bad end less good end, 100 ln; 0 while nothing was found */
};

struct change_point_search;

/* Defaults where @options is NULL. Weights as for change_point_data_init(). -EINVAL, -ENOMEM. */
int change_point_search_new(size_t n, const double *weights,
			    const struct change_point_options *options,
			    struct change_point_search **ret_search, struct error *err);
void change_point_search_free(struct change_point_search *search);

/* False when it has ended; the same request again until it was answered. */
bool change_point_search_next(const struct change_point_search *search,
			      struct change_point_request *ret_request);

/* Answers the request. -EINVAL when there is none, or for a value that cannot be. */
int change_point_search_boot(struct change_point_search *search, double y, struct error *err);
/* The requested commit does not build. -EINVAL when it had boots before. */
int change_point_search_fail(struct change_point_search *search, struct error *err);
/* Its kernel is that of @twin, which has boots: no boot is needed. -EINVAL as change_point_data_twin(). */
int change_point_search_twin(struct change_point_search *search, size_t twin, struct error *err);

/* Borrowed; NONE, INCONCLUSIVE and so on only once it has ended. */
const struct change_point_answer *change_point_search_answer(const struct change_point_search *search);
const struct change_point_data *change_point_search_data(const struct change_point_search *search);

static inline void change_point_search_cleanup(struct change_point_search **search)
{
	change_point_search_free(*search);
}

#define _cleanup_change_point_ __attribute__((cleanup(change_point_search_cleanup)))

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of a bisection, shared by change_point_search*.c only.
 */
#pragma once

#include "reports/statistics/change_point_search.h"

#define LOOKS_MAX 10
#define ATTEMPTS_MAX 7
#define SURE .999
#define REFERENCE_EVERY 4
#define PENDING_MAX (2 * CHANGE_POINT_PAIRS_MAX + 1)

struct change_point_search {
	struct change_point_options options;
	struct change_point_data data;
	struct change_point_answer answer;

	/* Ranges still to look at, and the one at hand. */
	struct change_point_range waiting[CHANGE_POINT_FOUND_MAX + 1];
	size_t n_waiting;
	struct change_point_range range;

	enum change_point_phase phase;
	size_t pending[PENDING_MAX];  /* boots asked for, in order */
	size_t n_pending;
	size_t next_pending;

	size_t looks;                 /* at the gate */
	double tau;
	bool has_passed_now;          /* the gate, with no boot since */
	size_t since_reference;
	bool is_bad_next;             /* the next reference boot is of the bad end */
	size_t attempts;              /* confirmations */

	/* The confirmation under way. */
	struct change_point_found candidate;
	double s_before;
	double step_before;           /* signed */
};

void change_point_search_push(struct change_point_search *search, size_t commit);
void change_point_search_posterior(const struct change_point_search *search, bool is_ends_only,
				   struct change_point_posterior *ret_posterior);
/* Ends the range at hand; takes up the next one or ends the search. */
void change_point_search_end_range(struct change_point_search *search,
				   enum change_point_outcome outcome);
/* The gate's first round, as far as the ends lack boots. */
void change_point_search_open_gate(struct change_point_search *search);

/* One decision of each phase, once its boots are there; queues boots or ends the range. */
void change_point_search_at_gate(struct change_point_search *search);
void change_point_search_go_on(struct change_point_search *search);
void change_point_search_confirmed(struct change_point_search *search);
void change_point_search_measured_again(struct change_point_search *search);
/* Begins to confirm the pair that ends at tested position @k. */
void change_point_search_confirm(struct change_point_search *search,
				 const struct change_point_posterior *posterior, size_t k);

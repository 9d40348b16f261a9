// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The toggle workloads: memory that a workload made is restricted, released and perhaps
 * touched, over and over, each phase timed. This file is the order of things; the timed
 * loop is toggle_loop.c, the memory and its semantics mapping.c.
 */
#include "bench/toggle_run.h"

#include <errno.h>

#include "bench/distribution.h"
#include "bench/mapping_fault.h"
#include "bench/placement.h"
#include "bench/timing.h"
#include "bench/toggle_loop.h"
#include "common/cleanup.h"

#define UNIT "ns/page"

static const char *const phase_names[TOGGLE_PHASE_COUNT] = {
	"iteration", "protect", "restore", "touch",
};

/* The very first mprotect was forbidden: no state of the kernel under test, but of its policy. */
static bool is_refused(const struct toggle_loop *loop)
{
	return loop->n_done == 0 && !loop->is_restore && mapping_is_refusal(loop->failed_errno);
}

/* Warm-up, then the timed loop with everything around it that is recorded. */
static int measure(const struct bench_options *options, struct toggle_loop *loop,
		   struct bench_result *result, struct error *err)
{
	const struct mapping *mapping = loop->mapping;
	struct toggle_loop warmup = { .mapping = mapping,
				      .protection = loop->protection,
				      .has_touch = loop->has_touch,
				      .iterations = options->warmup_iterations,
				      .last_value = mapping->written_value };
	struct timing timing;
	double page_iterations = (double)loop->iterations * (double)mapping_n_pages(mapping);

	loop->last_value = mapping->written_value;
	mapping_spoil_beforehand(mapping, options->fault);
	if (!toggle_loop_run(&warmup, "warm-up iteration", &result->outcome))
		return is_refused(&warmup) ?
			       mapping_explain_refusal(warmup.failed_errno, err) : 0;
	loop->last_value = warmup.last_value;
	timing_begin(&timing);

	bool is_complete = toggle_loop_run(loop, "iteration", &result->outcome);

	timing_end(&timing, options->fault);
	timing_record(&timing, is_complete ? page_iterations : 0, "per page", 0, result);
	if (!is_complete && options->warmup_iterations == 0 && is_refused(loop))
		return mapping_explain_refusal(loop->failed_errno, err);
	return 0;
}

static void add_metrics(const struct toggle_loop *loop, struct bench_result *result)
{
	double n_pages = (double)mapping_n_pages(loop->mapping);

	result->metrics = json_object();
	for (int phase = 0; phase < TOGGLE_PHASE_COUNT; phase++)
		if (loop->distributions[phase])
			(void)json_object_set_new(result->metrics, phase_names[phase],
						  distribution_to_json(loop->distributions[phase],
								       UNIT, n_pages));
}

/* Gates, timing, gates. */
static int run_checked(const struct bench_options *options, struct toggle_loop *loop,
		       struct page_demand *demand, struct bench_result *result,
		       struct error *err)
{
	const struct mapping *mapping = loop->mapping;
	json_t *page_state = json_object();
	struct placement placement = { .cpu = (int)options->cpu };
	int code;

	result->gates = json_pack("{s:o}", "page_state", page_state);
	demand->when = "before timing";
	code = page_state_gate(mapping, demand, "before", page_state, &result->outcome, err);
	if (code < 0)
		return code;
	/* A wrong state is not timed: there must be no number to be mistaken for one. */
	if (result->outcome.n_unexpected > 0)
		return 0;
	code = measure(options, loop, result, err);
	if (code < 0)
		return code;
	(void)outcome_check(&result->outcome, placement_holds(&placement),
			    "the process no longer runs on CPU %d only", placement.cpu);
	code = mapping_spoil_afterwards(mapping, options->fault, err);
	demand->when = "after timing";
	if (code == 0)
		code = page_state_gate(mapping, demand, "after", page_state, &result->outcome,
				       err);
	if (code < 0)
		return code;
	(void)json_object_set_new(result->gates, "semantic",
				  mapping_check_semantics(mapping, loop->last_value,
							  loop->protection,
							  &result->outcome));
	add_metrics(loop, result);
	return 0;
}

int toggle_run(const struct bench_options *options, const struct toggle_recipe *recipe,
	       struct bench_result *result, struct error *err)
{
	_cleanup_distribution_ struct distribution *iteration = distribution_new();
	_cleanup_distribution_ struct distribution *protect = distribution_new();
	_cleanup_distribution_ struct distribution *restore = distribution_new();
	_cleanup_distribution_ struct distribution *touch = distribution_new();
	_cleanup_mapping_ struct mapping mapping = { 0 };
	struct page_demand demand = { 0 };
	struct toggle_loop loop = {
		.mapping = &mapping,
		.protection = recipe->protection,
		.has_touch = recipe->has_touch,
		.iterations = options->iterations,
		.distributions = { iteration, protect, restore, recipe->has_touch ? touch : NULL },
	};

	if (!iteration || !protect || !restore || !touch)
		return error_set(err, -ENOMEM, "no memory for the distributions");

	int code = recipe->create(options, &mapping, &demand, err);

	demand.permissions = mapping_permissions(&mapping);
	return code < 0 ? code : run_checked(options, &loop, &demand, result, err);
}

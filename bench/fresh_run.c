// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One iteration: new memory, what the workload does before, the timed act, both gates,
 * memory given back. The gates come after the act in every iteration: to look at the
 * pages before it would bring their descriptions into the cache, which is a part of what
 * is measured. One piece of memory of the same kind is looked at first and never timed.
 */
#include "bench/fresh_run.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/distribution.h"
#include "bench/fault_guard.h"
#include "bench/mapping_fault.h"
#include "bench/page_state.h"
#include "bench/placement.h"
#include "bench/timing.h"
#include "common/cleanup.h"

struct fresh {
	const struct bench_options *options;
	const struct fresh_recipe *recipe;
	struct timing timing;
	struct distribution *distribution; /* NULL: warming up */
	struct bench_result *result;
	json_t *page_state;
};

struct timed_act {
	const struct fresh_recipe *recipe;
	struct mapping *mapping;
	uint64_t start_ns;
	uint64_t end_ns;
	int failed_errno;
};

static void act_timed(void *context)
{
	struct timed_act *act = context;

	act->start_ns = clock_now_ns();
	act->failed_errno = act->recipe->act(act->mapping);
	act->end_ns = clock_now_ns();
}

/* False: it failed, and the outcome says so. */
static bool act_once(struct fresh *fresh, struct mapping *mapping, int64_t iteration)
{
	struct timed_act act = { .recipe = fresh->recipe, .mapping = mapping };
	struct outcome *outcome = &fresh->result->outcome;
	const char *what = fresh->distribution ? "iteration" : "warm-up iteration";
	struct fault_guard guard;

	if (fresh->distribution)
		counters_resume(&fresh->timing.counters);
	fault_guard_call(act_timed, &act, &guard);
	if (fresh->distribution)
		counters_pause(&fresh->timing.counters);
	if (!outcome_check(outcome, !guard.has_faulted, "%s faulted in %s %" PRId64,
			   fresh->recipe->act_name, what, iteration + 1) ||
	    !outcome_check(outcome, act.failed_errno == 0, "%s failed in %s %" PRId64 ": %s",
			   fresh->recipe->act_name, what, iteration + 1,
			   strerror(act.failed_errno)))
		return false;
	if (fresh->distribution)
		distribution_record(fresh->distribution, act.end_ns - act.start_ns);
	return true;
}

static int create(struct fresh *fresh, struct mapping *ret_mapping, struct error *err)
{
	const struct mapping_wish wish = { .size_bytes = (size_t)fresh->options->size_bytes,
					   .n_regions = 1,
					   .is_shared = fresh->recipe->is_shared };
	int code = mapping_create(&wish, ret_mapping, err);

	if (code == 0 && fresh->recipe->prepare)
		code = fresh->recipe->prepare(ret_mapping, fresh->options->fault, err);
	return code;
}

/* 0 also when something was unexpected: the outcome knows. */
static int run_iteration(struct fresh *fresh, int64_t iteration, struct error *err)
{
	_cleanup_mapping_ struct mapping mapping = { 0 };
	const struct page_demand demand = { .when = "after timing",
					    .permissions = fresh->recipe->permissions };
	enum bench_fault fault = fresh->options->fault;
	struct outcome *outcome = &fresh->result->outcome;
	int code = create(fresh, &mapping, err);

	if (code < 0)
		return code;
	mapping_spoil_beforehand(&mapping, fault);
	if (!act_once(fresh, &mapping, iteration))
		return 0;
	code = mapping_spoil_afterwards(&mapping, fault, err);
	if (code == 0)
		code = page_state_gate(&mapping, &demand, "after", fresh->page_state, outcome,
				       err);
	if (code == 0)
		(void)json_object_set_new(fresh->result->gates, "semantic",
					  fresh->recipe->check(&mapping, outcome));
	return code;
}

/* The same memory, looked at and not timed. A seccomp filter shows here too. */
static int look_first(struct fresh *fresh, struct error *err)
{
	_cleanup_mapping_ struct mapping mapping = { 0 };
	const struct page_demand demand = { .when = "before timing",
					    .permissions = fresh->recipe->permissions };
	int code = create(fresh, &mapping, err);

	if (code < 0)
		return code;
	code = fresh->recipe->act(&mapping);
	if (mapping_is_refusal(code))
		return mapping_explain_refusal(code, err);
	if (!outcome_check(&fresh->result->outcome, code == 0, "%s failed before timing: %s",
			   fresh->recipe->act_name, strerror(code)))
		return 0;
	return page_state_gate(&mapping, &demand, "before", fresh->page_state,
			       &fresh->result->outcome, err);
}

static int run_all(struct fresh *fresh, struct distribution *distribution, struct error *err)
{
	const struct bench_options *options = fresh->options;
	const struct outcome *outcome = &fresh->result->outcome;
	int code = look_first(fresh, err);

	for (int64_t i = 0; code == 0 && outcome->n_unexpected == 0 &&
			    i < options->warmup_iterations; i++)
		code = run_iteration(fresh, i, err);
	if (code < 0 || outcome->n_unexpected > 0)
		return code;
	timing_begin(&fresh->timing);
	counters_clear(&fresh->timing.counters);
	fresh->distribution = distribution;
	for (int64_t i = 0; code == 0 && outcome->n_unexpected == 0 && i < options->iterations;
	     i++)
		code = run_iteration(fresh, i, err);
	timing_end(&fresh->timing, options->fault);
	return code;
}

int fresh_run(const struct bench_options *options, const struct fresh_recipe *recipe,
	      struct bench_result *result, struct error *err)
{
	_cleanup_distribution_ struct distribution *distribution = distribution_new();
	struct placement placement = { .cpu = (int)options->cpu };
	struct fresh fresh = { .options = options, .recipe = recipe, .result = result,
			       .page_state = json_object() };
	uint64_t n_pages = options->size_bytes / (uint64_t)sysconf(_SC_PAGESIZE);
	int code;

	result->gates = json_pack("{s:o}", "page_state", fresh.page_state);
	if (!distribution)
		return error_set(err, -ENOMEM, "no memory for the distribution");
	code = run_all(&fresh, distribution, err);
	if (code < 0 || !fresh.distribution)
		return code;
	(void)outcome_check(&result->outcome, placement_holds(&placement),
			    "the process no longer runs on CPU %d only", placement.cpu);
	timing_record(&fresh.timing, result->outcome.n_unexpected ? 0 :
					     (double)n_pages * (double)options->iterations,
		      "per page", distribution->sum_ns, result);
	result->metrics = json_pack("{s:o}", recipe->metric,
				    distribution_to_json(distribution, "ns/page",
							 (double)n_pages));
	return 0;
}

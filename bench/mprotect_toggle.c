// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mprotect-toggle: a shared anonymous mapping, every page written, is made read-only,
 * writable again and touched, over and over, each phase timed. This file is the order of
 * things; the timed loop is toggle_loop.c, populating, checks and faults toggle_checks.c.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/counters.h"
#include "bench/distribution.h"
#include "bench/noise.h"
#include "bench/page_state.h"
#include "bench/placement.h"
#include "bench/toggle_checks.h"
#include "bench/toggle_loop.h"
#include "bench/workload.h"
#include "common/cleanup.h"

#define UNIT "ns/page"

static const char *const phase_names[TOGGLE_PHASE_COUNT] = {
	"iteration", "protect", "restore", "touch",
};

/* Reads the page state, checks it and keeps it under @key of the gate's JSON. */
static int gate_page_state(const struct toggle_mapping *mapping, const char *key,
			   const char *when, json_t *gate, struct outcome *outcome,
			   struct error *err)
{
	struct page_state state;
	int code = page_state_read(mapping->start, mapping->size_bytes, mapping->page_bytes,
				   &state, err);

	if (code < 0)
		return code;
	page_state_check_base_pages(&state, mapping->size_bytes, mapping->page_bytes, "rw-s",
				    when, outcome);
	(void)json_object_set_new(gate, key, page_state_to_json(&state));
	return 0;
}

/* The very first mprotect was forbidden: no state of the kernel under test, but of its policy. */
static bool is_refused(const struct toggle_loop *loop)
{
	return loop->n_done == 0 && !loop->is_restore &&
	       (loop->failed_errno == EPERM || loop->failed_errno == EACCES ||
		loop->failed_errno == ENOSYS);
}

/* Warm-up, then the timed loop with everything around it that is recorded. */
static int measure(const struct bench_options *options, const struct toggle_mapping *mapping,
		    struct toggle_loop *loop, struct bench_result *result, struct error *err)
{
	struct toggle_loop warmup = { .mapping = mapping,
				      .iterations = options->warmup_iterations,
				      .last_value = mapping->written_value };
	struct counters counters;
	struct noise_reading before;
	struct noise_reading after;
	double page_iterations;

	loop->last_value = mapping->written_value;
	toggle_spoil_beforehand(mapping, options->fault);
	if (!toggle_loop_run(&warmup, "warm-up iteration", &result->outcome))
		return is_refused(&warmup) ?
			       toggle_explain_refusal(warmup.failed_errno, err) : 0;
	loop->last_value = warmup.last_value;
	counters_open(&counters);
	noise_begin(&before);
	counters_start(&counters);

	bool is_complete = toggle_loop_run(loop, "iteration", &result->outcome);

	counters_stop(&counters);
	toggle_disturb_timing(options->fault);
	noise_end(&after);
	result->noise = noise_to_json(&before, &after);
	page_iterations = (double)loop->iterations * (double)toggle_n_pages(mapping);
	if (is_complete)
		result->counters = counters_to_json(&counters, page_iterations, "per page",
						    after.at_ns - before.at_ns);
	counters_done(&counters);
	if (!is_complete && options->warmup_iterations == 0 && is_refused(loop))
		return toggle_explain_refusal(loop->failed_errno, err);
	return 0;
}

static void add_metrics(const struct toggle_loop *loop, const struct toggle_mapping *mapping,
			struct bench_result *result)
{
	double n_pages = (double)toggle_n_pages(mapping);

	result->metrics = json_object();
	for (int phase = 0; phase < TOGGLE_PHASE_COUNT; phase++)
		(void)json_object_set_new(result->metrics, phase_names[phase],
					  distribution_to_json(loop->distributions[phase], UNIT,
							       n_pages));
}

static int run_mapped(const struct bench_options *options, struct toggle_mapping *mapping,
		      struct bench_result *result, struct error *err)
{
	__attribute__((cleanup(cleanup_distribution))) struct distribution *iteration =
		distribution_new();
	__attribute__((cleanup(cleanup_distribution))) struct distribution *protect =
		distribution_new();
	__attribute__((cleanup(cleanup_distribution))) struct distribution *restore =
		distribution_new();
	__attribute__((cleanup(cleanup_distribution))) struct distribution *touch =
		distribution_new();
	struct toggle_loop loop = { .mapping = mapping, .iterations = options->iterations,
				    .distributions = { iteration, protect, restore, touch } };
	json_t *page_state = json_object();
	struct placement placement = { .cpu = (int)options->cpu };
	int code;

	result->gates = json_pack("{s:o}", "page_state", page_state);
	if (!iteration || !protect || !restore || !touch)
		return error_set(err, -ENOMEM, "no memory for the distributions");
	code = toggle_populate(mapping, options->fault, err);
	if (code == 0)
		code = gate_page_state(mapping, "before", "before timing", page_state,
				       &result->outcome, err);
	if (code < 0)
		return code;
	/* A wrong state is not timed: there must be no number to be mistaken for one. */
	if (result->outcome.n_unexpected > 0)
		return 0;
	code = measure(options, mapping, &loop, result, err);
	if (code < 0)
		return code;
	(void)outcome_check(&result->outcome, placement_holds(&placement),
			    "the process no longer runs on CPU %d only", placement.cpu);
	code = toggle_spoil_afterwards(mapping, options->fault, err);
	if (code == 0)
		code = gate_page_state(mapping, "after", "after timing", page_state,
				       &result->outcome, err);
	if (code < 0)
		return code;
	(void)json_object_set_new(result->gates, "semantic",
				  toggle_check_semantics(mapping, loop.last_value,
							 &result->outcome));
	add_metrics(&loop, mapping, result);
	return 0;
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	struct toggle_mapping mapping = {
		.size_bytes = (size_t)options->size_bytes,
		.page_bytes = (size_t)sysconf(_SC_PAGESIZE),
	};

	mapping.start = mmap(NULL, mapping.size_bytes, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mapping.start == MAP_FAILED)
		return error_set_errno(err, -errno, "cannot map %zu bytes", mapping.size_bytes);

	int code = run_mapped(options, &mapping, result, err);

	(void)munmap(mapping.start, mapping.size_bytes);
	return code;
}

const struct workload workload_mprotect_toggle = {
	.name = "mprotect-toggle",
	.summary = "PROT_READ, PROT_READ|PROT_WRITE and a write to every page of a shared mapping",
	.size_bytes = 64U << 20,
	.iterations = 1000,
	.warmup_iterations = 10,
	.run = run,
};

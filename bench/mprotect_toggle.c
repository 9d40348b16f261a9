// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mprotect-toggle: a shared anonymous mapping, every page written, is made read-only,
 * writable again and touched, over and over, each phase timed. This file is the order of
 * things and the timed loop; faults made on purpose and the checks are toggle_checks.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/counters.h"
#include "bench/distribution.h"
#include "bench/fault_guard.h"
#include "bench/noise.h"
#include "bench/page_state.h"
#include "bench/placement.h"
#include "bench/toggle_checks.h"
#include "bench/workload.h"
#include "common/cleanup.h"

#define UNIT "ns/page"

enum phase { PHASE_ITERATION, PHASE_PROTECT, PHASE_RESTORE, PHASE_TOUCH, PHASE_COUNT };

static const char *const phase_names[PHASE_COUNT] = { "iteration", "protect", "restore", "touch" };

struct toggle_loop {
	const struct toggle_mapping *mapping;
	int64_t iterations;
	unsigned char last_value;      /* what the pages hold after the loop */
	int64_t n_done;
	int failed_errno;              /* of the mprotect that ended the loop early */
	bool is_restore;               /* which of the two it was */
	struct distribution *distributions[PHASE_COUNT]; /* all NULL while warming up */
};

/* One store a page, as the reproducer of the report does; volatile so that each is made. */
static inline void touch_pages(const struct toggle_mapping *mapping, unsigned char value)
{
	volatile unsigned char *page = mapping->start;
	volatile unsigned char *end = page + mapping->size_bytes;
	size_t page_bytes = mapping->page_bytes;

	for (; page < end; page += page_bytes)
		*page = value;
}

/* Four clock reads an iteration; what is recorded between two iterations is not timed. */
static void run_loop(void *context)
{
	struct toggle_loop *loop = context;
	const struct toggle_mapping *mapping = loop->mapping;
	unsigned char value = loop->last_value;

	for (int64_t i = 0; i < loop->iterations; i++) {
		value++;

		uint64_t start_ns = clock_now_ns();

		if (mprotect(mapping->start, mapping->size_bytes, PROT_READ) != 0) {
			loop->failed_errno = errno;
			return;
		}
		uint64_t protected_ns = clock_now_ns();

		if (mprotect(mapping->start, mapping->size_bytes, PROT_READ | PROT_WRITE) != 0) {
			loop->failed_errno = errno;
			loop->is_restore = true;
			return;
		}
		uint64_t restored_ns = clock_now_ns();

		touch_pages(mapping, value);

		uint64_t touched_ns = clock_now_ns();

		loop->last_value = value;
		loop->n_done++;
		if (loop->distributions[PHASE_ITERATION]) {
			distribution_record(loop->distributions[PHASE_ITERATION],
					    touched_ns - start_ns);
			distribution_record(loop->distributions[PHASE_PROTECT],
					    protected_ns - start_ns);
			distribution_record(loop->distributions[PHASE_RESTORE],
					    restored_ns - protected_ns);
			distribution_record(loop->distributions[PHASE_TOUCH],
					    touched_ns - restored_ns);
		}
	}
}

/* Runs it guarded and counts its checks: two mprotect calls and the writes of each iteration. */
static bool run_checked(struct toggle_loop *loop, const char *what, struct outcome *outcome)
{
	struct fault_guard guard;

	fault_guard_call(run_loop, loop, &guard);
	outcome_add_expected(outcome, (uint64_t)loop->n_done * 3);
	if (guard.has_faulted)
		return outcome_check(outcome, false,
				     "a write after PROT_READ|PROT_WRITE faulted in %s %" PRId64,
				     what, loop->n_done + 1);
	if (loop->failed_errno != 0)
		return outcome_check(outcome, false, "mprotect(%s) failed in %s %" PRId64 ": %s",
				     loop->is_restore ? "PROT_READ|PROT_WRITE" : "PROT_READ", what,
				     loop->n_done + 1, strerror(loop->failed_errno));
	return true;
}

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
	if (!run_checked(&warmup, "warm-up iteration", &result->outcome))
		return is_refused(&warmup) ?
			       toggle_explain_refusal(warmup.failed_errno, err) : 0;
	loop->last_value = warmup.last_value;
	counters_open(&counters);
	noise_begin(&before);
	counters_start(&counters);

	bool is_complete = run_checked(loop, "iteration", &result->outcome);

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
	for (int phase = 0; phase < PHASE_COUNT; phase++)
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

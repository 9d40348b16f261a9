// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is timed, and nothing else: no allocation, no I/O. What is measured around it is
 * for toggle_run.c.
 */
#include "bench/toggle_loop.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/clock.h"
#include "bench/fault_guard.h"

/*
 * What the public reproducer of the report costs a page: a byte read, changed and written, two sums
 * kept in memory. The sums also prove at each iteration that every page held what the one before wrote.
 */
static __attribute__((noinline)) void touch_pages(const struct mapping *mapping,
						  uint64_t *sum, uint64_t *n_touched)
{
	unsigned char *start = mapping->start;
	size_t size_bytes = mapping->size_bytes;
	size_t page_bytes = mapping->page_bytes;

	for (size_t at = 0; at < size_bytes; at += page_bytes) {
		unsigned char value = (unsigned char)(start[at] + 1);

		start[at] = value;
		*sum += value;
		(*n_touched)++;
	}
}

/* Four clock reads an iteration; what is recorded between two iterations is not timed. */
static void run_loop(void *context)
{
	struct toggle_loop *loop = context;
	const struct mapping *mapping = loop->mapping;
	unsigned char value = loop->last_value;
	uint64_t n_pages = mapping_n_pages(mapping);

	for (int64_t i = 0; i < loop->iterations; i++) {
		uint64_t sum = 0;
		uint64_t n_touched = 0;

		value++;

		uint64_t start_ns = clock_now_ns();

		if (mprotect(mapping->start, mapping->size_bytes, loop->protection) != 0) {
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

		if (loop->has_touch)
			touch_pages(mapping, &sum, &n_touched);

		uint64_t touched_ns = clock_now_ns();

		if (loop->has_touch && (sum != value * n_pages || n_touched != n_pages)) {
			loop->has_wrong_content = true;
			return;
		}
		if (loop->has_touch)
			loop->last_value = value;
		loop->n_done++;
		if (loop->distributions[TOGGLE_PHASE_ITERATION]) {
			distribution_record(loop->distributions[TOGGLE_PHASE_ITERATION],
					    touched_ns - start_ns);
			distribution_record(loop->distributions[TOGGLE_PHASE_PROTECT],
					    protected_ns - start_ns);
			distribution_record(loop->distributions[TOGGLE_PHASE_RESTORE],
					    restored_ns - protected_ns);
		}
		if (loop->distributions[TOGGLE_PHASE_TOUCH])
			distribution_record(loop->distributions[TOGGLE_PHASE_TOUCH],
					    touched_ns - restored_ns);
	}
}

bool toggle_loop_run(struct toggle_loop *loop, const char *what, struct outcome *outcome)
{
	struct fault_guard guard;

	fault_guard_call(run_loop, loop, &guard);
	outcome_add_expected(outcome, (uint64_t)loop->n_done * (loop->has_touch ? 4 : 2));
	if (guard.has_faulted)
		return outcome_check(outcome, false,
				     "a write after PROT_READ|PROT_WRITE faulted in %s %" PRId64,
				     what, loop->n_done + 1);
	if (loop->failed_errno != 0)
		return outcome_check(outcome, false, "mprotect(%s) failed in %s %" PRId64 ": %s",
				     loop->is_restore ? "PROT_READ|PROT_WRITE" :
				     loop->protection == PROT_READ ? "PROT_READ" : "PROT_NONE",
				     what, loop->n_done + 1, strerror(loop->failed_errno));
	return outcome_check(outcome, !loop->has_wrong_content,
			     "pages did not hold what was written before, in %s %" PRId64, what,
			     loop->n_done + 1);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Populating and checking the mapping of mprotect-toggle. Faults are made by what the
 * kernel really does (huge pages, holes, another CPU), so that the gates that must see
 * them are the ones that serve in earnest.
 */
#include "bench/toggle_checks.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/fault_guard.h"
#include "common/cleanup.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

#define NUMBER_OFFSET 8 /* of the page's number; in the cache line that is touched anyway */

/* Huge shared pages where the kernel's settings allow them, else huge private ones. */
static int make_huge_pages(const struct toggle_mapping *mapping, struct error *err)
{
	(void)madvise(mapping->start, mapping->size_bytes, MADV_HUGEPAGE);
	memset(mapping->start, 1, mapping->size_bytes);
	if (madvise(mapping->start, mapping->size_bytes, MADV_COLLAPSE) == 0)
		return 0;
	if (mmap(mapping->start, mapping->size_bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED ||
	    madvise(mapping->start, mapping->size_bytes, MADV_HUGEPAGE) != 0)
		return error_set_errno(err, -errno, "this kernel makes no huge pages");
	memset(mapping->start, 1, mapping->size_bytes);
	return 0;
}

int toggle_explain_refusal(int refusal_errno, struct error *err)
{
	return error_set(err, -refusal_errno,
			 "mprotect is refused here (%s); run without the seccomp filter or "
			 "security policy that forbids it", strerror(refusal_errno));
}

int toggle_populate(struct toggle_mapping *mapping, enum bench_fault fault, struct error *err)
{
	int code = 0;

	if (fault == BENCH_FAULT_HUGE_PAGES)
		code = make_huge_pages(mapping, err);
	if (code < 0)
		return code;
	mapping->written_value = 0x5a;
	for (size_t at = 0; at < mapping->size_bytes; at += mapping->page_bytes) {
		uint64_t number = at / mapping->page_bytes;

		mapping->start[at] = mapping->written_value;
		memcpy(mapping->start + at + NUMBER_OFFSET, &number, sizeof(number));
	}
	if (fault == BENCH_FAULT_SPLIT_MAPPING)
		(void)madvise(mapping->start + mapping->page_bytes, mapping->page_bytes,
			      MADV_DONTFORK);
	/* The protection that it has already: permitted or not, and no page table is touched. */
	if (mprotect(mapping->start, mapping->size_bytes, PROT_READ | PROT_WRITE) != 0)
		return toggle_explain_refusal(errno, err);
	return 0;
}

void toggle_spoil_beforehand(const struct toggle_mapping *mapping, enum bench_fault fault)
{
	if (fault == BENCH_FAULT_LOST_PAGE_EARLY)
		(void)madvise(mapping->start + mapping->page_bytes, mapping->page_bytes,
			      MADV_REMOVE);
}

void toggle_disturb_timing(enum bench_fault fault)
{
	cpu_set_t others;

	if (fault != BENCH_FAULT_OTHER_CPU)
		return;
	memset(&others, 0xff, sizeof(others));
	CPU_CLR((size_t)sched_getcpu(), &others);
	(void)sched_setaffinity(0, sizeof(others), &others);
}

int toggle_spoil_afterwards(const struct toggle_mapping *mapping, enum bench_fault fault,
			    struct error *err)
{
	switch (fault) {
	case BENCH_FAULT_HUGE_PAGES_LATE:
		return make_huge_pages(mapping, err);
	case BENCH_FAULT_LOST_PAGE:
		if (madvise(mapping->start + mapping->page_bytes, mapping->page_bytes,
			    MADV_REMOVE) != 0)
			return error_set_errno(err, -errno, "no hole could be made");
		/* Present again, but empty: only the content tells. */
		mapping->start[mapping->page_bytes + NUMBER_OFFSET] = 0;
		return 0;
	case BENCH_FAULT_NONE:
	case BENCH_FAULT_HUGE_PAGES:
	case BENCH_FAULT_SPLIT_MAPPING:
	case BENCH_FAULT_LOST_PAGE_EARLY:
	case BENCH_FAULT_OTHER_CPU:
		return 0;
	}
	return 0;
}

static uint64_t count_wrong_pages(const struct toggle_mapping *mapping, unsigned char value)
{
	uint64_t n_wrong = 0;

	for (size_t at = 0; at < mapping->size_bytes; at += mapping->page_bytes) {
		uint64_t number;

		memcpy(&number, mapping->start + at + NUMBER_OFFSET, sizeof(number));
		if (mapping->start[at] != value || number != at / mapping->page_bytes)
			n_wrong++;
	}
	return n_wrong;
}

struct one_write {
	volatile unsigned char *place;
	unsigned char value;
};

static void write_once(void *context)
{
	const struct one_write *write = context;

	*write->place = write->value;
}

/* Writes to three pages; how many faulted as a protection fault at that very address. */
static int count_protection_faults(const struct toggle_mapping *mapping, unsigned char value)
{
	size_t n_pages = toggle_n_pages(mapping);
	const size_t pages[3] = { 0, n_pages / 2, n_pages - 1 };
	int n_faults = 0;

	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		struct one_write write = { mapping->start + pages[i] * mapping->page_bytes,
					   value };
		struct fault_guard guard;

		fault_guard_call(write_once, &write, &guard);
		if (guard.has_faulted && guard.signal == SIGSEGV && guard.code == SEGV_ACCERR &&
		    guard.address == (const void *)write.place)
			n_faults++;
	}
	return n_faults;
}

json_t *toggle_check_semantics(const struct toggle_mapping *mapping, unsigned char value,
			       struct outcome *outcome)
{
	uint64_t n_pages = toggle_n_pages(mapping);
	uint64_t n_wrong = count_wrong_pages(mapping, value);
	int n_read_only = 0;
	int n_writable = 0;

	(void)outcome_check(outcome, n_wrong == 0,
			    "%" PRIu64 " of %" PRIu64 " pages do not hold what was written", n_wrong,
			    n_pages);
	if (outcome_check(outcome,
			  mprotect(mapping->start, mapping->size_bytes, PROT_READ) == 0,
			  "mprotect(PROT_READ) failed after timing")) {
		n_read_only = count_protection_faults(mapping, value);
		(void)outcome_check(outcome, n_read_only == 3,
				    "only %d of 3 writes faulted after PROT_READ", n_read_only);
	}
	if (outcome_check(outcome, mprotect(mapping->start, mapping->size_bytes,
					    PROT_READ | PROT_WRITE) == 0,
			  "mprotect(PROT_READ|PROT_WRITE) failed after timing")) {
		n_writable = 3 - count_protection_faults(mapping, value);
		(void)outcome_check(outcome, n_writable == 3,
				    "only %d of 3 writes passed after PROT_READ|PROT_WRITE",
				    n_writable);
	}
	return json_pack("{s:I, s:I, s:i, s:i}", "pages_read_back", (json_int_t)n_pages,
			 "pages_wrong", (json_int_t)n_wrong, "writes_refused_read_only",
			 n_read_only, "writes_passed_writable", n_writable);
}

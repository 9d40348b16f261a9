// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Making, writing and checking the memory under test. What its pages must be like is for
 * page_state.c.
 */
#include "bench/mapping.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bench/fault_guard.h"
#include "bench/mapping_fault.h"
#include "common/cleanup.h"

#define NUMBER_OFFSET MAPPING_NUMBER_OFFSET
#define READ_WRITE (PROT_READ | PROT_WRITE)
#define ALIGNMENT (2U << 20) /* the same page tables in every run */

/*
 * Private memory next to other private memory becomes one mapping with it, which each
 * mprotect call would split: a page of shared memory on either side prevents that.
 */
static void *reserve_apart(struct mapping *mapping, size_t size_bytes)
{
	mapping->reserved_bytes = size_bytes + 2 * mapping->page_bytes + ALIGNMENT;
	mapping->reserved = mmap(NULL, mapping->reserved_bytes, PROT_NONE,
				 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mapping->reserved == MAP_FAILED)
		return NULL;

	unsigned char *place = (unsigned char *)mapping->reserved + mapping->page_bytes;

	return place + (ALIGNMENT - (uintptr_t)place % ALIGNMENT) % ALIGNMENT;
}

int mapping_create(const struct mapping_wish *wish, struct mapping *ret_mapping,
		   struct error *err)
{
	struct mapping mapping = {
		.size_bytes = wish->size_bytes,
		.n_regions = wish->n_regions,
		.page_bytes = (size_t)sysconf(_SC_PAGESIZE),
		.is_shared = wish->is_shared,
	};
	int flags = MAP_ANONYMOUS | (wish->is_shared ? MAP_SHARED : MAP_PRIVATE) |
		    (wish->is_populated ? MAP_POPULATE : 0);
	void *place = NULL;
	void *start = MAP_FAILED;
	size_t size_bytes;

	/* Not by madvise: MAP_POPULATE would come before it. A kernel without huge pages refuses. */
	if (!wish->is_shared)
		(void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	mapping.stride_bytes = mapping.size_bytes + (wish->n_regions > 1 ? mapping.page_bytes : 0);
	size_bytes = mapping.stride_bytes * wish->n_regions;
	if (!wish->is_shared)
		place = reserve_apart(&mapping, size_bytes);
	if (wish->is_shared || place)
		start = mmap(place, size_bytes, READ_WRITE, flags | (place ? MAP_FIXED : 0), -1, 0);
	if (start == MAP_FAILED) {
		int code = error_set(err, -ENOMEM, "cannot map %zu bytes: %s", size_bytes,
				     strerror(errno));

		if (place)
			mapping_done(&mapping);
		return code;
	}
	mapping.start = start;
	if (!place) {
		mapping.reserved = start;
		mapping.reserved_bytes = size_bytes;
	}
	/* Holes, so that no mprotect call joins or splits mappings. */
	for (size_t i = 0; i < wish->n_regions && wish->n_regions > 1; i++)
		(void)munmap(mapping.start + i * mapping.stride_bytes + mapping.size_bytes,
			     mapping.page_bytes);
	*ret_mapping = mapping;
	return 0;
}

void mapping_done(struct mapping *mapping)
{
	if (mapping->reserved)
		(void)munmap(mapping->reserved, mapping->reserved_bytes);
	*mapping = (struct mapping){ 0 };
}

bool mapping_is_refusal(int refusal_errno)
{
	return refusal_errno == EPERM || refusal_errno == EACCES || refusal_errno == ENOSYS;
}

int mapping_explain_refusal(int refusal_errno, struct error *err)
{
	return error_set(err, -refusal_errno,
			 "mprotect is refused here (%s); run without the seccomp filter or "
			 "security policy that forbids it", strerror(refusal_errno));
}

int mapping_protect(const struct mapping *mapping, int protection)
{
	for (size_t i = 0; i < mapping->n_regions; i++)
		if (mprotect(mapping->start + i * mapping->stride_bytes, mapping->size_bytes,
			     protection) != 0)
			return errno;
	return 0;
}

int mapping_populate(struct mapping *mapping, enum bench_fault fault, struct error *err)
{
	uint64_t number = 0;
	int code = mapping_spoil_unwritten(mapping, fault, err);

	if (code < 0)
		return code;
	mapping->written_value = 0x5a;
	for (size_t i = 0; i < mapping->n_regions; i++) {
		unsigned char *region = mapping->start + i * mapping->stride_bytes;

		for (size_t at = 0; at < mapping->size_bytes; at += mapping->page_bytes) {
			region[at] = mapping->written_value;
			memcpy(region + at + NUMBER_OFFSET, &number, sizeof(number));
			number++;
		}
	}
	code = mapping_spoil_written(mapping, fault, err);
	if (code < 0)
		return code;
	/* The protection that it has already: permitted or not, and no page table is touched. */
	code = mapping_protect(mapping, READ_WRITE);
	return code != 0 ? mapping_explain_refusal(code, err) : 0;
}

static uint64_t count_wrong_pages(const struct mapping *mapping, unsigned char value)
{
	uint64_t n_wrong = 0;
	uint64_t expected = 0;

	for (size_t i = 0; i < mapping->n_regions; i++) {
		const unsigned char *region = mapping->start + i * mapping->stride_bytes;

		for (size_t at = 0; at < mapping->size_bytes; at += mapping->page_bytes) {
			uint64_t number;

			memcpy(&number, region + at + NUMBER_OFFSET, sizeof(number));
			if (region[at] != value || number != expected)
				n_wrong++;
			expected++;
		}
	}
	return n_wrong;
}

struct one_access {
	volatile unsigned char *place;
	unsigned char value;
	bool is_write;
};

static void access_once(void *context)
{
	const struct one_access *access = context;

	if (access->is_write)
		*access->place = access->value;
	else
		(void)*access->place;
}

/* Three pages are accessed; how many faulted as a protection fault at that very address. */
static int count_protection_faults(const struct mapping *mapping, unsigned char value,
				   bool is_write)
{
	size_t n_pages = mapping_n_pages(mapping);
	const size_t pages[3] = { 0, n_pages / 2, n_pages - 1 };
	int n_faults = 0;

	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		struct one_access access = { mapping->start + pages[i] * mapping->page_bytes,
					     value, is_write };
		struct fault_guard guard;

		fault_guard_call(access_once, &access, &guard);
		if (guard.has_faulted && guard.signal == SIGSEGV && guard.code == SEGV_ACCERR &&
		    guard.address == (const void *)access.place)
			n_faults++;
	}
	return n_faults;
}

json_t *mapping_check_semantics(const struct mapping *mapping, unsigned char value,
				int protection, struct outcome *outcome)
{
	uint64_t n_pages = mapping_n_pages(mapping) * mapping->n_regions;
	uint64_t n_wrong = count_wrong_pages(mapping, value);
	bool is_read_only = protection == PROT_READ;
	const char *name = is_read_only ? "PROT_READ" : "PROT_NONE";
	int n_refused = 0;
	int n_writable = 0;

	(void)outcome_check(outcome, n_wrong == 0,
			    "%" PRIu64 " of %" PRIu64 " pages do not hold what was written", n_wrong,
			    n_pages);
	if (outcome_check(outcome, mapping_protect(mapping, protection) == 0,
			  "mprotect(%s) failed after timing", name)) {
		n_refused = count_protection_faults(mapping, value, is_read_only);
		(void)outcome_check(outcome, n_refused == 3,
				    "only %d of 3 %s faulted after %s", n_refused,
				    is_read_only ? "writes" : "reads", name);
	}
	if (outcome_check(outcome, mapping_protect(mapping, READ_WRITE) == 0,
			  "mprotect(PROT_READ|PROT_WRITE) failed after timing")) {
		n_writable = 3 - count_protection_faults(mapping, value, true);
		(void)outcome_check(outcome, n_writable == 3,
				    "only %d of 3 writes passed after PROT_READ|PROT_WRITE",
				    n_writable);
	}
	return json_pack("{s:I, s:I, s:i, s:i}", "pages_read_back", (json_int_t)n_pages,
			 "pages_wrong", (json_int_t)n_wrong,
			 is_read_only ? "writes_refused_read_only" : "reads_refused_no_access",
			 n_refused, "writes_passed_writable", n_writable);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Making the memory under test wrong. Never used unless asked for by --fault.
 */
#include "bench/mapping_fault.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "bench/mapping_huge.h"

/* Huge pages of the mapping's own kind where the kernel's settings allow them, else private ones. */
static int make_huge_pages(const struct mapping *mapping, struct error *err)
{
	(void)prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
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

/* The second page becomes a hole; private memory knows no MADV_REMOVE. */
static int lose_page(const struct mapping *mapping)
{
	unsigned char *page = mapping->start + mapping->page_bytes;

	if (madvise(page, mapping->page_bytes, MADV_REMOVE) == 0)
		return 0;
	return madvise(page, mapping->page_bytes, MADV_DONTNEED);
}

/* A hole, filled again with what was there: a small page of its own. */
static void make_small_page(const struct mapping *mapping)
{
	unsigned char *page = mapping->start + mapping->page_bytes;
	const uint64_t number = 1;

	(void)lose_page(mapping);
	*page = mapping->written_value;
	memcpy(page + MAPPING_NUMBER_OFFSET, &number, sizeof(number));
}

int mapping_spoil_unwritten(const struct mapping *mapping, enum bench_fault fault,
			    struct error *err)
{
	return fault == BENCH_FAULT_HUGE_PAGES ? make_huge_pages(mapping, err) : 0;
}

int mapping_spoil_written(const struct mapping *mapping, enum bench_fault fault,
			  struct error *err)
{
	if (fault == BENCH_FAULT_SMALL_PAGE)
		make_small_page(mapping);
	if (fault == BENCH_FAULT_SPLIT_MAPPING &&
	    madvise(mapping->start + mapping->page_bytes, mapping->page_bytes,
		    MADV_DONTFORK) != 0)
		return error_set_errno(err, -errno, "the mapping could not be split");
	return 0;
}

void mapping_spoil_beforehand(const struct mapping *mapping, enum bench_fault fault)
{
	if (fault == BENCH_FAULT_LOST_PAGE_EARLY)
		(void)lose_page(mapping);
}

void mapping_disturb_timing(enum bench_fault fault)
{
	cpu_set_t others;

	if (fault != BENCH_FAULT_OTHER_CPU)
		return;
	memset(&others, 0xff, sizeof(others));
	CPU_CLR((size_t)sched_getcpu(), &others);
	(void)sched_setaffinity(0, sizeof(others), &others);
}

int mapping_spoil_afterwards(const struct mapping *mapping, enum bench_fault fault,
			     struct error *err)
{
	volatile unsigned char *place;

	switch (fault) {
	case BENCH_FAULT_HUGE_PAGES_LATE:
		return make_huge_pages(mapping, err);
	case BENCH_FAULT_LOST_PAGE:
		if (lose_page(mapping) != 0)
			return error_set_errno(err, -errno, "no hole could be made");
		/* Present again, but empty: only the content tells. */
		place = mapping->start + mapping->page_bytes + MAPPING_NUMBER_OFFSET;
		if (mapping->is_shared)
			(void)*place; /* it may be read-only now */
		else
			*place = 0;   /* to read would bring the zero page */
		return 0;
	case BENCH_FAULT_NONE:
	case BENCH_FAULT_HUGE_PAGES:
	case BENCH_FAULT_SPLIT_MAPPING:
	case BENCH_FAULT_SMALL_PAGE:
	case BENCH_FAULT_LOST_PAGE_EARLY:
	case BENCH_FAULT_OTHER_CPU:
		return 0;
	}
	return 0;
}

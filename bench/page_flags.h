// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pages beneath a range, one by one, from /proc/self/pagemap and /proc/kpageflags
 * (Documentation/admin-guide/mm/pagemap.rst). Needs privilege: smaps cannot show a
 * large folio that is mapped by small entries, these can.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/mapping.h"

struct page_flags {
	bool is_available;
	char why_not[96];
	uint64_t n_pages;      /* looked at: all, or a regular sample above 1 GiB */
	uint64_t n_absent;     /* no page there */
	uint64_t n_swapped;
	uint64_t n_order0;     /* single pages */
	uint64_t n_compound;   /* head or tail of a large folio, or hugetlb */
	uint64_t n_special;    /* zero page, hardware poison */
	uint64_t n_ksm;        /* said to be merged; see page_state.c for whom to believe */
	uint64_t n_in_place;   /* at their own place in a folio of the size asked about */
};

/*
 * Never fails: without privilege is_available is false and why_not says so. @folio_bytes:
 * the size of folio that is asked about, counted from the mapping's start; 0 for none.
 */
void page_flags_read(const struct mapping *mapping, size_t folio_bytes,
		     struct page_flags *ret_flags);

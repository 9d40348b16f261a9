// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page-state gate: is a mapping made of what the workload claims to measure?
 * smaps always; pagemap and kpageflags page by page where the process may read them.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "bench/outcome.h"
#include "bench/page_flags.h"
#include "bench/smaps.h"
#include "common/error.h"

struct page_state {
	struct smaps smaps;
	struct page_flags flags;
};

/* -ENOTSUP: this kernel has no smaps, and nothing can be proved. */
int page_state_read(const void *start, size_t size_bytes, size_t page_bytes,
		    struct page_state *ret_state, struct error *err);

/*
 * Demands one mapping with @permissions, every page present, mapped by base-page entries
 * and (where visible) of order 0. THPeligible alone is no failure: a huge page is.
 * @when ("before timing") begins the sentences.
 */
void page_state_check_base_pages(const struct page_state *state, size_t size_bytes,
				 size_t page_bytes, const char *permissions,
				 const char *when, struct outcome *outcome);

/* New; NULL when out of memory. */
json_t *page_state_to_json(const struct page_state *state);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page-state gate: is a mapping made of what the workload claims to measure?
 * smaps always; pagemap and kpageflags page by page where the process may read them.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "bench/mapping.h"
#include "bench/outcome.h"
#include "bench/page_flags.h"
#include "bench/smaps.h"
#include "common/error.h"

struct page_state {
	struct smaps smaps;
	struct page_flags flags;
};

enum page_shape {
	PAGE_SHAPE_BASE,   /* single pages */
	PAGE_SHAPE_HUGE,   /* folios of the huge size, each mapped by one entry */
	PAGE_SHAPE_FOLIO,  /* large folios, mapped by small entries; needs privilege to be seen */
};

struct page_demand {
	const char *when;          /* "before timing": begins the sentences */
	const char *permissions;   /* "rw-s" */
	enum page_shape shape;
	size_t folio_bytes;        /* 0 for single pages */
};

/* -ENOTSUP: this kernel has no smaps, and nothing can be proved. */
int page_state_read(const struct mapping *mapping, size_t folio_bytes,
		    struct page_state *ret_state, struct error *err);

/*
 * Demands one mapping a region with these permissions, every page present, of the shape demanded
 * as far as it can be seen. THPeligible alone is no failure: a huge page is.
 */
void page_state_check(const struct page_state *state, const struct mapping *mapping,
		      const struct page_demand *demand, struct outcome *outcome);

/* New; NULL when out of memory. */
json_t *page_state_to_json(const struct page_state *state);

/* Reads, checks, and keeps the state under @key of @gate. */
int page_state_gate(const struct mapping *mapping, const struct page_demand *demand,
		    const char *key, json_t *gate, struct outcome *outcome, struct error *err);

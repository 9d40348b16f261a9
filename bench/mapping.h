// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory under test: one region or several of a size, made, written and proved to
 * hold what was written under the protections that were asked for. Huge pages are made
 * in mapping_huge.c, wrong states in mapping_fault.c.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/outcome.h"
#include "bench/workload.h"
#include "common/error.h"

struct mapping {
	unsigned char *start;         /* of the first region */
	size_t size_bytes;            /* of each region */
	size_t stride_bytes;          /* from one region to the next; unmapped pages lie between */
	size_t n_regions;
	size_t page_bytes;
	bool is_shared;
	unsigned char written_value;  /* the first byte of every page once it is populated */
	void *reserved;               /* what mapping_done() unmaps */
	size_t reserved_bytes;
};

struct mapping_wish {
	size_t size_bytes;
	size_t n_regions;
	bool is_shared;
	bool is_populated;            /* by the kernel, MAP_POPULATE */
};

/* Of one region. */
static inline size_t mapping_n_pages(const struct mapping *mapping)
{
	return mapping->size_bytes / mapping->page_bytes;
}

static inline size_t mapping_bytes(const struct mapping *mapping)
{
	return mapping->size_bytes * mapping->n_regions;
}

/* "rw-s" or "rw-p", as smaps says it. */
static inline const char *mapping_permissions(const struct mapping *mapping)
{
	return mapping->is_shared ? "rw-s" : "rw-p";
}

/*
 * Readable and writable memory. Private memory is kept from becoming huge pages, for the
 * whole process; shared memory follows the settings of the machine, and the gate tells.
 */
int mapping_create(const struct mapping_wish *wish, struct mapping *ret_mapping,
		   struct error *err);
void mapping_done(struct mapping *mapping);

/*
 * Writes every page: a byte that a timed loop may rewrite, and the page's own number.
 * Negative: the kernel refuses mprotect here (a seccomp filter), so there is nothing to time.
 */
int mapping_populate(struct mapping *mapping, enum bench_fault fault, struct error *err);

/* The sentence for that: returns -@refusal_errno. */
int mapping_explain_refusal(int refusal_errno, struct error *err);

/* Is that errno of an mprotect a matter of policy and not of the kernel under test? */
bool mapping_is_refusal(int refusal_errno);

/* mprotect() of every region: 0 or an errno. */
int mapping_protect(const struct mapping *mapping, int protection);

/*
 * Every page holds @value and its number; under @protection (PROT_READ or PROT_NONE) the
 * first, a middle and the last page of the first region fault as a protection fault, under
 * PROT_READ|PROT_WRITE none does. Not before timing: it changes page tables. Returns the
 * gate's JSON.
 */
json_t *mapping_check_semantics(const struct mapping *mapping, unsigned char value,
				int protection, struct outcome *outcome);

#define _cleanup_mapping_ __attribute__((cleanup(mapping_done)))

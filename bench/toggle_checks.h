// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mapping of mprotect-toggle before and after timing: filling it, proving that the
 * protections meant what they should, and the faults made on purpose.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "bench/outcome.h"
#include "bench/workload.h"
#include "common/error.h"

struct toggle_mapping {
	unsigned char *start;
	size_t size_bytes;
	size_t page_bytes;
	unsigned char written_value;  /* the first byte of every page once it is populated */
};

static inline size_t toggle_n_pages(const struct toggle_mapping *mapping)
{
	return mapping->size_bytes / mapping->page_bytes;
}

/*
 * Writes every page: a byte that the timed loop rewrites, and the page's own number.
 * Negative: the kernel refuses mprotect here (a seccomp filter), so there is nothing to time.
 */
int toggle_populate(struct toggle_mapping *mapping, enum bench_fault fault, struct error *err);

/* The sentence for that: returns -@refusal_errno. */
int toggle_explain_refusal(int refusal_errno, struct error *err);

/* The faults made on purpose: after the first page-state gate, while timing, and just after. */
void toggle_spoil_beforehand(const struct toggle_mapping *mapping, enum bench_fault fault);
void toggle_disturb_timing(enum bench_fault fault);
int toggle_spoil_afterwards(const struct toggle_mapping *mapping, enum bench_fault fault,
			    struct error *err);

/*
 * Every page holds @value and its number; after PROT_READ a write to the first, a middle and the last page
 * faults as a protection fault, after PROT_READ|PROT_WRITE none does. Not before
 * timing: it changes page tables. Returns the gate's JSON.
 */
json_t *toggle_check_semantics(const struct toggle_mapping *mapping, unsigned char value,
			       struct outcome *outcome);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory of huge pages and of large folios behind small entries, made without changing
 * a setting of the machine. Whether it really is what was wanted the gate proves.
 */
#pragma once

#include <stdint.h>

#include "bench/mapping.h"
#include "common/error.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

/* What one page-middle entry maps; -ENOTSUP: a kernel without huge pages. */
int mapping_huge_bytes(size_t *ret_huge_bytes, struct error *err);

/* The same, for memory of @size_bytes: -EINVAL when that is no multiple of it. */
int mapping_huge_check_size(uint64_t size_bytes, size_t *ret_huge_bytes, struct error *err);

/*
 * All three: written, of one region; @size_bytes is a multiple of what mapping_huge_bytes()
 * says. Negative: this kernel or its settings offer no such pages, and the sentence says
 * which setting would.
 */
/* Shared memory of huge pages, each mapped by one entry. */
int mapping_create_huge(size_t size_bytes, enum bench_fault fault, struct mapping *ret_mapping,
			struct error *err);
/* Folios of the huge size, mapped by small entries. */
int mapping_create_split(size_t size_bytes, bool is_shared, enum bench_fault fault,
			 struct mapping *ret_mapping, struct error *err);
/* Private memory of folios of @folio_bytes, smaller than the huge size (multi-size THP). */
int mapping_create_folios(size_t size_bytes, size_t folio_bytes, enum bench_fault fault,
			  struct mapping *ret_mapping, struct error *err);

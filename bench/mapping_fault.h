// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * States made wrong on purpose, by what the kernel really does (huge pages, holes,
 * another CPU), so that the gates that must see them are the ones that serve in earnest.
 * With BENCH_FAULT_NONE none of these does anything.
 */
#pragma once

#include "bench/mapping.h"
#include "bench/workload.h"
#include "common/error.h"

/* Of the page's number; in the cache line that is touched anyway. */
#define MAPPING_NUMBER_OFFSET 8

/* Before the first write: the memory becomes huge pages. */
int mapping_spoil_unwritten(const struct mapping *mapping, enum bench_fault fault,
			    struct error *err);
/* Once it is written: a mapping split in three, a small page among large ones. */
int mapping_spoil_written(const struct mapping *mapping, enum bench_fault fault,
			  struct error *err);
/* After the first page-state gate. */
void mapping_spoil_beforehand(const struct mapping *mapping, enum bench_fault fault);
/* While timing: another CPU. */
void mapping_disturb_timing(enum bench_fault fault);
/* Just after timing. */
int mapping_spoil_afterwards(const struct mapping *mapping, enum bench_fault fault,
			     struct error *err);

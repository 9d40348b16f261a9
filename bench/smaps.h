// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What /proc/self/smaps says of a range of addresses, summed over the mappings that it
 * touches (proc(5), Documentation/filesystems/proc.rst).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SMAPS_ABSENT UINT64_MAX /* a field that this kernel does not print */

struct smaps {
	uint64_t n_mappings;
	uint64_t mapped_kb;
	char permissions[5];         /* of the first mapping: "rw-s" */
	uint64_t kernel_page_kb;     /* the largest, likewise the next */
	uint64_t mmu_page_kb;
	uint64_t rss_kb;             /* sums */
	uint64_t swap_kb;
	uint64_t anon_huge_kb;
	uint64_t shmem_pmd_kb;
	uint64_t file_pmd_kb;
	uint64_t hugetlb_kb;
	uint64_t ksm_kb;
	uint64_t is_thp_eligible;    /* the largest; only recorded */
};

/* Parses @size bytes of smaps text. 0; -ENOENT: no mapping touches the range; -EBADMSG: not smaps. */
int smaps_parse(const char *text, size_t size, uint64_t start, uint64_t end,
		struct smaps *ret_smaps);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parser of smaps text. What the values should be is for page_state.c.
 */
#include "bench/smaps.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"

enum fold { FOLD_SUM, FOLD_MAX };

static const struct field {
	const char *name;
	size_t offset;
	enum fold fold;
} fields[] = {
	{ "Size", offsetof(struct smaps, mapped_kb), FOLD_SUM },
	{ "KernelPageSize", offsetof(struct smaps, kernel_page_kb), FOLD_MAX },
	{ "MMUPageSize", offsetof(struct smaps, mmu_page_kb), FOLD_MAX },
	{ "Rss", offsetof(struct smaps, rss_kb), FOLD_SUM },
	{ "Swap", offsetof(struct smaps, swap_kb), FOLD_SUM },
	{ "AnonHugePages", offsetof(struct smaps, anon_huge_kb), FOLD_SUM },
	{ "ShmemPmdMapped", offsetof(struct smaps, shmem_pmd_kb), FOLD_SUM },
	{ "FilePmdMapped", offsetof(struct smaps, file_pmd_kb), FOLD_SUM },
	{ "Shared_Hugetlb", offsetof(struct smaps, hugetlb_kb), FOLD_SUM },
	{ "Private_Hugetlb", offsetof(struct smaps, hugetlb_kb), FOLD_SUM },
	{ "KSM", offsetof(struct smaps, ksm_kb), FOLD_SUM },
	{ "THPeligible", offsetof(struct smaps, is_thp_eligible), FOLD_MAX },
};

static void take_field(struct smaps *smaps, const char *name, uint64_t value)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (strcmp(fields[i].name, name) != 0)
			continue;

		uint64_t *place = (uint64_t *)((char *)smaps + fields[i].offset);

		if (*place != SMAPS_ABSENT && fields[i].fold == FOLD_SUM)
			*place += value;
		else if (*place == SMAPS_ABSENT || value > *place)
			*place = value;
		return;
	}
}

/* One line, NUL-terminated; *is_inside says whether its mapping touches the range. */
static int take_line(struct smaps *smaps, const char *line, uint64_t start, uint64_t end,
		     bool *is_inside, bool *has_header)
{
	unsigned long long from;
	unsigned long long to;
	unsigned long long value;
	char word[32];

	/* "7f..-7f.. rw-s 00000000 00:01 1025 /dev/zero (deleted)" opens a mapping. */
	if (sscanf(line, "%llx-%llx %4s", &from, &to, word) == 3) {
		*has_header = true;
		*is_inside = from < end && to > start;
		if (*is_inside && smaps->n_mappings++ == 0)
			memcpy(smaps->permissions, word, sizeof(smaps->permissions));
		return 0;
	}
	if (!*has_header)
		return -EBADMSG;
	/* "VmFlags: rd wr" and what later kernels add hold no number and are passed over. */
	if (*is_inside && sscanf(line, "%31[A-Za-z_]: %llu", word, &value) == 2)
		take_field(smaps, word, value);
	return 0;
}

int smaps_parse(const char *text, size_t size, uint64_t start, uint64_t end,
		struct smaps *ret_smaps)
{
	struct smaps smaps = { 0 };
	bool is_inside = false;
	bool has_header = false;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		*(uint64_t *)((char *)&smaps + fields[i].offset) = SMAPS_ABSENT;
	for (size_t at = 0; at < size;) {
		const char *newline = memchr(text + at, '\n', size - at);
		size_t length = newline ? (size_t)(newline - (text + at)) : size - at;
		char line[128];
		/* What a file name makes longer does not matter. */
		size_t kept = length < sizeof(line) - 1 ? length : sizeof(line) - 1;

		memcpy(line, text + at, kept);
		line[kept] = '\0';
		at += length + 1;
		if (take_line(&smaps, line, start, end, &is_inside, &has_header) < 0)
			return -EBADMSG;
	}
	if (smaps.n_mappings == 0)
		return -ENOENT;
	*ret_smaps = smaps;
	return 0;
}

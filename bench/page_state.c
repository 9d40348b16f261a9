// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the state of a mapping and holding it against what is demanded. The parsers
 * are smaps.c and page_flags.c.
 */
#include "bench/page_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/proc_file.h"
#include "common/cleanup.h"

#define SMAPS_MAX_BYTES (4U << 20)

int page_state_read(const void *start, size_t size_bytes, size_t page_bytes,
		    struct page_state *ret_state, struct error *err)
{
	struct page_state state;
	size_t size = 0;
	_cleanup_free_ char *text = proc_file_read("/proc/self/smaps", SMAPS_MAX_BYTES, &size);

	if (!text)
		return error_set(err, -ENOTSUP,
				 "/proc/self/smaps cannot be read, so the page state cannot be "
				 "proved; mount /proc and use a kernel with PROC_PAGE_MONITOR");

	int code = smaps_parse(text, size, (uintptr_t)start, (uintptr_t)start + size_bytes,
			       &state.smaps);

	if (code < 0)
		return error_set(err, code, "/proc/self/smaps does not show the mapping");
	page_flags_read(start, size_bytes, page_bytes, &state.flags);
	*ret_state = state;
	return 0;
}

static void check_flags(const struct page_flags *flags, const char *when,
			struct outcome *outcome)
{
	if (!flags->is_available)
		return;
	(void)outcome_check(outcome, flags->n_absent == 0 && flags->n_swapped == 0,
			    "%s: %" PRIu64 " of %" PRIu64 " pages are absent or swapped out", when,
			    flags->n_absent + flags->n_swapped, flags->n_pages);
	(void)outcome_check(outcome, flags->n_compound == 0,
			    "%s: %" PRIu64 " of %" PRIu64 " pages belong to large folios; set "
			    "shmem_enabled in /sys/kernel/mm/transparent_hugepage (and in its "
			    "hugepages-* directories) to never", when, flags->n_compound,
			    flags->n_pages);
	(void)outcome_check(outcome, flags->n_special == 0,
			    "%s: %" PRIu64 " of %" PRIu64 " pages are zero, KSM or poisoned pages",
			    when, flags->n_special, flags->n_pages);
}

void page_state_check_base_pages(const struct page_state *state, size_t size_bytes,
				 size_t page_bytes, const char *permissions,
				 const char *when, struct outcome *outcome)
{
	const struct smaps *smaps = &state->smaps;
	const struct {
		const char *name;
		uint64_t value;
	} huge[] = {
		{ "AnonHugePages", smaps->anon_huge_kb },
		{ "ShmemPmdMapped", smaps->shmem_pmd_kb },
		{ "FilePmdMapped", smaps->file_pmd_kb },
		{ "Hugetlb", smaps->hugetlb_kb },
	};

	/* First what tells most: the first failure is the reason that is shown. */
	for (size_t i = 0; i < ARRAY_SIZE(huge); i++)
		(void)outcome_check(outcome,
				    huge[i].value == 0 || huge[i].value == SMAPS_ABSENT,
				    "%s: %s is %" PRIu64 " kB, not 0; set shmem_enabled and enabled "
				    "in /sys/kernel/mm/transparent_hugepage to never or advise",
				    when, huge[i].name, huge[i].value);
	(void)outcome_check(outcome, smaps->n_mappings == 1,
			    "%s: the range is %" PRIu64 " mappings, not one", when,
			    smaps->n_mappings);
	(void)outcome_check(outcome, smaps->mapped_kb == size_bytes / 1024,
			    "%s: the mapping is %" PRIu64 " kB, not %zu kB", when,
			    smaps->mapped_kb, size_bytes / 1024);
	(void)outcome_check(outcome, strcmp(smaps->permissions, permissions) == 0,
			    "%s: the mapping is %s, not %s", when, smaps->permissions,
			    permissions);
	(void)outcome_check(outcome, smaps->kernel_page_kb == page_bytes / 1024,
			    "%s: KernelPageSize is %" PRIu64 " kB, not %zu kB", when,
			    smaps->kernel_page_kb, page_bytes / 1024);
	/* arm64 with contiguous entries may one day print more; until then equal is demanded. */
	(void)outcome_check(outcome, smaps->mmu_page_kb == page_bytes / 1024,
			    "%s: MMUPageSize is %" PRIu64 " kB, not %zu kB", when,
			    smaps->mmu_page_kb, page_bytes / 1024);
	(void)outcome_check(outcome, smaps->rss_kb == size_bytes / 1024,
			    "%s: %" PRIu64 " kB of %zu kB are present", when, smaps->rss_kb,
			    size_bytes / 1024);
	(void)outcome_check(outcome, smaps->swap_kb == 0 || smaps->swap_kb == SMAPS_ABSENT,
			    "%s: %" PRIu64 " kB are swapped out", when, smaps->swap_kb);
	check_flags(&state->flags, when, outcome);
}

static json_t *number_or_null(uint64_t value)
{
	return value == SMAPS_ABSENT ? json_null() : json_integer((json_int_t)value);
}

static json_t *flags_to_json(const struct page_flags *flags)
{
	if (!flags->is_available)
		return json_pack("{s:b, s:s}", "available", 0, "why_not", flags->why_not);
	return json_pack("{s:b, s:I, s:I, s:I, s:I, s:I, s:I}", "available", 1,
			 "pages", (json_int_t)flags->n_pages,
			 "order_0", (json_int_t)flags->n_order0,
			 "large_folio", (json_int_t)flags->n_compound,
			 "absent", (json_int_t)flags->n_absent,
			 "swapped", (json_int_t)flags->n_swapped,
			 "special", (json_int_t)flags->n_special);
}

json_t *page_state_to_json(const struct page_state *state)
{
	const struct smaps *smaps = &state->smaps;

	return json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "mappings", (json_int_t)smaps->n_mappings,
			 "permissions", smaps->permissions,
			 "Size_kB", number_or_null(smaps->mapped_kb),
			 "KernelPageSize_kB", number_or_null(smaps->kernel_page_kb),
			 "MMUPageSize_kB", number_or_null(smaps->mmu_page_kb),
			 "Rss_kB", number_or_null(smaps->rss_kb),
			 "Swap_kB", number_or_null(smaps->swap_kb),
			 "AnonHugePages_kB", number_or_null(smaps->anon_huge_kb),
			 "ShmemPmdMapped_kB", number_or_null(smaps->shmem_pmd_kb),
			 "FilePmdMapped_kB", number_or_null(smaps->file_pmd_kb),
			 "Hugetlb_kB", number_or_null(smaps->hugetlb_kb),
			 "THPeligible", number_or_null(smaps->is_thp_eligible),
			 "page_flags", flags_to_json(&state->flags));
}

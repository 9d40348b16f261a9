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

int page_state_read(const struct mapping *mapping, size_t folio_bytes,
		    struct page_state *ret_state, struct error *err)
{
	struct page_state state;
	size_t size = 0;
	uintptr_t start = (uintptr_t)mapping->start;
	_cleanup_free_ char *text = proc_file_read("/proc/self/smaps", SMAPS_MAX_BYTES, &size);

	if (!text)
		return error_set(err, -ENOTSUP,
				 "/proc/self/smaps cannot be read, so the page state cannot be "
				 "proved; mount /proc and use a kernel with PROC_PAGE_MONITOR");

	int code = smaps_parse(text, size, start,
			       start + (mapping->n_regions - 1) * mapping->stride_bytes +
				       mapping->size_bytes,
			       &state.smaps);

	if (code < 0)
		return error_set(err, code, "/proc/self/smaps does not show the mapping");
	page_flags_read(mapping, folio_bytes, &state.flags);
	*ret_state = state;
	return 0;
}

/*
 * smaps tells since 6.6. kpageflags does before that; later, 6.12 among them, it calls every
 * private page one (stable_page_flags() asks for either of two bits of a mapping's pointer).
 */
static void check_ksm(const struct page_state *state, const struct page_demand *demand,
		      struct outcome *outcome)
{
	uint64_t ksm_kb = state->smaps.ksm_kb;

	if (ksm_kb != SMAPS_ABSENT)
		(void)outcome_check(outcome, ksm_kb == 0, "%s: %" PRIu64 " kB are merged by KSM",
				    demand->when, ksm_kb);
	else
		(void)outcome_check(outcome, state->flags.n_ksm == 0,
				    "%s: %" PRIu64 " of %" PRIu64 " pages are merged by KSM",
				    demand->when, state->flags.n_ksm, state->flags.n_pages);
}

static void check_flags(const struct page_flags *flags, const struct page_demand *demand,
			struct outcome *outcome)
{
	const char *when = demand->when;

	if (!flags->is_available)
		return;
	(void)outcome_check(outcome, flags->n_absent == 0 && flags->n_swapped == 0,
			    "%s: %" PRIu64 " of %" PRIu64 " pages are absent or swapped out", when,
			    flags->n_absent + flags->n_swapped, flags->n_pages);
	if (demand->shape == PAGE_SHAPE_BASE)
		(void)outcome_check(outcome, flags->n_compound == 0,
				    "%s: %" PRIu64 " of %" PRIu64 " pages belong to large folios; set "
				    "shmem_enabled in /sys/kernel/mm/transparent_hugepage (and in its "
				    "hugepages-* directories) to never", when, flags->n_compound,
				    flags->n_pages);
	else
		(void)outcome_check(outcome, flags->n_in_place == flags->n_pages,
				    "%s: only %" PRIu64 " of %" PRIu64 " pages are in folios of "
				    "%zu KiB; other sizes may be switched on, or memory is short",
				    when, flags->n_in_place, flags->n_pages,
				    demand->folio_bytes / 1024);
	(void)outcome_check(outcome, flags->n_special == 0,
			    "%s: %" PRIu64 " of %" PRIu64 " pages are zero or poisoned pages",
			    when, flags->n_special, flags->n_pages);
}

/* How much huge entries map: all, for the huge shape, else nothing. */
static void check_huge(const struct smaps *smaps, const struct mapping *mapping,
		       const struct page_demand *demand, struct outcome *outcome)
{
	bool is_huge = demand->shape == PAGE_SHAPE_HUGE;
	uint64_t all_kb = mapping_bytes(mapping) / 1024;
	const struct {
		const char *name;
		uint64_t value;
		uint64_t expected;
	} huge[] = {
		{ "AnonHugePages", smaps->anon_huge_kb, is_huge && !mapping->is_shared ? all_kb : 0 },
		{ "ShmemPmdMapped", smaps->shmem_pmd_kb, is_huge && mapping->is_shared ? all_kb : 0 },
		{ "FilePmdMapped", smaps->file_pmd_kb, 0 },
		{ "Hugetlb", smaps->hugetlb_kb, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(huge); i++) {
		if (huge[i].value == SMAPS_ABSENT && huge[i].expected == 0)
			continue;
		(void)outcome_check(outcome, huge[i].value == huge[i].expected,
				    "%s: %s is %" PRIu64 " kB, not %" PRIu64 "%s", demand->when,
				    huge[i].name, huge[i].value == SMAPS_ABSENT ? 0 : huge[i].value,
				    huge[i].expected,
				    is_huge ? " kB; the huge pages did not stay together" :
					      "; set shmem_enabled and enabled in "
					      "/sys/kernel/mm/transparent_hugepage to never or "
					      "advise");
	}
}

void page_state_check(const struct page_state *state, const struct mapping *mapping,
		      const struct page_demand *demand, struct outcome *outcome)
{
	const struct smaps *smaps = &state->smaps;
	const char *when = demand->when;
	uint64_t all_kb = mapping_bytes(mapping) / 1024;
	uint64_t page_kb = mapping->page_bytes / 1024;

	/* First what tells most: the first failure is the reason that is shown. */
	check_huge(smaps, mapping, demand, outcome);
	(void)outcome_check(outcome, smaps->n_mappings == mapping->n_regions,
			    "%s: the range is %" PRIu64 " mappings, not %zu", when,
			    smaps->n_mappings, mapping->n_regions);
	(void)outcome_check(outcome, smaps->mapped_kb == all_kb,
			    "%s: the mapping is %" PRIu64 " kB, not %" PRIu64 " kB", when,
			    smaps->mapped_kb, all_kb);
	(void)outcome_check(outcome, strcmp(smaps->permissions, demand->permissions) == 0,
			    "%s: the mapping is %s, not %s", when, smaps->permissions,
			    demand->permissions);
	(void)outcome_check(outcome, smaps->kernel_page_kb == page_kb,
			    "%s: KernelPageSize is %" PRIu64 " kB, not %" PRIu64 " kB", when,
			    smaps->kernel_page_kb, page_kb);
	/* arm64 with contiguous entries may one day print more; until then equal is demanded. */
	(void)outcome_check(outcome, smaps->mmu_page_kb == page_kb,
			    "%s: MMUPageSize is %" PRIu64 " kB, not %" PRIu64 " kB", when,
			    smaps->mmu_page_kb, page_kb);
	(void)outcome_check(outcome, smaps->rss_kb == all_kb,
			    "%s: %" PRIu64 " kB of %" PRIu64 " kB are present", when, smaps->rss_kb,
			    all_kb);
	(void)outcome_check(outcome, smaps->swap_kb == 0 || smaps->swap_kb == SMAPS_ABSENT,
			    "%s: %" PRIu64 " kB are swapped out", when, smaps->swap_kb);
	check_ksm(state, demand, outcome);
	check_flags(&state->flags, demand, outcome);
}

static json_t *number_or_null(uint64_t value)
{
	return value == SMAPS_ABSENT ? json_null() : json_integer((json_int_t)value);
}

static json_t *flags_to_json(const struct page_flags *flags)
{
	if (!flags->is_available)
		return json_pack("{s:b, s:s}", "available", 0, "why_not", flags->why_not);
	return json_pack("{s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "available", 1,
			 "pages", (json_int_t)flags->n_pages,
			 "order_0", (json_int_t)flags->n_order0,
			 "large_folio", (json_int_t)flags->n_compound,
			 "absent", (json_int_t)flags->n_absent,
			 "swapped", (json_int_t)flags->n_swapped,
			 "special", (json_int_t)flags->n_special,
			 "in_place", (json_int_t)flags->n_in_place);
}

json_t *page_state_to_json(const struct page_state *state)
{
	const struct smaps *smaps = &state->smaps;

	return json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
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
			 "KSM_kB", number_or_null(smaps->ksm_kb),
			 "THPeligible", number_or_null(smaps->is_thp_eligible),
			 "page_flags", flags_to_json(&state->flags));
}

int page_state_gate(const struct mapping *mapping, const struct page_demand *demand,
		    const char *key, json_t *gate, struct outcome *outcome, struct error *err)
{
	struct page_state state;
	int code = page_state_read(mapping, demand->folio_bytes, &state, err);

	if (code < 0)
		return code;
	page_state_check(&state, mapping, demand, outcome);
	(void)json_object_set_new(gate, key, page_state_to_json(&state));
	return 0;
}

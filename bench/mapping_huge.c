// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Huge pages and large folios (Documentation/admin-guide/mm/transhuge.rst): asked for by
 * madvise(MADV_HUGEPAGE), by MADV_COLLAPSE where faults brought small pages.
 */
#include "bench/mapping_huge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/proc_file.h"
#include "common/cleanup.h"
#include "common/text.h"

#define THP_FOLDER "/sys/kernel/mm/transparent_hugepage"
#define READ_WRITE (PROT_READ | PROT_WRITE)

int mapping_huge_bytes(size_t *ret_huge_bytes, struct error *err)
{
	_cleanup_free_ char *line = proc_file_read_line(THP_FOLDER "/hpage_pmd_size");
	int64_t value;

	if (!line || text_parse_i64(line, 1, INT64_MAX / 4, &value) < 0)
		return error_set(err, -ENOTSUP,
				 "this kernel has no transparent huge pages "
				 "(" THP_FOLDER " is missing)");
	*ret_huge_bytes = (size_t)value;
	return 0;
}

int mapping_huge_check_size(uint64_t size_bytes, size_t *ret_huge_bytes, struct error *err)
{
	size_t huge_bytes = 0;
	int code = mapping_huge_bytes(&huge_bytes, err);

	if (code == 0 && size_bytes % huge_bytes != 0)
		code = error_set(err, -EINVAL,
				 "--size %" PRIu64 " is not a multiple of the huge page size, %zu",
				 size_bytes, huge_bytes);
	if (code == 0)
		*ret_huge_bytes = huge_bytes;
	return code;
}

/* A region at a huge page's border, @skew_bytes beyond it, of @fd or of anonymous memory. */
static int map_aligned(size_t size_bytes, bool is_shared, int fd, size_t skew_bytes,
		       struct mapping *ret_mapping, struct error *err)
{
	size_t huge_bytes = 0;
	int code = mapping_huge_bytes(&huge_bytes, err);
	struct mapping mapping = {
		.size_bytes = size_bytes,
		.stride_bytes = size_bytes,
		.n_regions = 1,
		.page_bytes = (size_t)sysconf(_SC_PAGESIZE),
		.is_shared = is_shared,
		.reserved_bytes = size_bytes + 2 * huge_bytes,
	};

	if (code < 0)
		return code;
	mapping.reserved = mmap(NULL, mapping.reserved_bytes, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mapping.reserved == MAP_FAILED)
		return error_set(err, -ENOMEM, "cannot map %zu bytes: %s", mapping.reserved_bytes,
				 strerror(errno));
	mapping.start = mapping.reserved;
	mapping.start += huge_bytes - (uintptr_t)mapping.start % huge_bytes + skew_bytes;
	if (mmap(mapping.start, size_bytes, READ_WRITE,
		 MAP_FIXED | (is_shared ? MAP_SHARED : MAP_PRIVATE) |
			 (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0) == MAP_FAILED) {
		code = error_set(err, -ENOMEM, "cannot map %zu bytes: %s", size_bytes,
				 strerror(errno));
		mapping_done(&mapping);
		return code;
	}
	*ret_mapping = mapping;
	return 0;
}

/* Asks for huge pages and writes; what faults did not bring, MADV_COLLAPSE must. */
static int fill_huge(struct mapping *mapping, struct error *err)
{
	const char *setting = mapping->is_shared ? THP_FOLDER "/shmem_enabled" :
						   THP_FOLDER "/enabled";
	const char *word = mapping->is_shared ? "advise" : "madvise";

	if (madvise(mapping->start, mapping->size_bytes, MADV_HUGEPAGE) != 0)
		return error_set(err, -ENOTSUP, "this kernel has no transparent huge pages (%s)",
				 strerror(errno));
	memset(mapping->start, 1, mapping->size_bytes);
	if (madvise(mapping->start, mapping->size_bytes, MADV_COLLAPSE) == 0)
		return 0;

	int collapse_errno = errno;
	_cleanup_free_ char *now = proc_file_read_line(setting);

	/* Before Linux 6.1 the settings alone decide, and the gate tells what they brought. */
	if (collapse_errno == EINVAL && now && !strstr(now, "[never]") && !strstr(now, "[deny]"))
		return 0;
	return error_set(err, -ENOTSUP,
			 "no huge %s pages are to be had (%s); set %s to %s, or free some memory",
			 mapping->is_shared ? "shared" : "private", strerror(collapse_errno),
			 setting, word);
}

int mapping_create_huge(size_t size_bytes, enum bench_fault fault, struct mapping *ret_mapping,
			struct error *err)
{
	_cleanup_mapping_ struct mapping mapping = { 0 };
	int code = map_aligned(size_bytes, true, -1, 0, &mapping, err);

	if (code == 0)
		code = fill_huge(&mapping, err);
	if (code == 0)
		code = mapping_populate(&mapping, fault, err);
	if (code < 0)
		return code;
	*ret_mapping = mapping;
	mapping.reserved = NULL;
	return 0;
}

/*
 * Private: a change of one page's protection splits the entry, not the folio behind it.
 * NOHUGEPAGE first, so that khugepaged does not put it together again.
 */
static int split_private(struct mapping *mapping, struct error *err)
{
	size_t huge_bytes = 0;
	int code = mapping_huge_bytes(&huge_bytes, err);

	if (code < 0)
		return code;
	(void)madvise(mapping->start, mapping->size_bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < mapping->size_bytes; at += huge_bytes) {
		if (mprotect(mapping->start + at, mapping->page_bytes, PROT_READ) != 0 ||
		    mprotect(mapping->start + at, mapping->page_bytes, READ_WRITE) != 0)
			return mapping_explain_refusal(errno, err);
	}
	return 0;
}

/* Shared: the same file, mapped one page off a huge page's border, where no huge entry fits. */
static int create_skewed(size_t size_bytes, struct mapping *ret_mapping, struct error *err)
{
	_cleanup_close_ int fd = memfd_create("abbot-bench", MFD_CLOEXEC);
	_cleanup_mapping_ struct mapping aligned = { 0 };
	int code;

	if (fd < 0 || ftruncate(fd, (off_t)size_bytes) != 0)
		return error_set_errno(err, -errno, "cannot make a shared file of %zu bytes",
				       size_bytes);
	code = map_aligned(size_bytes, true, fd, 0, &aligned, err);
	if (code == 0)
		code = fill_huge(&aligned, err);
	if (code == 0)
		code = map_aligned(size_bytes, true, fd, aligned.page_bytes, ret_mapping, err);
	return code;
}

int mapping_create_split(size_t size_bytes, bool is_shared, enum bench_fault fault,
			 struct mapping *ret_mapping, struct error *err)
{
	_cleanup_mapping_ struct mapping mapping = { 0 };
	int code;

	if (is_shared) {
		code = create_skewed(size_bytes, &mapping, err);
	} else {
		code = map_aligned(size_bytes, false, -1, 0, &mapping, err);
		if (code == 0)
			code = fill_huge(&mapping, err);
		if (code == 0)
			code = split_private(&mapping, err);
	}
	if (code == 0)
		code = mapping_populate(&mapping, fault, err);
	if (code < 0)
		return code;
	*ret_mapping = mapping;
	mapping.reserved = NULL;
	return 0;
}

/* Is that folio size switched on for memory that asks for it? */
static int check_folio_setting(size_t folio_bytes, struct error *err)
{
	char path[128];

	(void)snprintf(path, sizeof(path), THP_FOLDER "/hugepages-%zukB/enabled",
		       folio_bytes / 1024);

	_cleanup_free_ char *now = proc_file_read_line(path);
	_cleanup_free_ char *global = proc_file_read_line(THP_FOLDER "/enabled");

	if (!now)
		return error_set(err, -ENOTSUP, "this kernel offers no folios of %zu KiB (no %s)",
				 folio_bytes / 1024, path);
	if (strstr(now, "[never]") ||
	    (strstr(now, "[inherit]") && global && strstr(global, "[never]")))
		return error_set(err, -ENOTSUP,
				 "folios of %zu KiB are switched off; set %s to madvise",
				 folio_bytes / 1024, path);
	return 0;
}

/*
 * The kernel takes the largest size that fits an empty range. A small page in the
 * second block of each huge range keeps that range from the huge size; its own block is filled last.
 */
static void fill_folios(const struct mapping *mapping, size_t folio_bytes, size_t huge_bytes)
{
	(void)madvise(mapping->start, mapping->size_bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < mapping->size_bytes; at += huge_bytes)
		mapping->start[at + folio_bytes] = 1;
	(void)madvise(mapping->start, mapping->size_bytes, MADV_HUGEPAGE);
	for (size_t at = 0; at < mapping->size_bytes; at += folio_bytes)
		if (at % huge_bytes != folio_bytes)
			mapping->start[at] = 1;
	for (size_t at = folio_bytes; at < mapping->size_bytes; at += huge_bytes) {
		(void)madvise(mapping->start + at, folio_bytes, MADV_DONTNEED);
		mapping->start[at] = 1;
	}
	(void)madvise(mapping->start, mapping->size_bytes, MADV_NOHUGEPAGE);
}

int mapping_create_folios(size_t size_bytes, size_t folio_bytes, enum bench_fault fault,
			  struct mapping *ret_mapping, struct error *err)
{
	_cleanup_mapping_ struct mapping mapping = { 0 };
	size_t huge_bytes = 0;
	int code = mapping_huge_bytes(&huge_bytes, err);

	if (code == 0)
		code = check_folio_setting(folio_bytes, err);
	if (code == 0)
		code = map_aligned(size_bytes, false, -1, 0, &mapping, err);
	if (code < 0)
		return code;
	fill_folios(&mapping, folio_bytes, huge_bytes);
	code = mapping_populate(&mapping, fault, err);
	if (code < 0)
		return code;
	*ret_mapping = mapping;
	mapping.reserved = NULL;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting pages by what kpageflags says of them. What the counts should be is for
 * page_state.c.
 */
#include "bench/page_flags.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

#define CHUNK_PAGES 512
#define SAMPLE_ABOVE_BYTES (1ULL << 30)
#define SAMPLE_PAGES 262144ULL

#define PAGEMAP_FRAME_MASK ((1ULL << 55) - 1)
#define PAGEMAP_SWAPPED (1ULL << 62)
#define PAGEMAP_PRESENT (1ULL << 63)

#define FLAG(bit) (1ULL << (bit))
#define FLAGS_COMPOUND \
	(FLAG(KPF_COMPOUND_HEAD) | FLAG(KPF_COMPOUND_TAIL) | FLAG(KPF_HUGE) | FLAG(KPF_THP))
#define FLAGS_SPECIAL (FLAG(KPF_ZERO_PAGE) | FLAG(KPF_HWPOISON) | FLAG(KPF_NOPAGE))

static void give_up(struct page_flags *flags, const char *what, int code)
{
	*flags = (struct page_flags){ 0 };
	(void)snprintf(flags->why_not, sizeof(flags->why_not), "%s: %s", what, strerror(code));
}

static int read_words(int fd, uint64_t first, size_t n_words, uint64_t *ret_words)
{
	size_t size = n_words * sizeof(*ret_words);
	ssize_t n = pread(fd, ret_words, size, (off_t)(first * sizeof(*ret_words)));

	if (n < 0)
		return -errno;
	return (size_t)n == size ? 0 : -EIO;
}

static void count_page(struct page_flags *flags, uint64_t page)
{
	flags->n_ksm += (page & FLAG(KPF_KSM)) != 0;
	if (page & FLAGS_COMPOUND)
		flags->n_compound++;
	else if (page & FLAGS_SPECIAL)
		flags->n_special++;
	else
		flags->n_order0++;
}

/* A walk over one region. */
struct walk {
	struct page_flags *flags;
	int pagemap;
	int kpageflags;
	size_t stride;
	size_t folio_pages;    /* 0: not asked about */
	uint64_t head_frame;   /* of the folio that the walk is in; 0: none */
};

/* Is the page with that @index of the region where it belongs in a folio of the size asked about? */
static bool is_in_place(struct walk *walk, size_t index, uint64_t frame, uint64_t page)
{
	size_t place = index % walk->folio_pages;

	if (place == 0)
		walk->head_frame = page & FLAG(KPF_COMPOUND_HEAD) ? frame : 0;
	else if (!(page & FLAG(KPF_COMPOUND_TAIL)) || frame != walk->head_frame + place)
		return false;
	return walk->head_frame != 0 && !(page & FLAG(KPF_HUGE));
}

/* One chunk of pagemap entries; frames that follow each other are read in one call. */
static int count_chunk(struct walk *walk, size_t first, const uint64_t *entries, size_t n_entries)
{
	struct page_flags *flags = walk->flags;
	uint64_t words[CHUNK_PAGES];

	for (size_t i = 0; i < n_entries;) {
		uint64_t frame = entries[i] & PAGEMAP_FRAME_MASK;
		size_t run = 1;

		if (!(entries[i] & PAGEMAP_PRESENT)) {
			flags->n_pages++;
			if (entries[i] & PAGEMAP_SWAPPED)
				flags->n_swapped++;
			else
				flags->n_absent++;
			i += walk->stride;
			continue;
		}
		if (frame == 0)
			return -EPERM; /* hidden: CAP_SYS_ADMIN is missing */
		while (walk->stride == 1 && i + run < n_entries &&
		       (entries[i + run] & PAGEMAP_PRESENT) &&
		       (entries[i + run] & PAGEMAP_FRAME_MASK) == frame + run)
			run++;

		int code = read_words(walk->kpageflags, frame, run, words);

		if (code < 0)
			return code;
		for (size_t j = 0; j < run; j++) {
			count_page(flags, words[j]);
			if (walk->folio_pages > 0 &&
			    is_in_place(walk, first + i + j, frame + j, words[j]))
				flags->n_in_place++;
		}
		flags->n_pages += run;
		i += walk->stride == 1 ? run : walk->stride;
	}
	return 0;
}

static int walk_region(struct walk *walk, const struct mapping *mapping, size_t region)
{
	uint64_t first = (uintptr_t)(mapping->start + region * mapping->stride_bytes) /
			 mapping->page_bytes;
	size_t n_pages = mapping_n_pages(mapping);

	for (size_t at = 0; at < n_pages; at += CHUNK_PAGES) {
		uint64_t entries[CHUNK_PAGES];
		size_t n = n_pages - at < CHUNK_PAGES ? n_pages - at : CHUNK_PAGES;
		int code = read_words(walk->pagemap, first + at, n, entries);

		if (code == 0)
			code = count_chunk(walk, at, entries, n);
		if (code < 0)
			return code;
	}
	return 0;
}

void page_flags_read(const struct mapping *mapping, size_t folio_bytes,
		     struct page_flags *ret_flags)
{
	_cleanup_close_ int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int pagemap_error = errno;
	_cleanup_close_ int kpageflags = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
	int kpageflags_error = errno;
	struct page_flags flags = { .is_available = true };
	struct walk walk = { .flags = &flags, .pagemap = pagemap, .kpageflags = kpageflags,
			     .stride = 1, .folio_pages = folio_bytes / mapping->page_bytes };

	*ret_flags = (struct page_flags){ 0 };
	if (pagemap < 0) {
		give_up(ret_flags, "/proc/self/pagemap", pagemap_error);
		return;
	}
	if (kpageflags < 0) {
		give_up(ret_flags, "/proc/kpageflags", kpageflags_error);
		return;
	}
	/*
	 * Above 1 GiB a regular sample. A stride that divides no folio size would do; a chunk
	 * restarts it, which is as regular. A folio is proved page by page.
	 */
	if (walk.folio_pages == 0 && mapping_bytes(mapping) > SAMPLE_ABOVE_BYTES)
		walk.stride = mapping_bytes(mapping) / mapping->page_bytes / SAMPLE_PAGES;
	if (walk.stride == 0)
		walk.stride = 1;
	for (size_t i = 0; i < mapping->n_regions; i++) {
		int code = walk_region(&walk, mapping, i);

		if (code < 0) {
			give_up(ret_flags, "page flags", -code);
			return;
		}
	}
	*ret_flags = flags;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mprotect-large-folio: mprotect-toggle over large folios that small entries map.
 */
#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>

#include "bench/mapping_huge.h"
#include "bench/page_flags.h"
#include "bench/toggle_run.h"

/* The folio size that is wanted: the huge size unless --folio says another. */
static int choose_folio(const struct bench_options *options, size_t huge_bytes,
			size_t *ret_folio_bytes, struct error *err)
{
	uint64_t folio = options->folio_bytes ? options->folio_bytes : huge_bytes;

	if ((folio & (folio - 1)) != 0 || folio > huge_bytes || folio < 16384)
		return error_set(err, -EINVAL,
				 "--folio %" PRIu64 " is no folio size; take a power of two from 16K "
				 "to %zuK", folio, huge_bytes / 1024);
	if (options->is_shared && folio != huge_bytes)
		return error_set(err, -EINVAL,
				 "--shared has folios of %zuK only; leave --folio or --shared out",
				 huge_bytes / 1024);
	*ret_folio_bytes = (size_t)folio;
	return 0;
}

static int create(const struct bench_options *options, struct mapping *ret_mapping,
		  struct page_demand *ret_demand, struct error *err)
{
	size_t size_bytes = (size_t)options->size_bytes;
	size_t huge_bytes = 0;
	struct page_flags flags;
	int code = mapping_huge_check_size(size_bytes, &huge_bytes, err);

	if (code == 0)
		code = choose_folio(options, huge_bytes, &ret_demand->folio_bytes, err);
	if (code < 0)
		return code;
	ret_demand->shape = PAGE_SHAPE_FOLIO;
	if (ret_demand->folio_bytes == huge_bytes)
		code = mapping_create_split(size_bytes, options->is_shared, options->fault,
					    ret_mapping, err);
	else
		code = mapping_create_folios(size_bytes, ret_demand->folio_bytes, options->fault,
					     ret_mapping, err);
	if (code < 0)
		return code;
	page_flags_read(ret_mapping, ret_demand->folio_bytes, &flags);
	if (!flags.is_available)
		return error_set(err, -EPERM,
				 "large folios behind small entries cannot be proved here (%s); run "
				 "it as root", flags.why_not);
	return 0;
}

static int run(const struct bench_options *options, struct bench_result *result,
	       struct error *err)
{
	static const struct toggle_recipe recipe = { create, PROT_READ, true };

	return toggle_run(options, &recipe, result, err);
}

const struct workload workload_mprotect_large_folio = {
	.name = "mprotect-large-folio",
	.summary = "as mprotect-toggle, on large folios that small entries map (root only)",
	.options = WORKLOAD_SIZE | WORKLOAD_ITERATIONS | WORKLOAD_SHARED | WORKLOAD_FOLIO,
	.size_bytes = 64U << 20,
	.iterations = 1000,
	.warmup_iterations = 10,
	.run = run,
};

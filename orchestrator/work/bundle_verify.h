// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a bundle what it was, and does its report follow from its raw data?
 */
#pragma once

#include <jansson.h>

#include "orchestrator/work/bundle.h"
#include "reports/render/result.h"

struct bundle_check {
	int64_t job;
	char *headline;             /* of the report made anew */
	size_t n_processes;         /* results in raw/ */
	struct result_texts faults; /* each what is not as it should be; none: the bundle holds */
};

void bundle_check_done(struct bundle_check *check);

/*
 * Sums, then the report from the raw data, number by number. -EINVAL with a sentence where it
 * is no bundle of a known schema, or its events cannot be read; what merely does not agree is a
 * fault in @ret_check. Of another version of Abbot only the report's numbers are compared.
 */
int bundle_verify(const struct bundle *bundle, struct bundle_check *ret_check, struct error *err);

/* json_differ.c: a line "path: A in the first, B in the second" for each difference, 20 at most. */
void json_differ(const json_t *a, const json_t *b, const char *path, struct result_texts *lines);

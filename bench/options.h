// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of abbot-bench.
 */
#pragma once

#include "bench/workload.h"
#include "common/error.h"

enum bench_verb {
	BENCH_VERB_RUN,
	BENCH_VERB_LIST,
	BENCH_VERB_HELP,
	BENCH_VERB_VERSION,
};

/* -EINVAL with the sentence for the user. Options that are not given have the workload's defaults. */
int options_parse(int argc, char **argv, enum bench_verb *ret_verb,
		  struct bench_options *ret_options, struct error *err);

/* Size against page size and memory that is available now. */
int options_check_size(const struct bench_options *options, struct error *err);

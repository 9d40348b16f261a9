// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Command-line words of one verb, sorted by its option table, and the common ways
 * in which a verb ends. What an option means is the verb's business.
 */
#pragma once

#include <stdint.h>

#include "common/error.h"
#include "orchestrator/cli/verb.h"

struct cli_option {
	const char *name;  /* as in the table; borrowed */
	const char *value; /* borrowed; "" for a flag */
};

struct cli_arguments {
	struct cli_option *options; /* in the order given */
	size_t n_options;
	const char **words; /* what is no option; borrowed strings */
	size_t n_words;
};

/*
 * "--name VALUE" and "--name=VALUE"; "--" ends the options. -EINVAL with a sentence
 * that names the nearest known option. Released by cli_arguments_done().
 */
int cli_arguments_parse(const struct verb *verb, int argc, char **argv,
			struct cli_arguments *ret_arguments, struct error *err);
void cli_arguments_done(struct cli_arguments *arguments);

/* The last value given for @name, "" for a flag, NULL when it was not given. */
const char *cli_arguments_get(const struct cli_arguments *arguments, const char *name);

#define _cleanup_arguments_ __attribute__((cleanup(cli_arguments_done)))

/* A job's number. -EINVAL with a sentence. */
int cli_parse_job(const char *word, int64_t *ret_job, struct error *err);

/*
 * A moment, in seconds since 1970: RFC 3339, or HH:MM for the next time after @now_s that the
 * clocks of this time zone show that. -EINVAL with a sentence.
 */
int cli_parse_time(const char *word, int64_t now_s, int64_t *ret_seconds, struct error *err);

/* Prints "abbot: SENTENCE" to standard error and returns the exit status for @code (-errno). */
int cli_fail(int code, const struct error *err);
/* As above for the use of @verb: adds where its help is; always 2. */
int cli_fail_usage(const struct verb *verb, const struct error *err);

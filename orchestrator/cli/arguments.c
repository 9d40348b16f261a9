// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorts a verb's command-line words by its option table; exit statuses. The values
 * are left to the verbs.
 */
#include "orchestrator/cli/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/text.h"

static const struct verb_option *option_find(const struct verb *verb, const char *word,
					     size_t size)
{
	for (const struct verb_option *o = verb->options; o && o->name; o++)
		if (strlen(o->name) == size && memcmp(o->name, word, size) == 0)
			return o;
	return NULL;
}

static int option_unknown(const struct verb *verb, const char *word, size_t size,
			  struct error *err)
{
	_cleanup_free_ char *name = text_format("%.*s", (int)size, word);
	_cleanup_free_ const char **names = NULL;
	const char *nearest = NULL;
	size_t n = 0;

	for (const struct verb_option *o = verb->options; o && o->name; o++)
		n++;
	names = calloc(n + 1, sizeof(*names));
	if (names) {
		for (size_t i = 0; i < n; i++)
			names[i] = verb->options[i].name;
		nearest = text_nearest(name, names);
	}
	if (nearest)
		return error_set(err, -EINVAL, "%s: unknown option %s; did you mean %s?",
				 verb->name, name, nearest);
	return error_set(err, -EINVAL, "%s: unknown option %s", verb->name, name);
}

/* One word that begins with "-"; advances *@index when its value is the next word. */
static int parse_option(const struct verb *verb, int argc, char **argv, int *index,
			struct cli_arguments *arguments, struct error *err)
{
	const char *word = argv[*index];
	const char *equals = strchr(word, '=');
	size_t size = equals ? (size_t)(equals - word) : strlen(word);
	const struct verb_option *option = option_find(verb, word, size);
	const char *value = equals ? equals + 1 : NULL;

	if (!option)
		return option_unknown(verb, word, size, err);
	if (!option->argument) {
		if (value)
			return error_set(err, -EINVAL, "%s: %s takes no value", verb->name,
					 option->name);
		value = "";
	} else if (!value) {
		if (*index + 1 >= argc)
			return error_set(err, -EINVAL, "%s: %s needs a value: %s %s", verb->name,
					 option->name, option->name, option->argument);
		value = argv[++*index];
	}
	arguments->options[arguments->n_options++] =
		(struct cli_option){ .name = option->name, .value = value };
	return 0;
}

int cli_arguments_parse(const struct verb *verb, int argc, char **argv,
			struct cli_arguments *ret_arguments, struct error *err)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	bool is_ended = false;

	/* Such a one could not be handed to the daemon, nor stored, and must not get lost on the way. */
	for (int i = 1; i < argc; i++)
		if (!text_is_utf8(argv[i]))
			return error_set(err, -EINVAL, "%s: argument %d is not UTF-8", verb->name, i);
	arguments.options = calloc((size_t)argc + 1, sizeof(*arguments.options));
	arguments.words = calloc((size_t)argc + 1, sizeof(*arguments.words));
	if (!arguments.options || !arguments.words)
		return error_set(err, -ENOMEM, "out of memory");
	for (int i = 1; i < argc; i++) {
		if (!is_ended && strcmp(argv[i], "--") == 0) {
			is_ended = true;
		} else if (!is_ended && argv[i][0] == '-' && argv[i][1]) {
			int r = parse_option(verb, argc, argv, &i, &arguments, err);

			if (r < 0)
				return r;
		} else {
			arguments.words[arguments.n_words++] = argv[i];
		}
	}
	*ret_arguments = arguments;
	arguments = (struct cli_arguments){ 0 };
	return 0;
}

void cli_arguments_done(struct cli_arguments *arguments)
{
	free(arguments->options);
	free(arguments->words);
	*arguments = (struct cli_arguments){ 0 };
}

const char *cli_arguments_get(const struct cli_arguments *arguments, const char *name)
{
	for (size_t i = arguments->n_options; i > 0; i--)
		if (strcmp(arguments->options[i - 1].name, name) == 0)
			return arguments->options[i - 1].value;
	return NULL;
}

int cli_parse_job(const char *word, int64_t *ret_job, struct error *err)
{
	if (text_parse_i64(word, 1, INT64_MAX, ret_job) < 0)
		return error_set(err, -EINVAL,
				 "\"%s\" is not a job number; \"abbot list\" shows them", word);
	return 0;
}

/* Today's HH:MM of this time zone, or tomorrow's. */
static int next_clock_time(int64_t hour, int64_t minute, int64_t now_s, int64_t *ret_seconds)
{
	time_t now = (time_t)now_s;

	for (int day = 0; day < 2; day++) {
		struct tm local;
		time_t at;

		if (!localtime_r(&now, &local))
			return -EINVAL;
		local.tm_mday += day;
		local.tm_hour = (int)hour;
		local.tm_min = (int)minute;
		local.tm_sec = 0;
		local.tm_isdst = -1;
		at = mktime(&local);
		if (at != (time_t)-1 && at > now) {
			*ret_seconds = at;
			return 0;
		}
	}
	return -EINVAL;
}

int cli_parse_time(const char *word, int64_t now_s, int64_t *ret_seconds, struct error *err)
{
	const char *colon = strchr(word, ':');
	_cleanup_free_ char *hours = colon ? text_format("%.*s", (int)(colon - word), word) : NULL;
	int64_t hour, minute;

	if (text_parse_time(word, ret_seconds) == 0)
		return 0;
	if (colon && strlen(hours) <= 2 && strlen(colon + 1) == 2 &&
	    text_parse_i64(hours, 0, 23, &hour) == 0 && text_parse_i64(colon + 1, 0, 59, &minute) == 0 &&
	    next_clock_time(hour, minute, now_s, ret_seconds) == 0)
		return 0;
	return error_set(err, -EINVAL, "\"%s\" is no time: write HH:MM, or 2026-01-31T20:00:00+01:00", word);
}

int cli_fail(int code, const struct error *err)
{
	fprintf(stderr, "abbot: %s\n", err->text);
	switch (-code) {
	case EINVAL:
	case ERANGE:
	case ENOENT:
	case EEXIST:
	case E2BIG:
	case EFBIG:
	case ENOTDIR:
	case EISDIR:
	case EILSEQ:
		return 2;
	case EPERM:
	case EALREADY:
		return 1;
	default:
		return 3;
	}
}

int cli_fail_usage(const struct verb *verb, const struct error *err)
{
	fprintf(stderr, "abbot: %s (see \"abbot help %s\")\n", err->text, verb->name);
	return 2;
}

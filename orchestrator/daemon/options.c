// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options of `abbotd`: a table, strict values, the nearest known word for a
 * mistake. What they do is in main.c and loop.c.
 */
#include "orchestrator/daemon/options.h"

#include <errno.h>
#include <string.h>

#include "common/text.h"

static const char *const known[] = { "--state",   "--socket", "--when-idle",
				     "--version", "--help",   NULL };
static const char *const idle_words[] = { "wait", "poweroff", "exit", NULL };

const char *daemon_options_help(void)
{
	return "usage: abbotd [OPTION...]\n\n"
	       "Runs the queued jobs of this machine: builds, reboots, measures.\n\n"
	       "  --state DIR       where the queue and the kernels are (/var/lib/abbot)\n"
	       "  --socket PATH     where abbot finds the daemon (/run/abbot/abbotd.sock)\n"
	       "  --when-idle=WORD  what to do when no job can run any more: wait (unless said),\n"
	       "                    exit, or poweroff (the machine)\n"
	       "  --version         print the version\n"
	       "  --help            print this text\n";
}

static int parse_when_idle(const char *word, enum when_idle *ret_when, struct error *err)
{
	for (int i = 0; idle_words[i]; i++) {
		if (strcmp(word, idle_words[i]) == 0) {
			*ret_when = (enum when_idle)i;
			return 0;
		}
	}
	return error_set(err, -EINVAL, "--when-idle is wait, poweroff or exit, not \"%s\"", word);
}

static int unknown(const char *word, struct error *err)
{
	const char *nearest = word[0] == '-' ? text_nearest(word, known) : NULL;

	if (nearest)
		return error_set(err, -EINVAL, "unknown option %s; did you mean %s?", word, nearest);
	return error_set(err, -EINVAL, "unknown argument \"%s\"; see --help", word);
}

/* The value of @name: after "=", or the next word. NULL when this is another option. */
static const char *value_of(const char *name, int argc, char **argv, int *index)
{
	size_t size = strlen(name);

	if (strncmp(argv[*index], name, size) != 0)
		return NULL;
	if (argv[*index][size] == '=')
		return argv[*index] + size + 1;
	if (argv[*index][size] == '\0' && *index + 1 < argc)
		return argv[++*index];
	return NULL;
}

int daemon_options_parse(int argc, char **argv, struct daemon_options *ret_options,
			 struct error *err)
{
	struct daemon_options options = {
		.state_directory = "/var/lib/abbot",
		.socket_path = "/run/abbot/abbotd.sock",
	};

	for (int i = 1; i < argc; i++) {
		const char *value;

		if (strcmp(argv[i], "--help") == 0) {
			options.wants_help = true;
		} else if (strcmp(argv[i], "--version") == 0) {
			options.wants_version = true;
		} else if ((value = value_of("--state", argc, argv, &i))) {
			options.state_directory = value;
		} else if ((value = value_of("--socket", argc, argv, &i))) {
			options.socket_path = value;
		} else if ((value = value_of("--when-idle", argc, argv, &i))) {
			int r = parse_when_idle(value, &options.when_idle, err);

			if (r < 0)
				return r;
		} else if (i == argc - 1 && (strcmp(argv[i], "--state") == 0 ||
					     strcmp(argv[i], "--socket") == 0 ||
					     strcmp(argv[i], "--when-idle") == 0)) {
			return error_set(err, -EINVAL, "%s needs a value", argv[i]);
		} else {
			return unknown(argv[i], err);
		}
	}
	*ret_options = options;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot`: global options, then one verb of the table. Everything that a verb does
 * is in the verb's own file.
 */
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/option_value.h"
#include "common/text.h"
#include "orchestrator/cli/verb.h"

#define DEFAULT_STATE "/var/lib/abbot"
#define DEFAULT_SOCKET "/run/abbot/abbotd.sock"

static const struct verb_option global_options[] = {
	{ "--state", "DIR", "use the queue in DIR itself, not the daemon's (/var/lib/abbot)" },
	{ "--socket", "PATH", "talk to the daemon there (" DEFAULT_SOCKET ")" },
	{ "--completion", NULL, "print the words that may come next, for the shell" },
	{ "--version", NULL, "print the version" },
	{ "--help", NULL, "print this text" },
	{ NULL, NULL, NULL },
};

static void print_options(const struct verb_option *options)
{
	for (const struct verb_option *o = options; o && o->name; o++) {
		char left[64];

		(void)snprintf(left, sizeof(left), "%s%s%s", o->name, o->argument ? " " : "",
			       o->argument ? o->argument : "");
		printf("  %-24s %s\n", left, o->help);
	}
}

static void print_help(void)
{
	printf("usage: abbot [OPTION...] VERB [ARGUMENT...]\n\n"
	       "Boots this machine into kernel A, B and A again, measures after each boot and\n"
	       "says how much slower B is.\n\nVerbs:\n");
	for (size_t i = 0; verb_table[i]; i++)
		printf("  %-10s %s\n", verb_table[i]->name, verb_table[i]->summary);
	printf("  %-10s %s\n", "help", "explain one verb");
	printf("\nOptions before the verb:\n");
	print_options(global_options);
	printf("\n\"abbot help VERB\" explains one verb; abbot(1) all of them.\n");
}

static void print_verb_help(const struct verb *verb)
{
	printf("usage: abbot %s\n\n%s%s\n", verb->synopsis, verb->summary,
	       text_has_suffix(verb->summary, "?") ? "" : ".");
	if (verb->options && verb->options->name) {
		printf("\nOptions:\n");
		print_options(verb->options);
	}
}

static int unknown_verb(const char *word)
{
	const char *nearest = verb_nearest(word);

	if (nearest)
		fprintf(stderr, "abbot: unknown verb \"%s\"; did you mean \"%s\"?\n", word, nearest);
	else
		fprintf(stderr, "abbot: unknown verb \"%s\"; \"abbot help\" lists them\n", word);
	return 2;
}

static int run_help(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2) {
		print_help();
		return 0;
	}
	verb = verb_find(argv[1]);
	if (!verb)
		return unknown_verb(argv[1]);
	print_verb_help(verb);
	return 0;
}

/* What the shell's completion asks: verbs and global options, or one verb's options. */
static int run_completion(const char *word)
{
	const struct verb *verb = word ? verb_find(word) : NULL;
	const struct verb_option *options = word ? NULL : global_options;

	if (word && strcmp(word, "help") == 0)
		verb = NULL;
	if (verb)
		options = verb->options;
	for (size_t i = 0; verb && verb->words && verb->words[i]; i++)
		printf("%s\n", verb->words[i]);
	if (!word || strcmp(word, "help") == 0)
		for (size_t i = 0; verb_table[i]; i++)
			printf("%s\n", verb_table[i]->name);
	if (!word)
		printf("help\n");
	for (const struct verb_option *o = options; o && o->name; o++)
		printf("%s%s\n", o->name, o->argument ? "=" : "");
	if (verb)
		printf("--help\n");
	return 0;
}

static bool wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0)
			return true;
	return false;
}

static int run_verb(const struct cli *cli, int argc, char **argv)
{
	const struct verb *verb;

	if (strcmp(argv[0], "help") == 0)
		return run_help(argc, argv);
	verb = verb_find(argv[0]);
	if (!verb)
		return unknown_verb(argv[0]);
	if (wants_help(argc, argv)) {
		print_verb_help(verb);
		return 0;
	}
	return verb->run(cli, argc, argv);
}

static int unknown_option(const char *word)
{
	const char *names[ARRAY_SIZE(global_options)];
	const char *nearest;

	for (size_t i = 0; i < ARRAY_SIZE(global_options); i++)
		names[i] = global_options[i].name;
	nearest = text_nearest(word, names);
	fprintf(stderr, "abbot: unknown option %s%s%s%s\n", word, nearest ? "; did you mean " : "",
		nearest ? nearest : "", nearest ? "?" : "; options of a verb come after it");
	return 2;
}

static int run(int argc, char **argv)
{
	struct cli cli = { .state_directory = DEFAULT_STATE };
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		struct error err;
		int r;

		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			print_help();
			return 0;
		}
		if (strcmp(argv[i], "--version") == 0) {
			printf("abbot %s\n", ABBOT_VERSION);
			return 0;
		}
		if (strcmp(argv[i], "--completion") == 0)
			return run_completion(argv[i + 1]);
		r = option_value("--state", argc, argv, &i, &cli.state_directory, &err);
		if (r > 0)
			cli.is_state_given = true;
		if (r == 0)
			r = option_value("--socket", argc, argv, &i, &cli.socket_path, &err);
		if (r == 0)
			return unknown_option(argv[i]);
		if (r < 0) {
			fprintf(stderr, "abbot: %s\n", err.text);
			return 2;
		}
	}
	if (!cli.socket_path && !cli.is_state_given)
		cli.socket_path = DEFAULT_SOCKET;
	if (i >= argc) {
		fprintf(stderr, "abbot: which verb? \"abbot help\" lists them\n");
		return 2;
	}
	return run_verb(&cli, argc - i, argv + i);
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	/* Whoever reads only the exit status must not take it for a refusal. */
	if (fflush(stdout) == EOF || ferror(stdout)) {
		fprintf(stderr, "abbot: the output could not be written (no space?); what was asked for may have been done\n");
		return 3;
	}
	return status;
}

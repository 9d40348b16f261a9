// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options of `abbotd`: a table, strict values, the nearest known word for a
 * mistake. What they do is in main.c and loop.c.
 */
#include "orchestrator/daemon/options.h"

#include <errno.h>
#include <string.h>

#include "boot/boot_loader.h"
#include "common/option_value.h"
#include "common/text.h"

static const char *const known[] = { "--state",   "--socket", "--when-idle", "--boot-loader",
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
	       "  --boot-loader=NAME  auto (unless said), systemd-boot, uefi or grub\n"
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

static int parse_boot_loader(const char *word, const char **ret_name, struct error *err)
{
	for (size_t i = 0; boot_loader_names[i]; i++) {
		if (strcmp(word, boot_loader_names[i]) == 0) {
			*ret_name = boot_loader_names[i];
			return 0;
		}
	}
	return error_set(err, -EINVAL, "--boot-loader is auto, systemd-boot, uefi or grub, not \"%s\"", word);
}

static int unknown(const char *word, struct error *err)
{
	const char *nearest = word[0] == '-' ? text_nearest(word, known) : NULL;

	if (nearest)
		return error_set(err, -EINVAL, "unknown option %s; did you mean %s?", word, nearest);
	return error_set(err, -EINVAL, "unknown argument \"%s\"; see --help", word);
}

/* One word or two at @index; 0 when it was an option that takes a value. */
static int parse_valued(int argc, char **argv, int *index, struct daemon_options *options,
			struct error *err)
{
	const char *value;
	int r = option_value("--state", argc, argv, index, &options->state_directory, err);

	if (r == 0)
		r = option_value("--socket", argc, argv, index, &options->socket_path, err);
	if (r != 0)
		return r < 0 ? r : 0;
	r = option_value("--when-idle", argc, argv, index, &value, err);
	if (r > 0)
		return parse_when_idle(value, &options->when_idle, err);
	if (r == 0)
		r = option_value("--boot-loader", argc, argv, index, &value, err);
	if (r > 0)
		return parse_boot_loader(value, &options->boot_loader, err);
	return r < 0 ? r : unknown(argv[*index], err);
}

int daemon_options_parse(int argc, char **argv, struct daemon_options *ret_options,
			 struct error *err)
{
	struct daemon_options options = {
		.state_directory = "/var/lib/abbot",
		.boot_loader = "auto",
		.socket_path = "/run/abbot/abbotd.sock",
	};

	for (int i = 1; i < argc; i++) {
		int r = 0;

		if (strcmp(argv[i], "--help") == 0)
			options.wants_help = true;
		else if (strcmp(argv[i], "--version") == 0)
			options.wants_version = true;
		else
			r = parse_valued(argc, argv, &i, &options, err);
		if (r < 0)
			return r;
	}
	*ret_options = options;
	return 0;
}

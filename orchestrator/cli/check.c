// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`: prints what boot/preflight.c found on this machine. Runs here and
 * not in the daemon: it must work before there is one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "boot/preflight.h"
#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/check_starve.h"
#include "orchestrator/cli/client.h"

#define KERNELS_OF_A_SANDWICH 2

static const struct verb_option options[] = {
	{ "--boot-loader", "NAME", "auto (unless said), systemd-boot, uefi or grub" },
	{ "--config", "FILE", "has this .config the drivers of the root disk?" },
	{ "--json", NULL, "print JSON instead of text" },
	{ "--starve-watchdog", NULL, "prove that the watchdog resets this machine: it is reset" },
	{ "--verbose", NULL, "also print what is good and what was skipped" },
	{ "--yes", NULL, "with --starve-watchdog: do not ask" },
	{ NULL, NULL, NULL },
};

static const char *member(const json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	return text ? text : "";
}

static size_t count(const json_t *lines, const char *status)
{
	size_t n = 0, i;
	json_t *line;

	json_array_foreach(lines, i, line)
		n += strcmp(member(line, "status"), status) == 0;
	return n;
}

static void print_lines(const json_t *lines, bool is_verbose)
{
	size_t i;
	json_t *line;

	json_array_foreach(lines, i, line) {
		const char *status = member(line, "status");
		bool is_quiet = strcmp(status, "ok") == 0 || strcmp(status, "skipped") == 0;

		if (is_quiet && !is_verbose)
			continue;
		printf("%-8s %-16s %s\n", status, member(line, "check"), member(line, "text"));
		if (!is_quiet && member(line, "remedy")[0])
			printf("%25s %s\n", "->", member(line, "remedy"));
	}
}

static void print_conclusion(const json_t *lines)
{
	size_t refusals = count(lines, "refusal"), warnings = count(lines, "warning");

	if (refusals)
		printf("Not safe to reboot unattended: %zu refusal%s, %zu warning%s, %zu ok.\n",
		       refusals, refusals == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s",
		       count(lines, "ok"));
	else
		printf("Safe to reboot unattended: %zu ok, %zu warning%s.\n", count(lines, "ok"),
		       warnings, warnings == 1 ? "" : "s");
}

static int run(const struct cli *cli, int argc, char **argv)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	_cleanup_json_ json_t *lines = NULL;
	struct boot_paths paths = { .root = "" };
	struct preflight_request request = {
		.state_directory = cli->state_directory,
		.kernels = KERNELS_OF_A_SANDWICH,
		.builds = true,
	};
	struct error err;
	int r, printed = 0;

	if (cli_arguments_parse(&verb_check, argc, argv, &arguments, &err) < 0)
		return cli_fail_usage(&verb_check, &err);
	if (arguments.n_words) {
		(void)error_set(&err, -EINVAL, "check takes no argument");
		return cli_fail_usage(&verb_check, &err);
	}
	if (cli_arguments_get(&arguments, "--starve-watchdog"))
		return check_starve(cli, cli_arguments_get(&arguments, "--yes") != NULL);
	request.config_path = cli_arguments_get(&arguments, "--config");
	paths.loader = cli_arguments_get(&arguments, "--boot-loader");
	r = preflight_run(&paths, &request, &lines, &err);
	if (r < 0)
		return cli_fail(r, &err);
	if (cli_arguments_get(&arguments, "--json")) {
		printed = client_print_json(lines);
	} else {
		print_lines(lines, cli_arguments_get(&arguments, "--verbose") != NULL);
		print_conclusion(lines);
	}
	return printed ? printed : r;
}

const struct verb verb_check = {
	.name = "check",
	.synopsis = "check [--boot-loader NAME] [--config FILE] [--verbose] [--json] | --starve-watchdog [--yes]",
	.summary = "Is this machine safe to reboot unattended?",
	.options = options,
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --power-cut (any number of times), --power-switch, --no-watchdog and --record-writes.
 */
#include "orchestrator/cli/lab_power.h"

#include <errno.h>
#include <string.h>

#include "common/text.h"

static int parse_seconds(const char *name, const char *text, int64_t *ret_ms, struct error *err)
{
	double seconds;

	if (text_parse_double(text, &seconds) < 0 || seconds < 0.001 || seconds > 86400)
		return error_set(err, -EINVAL, "%s %s is no number of seconds", name, text);
	*ret_ms = (int64_t)(seconds * 1000);
	return 0;
}

int lab_power_parse(const struct cli_arguments *arguments, int64_t *cuts_ms,
		    struct lab_power *ret_power, struct error *err)
{
	struct lab_power power = { .cuts_ms = cuts_ms };
	const char *silence = cli_arguments_get(arguments, "--power-switch");
	int r = silence ? parse_seconds("--power-switch", silence, &power.switch_ms, err) : 0;

	for (size_t i = 0; i < arguments->n_options && r == 0; i++) {
		if (strcmp(arguments->options[i].name, "--power-cut") != 0)
			continue;
		if (power.n_cuts == LAB_POWER_CUTS_MAX)
			return error_set(err, -EINVAL, "more than %d times --power-cut",
					 LAB_POWER_CUTS_MAX);
		r = parse_seconds("--power-cut", arguments->options[i].value,
				  &cuts_ms[power.n_cuts++], err);
	}
	if (r < 0)
		return r;
	power.has_no_watchdog = cli_arguments_get(arguments, "--no-watchdog") != NULL;
	power.write_log = cli_arguments_get(arguments, "--record-writes");
	*ret_power = power;
	return 0;
}

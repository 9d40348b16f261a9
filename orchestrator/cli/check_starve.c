// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks before the watchdog is starved: the person, the kernel command line, the queue. How it
 * is starved, and how the proof is kept, is in boot/starve.c.
 */
#include "orchestrator/cli/check_starve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "boot/boot_options.h"
#include "boot/starve.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/client.h"

#define CMDLINE_MAX_BYTES 65536

static int check_kernel(struct error *err)
{
	_cleanup_free_ char *cmdline = NULL;
	int r = file_read("/proc/cmdline", CMDLINE_MAX_BYTES, &cmdline, NULL, err);

	if (r < 0)
		return r;
	if (boot_options_has(cmdline, "abbot.token"))
		return error_set(err, -EPERM, "a test kernel runs: starve the watchdog on the default kernel");
	return 0;
}

/* A job that has begun would lose a boot; one that waits would begin in between. */
static int check_queue(const struct cli *cli, struct error *err)
{
	static const char *const ended[] = { "done", "inconclusive", "invalid", "failed", "cancelled" };
	_cleanup_json_ json_t *request = json_pack("{s:s}", "op", "list"), *reply = NULL;
	const json_t *job;
	size_t i;
	int r = client_request(cli, request, false, &reply, err);

	if (r == -ENOENT) /* there is no queue yet */
		return 0;
	if (r < 0)
		return r;
	json_array_foreach(json_object_get(reply, "jobs"), i, job) {
		const char *status = json_string_value(json_object_get(job, "status"));
		bool is_over = json_is_true(json_object_get(job, "is_emulated"));

		for (size_t n = 0; n < ARRAY_SIZE(ended); n++)
			is_over |= status && strcmp(status, ended[n]) == 0;
		if (!is_over)
			return error_set(err, -EBUSY,
					 "job %lld is %s: let it end, or cancel it, before the watchdog is starved",
					 (long long)json_integer_value(json_object_get(job, "id")),
					 status ? status : "not over");
	}
	return 0;
}

static int confirm(struct error *err)
{
	char answer[16] = "";

	if (!isatty(STDIN_FILENO))
		return error_set(err, -EINVAL, "nobody is there to be asked: give --yes, too");
	printf("This machine will be reset within a minute, without stopping its services. Go on (yes/no)? ");
	(void)fflush(stdout);
	if (!fgets(answer, sizeof(answer), stdin) || strcmp(answer, "yes\n") != 0)
		return error_set(err, -EPERM, "nothing was done");
	return 0;
}

int check_starve(const struct cli *cli, bool is_confirmed)
{
	struct error err = { 0 };
	int r = 0;

	if (geteuid() != 0)
		r = error_set(&err, -EPERM, "only root can starve the watchdog");
	if (r == 0)
		r = check_kernel(&err);
	if (r == 0)
		r = check_queue(cli, &err);
	if (r == 0 && !is_confirmed)
		r = confirm(&err);
	if (r == 0)
		r = file_make_directories(cli->state_directory, 0750, &err);
	if (r < 0)
		return cli_fail(r, &err);
	printf("The watchdog is not fed from now on. After the reboot, \"abbot check --verbose\" says what was proved.\n");
	(void)fflush(stdout);
	r = starve_watchdog(cli->state_directory, &err);
	return cli_fail(r, &err);
}

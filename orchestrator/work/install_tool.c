// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs one program of the distribution's and says why it failed. Which one and what
 * for is the caller's.
 */
#include "orchestrator/work/install_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/subprocess.h"
#include "common/text.h"
#include "orchestrator/work/build_log.h"

int install_tool_run(const struct install_tool *tool, struct error *err)
{
	_cleanup_close_ int log_fd = open(tool->log_path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
					  0644);
	_cleanup_free_ char *path = text_format("PATH=%s:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin",
						getenv("PATH") ? getenv("PATH") : "/usr/local/bin");
	/* Nothing else of the caller's: a user's locale or TMPDIR is not the machine's. */
	const char *const environment[] = { path, "HOME=/root", "LC_ALL=C", NULL };
	struct subprocess_options options = { .argv = tool->argv, .environment = environment,
					      .directory = "/", .output_fd = log_fd,
					      .timeout_ms = tool->timeout_ms, .ends_strays = true };
	struct subprocess_result result = { 0 };
	_cleanup_free_ char *last = NULL;
	int r;

	if (log_fd < 0)
		return error_set_errno(err, -errno, "%s cannot be written", tool->log_path);
	for (size_t i = 0; tool->argv[i]; i++)
		(void)dprintf(log_fd, "%s%s", i ? " " : "", tool->argv[i]);
	(void)dprintf(log_fd, "\n");
	r = subprocess_run(&options, &result, err);
	if (r < 0)
		return error_prefix(err, r, "running %s", tool->argv[0]);
	if (result.timed_out)
		r = error_set(err, -EPROTO, "%s did not end within %llu s; its output is in %s",
			      tool->argv[0], (unsigned long long)tool->timeout_ms / 1000, tool->log_path);
	else if (result.exit_status != 0) {
		last = build_log_tail(tool->log_path, 1);
		r = error_set(err, -EPROTO, "%s failed: %.300s (all of it is in %s)", tool->argv[0],
			      text_strip(last), tool->log_path);
	}
	subprocess_result_done(&result);
	return r;
}

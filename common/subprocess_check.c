// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs that must succeed: turns any other end into a sentence that carries
 * the last line that the program said.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/subprocess.h"
#include "common/text.h"

#define LAST_LINE_BYTES 200

/* The last line of @text that is not blank, shortened in place; "" if none. */
static const char *subprocess_last_line(char *text)
{
	char *stripped = text_strip(text);
	char *line = strrchr(stripped, '\n');

	line = text_strip(line ? line + 1 : stripped);
	if (strlen(line) > LAST_LINE_BYTES)
		line[LAST_LINE_BYTES] = '\0';
	return line;
}

/* The end of a log file that the output went to; "" where it cannot be read back. */
static char *subprocess_read_tail(int fd)
{
	char tail[4096];
	off_t end = lseek(fd, 0, SEEK_CUR);
	off_t from = end > (off_t)sizeof(tail) - 1 ? end - (off_t)sizeof(tail) + 1 : 0;
	ssize_t n = end < 0 ? -1 : pread(fd, tail, sizeof(tail) - 1, from);

	tail[n < 0 ? 0 : n] = '\0';
	return text_duplicate(tail);
}

int subprocess_check(const struct subprocess_options *options,
		     struct subprocess_result *ret_result, struct error *err)
{
	_cleanup_(subprocess_result_done) struct subprocess_result result = { 0 };
	_cleanup_free_ char *copy = NULL;
	const char *line = "", *program = options->argv[0];
	int r;

	r = subprocess_run(options, &result, err);
	if (r < 0)
		return r;
	if (!result.timed_out && result.exit_status == 0) {
		*ret_result = result;
		result = (struct subprocess_result){ 0 };
		return 0;
	}
	if (options->output_fd > 0)
		copy = subprocess_read_tail(options->output_fd);
	else
		copy = text_duplicate(*result.error_output ? result.error_output : result.output);
	line = subprocess_last_line(copy);
	if (result.timed_out)
		return error_set(err, -EPROTO, "%s did not end within %llu s%s%s", program,
				 (unsigned long long)(options->timeout_ms + 999) / 1000,
				 *line ? ": " : "", line);
	if (result.signal)
		return error_set(err, -EPROTO, "%s was killed by signal %d (%s)%s%s", program,
				 result.signal, strsignal(result.signal), *line ? ": " : "", line);
	return error_set(err, -EPROTO, "%s failed with exit status %d%s%s", program,
			 result.exit_status, *line ? ": " : "", line);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The progress line: a redrawn bar on a terminal, a plain line now and then
 * elsewhere. Knows nothing of what is going on; callers give the fraction.
 */
#include "common/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/now.h"
#include "common/text.h"

#define TERMINAL_INTERVAL_MS 200
#define PLAIN_INTERVAL_MS 10000
#define BAR_CELLS 24

static size_t progress_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 20)
		return 80;
	return size.ws_col;
}

void progress_start(struct progress *progress, const char *what, double expected_s)
{
	*progress = (struct progress){
		.what = what,
		.expected_s = expected_s,
		.is_terminal = isatty(STDERR_FILENO) == 1,
		.started_ms = now_monotonic_ms(),
	};
	progress->shown_ms = progress->started_ms;
}

/* The time left in seconds, or negative when unknown. */
static double progress_left_s(const struct progress *progress, double fraction, double elapsed_s)
{
	if (fraction > 0.02)
		return elapsed_s * (1 - fraction) / fraction;
	if (progress->expected_s > elapsed_s)
		return progress->expected_s - elapsed_s;
	return -1;
}

static void progress_format(const struct progress *progress, double fraction, const char *note,
			    double elapsed_s, struct text_buffer *line)
{
	double left_s = progress_left_s(progress, fraction, elapsed_s);
	char duration[32];

	text_printf(line, "%s:", progress->what);
	if (fraction >= 0 && progress->is_terminal) {
		int full = (int)lround(fraction * BAR_CELLS);

		text_append(line, " [");
		for (int i = 0; i < BAR_CELLS; i++)
			text_append(line, i < full ? "#" : ".");
		text_append(line, "]");
	}
	if (fraction >= 0)
		text_printf(line, " %d %%,", (int)floor(fraction * 100));
	text_printf(line, " %s", text_duration(elapsed_s, duration, sizeof(duration)));
	if (left_s >= 0)
		text_printf(line, ", about %s left",
			    text_duration(left_s, duration, sizeof(duration)));
	if (note && *note)
		text_printf(line, ", %s", note);
}

void progress_update(struct progress *progress, double fraction, const char *note)
{
	_cleanup_text_ struct text_buffer line = { 0 };
	uint64_t now_ms = now_monotonic_ms();
	uint64_t interval_ms = progress->is_terminal ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
	double elapsed_s = (double)(now_ms - progress->started_ms) / 1000;

	if (now_ms - progress->shown_ms < interval_ms)
		return;
	if (fraction > 1)
		fraction = 1;
	/* With an expected time alone, the bar follows the clock and stops short of full. */
	if (!(fraction >= 0))
		fraction = progress->expected_s > 0 ?
				   fmin(elapsed_s / progress->expected_s, 0.99) : -1;
	progress_format(progress, fraction, note, elapsed_s, &line);
	if (progress->is_terminal) {
		size_t columns = progress_columns();

		if (line.size >= columns)
			line.text[columns - 1] = '\0';
		(void)fprintf(stderr, "\r\033[K%s", line.text);
	} else {
		(void)fprintf(stderr, "%s\n", line.text);
	}
	(void)fflush(stderr);
	progress->shown_ms = now_ms;
	progress->has_shown = true;
}

void progress_finish(struct progress *progress, const char *outcome)
{
	double elapsed_s = (double)(now_monotonic_ms() - progress->started_ms) / 1000;
	char duration[32];

	(void)fprintf(stderr, "%s%s: %s in %s\n",
		      progress->is_terminal && progress->has_shown ? "\r\033[K" : "",
		      progress->what, outcome,
		      text_duration(elapsed_s, duration, sizeof(duration)));
	(void)fflush(stderr);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Log lines for the programs, never for libraries: one line each to standard
 * error with the "<N>" priority prefix of sd-daemon(3) when the journal reads it
 * (JOURNAL_STREAM is set), without it on a terminal.
 */
#pragma once

enum log_level {
	LOG_LEVEL_ERROR = 3,
	LOG_LEVEL_WARNING = 4,
	LOG_LEVEL_NOTICE = 5,
	LOG_LEVEL_INFO = 6,
	LOG_LEVEL_DEBUG = 7,
};

void log_line(enum log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

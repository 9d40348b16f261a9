// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One log line, one write: lines of parallel processes do not mix. For the
 * programs only; libraries fill a struct error instead.
 */
#include "common/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/printable.h"

void log_line(enum log_level level, const char *format, ...)
{
	char line[2048];
	size_t size = 0;
	va_list arguments;
	int n;

	if (getenv("JOURNAL_STREAM"))
		size = (size_t)snprintf(line, sizeof(line), "<%d>", (int)level);
	va_start(arguments, format);
	n = vsnprintf(line + size, sizeof(line) - size, format, arguments);
	va_end(arguments);
	if (n < 0)
		return;
	printable_clean(line + size, false); /* a line feed would start a second record */
	size = strlen(line);
	line[size++] = '\n';
	if (write(STDERR_FILENO, line, size) < 0)
		return; /* nowhere left to say it */
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Log and progress lines, read back from standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/log.h"
#include "common/progress.h"
#include "common/tests/temporary.h"

/* Runs @function with standard error going to a file; the text is the caller's. */
static char *capture(void **state, void (*function)(void))
{
	_cleanup_free_ char *path = temporary_path(state, "stderr");
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	_cleanup_close_ int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	struct error err;
	char *text = NULL;

	assert_true(fd >= 0 && saved >= 0);
	assert_true(dup2(fd, STDERR_FILENO) >= 0);
	function();
	(void)fflush(stderr);
	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	assert_int_equal(file_read(path, 1 << 20, &text, NULL, &err), 0);
	return text;
}

static void log_some(void)
{
	char big[5000];

	log_line(LOG_LEVEL_WARNING, "free space: %d MiB\nforged", 12);
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	log_line(LOG_LEVEL_INFO, "%s", big);
}

static void test_log_plain(void **state)
{
	_cleanup_free_ char *text = NULL;
	const char *end;

	(void)unsetenv("JOURNAL_STREAM");
	text = capture(state, log_some);
	assert_memory_equal(text, "free space: 12 MiB?forged\n", 26);
	end = strchr(text + 26, '\n');
	assert_non_null(end);
	assert_int_equal(end[1], '\0');
	assert_true(end - text > 2000 && end - text < 2100);
}

static void test_log_journal(void **state)
{
	_cleanup_free_ char *text = NULL;

	(void)setenv("JOURNAL_STREAM", "8:1234", 1);
	text = capture(state, log_some);
	(void)unsetenv("JOURNAL_STREAM");
	assert_memory_equal(text, "<4>free space", 13);
	assert_non_null(strstr(text, "\n<6>xxx"));
}

static void show_plain(void)
{
	struct progress progress;

	progress_start(&progress, "building parent", 100);
	progress_update(&progress, 0.25, "too early to show");
	progress.started_ms -= 30000;
	progress.shown_ms = progress.started_ms;
	progress_update(&progress, 0.25, "mm/mprotect.o");
	progress_update(&progress, 0.5, "too soon after");
	progress.shown_ms -= 20000;
	progress_update(&progress, -1, NULL);
	progress_finish(&progress, "done");
}

static void test_progress_plain(void **state)
{
	_cleanup_free_ char *text = capture(state, show_plain);

	assert_string_equal(text,
			    "building parent: 25 %, 30 s, about 1 min 30 s left, mm/mprotect.o\n"
			    "building parent: 30 %, 30 s, about 1 min 10 s left\n"
			    "building parent: done in 30 s\n");
}

static void show_terminal(void)
{
	struct progress progress;

	progress_start(&progress, "boot", 0);
	progress.is_terminal = true;
	progress.started_ms -= 10000;
	progress.shown_ms = progress.started_ms;
	progress_update(&progress, 2, NULL);
	progress.shown_ms -= 1000;
	progress_update(&progress, -1, "a note so long that it cannot be shown whole on eighty columns of a terminal");
	progress_finish(&progress, "failed");
}

static void test_progress_terminal(void **state)
{
	_cleanup_free_ char *text = capture(state, show_terminal);
	const char *second;

	assert_memory_equal(text, "\r\033[Kboot: [########################] 100 %, 10 s", 48);
	second = strstr(text + 1, "\r\033[K");
	assert_non_null(second);
	/* Unknown: elapsed time only; cut before the last column. */
	assert_memory_equal(second, "\r\033[Kboot: 10 s, a note", 21);
	assert_int_equal(strcspn(second + 1, "\r"), 3 + 79);
	assert_non_null(strstr(text, "\r\033[Kboot: failed in 10 s\n"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_log_plain),
		TEST(test_log_journal),
		TEST(test_progress_plain),
		TEST(test_progress_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

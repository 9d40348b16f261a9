// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of text to events, through SQLite. What they mean together is the target's. */
#include <errno.h>

#include "common/cleanup.h"
#include "queue/store_internal.h"
#include "queue/tests/hostile_rows.h"

#define ROWS_MAX 512
#define COLUMNS 8

static void bind_column(sqlite3_stmt *statement, int column, const char *text)
{
	char *end = NULL;
	long long number = strtoll(text, &end, 10);

	if (strcmp(text, "-") == 0)
		return;
	if (*text && end && !*end)
		(void)sqlite3_bind_int64(statement, column, number);
	else
		(void)sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

/* 0, or negative for a row that is refused, which then has its sentence. */
static int read_row(sqlite3 *db, char *line, int64_t sequence, struct event *ret_event)
{
	/* sequence, job, at_ns, kind, phase, point, boot, attempt, process, boot_id, data */
	static const int columns[COLUMNS] = { 4, 5, 6, 7, 8, 9, 10, 11 };
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	struct error err = { .text = "" };
	int r;

	if (store_prepare(db, "memory", "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11",
			  &statement, NULL) < 0)
		abort();
	(void)sqlite3_bind_int64(statement, 1, sequence);
	(void)sqlite3_bind_int64(statement, 2, 1);
	(void)sqlite3_bind_int64(statement, 3, sequence * 1000000000);
	for (int i = 0; i < COLUMNS && line; i++) {
		const char *text = i + 1 < COLUMNS ? strsep(&line, " ") : line;

		bind_column(statement, columns[i], text);
	}
	if (sqlite3_step(statement) != SQLITE_ROW)
		abort();
	r = store_event_from_row(statement, "memory", ret_event, &err);
	FUZZ_REQUIRE(r == 0 || (r == -EBADMSG && err.text[0]));
	return r;
}

struct event_list hostile_rows_read(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = fuzz_text(data, size);
	_cleanup_database_ sqlite3 *db = NULL;
	struct event_list list = { 0 };
	char *rest = text;

	list.events = calloc(ROWS_MAX, sizeof(*list.events));
	if (!list.events || sqlite3_open(":memory:", &db) != SQLITE_OK)
		abort();
	while (rest && *rest && list.n_events < ROWS_MAX) {
		char *line = strsep(&rest, "\n");

		if (read_row(db, line, (int64_t)list.n_events + 1,
			     &list.events[list.n_events]) < 0)
			break;
		list.n_events++;
	}
	return list;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds each hunk's place and copies: what lies before it, then its new lines. libgit2's own
 * git_apply_to_tree() looks for a moved hunk in one direction only, and deletes files
 * unseen; git does neither.
 */
#include "orchestrator/work/patch_hunks.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"

/* Lines with their line feed; the last one of a file may have none. */
struct line {
	const char *text;
	size_t size;
};

struct lines {
	struct line *items;
	size_t n;
};

struct hunk {
	struct lines before;  /* context and what goes */
	struct lines after;   /* context and what comes */
	size_t n_trailing;    /* lines of context at its end */
	size_t expected;      /* index of its first line in the old file, as it says */
	bool is_at_start;     /* it names the file's first line */
};

static void lines_done(struct lines *lines)
{
	free(lines->items);
}

static void hunk_done(struct hunk *hunk)
{
	lines_done(&hunk->before);
	lines_done(&hunk->after);
}

static struct lines split(const char *text, size_t size)
{
	struct lines lines = { 0 };
	size_t n = 1;

	for (size_t i = 0; i < size; i++)
		n += text[i] == '\n';
	lines.items = calloc(n, sizeof(*lines.items));
	if (!lines.items)
		abort();
	while (size) {
		const char *feed = memchr(text, '\n', size);
		size_t length = feed ? (size_t)(feed + 1 - text) : size;

		lines.items[lines.n++] = (struct line){ text, length };
		text += length;
		size -= length;
	}
	return lines;
}

/* libgit2 leaves the line feed of a line that its parser is told has none. */
static void drop_line_feed(struct lines *lines)
{
	struct line *last = lines->n ? &lines->items[lines->n - 1] : NULL;

	if (last && last->size && last->text[last->size - 1] == '\n')
		last->size--;
}

static int hunk_read(git_patch *patch, size_t index, struct hunk *hunk)
{
	const git_diff_hunk *header;
	char last = GIT_DIFF_LINE_CONTEXT;
	size_t n_lines;

	if (git_patch_get_hunk(&header, &n_lines, patch, index) < 0)
		return -EINVAL;
	hunk->before.items = calloc(n_lines + 1, sizeof(struct line));
	hunk->after.items = calloc(n_lines + 1, sizeof(struct line));
	if (!hunk->before.items || !hunk->after.items)
		abort();
	for (size_t i = 0; i < n_lines; i++) {
		const git_diff_line *line;
		struct line text;

		if (git_patch_get_line_in_hunk(&line, patch, index, i) < 0)
			return -EINVAL;
		text = (struct line){ line->content, line->content_len };
		if (line->origin != GIT_DIFF_LINE_CONTEXT && line->origin != GIT_DIFF_LINE_ADDITION &&
		    line->origin != GIT_DIFF_LINE_DELETION) {
			/*
			 * "No newline at end of file" is said of the line before. Its own origin does not
			 * tell which side: libgit2's parser and its differ have it the other way round.
			 */
			if (last != GIT_DIFF_LINE_ADDITION)
				drop_line_feed(&hunk->before);
			if (last != GIT_DIFF_LINE_DELETION)
				drop_line_feed(&hunk->after);
			continue;
		}
		last = line->origin;
		if (line->origin != GIT_DIFF_LINE_ADDITION)
			hunk->before.items[hunk->before.n++] = text;
		if (line->origin != GIT_DIFF_LINE_DELETION)
			hunk->after.items[hunk->after.n++] = text;
		hunk->n_trailing = line->origin == GIT_DIFF_LINE_CONTEXT ? hunk->n_trailing + 1 : 0;
	}
	/* An empty old side is said to lie after the line of that number. */
	hunk->expected = header->old_start > 0 ? (size_t)header->old_start - (header->old_lines > 0) : 0;
	hunk->is_at_start = header->old_start == 0 || (header->old_start == 1 && header->old_lines > 0);
	return 0;
}

static bool is_match(const struct lines *file, size_t at, const struct lines *wanted)
{
	if (at > file->n || wanted->n > file->n - at)
		return false;
	for (size_t i = 0; i < wanted->n; i++)
		if (file->items[at + i].size != wanted->items[i].size ||
		    memcmp(file->items[at + i].text, wanted->items[i].text, wanted->items[i].size) != 0)
			return false;
	return true;
}

/* The nearest place from @floor on; -1: none. git's apply.c find_pos(), without its fuzz. */
static ssize_t find_place(const struct lines *file, const struct hunk *hunk,
			  const struct lines *wanted, size_t floor, size_t expected)
{
	/* Less context than usual means that the file begins or ends there. */
	bool is_at_end = hunk->n_trailing == 0;

	if (hunk->is_at_start)
		return floor == 0 && is_match(file, 0, wanted) && (!is_at_end || wanted->n == file->n) ? 0 : -1;
	if (wanted->n > file->n)
		return -1;
	if (is_at_end)
		expected = file->n - wanted->n;
	for (size_t distance = 0; distance <= file->n; distance++) {
		if (expected >= floor + distance && is_match(file, expected - distance, wanted))
			return (ssize_t)(expected - distance);
		if (is_at_end)
			break;
		if (expected + distance >= floor && is_match(file, expected + distance, wanted))
			return (ssize_t)(expected + distance);
	}
	return -1;
}

static int refuse_hunk(const struct lines *file, const struct hunk *hunk, const char *path,
		       size_t number, size_t expected, struct error *err)
{
	bool is_there = hunk->after.n && find_place(file, hunk, &hunk->after, 0, expected) >= 0;
	size_t shown = 0;

	for (size_t i = 0; i < hunk->before.n && !shown; i++)
		shown = hunk->before.items[i].size > 4 ? i + 1 : 0;
	if (is_there)
		return error_set(err, -EINVAL,
				 "%s: hunk %zu (line %zu) does not apply, it seems to be there already", path,
				 number, hunk->expected + 1);
	return error_set(err, -EINVAL,
			 "%s: hunk %zu (line %zu) does not apply, the file does not have its lines from \"%.*s\" on",
			 path, number, hunk->expected + 1,
			 shown ? (int)strcspn(hunk->before.items[shown - 1].text, "\r\n") : 0,
			 shown ? hunk->before.items[shown - 1].text : "");
}

static void append_lines(struct text_buffer *out, const struct line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++)
		text_append_bytes(out, lines[i].text, lines[i].size);
}

int patch_hunks_apply(git_patch *patch, const char *path, const char *before, size_t size,
		      struct text_buffer *after, struct error *err)
{
	_cleanup_(lines_done) struct lines file = split(before, size);
	size_t n_hunks = git_patch_num_hunks(patch);
	size_t done = 0;     /* lines of the old file that are copied or replaced */
	size_t shift = file.n; /* how far the last hunk was from its place, plus file.n */

	for (size_t i = 0; i < n_hunks; i++) {
		_cleanup_(hunk_done) struct hunk hunk = { 0 };
		size_t expected;
		ssize_t at;

		if (hunk_read(patch, i, &hunk) < 0)
			return error_set(err, -EINVAL, "%s: hunk %zu is damaged", path, i + 1);
		expected = hunk.expected + shift > file.n ? hunk.expected + shift - file.n : 0;
		if (expected > file.n)
			expected = file.n;
		at = find_place(&file, &hunk, &hunk.before, done, expected);
		if (at < 0)
			return refuse_hunk(&file, &hunk, path, i + 1, expected, err);
		append_lines(after, file.items + done, (size_t)at - done);
		append_lines(after, hunk.after.items, hunk.after.n);
		done = (size_t)at + hunk.before.n;
		shift = (size_t)at + file.n > hunk.expected ? (size_t)at + file.n - hunk.expected : 0;
	}
	append_lines(after, file.items + done, file.n - done);
	return 0;
}

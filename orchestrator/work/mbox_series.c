// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses a series by the subjects' "[PATCH v3 2/5]", as people number them.
 */
#include "orchestrator/work/mbox_series.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cleanup.h"
#include "common/text.h"

#define NUMBER_MAX 9999

/* A mail with a diff. */
struct candidate {
	const struct mbox_message *message;
	struct mbox_subject subject;
	char *text;
	size_t size;
};

struct candidates {
	struct candidate *items;
	size_t n;
};

static void candidates_done(struct candidates *candidates)
{
	for (size_t i = 0; i < candidates->n; i++)
		free(candidates->items[i].text);
	free(candidates->items);
}

void mbox_series_done(struct mbox_series *series)
{
	for (size_t i = 0; i < series->n_patches; i++) {
		free(series->patches[i].title);
		free(series->patches[i].text);
	}
	free(series->patches);
	free(series->note);
	*series = (struct mbox_series){ 0 };
}

/* Decimal digits at *@at, which moves behind them; 0 where there are none or too many. */
static int take_number(const char **at)
{
	int value = 0;

	while (isdigit((unsigned char)**at)) {
		value = value * 10 + (**at - '0');
		if (value > NUMBER_MAX)
			return 0;
		(*at)++;
	}
	return value;
}

/* Within brackets: "PATCH", "v3", "2/5". */
static void take_word(const char *word, size_t size, struct mbox_subject *subject)
{
	const char *at = word;
	int number, total;

	if ((*at == 'v' || *at == 'V') && size > 1) {
		at++;
		number = take_number(&at);
		if (number && at == word + size)
			subject->version = number;
		return;
	}
	if (!isdigit((unsigned char)*at))
		return;
	number = take_number(&at);
	if (*at++ != '/' || !isdigit((unsigned char)*at))
		return;
	total = take_number(&at);
	if (at == word + size && number <= total) {
		subject->number = number;
		subject->total = total;
	}
}

struct mbox_subject mbox_subject_parse(const char *text)
{
	struct mbox_subject subject = { .version = 1 };

	for (;;) {
		text += strspn(text, " \t");
		if (strncasecmp(text, "re:", 3) == 0 || strncasecmp(text, "aw:", 3) == 0) {
			subject.is_reply = true;
			text += 3;
			continue;
		}
		if (*text != '[' || !strchr(text, ']'))
			break;
		for (text++; *text != ']';) {
			size_t size = strcspn(text, " ,]");

			if (size)
				take_word(text, size, &subject);
			text += size + (text[size] != ']');
		}
		text++;
	}
	subject.title = text;
	return subject;
}

static const char *next_line(const char *line)
{
	const char *feed = strchr(line, '\n');

	return feed ? feed + 1 : NULL;
}

bool mbox_has_diff(const char *text)
{
	for (const char *line = text; line; line = next_line(line)) {
		const char *next = next_line(line);

		if (text_has_prefix(line, "diff --git ") ||
		    (text_has_prefix(line, "--- ") && next && text_has_prefix(next, "+++ ")))
			return true;
	}
	return false;
}

static bool is_seen(const struct candidates *candidates, const struct mbox_message *message)
{
	for (size_t i = 0; i < candidates->n; i++)
		if (message->message_id[0] &&
		    strcmp(candidates->items[i].message->message_id, message->message_id) == 0)
			return true;
	return false;
}

/* Replies may hold diffs that nobody meant to send as a patch. */
static int candidates_find(const struct mbox *mbox, const char *name,
			   struct candidates *candidates, struct error *err)
{
	candidates->items = calloc(mbox->n_messages + 1, sizeof(*candidates->items));
	if (!candidates->items)
		abort();
	for (size_t i = 0; i < mbox->n_messages; i++) {
		const struct mbox_message *message = &mbox->messages[i];
		struct candidate *candidate = &candidates->items[candidates->n];
		int r;

		candidate->message = message;
		candidate->subject = mbox_subject_parse(message->subject);
		if (candidate->subject.is_reply || is_seen(candidates, message))
			continue;
		r = mbox_decode(message, name, &candidate->text, &candidate->size, err);
		if (r < 0)
			return r;
		candidates->n++;
		if (mbox_has_diff(candidate->text))
			continue;
		candidates->n--;
		free(TAKE_PTR(candidate->text));
	}
	return candidates->n ? 0 : error_set(err, -ENOENT, "%s holds no patch", name);
}

/* The version that is wanted: that of the named mail, else the newest. */
static int version_find(const struct mbox *mbox, const struct candidates *candidates,
			const char *name, const char *message_id, int *ret_version,
			struct error *err)
{
	for (size_t i = 0; i < candidates->n; i++)
		if (candidates->items[i].subject.version > *ret_version)
			*ret_version = candidates->items[i].subject.version;
	for (size_t i = 0; message_id && i < mbox->n_messages; i++) {
		if (strcmp(mbox->messages[i].message_id, message_id) != 0)
			continue;
		*ret_version = mbox_subject_parse(mbox->messages[i].subject).version;
		return 0;
	}
	return message_id ? error_set(err, -ENOENT, "%s holds no mail %.200s", name, message_id) : 0;
}

static char *revision_note(const struct candidates *candidates, const char *name, int version)
{
	int newest = version, oldest = version;

	for (size_t i = 0; i < candidates->n; i++) {
		int other = candidates->items[i].subject.version;

		newest = other > newest ? other : newest;
		oldest = other < oldest ? other : oldest;
	}
	if (newest > version)
		return text_format("%s also holds a newer revision, v%d; this is v%d, as asked for",
				   name, newest, version);
	return oldest < version ? text_format("%s holds several revisions; the newest, v%d, is taken", name, version)
				: NULL;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->subject.number > y->subject.number) - (x->subject.number < y->subject.number);
}

/* Sorted, when all are numbered in one way; then none may be missing or there twice. */
static int series_order(struct candidate *items, size_t n, const char *name, struct error *err)
{
	int total = items[0].subject.total;

	for (size_t i = 0; i < n; i++)
		if (items[i].subject.number == 0 || items[i].subject.total != total)
			return 0;
	qsort(items, n, sizeof(*items), compare_numbers);
	for (size_t i = 0; i < n || i < (size_t)total; i++) {
		int number = i < n ? items[i].subject.number : 0;

		if (i && number == items[i - 1].subject.number)
			return error_set(err, -EINVAL, "%s holds two mails that are patch %d/%d", name,
					 number, total);
		if (number != (int)i + 1)
			return error_set(err, -ENOENT, "%s does not hold patch %d/%d of the series",
					 name, (int)i + 1, total);
	}
	return 0;
}

static size_t keep_version(struct candidates *candidates, int version)
{
	size_t n = 0;

	for (size_t i = 0; i < candidates->n; i++) {
		struct candidate candidate = candidates->items[i];

		if (candidate.subject.version != version)
			continue;
		candidates->items[i] = candidates->items[n];
		candidates->items[n++] = candidate;
	}
	return n;
}

int mbox_series_select(const struct mbox *mbox, const char *name, const char *message_id,
		       struct mbox_series *ret_series, struct error *err)
{
	_cleanup_(candidates_done) struct candidates candidates = { 0 };
	struct mbox_series series = { 0 };
	size_t n;
	int version = 1;
	int r = candidates_find(mbox, name, &candidates, err);

	if (r == 0)
		r = version_find(mbox, &candidates, name, message_id, &version, err);
	if (r < 0)
		return r;
	n = keep_version(&candidates, version);
	if (n == 0)
		return error_set(err, -ENOENT, "%s holds no patch of v%d", name, version);
	/* One patch of a series may be wanted alone, as a file of its own. */
	if (n > 1 || message_id)
		r = series_order(candidates.items, n, name, err);
	if (r < 0)
		return r;
	series.patches = calloc(n, sizeof(*series.patches));
	if (!series.patches)
		abort();
	for (; series.n_patches < n; series.n_patches++) {
		struct candidate *from = &candidates.items[series.n_patches];

		series.patches[series.n_patches] = (struct mbox_patch){
			.title = text_duplicate(from->subject.title),
			.size = from->size,
			.text = TAKE_PTR(from->text),
		};
	}
	series.note = revision_note(&candidates, name, version);
	*ret_series = series;
	return 0;
}

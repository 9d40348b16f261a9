// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bisection for people: a heading for each part with its reason, a line or two for each
 * step, and what came of it.
 */
#include "reports/render/bisect_story.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/render_internal.h"

#define SHORT_ID 12
#define STEP_INDENT 5
/* Never certain: no "100.0 %", no "0.0 %". */
#define SHOWN_MIN .0005
#define SHOWN_MAX .9995

static double step_pct(double difference)
{
	return 100 * expm1(difference / 100);
}

static const char *phase_heading(enum change_point_phase phase)
{
	switch (phase) {
	case CHANGE_POINT_AT_GATE:
		return "The ends, in turn: is there a change at all?";
	case CHANGE_POINT_SEARCHING:
		return "The search: each time the commit that tells most for what it costs";
	case CHANGE_POINT_REFERENCE:
		return "An end again, so that a drift of the machine is seen";
	case CHANGE_POINT_CONFIRMING:
		return "The proof: fresh boots of the pair that was found, in turn";
	case CHANGE_POINT_AGAIN:
		return "The pair does not explain the whole difference: measured again";
	}
	return "";
}

const char *bisect_step_word(const struct bisect_step *step)
{
	switch (step->kind) {
	case BISECT_STEP_BOOT:
		return "boot";
	case BISECT_STEP_UNBUILT:
		return "unbuilt";
	case BISECT_STEP_UNBOOTED:
		return "unbooted";
	case BISECT_STEP_SAME_CODE:
		return "same-code";
	case BISECT_STEP_CONFLICT:
		return "conflict";
	case BISECT_STEP_CALLED_GOOD:
		return "called-good";
	case BISECT_STEP_CALLED_BAD:
		return "called-bad";
	case BISECT_STEP_RETEST:
		return "retest";
	}
	return "";
}

static const char *commit_place(const struct bisect_story *story, size_t commit, char *buffer, size_t size)
{
	if (commit == 0)
		return "good";
	if (commit + 1 == story->n_line)
		return "bad";
	if (commit >= story->n_line)
		return "branch";
	(void)snprintf(buffer, size, "%zu", commit);
	return buffer;
}

static size_t boots_before(const struct bisect_story *story, size_t step)
{
	size_t n = 0;

	for (size_t i = 0; i < step; i++)
		n += story->steps[i].kind == BISECT_STEP_BOOT &&
		     story->steps[i].commit == story->steps[step].commit;
	return n;
}

static bool is_new(const struct bisect_story *story, size_t step)
{
	for (size_t i = 0; i < step; i++)
		if (story->steps[i].commit == story->steps[step].commit)
			return false;
	return true;
}

static void boot_words(const struct bisect_story *story, size_t number, struct text_buffer *words)
{
	const struct bisect_step *step = &story->steps[number];
	size_t before = boots_before(story, number);

	if (isnan(step->value))
		text_append(words, "booted");
	else
		text_printf(words, "%.6g %s", step->value, story->unit);
	if (step->bad > SHOWN_MAX)
		text_append(words, ", bad with over 99.9 %");
	else if (step->bad < SHOWN_MIN)
		text_append(words, ", bad with under 0.1 %");
	else if (!isnan(step->bad))
		text_printf(words, ", bad with %.1f %%", 100 * step->bad);
	if (step->n_left > 0)
		text_printf(words, ", %zu commit%s left", step->n_left, step->n_left == 1 ? "" : "s");
	if (step->phase == CHANGE_POINT_SEARCHING && before > 0)
		text_printf(words, "; boot %zu of it, to be surer", before + 1);
}

static void step_words(const struct bisect_story *story, size_t number, struct text_buffer *words)
{
	const struct bisect_step *step = &story->steps[number];

	switch (step->kind) {
	case BISECT_STEP_BOOT:
		boot_words(story, number, words);
		break;
	case BISECT_STEP_UNBUILT:
		text_append(words, "does not build: skipped");
		break;
	case BISECT_STEP_UNBOOTED:
		text_append(words, "cannot be measured: skipped");
		break;
	case BISECT_STEP_SAME_CODE:
		text_printf(words, "the same kernel as %.*s: not booted", SHORT_ID,
			    story->commits[step->twin].id);
		break;
	case BISECT_STEP_CONFLICT:
		text_append(words, "does not merge onto the first parent: skipped");
		break;
	case BISECT_STEP_CALLED_GOOD:
		text_append(words, "called good by a person");
		break;
	case BISECT_STEP_CALLED_BAD:
		text_append(words, "called bad by a person");
		break;
	case BISECT_STEP_RETEST:
		text_append(words, "to be measured anew: a person asked for it");
		break;
	}
	if (step->note) {
		_cleanup_free_ char *note = render_clean(step->note, false);

		text_printf(words, " (%s)", note);
	}
}

static void tell_step(const struct bisect_story *story, size_t number, struct text_buffer *text)
{
	const struct bisect_story_commit *commit = &story->commits[story->steps[number].commit];
	_cleanup_text_ struct text_buffer words = { 0 };
	_cleanup_free_ char *lead = NULL;
	char place[24];

	lead = text_format("%4zu %-7s %.*s ", number + 1,
			   commit_place(story, story->steps[number].commit, place, sizeof(place)), SHORT_ID,
			   commit->id);
	step_words(story, number, &words);
	render_wrap(text, lead, STEP_INDENT, words.text);
	if (is_new(story, number) && commit->title[0]) {
		_cleanup_free_ char *title = render_clean(commit->title, false);

		render_wrap(text, "     ", STEP_INDENT, title);
	}
}

/* "0123456789ab the title", the caller's to free. */
static char *commit_words(const struct bisect_story_commit *commit)
{
	_cleanup_free_ char *title = render_clean(commit->title, false);

	return text_format("%.*s %s", SHORT_ID, commit->id, title);
}

static void tell_pair(const struct bisect_story *story, const struct change_point_found *found,
		      struct text_buffer *text)
{
	_cleanup_free_ char *hi = commit_words(&story->commits[found->hi]);
	_cleanup_free_ char *words = NULL;
	_cleanup_free_ char *share = NULL;
	char pct[RENDER_PCT_SIZE];

	share = found->share_pct < 99.5 ? text_format(", %.0f %% of the whole difference", found->share_pct) :
					  text_duplicate("");
	(void)render_pct(step_pct(found->proof.difference), pct);
	if (found->hi == found->lo + 1) {
		words = text_format("%s: %s%s", hi, pct, share);
		render_wrap(text, "Found: ", 7, words);
		return;
	}
	words = text_format("one of %zu commits: %s%s. Those between could not be measured.",
			    found->hi - found->lo, pct, share);
	render_wrap(text, "Found: ", 7, words);
	for (size_t i = found->lo + 1; i <= found->hi; i++) {
		_cleanup_free_ char *line = commit_words(&story->commits[i]);

		render_wrap(text, "       ", 7, line);
	}
}

static void tell_end(const struct bisect_story *story, struct text_buffer *text)
{
	switch (story->outcome) {
	case CHANGE_POINT_OPEN:
		text_append(text, "Not ended yet.\n");
		return;
	case CHANGE_POINT_FOUND:
		for (size_t i = 0; i < story->n_found; i++)
			tell_pair(story, &story->found[i], text);
		if (story->n_undecided > 0)
			text_printf(text, "In %zu part%s of the range a further change may hide.\n",
				    story->n_undecided, story->n_undecided == 1 ? "" : "s");
		return;
	case CHANGE_POINT_NONE:
		text_printf(text, "No change of %.2g %% or more in this range.\n", step_pct(story->step_min));
		return;
	case CHANGE_POINT_INCONCLUSIVE:
		text_append(text, "INCONCLUSIVE: the limits were reached before a commit was proved.\n");
		return;
	case CHANGE_POINT_NO_END:
		text_append(text, "An end of the range could not be measured, so nothing can be said.\n");
		return;
	}
}

char *bisect_story_text(const struct bisect_story *story)
{
	_cleanup_free_ char *good = render_clean(story->good, false);
	_cleanup_free_ char *bad = render_clean(story->bad, false);
	struct text_buffer text = { 0 };

	text_printf(&text, "%s..%s: %zu commit%s\n", good, bad, story->n_line - 1,
		    story->n_line == 2 ? "" : "s");
	for (size_t i = 0; i < story->n_steps; i++) {
		if (i == 0 || story->steps[i].phase != story->steps[i - 1].phase)
			text_printf(&text, "\n%s\n", phase_heading(story->steps[i].phase));
		tell_step(story, i, &text);
	}
	text_append(&text, "\n");
	tell_end(story, &text);
	return text_buffer_take(&text);
}

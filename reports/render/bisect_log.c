// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bisection as git would have logged it. Lines as in git's own log: replay reads those
 * that begin with "git bisect" and passes over all others.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/bisect_story.h"
#include "reports/render/render_internal.h"

#define ID_DIGITS 40

static const char *mark_word(const struct bisect_story *story, enum bisect_mark mark)
{
	switch (mark) {
	case BISECT_MARK_NONE:
		break;
	case BISECT_MARK_GOOD:
		return story->is_improvement ? "slow" : "good";
	case BISECT_MARK_BAD:
		return story->is_improvement ? "fast" : "bad";
	case BISECT_MARK_SKIP:
		return "skip";
	}
	return NULL;
}

static void remark(struct text_buffer *text, const char *what, const struct bisect_story_commit *commit)
{
	_cleanup_free_ char *title = render_clean(commit->title, false);

	text_printf(text, "# %s: [%s] %s\n", what, commit->id, title);
}

static void log_mark(const struct bisect_story *story, size_t commit, struct text_buffer *text)
{
	const char *word = mark_word(story, story->commits[commit].mark);

	if (!word)
		return;
	remark(text, word, &story->commits[commit]);
	text_printf(text, "git bisect %s %s\n", word, story->commits[commit].id);
}

static void log_start(const struct bisect_story *story, struct text_buffer *text)
{
	const struct bisect_story_commit *good = &story->commits[0], *bad = &story->commits[story->n_line - 1];

	remark(text, mark_word(story, BISECT_MARK_BAD), bad);
	remark(text, mark_word(story, BISECT_MARK_GOOD), good);
	text_printf(text, "git bisect start%s%s '%s' '%s'\n",
		    story->is_first_parents ? " '--first-parent'" : "",
		    story->is_improvement ? " '--term-old=slow' '--term-new=fast'" : "", bad->id, good->id);
}

/* As git says it: one commit, or all that the skipped ones leave. */
static void log_found(const struct bisect_story *story, struct text_buffer *text)
{
	const struct change_point_found *found = &story->found[0];
	bool is_one = found->hi == found->lo + 1;
	_cleanup_free_ char *what = text_format("%sfirst %s commit", is_one ? "" : "possible ",
						mark_word(story, BISECT_MARK_BAD));

	if (!is_one)
		text_append(text, "# only skipped commits left to test\n");
	for (size_t i = found->hi; i > found->lo; i--)
		remark(text, what, &story->commits[i]);
}

static int ids_check(const struct bisect_story *story, struct error *err)
{
	for (size_t i = 0; i < story->n_commits; i++) {
		const char *id = story->commits[i].id;

		if (strlen(id) != ID_DIGITS || strspn(id, "0123456789abcdef") != ID_DIGITS)
			return error_set(err, -EINVAL,
					 "commit %zu of the bisection has no id of %d hex digits", i, ID_DIGITS);
	}
	return 0;
}

int bisect_story_log(const struct bisect_story *story, char **ret_text, struct error *err)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_free_ bool *is_told = calloc(story->n_commits, sizeof(*is_told));
	int r = is_told ? ids_check(story, err) : error_set(err, -ENOMEM, "out of memory");

	if (r < 0)
		return r;
	log_start(story, &text);
	is_told[0] = is_told[story->n_line - 1] = true;
	/* In the order in which they were first tried. */
	for (size_t i = 0; i < story->n_steps; i++) {
		size_t commit = story->steps[i].commit;

		if (!is_told[commit])
			log_mark(story, commit, &text);
		is_told[commit] = true;
	}
	if (story->outcome == CHANGE_POINT_FOUND && story->n_found > 0)
		log_found(story, &text);
	*ret_text = text_buffer_take(&text);
	return 0;
}

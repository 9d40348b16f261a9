// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The story of a bisection, word for word; each kind of step and each ending. The log for
 * git is read by git itself in orchestrator/tests/test_bisect_replay.c.
 */
#include "reports/render/bisect_story.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"

#define UNKNOWN ((double)NAN)

static struct bisect_story_commit commits[] = {
	{ "0000000000000000000000000000000000000000", "Linux 6.16", BISECT_MARK_GOOD },
	{ "1111111111111111111111111111111111111111", "mm: tidy", BISECT_MARK_GOOD },
	{ "2222222222222222222222222222222222222222", "mm: does not build", BISECT_MARK_SKIP },
	{ "3333333333333333333333333333333333333333",
	  "mm/mprotect: look up the page before changing a PTE, \033[31mwhich takes longer than one line",
	  BISECT_MARK_BAD },
	{ "4444444444444444444444444444444444444444", "Linux 6.17", BISECT_MARK_BAD },
	{ "5555555555555555555555555555555555555555", "", BISECT_MARK_NONE },
};

static const struct bisect_step steps[] = {
	{ BISECT_STEP_BOOT, 0, CHANGE_POINT_AT_GATE, 181.645, UNKNOWN, 0, 0, NULL },
	{ BISECT_STEP_BOOT, 4, CHANGE_POINT_AT_GATE, 239.699, UNKNOWN, 0, 0, NULL },
	{ BISECT_STEP_UNBUILT, 2, CHANGE_POINT_SEARCHING, UNKNOWN, UNKNOWN, 0, 0, "kernels/ab12/build.log" },
	{ BISECT_STEP_UNBOOTED, 5, CHANGE_POINT_SEARCHING, UNKNOWN, UNKNOWN, 0, 0, NULL },
	{ BISECT_STEP_BOOT, 3, CHANGE_POINT_SEARCHING, 210, .6123, 3, 0, NULL },
	{ BISECT_STEP_BOOT, 3, CHANGE_POINT_SEARCHING, 239.5, .9994, 1, 0, NULL },
	{ BISECT_STEP_BOOT, 3, CHANGE_POINT_SEARCHING, UNKNOWN, .9999, 1, 0, NULL },
	{ BISECT_STEP_SAME_CODE, 1, CHANGE_POINT_SEARCHING, UNKNOWN, UNKNOWN, 0, 0, NULL },
	{ BISECT_STEP_CONFLICT, 5, CHANGE_POINT_SEARCHING, UNKNOWN, UNKNOWN, 0, 0, NULL },
	{ BISECT_STEP_CALLED_GOOD, 1, CHANGE_POINT_SEARCHING, UNKNOWN, UNKNOWN, 0, 0, NULL },
	{ BISECT_STEP_CALLED_BAD, 3, CHANGE_POINT_SEARCHING, UNKNOWN, UNKNOWN, 0, 0, NULL },
	{ BISECT_STEP_RETEST, 3, CHANGE_POINT_SEARCHING, UNKNOWN, UNKNOWN, 0, 0, NULL },
	{ BISECT_STEP_BOOT, 0, CHANGE_POINT_REFERENCE, 181.7, .0001, 1, 0, NULL },
	{ BISECT_STEP_BOOT, 3, CHANGE_POINT_CONFIRMING, 239.6, .9999, 1, 0, NULL },
	{ BISECT_STEP_BOOT, 3, CHANGE_POINT_AGAIN, 239.6, .9999, 1, 0, NULL },
};

static const struct change_point_found found[] = {
	{ .lo = 1, .hi = 3, .proof = { 27.5, .1 }, .share_pct = 97 },
	{ .lo = 3, .hi = 4, .proof = { -1, .1 }, .share_pct = 100 },
};

static struct bisect_story story_make(size_t n_steps, enum change_point_outcome outcome)
{
	return (struct bisect_story){
		.good = "v6.16", .bad = "v6.17", .commits = commits, .n_commits = 6, .n_line = 5,
		.unit = "ns/page", .step_min = 1, .steps = steps, .n_steps = n_steps, .outcome = outcome,
	};
}

static void story_is_told_step_by_step(void **state)
{
	struct bisect_story story = story_make(sizeof(steps) / sizeof(steps[0]), CHANGE_POINT_FOUND);
	_cleanup_free_ char *text = NULL;

	(void)state;
	story.found = found;
	story.n_found = 2;
	story.n_undecided = 1;
	text = bisect_story_text(&story);
	assert_string_equal(text,
		"v6.16..v6.17: 4 commits\n"
		"\n"
		"The ends, in turn: is there a change at all?\n"
		"   1 good    000000000000 181.645 ns/page\n"
		"     Linux 6.16\n"
		"   2 bad     444444444444 239.699 ns/page\n"
		"     Linux 6.17\n"
		"\n"
		"The search: each time the commit that tells most for what it costs\n"
		"   3 2       222222222222 does not build: skipped (kernels/ab12/build.log)\n"
		"     mm: does not build\n"
		"   4 branch  555555555555 cannot be measured: skipped\n"
		"   5 3       333333333333 210 ns/page, bad with 61.2 %, 3 commits left\n"
		"     mm/mprotect: look up the page before changing a PTE, ?[31mwhich takes\n"
		"     longer than one line\n"
		"   6 3       333333333333 239.5 ns/page, bad with 99.9 %, 1 commit left; boot 2\n"
		"     of it, to be surer\n"
		"   7 3       333333333333 booted, bad with over 99.9 %, 1 commit left; boot 3 of\n"
		"     it, to be surer\n"
		"   8 1       111111111111 the same kernel as 000000000000: not booted\n"
		"     mm: tidy\n"
		"   9 branch  555555555555 does not merge onto the first parent: skipped\n"
		"  10 1       111111111111 called good by a person\n"
		"  11 3       333333333333 called bad by a person\n"
		"  12 3       333333333333 to be measured anew: a person asked for it\n"
		"\n"
		"An end again, so that a drift of the machine is seen\n"
		"  13 good    000000000000 181.7 ns/page, bad with under 0.1 %, 1 commit left\n"
		"\n"
		"The proof: fresh boots of the pair that was found, in turn\n"
		"  14 3       333333333333 239.6 ns/page, bad with over 99.9 %, 1 commit left\n"
		"\n"
		"The pair does not explain the whole difference: measured again\n"
		"  15 3       333333333333 239.6 ns/page, bad with over 99.9 %, 1 commit left\n"
		"\n"
		"Found: one of 2 commits: +31.65 %, 97 % of the whole difference. Those between\n"
		"       could not be measured.\n"
		"       222222222222 mm: does not build\n"
		"       333333333333 mm/mprotect: look up the page before changing a PTE,\n"
		"       ?[31mwhich takes longer than one line\n"
		"Found: 444444444444 Linux 6.17: -1.00 %\n"
		"In 1 part of the range a further change may hide.\n");
}

static void each_ending_has_its_sentence(void **state)
{
	static const struct {
		enum change_point_outcome outcome;
		const char *sentence;
	} endings[] = {
		{ CHANGE_POINT_OPEN, "Not ended yet.\n" },
		{ CHANGE_POINT_NONE, "No change of 1 % or more in this range.\n" },
		{ CHANGE_POINT_INCONCLUSIVE,
		  "INCONCLUSIVE: the limits were reached before a commit was proved.\n" },
		{ CHANGE_POINT_NO_END,
		  "An end of the range could not be measured, so nothing can be said.\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		const struct bisect_story story = story_make(0, endings[i].outcome);
		_cleanup_free_ char *text = bisect_story_text(&story);

		assert_string_equal(strchr(text, '\n') + 2, endings[i].sentence);
	}
}

/* What was never sure is not told to git; what is off the line of first parents is. */
static void log_tells_marked_commits_once(void **state)
{
	struct bisect_story story = story_make(sizeof(steps) / sizeof(steps[0]), CHANGE_POINT_FOUND);
	_cleanup_free_ char *text = NULL;
	struct error err = { 0 };

	(void)state;
	story.found = found;
	story.n_found = 1;
	assert_int_equal(bisect_story_log(&story, &text, &err), 0);
	assert_string_equal(text,
		"# bad: [4444444444444444444444444444444444444444] Linux 6.17\n"
		"# good: [0000000000000000000000000000000000000000] Linux 6.16\n"
		"git bisect start '4444444444444444444444444444444444444444' "
		"'0000000000000000000000000000000000000000'\n"
		"# skip: [2222222222222222222222222222222222222222] mm: does not build\n"
		"git bisect skip 2222222222222222222222222222222222222222\n"
		"# bad: [3333333333333333333333333333333333333333] mm/mprotect: look up the page "
		"before changing a PTE, ?[31mwhich takes longer than one line\n"
		"git bisect bad 3333333333333333333333333333333333333333\n"
		"# good: [1111111111111111111111111111111111111111] mm: tidy\n"
		"git bisect good 1111111111111111111111111111111111111111\n"
		"# only skipped commits left to test\n"
		"# possible first bad commit: [3333333333333333333333333333333333333333] "
		"mm/mprotect: look up the page before changing a PTE, ?[31mwhich takes longer than one line\n"
		"# possible first bad commit: [2222222222222222222222222222222222222222] mm: does not build\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(story_is_told_step_by_step),
		cmocka_unit_test(each_ending_has_its_sentence),
		cmocka_unit_test(log_tells_marked_commits_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

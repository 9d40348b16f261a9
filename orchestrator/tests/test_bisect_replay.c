// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Logs of bisections, searched by the real engine over real repositories, given to
 * `git bisect replay`: git must then be where the search is, and name what it names.
 */
#include "reports/render/bisect_story.h"

#include <math.h>

#include "orchestrator/tests/test_source_repository.h"
#include "orchestrator/work/range.h"
#include "reports/statistics/change_point_gate.h"
#include "reports/statistics/random.h"

#define STEPS_MAX 400

struct scene {
	struct range range;
	struct bisect_story story;
	struct bisect_story_commit *commits;
	struct bisect_step steps[STEPS_MAX];
	struct change_point_search *search;
};

/* 63 commits and a merge on main, tagged "good" at the 4th of them. */
static int setup(void **state)
{
	struct repository_fixture *fixture = repository_fixture_new();
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_free_ char *stream = NULL;

	stream = path_join(fixture->directory, "stream");
	for (int i = 1; i <= 64; i++) {
		text_printf(&text, "commit refs/heads/%s\nmark :%d\ncommitter A <a@b> %d +0000\ndata %d\nc%02d\n",
			    i == 40 ? "side" : "main", i, 1700000000 + i, 4, i);
		if (i == 40)
			text_append(&text, "from :30\n");
		if (i == 41)
			text_append(&text, "from :39\nmerge :40\n");
		text_append(&text, "\n");
	}
	repository_write(fixture->directory, "stream", text.text);
	free(repository_run(fixture->repository, stream, "git fast-import --quiet"));
	repository_do(fixture->repository, "git tag good main~59");
	repository_do(fixture->repository, "git checkout -q main");
	*state = fixture;
	return 0;
}

static void scene_done(struct scene *scene)
{
	change_point_search_free(scene->search);
	range_done(&scene->range);
	free(scene->commits);
	free(scene);
}

/* Searches for at most @limit steps; @step in 100 ln is at @culprit; [@from, @to] do not build. */
static struct scene *scene_play(const struct repository_fixture *fixture, size_t culprit, double step, size_t from,
				size_t to, size_t limit)
{
	const struct range_request request = { .repository = fixture->repository, .good = "good", .bad = "main" };
	struct scene *scene = calloc(1, sizeof(*scene));
	const struct change_point_answer *answer;
	struct change_point_request next = { 0 };
	struct random_stream random = random_stream_make(7, culprit);
	struct error err;

	assert_int_equal(range_resolve(&request, &scene->range, &err), 0);
	assert_int_equal(change_point_search_new(scene->range.n, NULL, NULL, &scene->search, &err), 0);
	scene->commits = calloc(scene->range.n + 1, sizeof(*scene->commits));
	while (change_point_search_next(scene->search, &next) && scene->story.n_steps < limit) {
		bool is_broken = next.commit >= from && next.commit <= to;
		double y = 500 + (next.commit >= culprit ? step : 0) + random_normal(&random) * .5;

		scene->steps[scene->story.n_steps++] = (struct bisect_step){
			.kind = is_broken ? BISECT_STEP_UNBUILT : BISECT_STEP_BOOT,
			.commit = next.commit,
			.phase = next.phase,
			.value = exp(y / 100),
			.bad = (double)NAN, /* what believe() passes over stays as it is */
		};
		if (is_broken)
			assert_int_equal(change_point_search_fail(scene->search, &err), 0);
		else
			assert_int_equal(change_point_search_boot(scene->search, y, &err), 0);
	}
	answer = change_point_search_answer(scene->search);
	for (size_t i = 0; i <= scene->range.n; i++)
		scene->commits[i] = (struct bisect_story_commit){ .id = scene->range.commits[i].id,
								  .title = scene->range.commits[i].title };
	bisect_story_believe(scene->steps, scene->story.n_steps, scene->commits,
			     change_point_search_data(scene->search),
			     answer->n_found > 0 ? &answer->found[0] : NULL);
	scene->story.good = "good";
	scene->story.bad = "main";
	scene->story.commits = scene->commits;
	scene->story.n_commits = scene->story.n_line = scene->range.n + 1;
	scene->story.is_first_parents = true;
	scene->story.is_improvement = step < 0;
	scene->story.unit = "ns/page";
	scene->story.step_min = CHANGE_POINT_STEP_MIN;
	scene->story.steps = scene->steps;
	scene->story.outcome = answer->outcome;
	scene->story.found = answer->found;
	scene->story.n_found = answer->n_found;
	scene->story.n_undecided = answer->n_undecided;
	return scene;
}

static char *lines_with(const char *text, const char *prefix)
{
	_cleanup_free_ char *copy = text_duplicate(text);
	struct text_buffer lines = { 0 };
	char *position = NULL;

	for (char *line = strtok_r(copy, "\n", &position); line; line = strtok_r(NULL, "\n", &position))
		if (text_has_prefix(line, prefix))
			text_printf(&lines, "%s\n", line);
	return text_buffer_take(&lines);
}

/* Replays the story; git's own log must be ours again. Returns what git said. */
static char *replay(const struct repository_fixture *fixture, const struct scene *scene, char **ret_git_log)
{
	_cleanup_free_ char *log = NULL;
	_cleanup_free_ char *git_log = NULL;
	_cleanup_free_ char *ours = NULL;
	_cleanup_free_ char *theirs = NULL;
	struct error err;
	char *said;

	assert_int_equal(bisect_story_log(&scene->story, &log, &err), 0);
	repository_write(fixture->directory, "log", log);
	said = repository_run(fixture->repository, NULL, "git bisect replay ../log");
	git_log = repository_run(fixture->repository, NULL, "git bisect log");
	ours = lines_with(log, "git bisect");
	theirs = lines_with(git_log, "git bisect");
	assert_string_equal(ours, theirs);
	if (ret_git_log)
		*ret_git_log = TAKE_PTR(git_log);
	return said;
}

static void git_names_the_culprit(void **state)
{
	const struct repository_fixture *fixture = *state;
	struct scene *scene = scene_play(fixture, 22, 5, 99, 99, STEPS_MAX);
	_cleanup_free_ char *said = replay(fixture, scene, NULL);
	_cleanup_free_ char *expected =
		text_format("%s is the first bad commit", scene->range.commits[22].id);
	_cleanup_free_ char *bad = repository_run(fixture->repository, NULL, "git rev-parse refs/bisect/bad");
	_cleanup_free_ char *log = NULL;
	struct error err;

	assert_int_equal(scene->story.outcome, CHANGE_POINT_FOUND);
	if (!strstr(said, expected))
		fail_msg("git says: %s", said);
	assert_string_equal(bad, scene->range.commits[22].id);
	free(expected);
	expected = text_format("# first bad commit: [%s] c26\n", scene->range.commits[22].id);
	assert_int_equal(bisect_story_log(&scene->story, &log, &err), 0);
	assert_true(text_has_suffix(log, expected));
	scene_done(scene);
}

static void git_has_the_terms_of_an_improvement(void **state)
{
	const struct repository_fixture *fixture = *state;
	struct scene *scene = scene_play(fixture, 37, -5, 99, 99, STEPS_MAX);
	_cleanup_free_ char *said = replay(fixture, scene, NULL);
	_cleanup_free_ char *expected =
		text_format("%s is the first fast commit", scene->range.commits[37].id);

	assert_int_equal(scene->story.outcome, CHANGE_POINT_FOUND);
	assert_true(scene->range.commits[36].is_merge || scene->range.commits[37].is_merge ||
		    scene->range.commits[35].is_merge);
	if (!strstr(said, expected))
		fail_msg("git says: %s", said);
	scene_done(scene);
}

/* Git ends with status 2 when only skipped commits are left, so replay itself "fails". */
static void git_is_left_with_the_same_set(void **state)
{
	const struct repository_fixture *fixture = *state;
	struct scene *scene = scene_play(fixture, 22, 5, 20, 23, STEPS_MAX);
	const char *const argv[] = { "git", "bisect", "replay", "../log", NULL };
	const struct subprocess_options options = { .argv = argv, .environment = repository_environment,
						    .directory = fixture->repository, .timeout_ms = 60000 };
	struct subprocess_result result = { 0 };
	_cleanup_free_ char *log = NULL;
	struct error err;

	assert_int_equal(scene->story.outcome, CHANGE_POINT_FOUND);
	assert_int_equal(scene->story.found[0].lo, 19);
	assert_int_equal(scene->story.found[0].hi, 24);
	assert_int_equal(bisect_story_log(&scene->story, &log, &err), 0);
	repository_write(fixture->directory, "log", log);
	assert_int_equal(subprocess_run(&options, &result, &err), 0);
	assert_non_null(strstr(result.output, "The first bad commit could be any of:"));
	for (size_t i = 19; i <= 24; i++) {
		_cleanup_free_ char *ours =
			text_format("# possible first bad commit: [%s]", scene->range.commits[i].id);
		bool is_in = i > 19;

		assert_int_equal(strstr(log, ours) != NULL, is_in);
		assert_int_equal(strstr(result.output, scene->range.commits[i].id) != NULL, is_in);
	}
	subprocess_result_done(&result);
	scene_done(scene);
}

/* Cut off at any step, the log is one that git can go on from. */
static void git_goes_on_from_the_middle(void **state)
{
	const struct repository_fixture *fixture = *state;

	for (size_t limit = 6; limit < 26; limit += 3) {
		struct scene *scene = scene_play(fixture, 50, 3, 10, 14, limit);
		_cleanup_free_ char *said = replay(fixture, scene, NULL);
		_cleanup_free_ char *expected =
			text_format("%s is the first bad commit", scene->range.commits[50].id);

		assert_int_equal(scene->story.n_steps, limit);
		if (!strstr(said, "left to test") && !strstr(said, expected))
			fail_msg("after %zu steps git says: %s", limit, said);
		scene_done(scene);
	}
}

/* Beliefs sharpen: the gate has none, a boot of the culprit in the end is bad and alone. */
static void beliefs_are_those_of_their_time(void **state)
{
	const struct repository_fixture *fixture = *state;
	struct scene *scene = scene_play(fixture, 22, 5, 99, 99, STEPS_MAX);
	const struct bisect_step *last = &scene->steps[scene->story.n_steps - 1];
	size_t first = 0;

	while (scene->steps[first].phase == CHANGE_POINT_AT_GATE) {
		assert_true(isnan(scene->steps[first].bad));
		assert_int_equal(scene->steps[first++].n_left, 0);
	}
	assert_true(scene->steps[first].n_left > 5 && scene->steps[first].n_left < 59);
	assert_int_equal(last->phase, CHANGE_POINT_CONFIRMING);
	assert_int_equal(last->commit, 21);
	assert_int_equal(last->n_left, 1);
	assert_true(last->bad < .01);
	assert_true(last[-1].bad > .99);
	scene_done(scene);
}

static void no_change_marks_the_ends_alone(void **state)
{
	const struct repository_fixture *fixture = *state;
	struct scene *scene = scene_play(fixture, 22, 0, 99, 99, STEPS_MAX);
	_cleanup_free_ char *git_log = NULL;
	_cleanup_free_ char *said = replay(fixture, scene, &git_log);
	_cleanup_free_ char *commands = lines_with(git_log, "git bisect");
	struct error err;
	char *log = NULL;

	assert_int_equal(scene->story.outcome, CHANGE_POINT_NONE);
	assert_true(text_has_prefix(commands, "git bisect start '--first-parent' '"));
	assert_ptr_equal(strchr(commands, '\n') + 1, commands + strlen(commands));
	scene->commits[3].id = "HEAD";
	assert_int_equal(bisect_story_log(&scene->story, &log, &err), -EINVAL);
	assert_null(log);
	scene_done(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(git_names_the_culprit, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(git_has_the_terms_of_an_improvement, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(git_is_left_with_the_same_set, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(git_goes_on_from_the_middle, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(beliefs_are_those_of_their_time, setup, repository_fixture_teardown),
		cmocka_unit_test_setup_teardown(no_change_marks_the_ends_alone, setup, repository_fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

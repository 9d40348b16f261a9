// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds of a tree whose Makefile means harm: what it may not touch, and that nothing of
 * it is left when the build is over. For root only: anybody else builds as himself.
 */
#include "orchestrator/work/build.h"

#include "orchestrator/tests/test_build_tree.h"
#include "orchestrator/tests/test_sandbox.h"
#include "orchestrator/tests/test_source_repository.h"
#include "orchestrator/work/kernel_store.h"
#include "orchestrator/work/source.h"

struct fixture {
	char *directory;
	char *repository;
	char *state;
	char *secret;   /* root's, 0640, as the queue's store is */
	struct build_context context;
	struct job job;
	json_t *configured;
	json_t *meta;
	struct error err;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->directory = repository_temporary();
	fixture->repository = path_join(fixture->directory, "linux");
	fixture->state = path_join(fixture->directory, "state");
	fixture->secret = path_join(fixture->state, "abbot.sqlite");
	repository_write(fixture->state, "abbot.sqlite", "secret words");
	assert_int_equal(chmod(fixture->secret, 0640), 0);
	repository_do(fixture->directory, "git init -q -b main linux");
	repository_write(fixture->repository, "Kconfig", build_tree_kconfig);
	repository_write(fixture->repository, "tiny.config", build_tree_tiny);
	repository_write(fixture->repository, "kernel/other.c", "int other(void) { return 1; }\n");
	repository_write(fixture->repository, "mm/mprotect.c", "int protect(void) { return 1; }\n");
	fixture->context.state_directory = fixture->state;
	job_init(&fixture->job);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	int r;

	json_decref(fixture->configured);
	json_decref(fixture->meta);
	job_done(&fixture->job);
	r = file_remove_tree(fixture->directory, &fixture->err);
	free(fixture->directory);
	free(fixture->repository);
	free(fixture->state);
	free(fixture->secret);
	free(fixture);
	return r;
}

/* Builds a commit whose make runs @script after vmlinux and before it says that all is well. */
static int build(struct fixture *fixture, const char *script)
{
	_cleanup_free_ char *makefile = text_format(
		"%s\nbzImage: hostile\nhostile: $(O)/vmlinux\n\t@O=$(O) S=$(S) sh $(S)/hostile.sh\n.PHONY: hostile\n",
		build_tree_makefile);
	_cleanup_free_ char *note = NULL;
	struct job *job = &fixture->job;

	repository_write(fixture->repository, "Makefile", makefile);
	repository_write(fixture->repository, "hostile.sh", script);
	repository_commit(fixture->repository, "hostile");
	job->repository = text_duplicate(fixture->repository);
	free(job->build.config);
	job->build.config = text_duplicate("tinyconfig");
	for (int i = 0; i < 2; i++)
		assert_int_equal(job_add_point(job, i ? "child" : "parent", "main", &fixture->err), 0);
	if (source_resolve(job, &note, &fixture->err) < 0 ||
	    build_configure(&fixture->context, job, &fixture->configured, &fixture->err) < 0)
		fail_msg("%s", fixture->err.text);
	return build_kernel(&fixture->context, job, 0, &fixture->meta, &fixture->err);
}

static char *log_read(const struct fixture *fixture)
{
	const char *key = json_string_value(json_object_get(fixture->meta, "key"));
	_cleanup_free_ char *path = kernel_store_path(fixture->state, key, "build.log");
	char *text = NULL;
	struct error err;

	assert_int_equal(file_read(path, 100000, &text, NULL, &err), 0);
	return text;
}

static void test_reaches_nothing_of_ours(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *script = NULL, *log = NULL;

	if (geteuid() != 0)
		skip();
	script = text_format(
		"(echo x > $S/planted) 2>/dev/null || echo kept: source\n"
		"(echo x > $S/../build-in-progress) 2>/dev/null || echo kept: marker\n"
		"mv $O $O.aside 2>/dev/null || echo kept: place\n"
		"(echo x > %s/kernels/planted) 2>/dev/null || echo kept: kernels\n"
		"cat %s 2>/dev/null || echo kept: store\n"
		"kill -9 %d 2>/dev/null || echo kept: daemon\n"
		"grep -q 'NoNewPrivs:.1' /proc/self/status && echo kept: privileges\n"
		"grep -q 'CapEff:.0000000000000000' /proc/self/status && echo kept: capabilities\n"
		"(: </dev/tty) 2>/dev/null || echo kept: terminal\n",
		fixture->state, fixture->secret, (int)getpid());
	if (build(fixture, script) < 0)
		fail_msg("%s", fixture->err.text);
	log = log_read(fixture);
	static const char *const kept[] = { "source", "marker", "place", "kernels", "store", "daemon",
					    "privileges", "capabilities", "terminal" };

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		_cleanup_free_ char *line = text_format("kept: %s\n", kept[i]);

		if (!strstr(log, line))
			fail_msg("the build reached the %s:\n%s", kept[i], log);
	}
	assert_null(strstr(log, "secret words"));
}

/* What the sandbox adds to being nobody: nothing is seen, nothing is reached. */
static void test_sandbox(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *script = NULL, *log = NULL;
	_cleanup_free_ char *planted = text_format("/tmp/abbot-planted-%d", (int)getpid());

	if (geteuid() != 0 || !test_has_sandbox())
		skip();
	script = text_format(
		"grep -q . /proc/net/route && sed 1d /proc/net/route | grep -q . || echo kept: network\n"
		"test $(ls /proc | grep -c '^[0-9]') -lt 20 && echo kept: processes\n"
		"echo x > %s && echo private: tmp\n"
		"test -z \"$(find /home /root /run -mindepth 1 2>/dev/null)\" && echo kept: homes\n"
		"(echo x > /usr/planted) 2>/dev/null || echo kept: system\n"
		"test $(hostname) = abbot && echo kept: name\n"
		"test $(cat /proc/self/oom_score_adj) = 1000 && echo kept: memory\n",
		planted);
	if (build(fixture, script) < 0)
		fail_msg("%s", fixture->err.text);
	assert_string_equal(json_string_value(json_object_get(fixture->meta, "sandbox")), "bubblewrap");
	log = log_read(fixture);
	static const char *const lines[] = { "kept: network", "kept: processes", "private: tmp", "kept: homes",
					     "kept: system", "kept: name", "kept: memory" };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (!strstr(log, lines[i]))
			fail_msg("no \"%s\":\n%s", lines[i], log);
	assert_int_equal(access(planted, F_OK), -1);
}

/* A bomb of processes stays within its limit, and ends with the build. */
static void test_fork_bomb(void **state)
{
	struct fixture *fixture = *state;
	static const char script[] =
		"grep '^Max processes' /proc/self/limits\n"
		"ulimit -p 60\nbomb() { bomb | bomb & }\n(bomb) 2>/dev/null\nsleep 1\nexit 1\n";
	_cleanup_free_ char *log = NULL;

	if (geteuid() != 0)
		skip();
	assert_int_equal(build(fixture, script), -EPROTO);
	log = log_read(fixture);
	assert_non_null(strstr(log, "Max processes             2048"));
	for (int i = 0; i < 50 && system("pgrep -u " BUILD_USER " sh >/dev/null") == 0; i++)
		(void)usleep(100000);
	assert_int_not_equal(system("pgrep -u " BUILD_USER " -f hostile.sh >/dev/null"), 0);
}

/* It is ended before nothing is left for anybody else, and that is no fault of the commit's. */
static void test_fills_the_disk(void **state)
{
	struct fixture *fixture = *state;

	fixture->context.min_free_bytes = 1;
	fixture->context.reserved_bytes = file_free_bytes(fixture->directory) - (64LL << 20);
	assert_int_equal(build(fixture, "i=0; while :; do i=$((i+1)); dd if=/dev/zero of=$O/fill.$i bs=1M count=64 2>/dev/null; sleep 0.2; done\n"),
			 -ENOSPC);
	assert_non_null(strstr(fixture->err.text, "disk space"));
	assert_null(fixture->meta);
}

static void test_takes_all_memory(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *log = NULL;

	fixture->context.max_memory_bytes = 512LL << 20;
	if (build(fixture, "perl -e '$x = \"x\" x (1 << 30)' 2>&1 && echo taken: all\ntrue\n") < 0)
		fail_msg("%s", fixture->err.text);
	log = log_read(fixture);
	assert_null(strstr(log, "taken: all"));
}

static void test_required_sandbox_is_missing(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *path = text_duplicate(getenv("PATH"));

	assert_int_equal(job_add_point(&fixture->job, "parent", "main", &fixture->err), 0);
	free(fixture->job.build.sandbox);
	fixture->job.build.sandbox = text_duplicate("required");
	assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
	repository_write(fixture->repository, "Makefile", "");
	fixture->job.repository = text_duplicate(fixture->repository);
	assert_int_equal(build_kernel(&fixture->context, &fixture->job, 0, &fixture->meta, &fixture->err), -EOPNOTSUPP);
	assert_int_equal(setenv("PATH", path, 1), 0);
	assert_non_null(strstr(fixture->err.text, "bubblewrap"));
}

/* A daemon that goes on when make is done would write into the next build. */
static void test_leaves_nothing_running(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *log = NULL;

	/* In the sandbox its number is another one: it is known by what it waits for. */
	if (build(fixture, "setsid -f sleep 300.125\nsleep 0.3\npgrep -f 'sleep 300.125' >/dev/null && echo stray: yes\n") < 0)
		fail_msg("%s", fixture->err.text);
	log = log_read(fixture);
	assert_non_null(strstr(log, "stray: yes"));
	assert_int_not_equal(system("pgrep -x -f 'sleep 300.125' >/dev/null"), 0);
}

/* Root takes what the build made through the build user's own eyes. */
static void test_links_lead_to_nothing_of_roots(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *script = NULL;

	if (geteuid() != 0)
		skip();
	script = text_format("ln -sf %s $O/include/config/kernel.release\n", fixture->secret);
	assert_true(build(fixture, script) < 0);
	assert_null(fixture->meta);
	assert_non_null(strstr(fixture->err.text, "cannot be read"));
	assert_null(strstr(fixture->err.text, "secret"));
}

static void test_release_is_one_word(void **state)
{
	struct fixture *fixture = *state;
	static const char script[] =
		"r=$(cat $O/include/config/kernel.release)\n"
		"printf '\\033[2J/%s' $r > $O/include/config/kernel.release\n";

	assert_int_equal(build(fixture, script), -EPROTO);
	assert_non_null(strstr(fixture->err.text, "cannot be in a release"));
	assert_null(strchr(fixture->err.text, '\033'));
}

/* uname(2) would cut it, and then nothing that asks for the modules would find them. */
static void test_release_is_short_enough(void **state)
{
	struct fixture *fixture = *state;
	static const char script[] =
		"r=$(cat $O/include/config/kernel.release)\n"
		"printf '%0*d%s' $((64 - ${#r})) 6 $r > $O/include/config/kernel.release\n";

	assert_int_equal(build(fixture, script), -EPROTO);
	assert_non_null(strstr(fixture->err.text, "is longer than 63 characters"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_reaches_nothing_of_ours),
		TEST(test_sandbox),
		TEST(test_leaves_nothing_running),
		TEST(test_fork_bomb),
		TEST(test_fills_the_disk),
		TEST(test_takes_all_memory),
		TEST(test_required_sandbox_is_missing),
		TEST(test_links_lead_to_nothing_of_roots),
		TEST(test_release_is_one_word),
		TEST(test_release_is_short_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Configuring and building on a miniature kernel tree in a real git repository with
 * the real compiler, as the build user when run by root.
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
	struct build_context context;
	struct job job;
	json_t *result;
	json_t *metas[JOB_POINTS_MAX];
	struct error err;
};

static void tree_write(const struct fixture *fixture, const char *name, const char *text)
{
	repository_write(fixture->repository, name, text);
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->directory = repository_temporary();
	fixture->repository = path_join(fixture->directory, "linux");
	fixture->state = path_join(fixture->directory, "state");
	repository_do(fixture->directory, "git init -q -b main linux");
	tree_write(fixture, "Makefile", build_tree_makefile);
	tree_write(fixture, "Kconfig", build_tree_kconfig);
	tree_write(fixture, "tiny.config", build_tree_tiny);
	tree_write(fixture, "kernel/other.c", "int other(void) { return 1; }\n");
	tree_write(fixture, "mm/mprotect.c", "int protect(void) { return 1; }\n");
	repository_commit(fixture->repository, "parent");
	tree_write(fixture, "mm/mprotect.c", "int protect(void) { return 2; }\n");
	repository_commit(fixture->repository, "child");
	fixture->context.state_directory = fixture->state;
	job_init(&fixture->job);
	*state = fixture;
	return 0;
}

static void job_reset(struct fixture *fixture)
{
	for (size_t i = 0; i < JOB_POINTS_MAX; i++) {
		json_decref(fixture->metas[i]);
		fixture->metas[i] = NULL;
	}
	json_decref(fixture->result);
	fixture->result = NULL;
	job_done(&fixture->job);
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	int r;

	job_reset(fixture);
	r = file_remove_tree(fixture->directory, &fixture->err);
	free(fixture->directory);
	free(fixture->repository);
	free(fixture->state);
	free(fixture);
	return r;
}

/* @fragment: the text of one, or NULL. */
static int configure(struct fixture *fixture, const char *revision, const char *fragment)
{
	struct job *job = &fixture->job;
	_cleanup_free_ char *note = NULL;

	job_reset(fixture);
	job_init(job);
	free(job->repository);
	job->repository = text_duplicate(fixture->repository);
	free(job->build.config);
	job->build.config = text_duplicate("tinyconfig");
	if (fragment) {
		free(job->build.fragments);
		job->build.fragments = calloc(2, sizeof(char *));
		job->build.fragments[0] = path_join(fixture->directory, "fragment");
		repository_write(fixture->directory, "fragment", fragment);
	}
	fixture->err = (struct error){ 0 };
	assert_int_equal(job_add_point(job, "child", revision, &fixture->err), 0);
	if (source_resolve(job, &note, &fixture->err) < 0)
		fail_msg("%s", fixture->err.text);
	return build_configure(&fixture->context, job, &fixture->result, &fixture->err);
}

static int build(struct fixture *fixture, size_t point)
{
	return build_kernel(&fixture->context, &fixture->job, point, &fixture->metas[point],
			    &fixture->err);
}

static void build_both(struct fixture *fixture, const char *revision)
{
	if (configure(fixture, revision, NULL) < 0 || build(fixture, 0) < 0 || build(fixture, 1) < 0)
		fail_msg("%s", fixture->err.text);
}

static const char *meta_text(const struct fixture *fixture, size_t point, const char *key)
{
	const char *text = json_string_value(json_object_get(fixture->metas[point], key));

	if (!text)
		fail_msg("meta has no %s", key);
	return text;
}

static bool meta_is(const struct fixture *fixture, size_t point, const char *key)
{
	return json_is_true(json_object_get(fixture->metas[point], key));
}

static char *log_read(const struct fixture *fixture, size_t point)
{
	_cleanup_free_ char *path = kernel_store_path(fixture->state, meta_text(fixture, point, "key"), "build.log");
	char *text = NULL;
	struct error err;

	assert_int_equal(file_read(path, 100000, &text, NULL, &err), 0);
	return text;
}

static void assert_sentence(const struct fixture *fixture, const char *expected)
{
	if (!strstr(fixture->err.text, expected))
		fail_msg("'%s' does not hold '%s'", fixture->err.text, expected);
}

static void test_parent_and_child(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *first_log = NULL;
	_cleanup_free_ char *second_log = NULL;
	_cleanup_free_ char *suffix = NULL;

	/* None of the caller's settings may reach a build. */
	setenv("MAKEFLAGS", "-n", 1);
	setenv("SECRET", "leaked", 1);
	setenv("KBUILD_BUILD_USER", "someone", 1);
	build_both(fixture, "main");
	unsetenv("MAKEFLAGS");
	unsetenv("SECRET");
	unsetenv("KBUILD_BUILD_USER");
	assert_true(json_is_true(json_object_get(fixture->result, "equal")));
	for (size_t i = 0; i < 2; i++) {
		const char *digits = meta_text(fixture, i, "key");

		free(suffix);
		suffix = text_format("6.12.1-ab%.12s", digits);
		assert_string_equal(meta_text(fixture, i, "release"), suffix);
		assert_string_equal(meta_text(fixture, i, "status"), "built");
		assert_int_equal(strlen(meta_text(fixture, i, "build_id")), 40);
		assert_string_equal(meta_text(fixture, i, "commit"), fixture->job.points[i].commit);
		assert_false(meta_is(fixture, i, "reused"));
	}
	assert_string_not_equal(meta_text(fixture, 0, "key"), meta_text(fixture, 1, "key"));
	assert_string_not_equal(meta_text(fixture, 0, "build_id"), meta_text(fixture, 1, "build_id"));
	assert_string_not_equal(meta_text(fixture, 0, "code_id"), meta_text(fixture, 1, "code_id"));
	first_log = log_read(fixture, 0);
	second_log = log_read(fixture, 1);
	assert_non_null(strstr(first_log, "CC kernel/other.o"));
	assert_non_null(strstr(second_log, "CC mm/mprotect.o"));
	assert_null(strstr(second_log, "CC kernel/other.o"));
	assert_false(meta_is(fixture, 0, "is_incremental"));
	assert_true(meta_is(fixture, 1, "is_incremental"));
	if (geteuid() == 0)
		assert_null(strstr(first_log, "uid=0"));
	assert_null(strstr(first_log, "leaked"));

	/* The same again builds nothing. */
	build_both(fixture, "main");
	assert_true(meta_is(fixture, 0, "reused"));
	assert_true(meta_is(fixture, 1, "reused"));
}

static void test_incremental_is_the_clean_build(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *incremental = NULL;
	_cleanup_free_ char *other = path_join(fixture->directory, "another-state-directory");

	build_both(fixture, "main");
	incremental = text_duplicate(meta_text(fixture, 1, "vmlinux_sha256"));
	fixture->context.state_directory = other;
	if (configure(fixture, "main", NULL) < 0 || build(fixture, 1) < 0)
		fail_msg("%s", fixture->err.text);
	assert_false(meta_is(fixture, 1, "is_incremental"));
	assert_string_equal(meta_text(fixture, 1, "vmlinux_sha256"), incremental);
}

static void test_comment_is_the_same_code(void **state)
{
	struct fixture *fixture = *state;

	tree_write(fixture, "mm/mprotect.c", "/* why */ int protect(void) { return 2; }\n");
	repository_commit(fixture->repository, "comment");
	build_both(fixture, "main");
	assert_string_not_equal(meta_text(fixture, 0, "key"), meta_text(fixture, 1, "key"));
	assert_string_not_equal(meta_text(fixture, 0, "vmlinux_sha256"), meta_text(fixture, 1, "vmlinux_sha256"));
	assert_string_equal(meta_text(fixture, 0, "code_id"), meta_text(fixture, 1, "code_id"));
}

static void test_commit_that_does_not_build(void **state)
{
	struct fixture *fixture = *state;
	struct job_point *point;

	tree_write(fixture, "mm/mprotect.c", "int protect(void) { return undeclared; }\n");
	repository_commit(fixture->repository, "broken");
	assert_int_equal(configure(fixture, "main", NULL), 0);
	assert_int_equal(build(fixture, 1), -EPROTO);
	assert_sentence(fixture, "does not build: ");
	assert_sentence(fixture, "'undeclared' undeclared");
	assert_sentence(fixture, "/build.log below the state directory");
	assert_string_equal(meta_text(fixture, 1, "status"), "failed");
	assert_non_null(strstr(meta_text(fixture, 1, "log_tail"), "'undeclared' undeclared"));
	assert_non_null(strchr(meta_text(fixture, 1, "log_tail"), '\n'));
	/* Kept: a look-up, as in the lab's guest, says the same. */
	point = &fixture->job.points[1];
	(void)snprintf(point->kernel, sizeof(point->kernel), "%s", meta_text(fixture, 1, "key"));
	json_decref(fixture->metas[1]);
	fixture->metas[1] = NULL;
	fixture->err = (struct error){ 0 };
	assert_int_equal(build(fixture, 1), -EPROTO);
	assert_sentence(fixture, "'undeclared' undeclared");
	/* The next commit is not harmed by it. */
	assert_int_equal(build(fixture, 0), 0);
}

/* The linker's word, not make's "Error 1" after it. */
static void test_commit_that_does_not_link(void **state)
{
	struct fixture *fixture = *state;

	tree_write(fixture, "mm/mprotect.c", "int absent(void);\nint protect(void) { return absent(); }\n");
	repository_commit(fixture->repository, "broken");
	assert_int_equal(configure(fixture, "main", NULL), 0);
	assert_int_equal(build(fixture, 1), -EPROTO);
	assert_sentence(fixture, "undefined reference to `absent'");
}

/* Not that make leaves a directory, which is the last that it says. */
static void test_make_says_why(void **state)
{
	struct fixture *fixture = *state;

	tree_write(fixture, "Makefile", "VERSION = 6\nPATCHLEVEL = 12\n");
	repository_commit(fixture->repository, "no-targets");
	repository_do(fixture->repository, "git commit -q --allow-empty -m again");
	assert_int_equal(configure(fixture, "main", NULL), -EPERM);
	assert_sentence(fixture, "make tinyconfig failed: make: *** No rule to make target 'tinyconfig'");
}

static void test_look_up_only(void **state)
{
	struct fixture *fixture = *state;
	struct job_point *points = fixture->job.points;
	_cleanup_free_ char *build_directory = path_join(fixture->state, "build");

	build_both(fixture, "main");
	for (size_t i = 0; i < 2; i++)
		(void)snprintf(points[i].kernel, sizeof(points[i].kernel), "%s", meta_text(fixture, i, "key"));
	assert_int_equal(file_remove_tree(build_directory, &fixture->err), 0);
	json_decref(fixture->result);
	fixture->result = NULL;
	assert_int_equal(build_configure(&fixture->context, &fixture->job, &fixture->result, &fixture->err), 0);
	json_decref(fixture->metas[0]);
	fixture->metas[0] = NULL;
	assert_int_equal(build(fixture, 0), 0);
	assert_true(meta_is(fixture, 0, "reused"));
	assert_false(file_exists(build_directory));
	memset(points[0].kernel, 'a', 64);
	assert_int_equal(build_kernel(&fixture->context, &fixture->job, 0, &fixture->metas[2], &fixture->err), -ENOENT);
	assert_null(fixture->metas[2]);
}

/* Of the child's tree, not the parent's; a tree without one says so. */
static void test_recipients(void **state)
{
	struct fixture *fixture = *state;
	const json_t *recipients, *list;

	if (!test_has_sandbox())
		skip();
	tree_write(fixture, "scripts/get_maintainer.pl", "print \"old\\@kernel.org (maintainer:X)\\n\";");
	repository_commit(fixture->repository, "old");
	tree_write(fixture, "scripts/get_maintainer.pl", "print \"new\\@kernel.org (maintainer:X)\\n\";");
	repository_commit(fixture->repository, "new");
	assert_int_equal(configure(fixture, "main", NULL), 0);
	recipients = json_object_get(fixture->result, "recipients");
	list = json_object_get(recipients, "to");
	assert_int_equal(json_array_size(list), 1);
	assert_string_equal(json_string_value(json_array_get(list, 0)), "new@kernel.org");
	json_decref(fixture->result);
	fixture->result = NULL;
	job_done(&fixture->job);
	job_init(&fixture->job);
	repository_do(fixture->repository, "git rm -q scripts/get_maintainer.pl");
	repository_commit(fixture->repository, "gone");
	assert_int_equal(configure(fixture, "main", NULL), 0);
	recipients = json_object_get(fixture->result, "recipients");
	assert_non_null(strstr(json_string_value(json_object_get(recipients, "note")), "has no scripts/"));
}

/* Plain files and directories come into the store, whatever their modes were. */
static void test_modules(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *modules = NULL, *module = NULL, *listing = NULL, *mods = NULL;
	const json_t *said;
	struct stat status;

	if (configure(fixture, "main", "CONFIG_MODULES=y\n") < 0 || build(fixture, 0) < 0)
		fail_msg("%s", fixture->err.text);
	said = json_object_get(fixture->metas[0], "modules");
	assert_int_equal(json_integer_value(json_object_get(said, "count")), 2);
	assert_int_equal(json_integer_value(json_object_get(said, "bytes")), 7 + 15);
	assert_int_equal(strlen(json_string_value(json_object_get(said, "sha256"))), 64);
	modules = kernel_store_path(fixture->state, meta_text(fixture, 0, "key"), "modules");
	listing = repository_run(modules, NULL, "find . -type f -o -type l -printf link");
	assert_null(strstr(listing, "link"));
	module = path_join(modules, "kernel/mm/a.ko");
	assert_int_equal(lstat(module, &status), 0);
	assert_int_equal(status.st_mode, S_IFREG | 0644);
	assert_int_equal(status.st_uid, geteuid());
	mods = repository_run(fixture->state, NULL, "find build -name mods");
	assert_string_equal(mods, "");
	/* Without modules nothing of them is made. */
	build_both(fixture, "main");
	assert_null(json_object_get(fixture->metas[0], "modules"));
}

static void check_hostile_modules(struct fixture *fixture, const char *script, const char *expected)
{
	tree_write(fixture, "more.sh", script);
	repository_commit(fixture->repository, "hostile");
	if (configure(fixture, "main", "CONFIG_MODULES=y\n") < 0)
		fail_msg("%s", fixture->err.text);
	assert_int_equal(build(fixture, 1), -EPERM);
	assert_sentence(fixture, expected);
	assert_null(fixture->metas[1]);
}

static void test_hostile_modules(void **state)
{
	struct fixture *fixture = *state;

	check_hostile_modules(fixture, "ln -s /etc/passwd $M/kernel/b.ko\n", "kernel/b.ko, a symbolic link");
	check_hostile_modules(fixture, "ln -s /etc $M/kernel/etc\n", "a symbolic link");
	check_hostile_modules(fixture, "mkfifo $M/kernel/fifo\n", "neither a file nor a directory");
	check_hostile_modules(fixture, "echo > \"$M/kernel/a b.ko\"\n", "a name that no module has");
	check_hostile_modules(fixture, "echo > $M/.abbot\n", "a name that no module has");
	check_hostile_modules(fixture, "cd $M; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do mkdir d; cd d; done\n",
			      "too deep");
	check_hostile_modules(fixture, "truncate -s 3G $M/a.ko; cp --sparse=always $M/a.ko $M/b.ko; cp --sparse=always $M/a.ko $M/c.ko\n",
			      "too large");
}

static void test_configs(void **state)
{
	struct fixture *fixture = *state;
	const json_t *differences;

	assert_int_equal(configure(fixture, "main", "CONFIG_FOO=y\n"), 0);
	assert_int_equal(configure(fixture, "main", "CONFIG_NOT_IN_THIS_TREE=y\n"), -EPERM);
	assert_sentence(fixture, "CONFIG_NOT_IN_THIS_TREE=y is now absent");
	assert_int_equal(configure(fixture, "main", "# CONFIG_64BIT is not set\n"), -EPERM);
	assert_sentence(fixture, "32-bit");
	assert_int_equal(configure(fixture, "main", "CONFIG_FOO=maybe\n"), -EINVAL);
	assert_sentence(fixture, "fragment line 1");

	tree_write(fixture, "tiny.config", "CONFIG_X86=y\nCONFIG_64BIT=y\nCONFIG_HZ=250\nCONFIG_FOO=y\n");
	repository_commit(fixture->repository, "default");
	assert_int_equal(configure(fixture, "main", NULL), -EPERM);
	assert_sentence(fixture, "HZ: parent 100, child 250");
	fixture->job.build.config_differences = JOB_DIFFERENCES_ALLOW;
	assert_int_equal(build_configure(&fixture->context, &fixture->job, &fixture->result, &fixture->err), 0);
	assert_true(json_is_false(json_object_get(fixture->result, "equal")));
	differences = json_object_get(fixture->result, "differences");
	assert_int_equal(json_array_size(differences), 2);
	assert_string_equal(json_string_value(json_array_get(differences, 1)), "FOO: only child has it");
}

static void test_config_of_one_point(void **state)
{
	struct fixture *fixture = *state;
	struct job_changes *changes;

	assert_int_equal(configure(fixture, "main", NULL), 0);
	json_decref(TAKE_PTR(fixture->result));
	changes = &fixture->job.points[1].changes;
	assert_int_equal(job_changes_add(changes, JOB_CHANGE_CONFIG, "CONFIG_HZ=250", NULL, &fixture->err), 0);
	assert_int_equal(build_configure(&fixture->context, &fixture->job, &fixture->result, &fixture->err), -EPERM);
	assert_sentence(fixture, "HZ: parent 100, child 250");
	fixture->job.build.config_differences = JOB_DIFFERENCES_ALLOW;
	if (build_configure(&fixture->context, &fixture->job, &fixture->result, &fixture->err) < 0 ||
	    build(fixture, 0) < 0 || build(fixture, 1) < 0)
		fail_msg("%s", fixture->err.text);
	assert_string_not_equal(meta_text(fixture, 0, "config_sha256"), meta_text(fixture, 1, "config_sha256"));
	assert_string_not_equal(meta_text(fixture, 0, "key"), meta_text(fixture, 1, "key"));
}

static void test_config_that_changed_since(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(configure(fixture, "main", "CONFIG_FOO=y\n"), 0);
	repository_write(fixture->directory, "fragment", "# CONFIG_FOO is not set\n");
	assert_int_equal(build(fixture, 0), -ESTALE);
	assert_sentence(fixture, "queue it again");
}

static void test_no_space(void **state)
{
	struct fixture *fixture = *state;

	fixture->context.min_free_bytes = 1LL << 60;
	assert_int_equal(configure(fixture, "main", NULL), -ENOSPC);
	assert_sentence(fixture, "MiB free");
}

/* The marker of a killed build: its torn object is newer than its source. */
static void test_interrupted_build(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *whole = NULL;
	_cleanup_free_ char *directory = NULL;
	_cleanup_free_ char *kernels = path_join(fixture->state, "kernels");
	_cleanup_free_ char *marker = NULL;

	build_both(fixture, "main");
	whole = text_duplicate(meta_text(fixture, 1, "vmlinux_sha256"));
	_cleanup_free_ char *find = text_format("find %s/build -maxdepth 1 -mindepth 1", fixture->state);

	directory = repository_run(NULL, NULL, find);
	repository_write(directory, "obj/kernel/other.o", "");
	repository_write(directory, "build-in-progress", "");
	marker = path_join(directory, "build-in-progress");
	assert_int_equal(file_remove_tree(kernels, &fixture->err), 0);
	build_both(fixture, "main");
	assert_string_equal(meta_text(fixture, 1, "vmlinux_sha256"), whole);
	assert_false(file_exists(marker));
}

static void test_local_version_override(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *key = NULL;

	build_both(fixture, "main");
	key = text_duplicate(meta_text(fixture, 0, "key"));
	fixture->context.local_version_override = "-ab-default-x86";
	build_both(fixture, "main");
	assert_string_not_equal(meta_text(fixture, 0, "key"), key);
	assert_string_equal(meta_text(fixture, 0, "release"), "6.12.1-ab-default-x86");
	fixture->context.local_version_override = "-a b";
	assert_int_equal(build_kernel(&fixture->context, &fixture->job, 0, &fixture->metas[2], &fixture->err), -EINVAL);
}

static void test_state_that_the_build_user_cannot_reach(void **state)
{
	struct fixture *fixture = *state;

	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(fixture->directory, 0700), 0);
	assert_int_equal(configure(fixture, "main", NULL), -EACCES);
	assert_sentence(fixture, "chmod o+x");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_parent_and_child),
		TEST(test_incremental_is_the_clean_build),
		TEST(test_comment_is_the_same_code),
		TEST(test_commit_that_does_not_build),
		TEST(test_commit_that_does_not_link),
		TEST(test_make_says_why),
		TEST(test_look_up_only),
		TEST(test_recipients),
		TEST(test_configs),
		TEST(test_modules),
		TEST(test_hostile_modules),
		TEST(test_config_of_one_point),
		TEST(test_config_that_changed_since),
		TEST(test_no_space),
		TEST(test_interrupted_build),
		TEST(test_local_version_override),
		TEST(test_state_that_the_build_user_cannot_reach),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

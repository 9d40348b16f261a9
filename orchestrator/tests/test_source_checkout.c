// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Our own work tree: exact content, only changed files rewritten, foreign files
 * gone, the user's repository untouched, interrupted checkouts completed.
 */
#include "orchestrator/work/source.h"

#include <fcntl.h>

#include "orchestrator/tests/test_source_repository.h"

struct fixture {
	char *directory;
	char *repository;
	char *own;       /* what source_checkout() is given */
	char *trees[2];
	struct error err;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->directory = repository_temporary();
	fixture->repository = path_join(fixture->directory, "linux");
	fixture->own = path_join(fixture->directory, "own");
	repository_do(fixture->directory, "git init -q -b main linux");
	repository_write(fixture->repository, ".gitignore", "*.o\n.*\n!.gitignore\n!.gitattributes\n");
	/* A filter that would change what is built, if filters were on. */
	repository_write(fixture->repository, ".gitattributes", "*.c text eol=crlf\n*.id ident\n");
	repository_write(fixture->repository, "a.c", "int a;\n");
	repository_write(fixture->repository, "kept.id", "$Id$\n");
	repository_write(fixture->repository, "mm/gone.c", "int gone;\n");
	repository_write(fixture->repository, "mm/file-or-directory", "x");
	repository_write(fixture->repository, "tool", "#!/bin/sh\n");
	repository_do(fixture->repository, "chmod +x tool");
	repository_do(fixture->repository, "ln -s a.c link");
	repository_commit(fixture->repository, "first");
	fixture->trees[0] = repository_run(fixture->repository, NULL, "git rev-parse HEAD^{tree}");
	repository_write(fixture->repository, "a.c", "int b;\n");
	repository_do(fixture->repository, "rm mm/gone.c mm/file-or-directory link");
	repository_write(fixture->repository, "mm/file-or-directory/new.c", "int n;\n");
	repository_do(fixture->repository, "chmod -x tool");
	repository_commit(fixture->repository, "second");
	fixture->trees[1] = repository_run(fixture->repository, NULL, "git rev-parse HEAD^{tree}");
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	int r = file_remove_tree(fixture->directory, &fixture->err);

	free(fixture->directory);
	free(fixture->repository);
	free(fixture->own);
	free(fixture->trees[0]);
	free(fixture->trees[1]);
	free(fixture);
	return r;
}

static void checkout(struct fixture *fixture, int tree)
{
	if (source_checkout(fixture->repository, fixture->trees[tree], fixture->own, &fixture->err) < 0)
		fail_msg("%s", fixture->err.text);
}

/* git's own opinion of what lies in own/src: the tree that it would make of it. */
static void assert_holds(struct fixture *fixture, int tree)
{
	_cleanup_free_ char *judge = path_join(fixture->directory, "judge.git");
	_cleanup_free_ char *source = path_join(fixture->own, "src");
	_cleanup_free_ char *found = NULL;

	repository_do(fixture->directory, "rm -rf judge.git");
	repository_do(fixture->directory, "git init -q --bare judge.git");
	repository_write(judge, "info/attributes", "* -text -eol -ident\n");
	repository_do(source, "git --git-dir=../../judge.git --work-tree=. add -A -f .");
	found = repository_run(source, NULL, "git --git-dir=../../judge.git write-tree");
	assert_string_equal(found, fixture->trees[tree]);
}

static struct stat file_status(const struct fixture *fixture, const char *name)
{
	_cleanup_free_ char *path = text_format("%s/src/%s", fixture->own, name);
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status;
}

static bool is_rewritten(const struct stat *before, const struct stat *after)
{
	return before->st_ino != after->st_ino || before->st_mtim.tv_sec != after->st_mtim.tv_sec ||
	       before->st_mtim.tv_nsec != after->st_mtim.tv_nsec;
}

static void test_exact_and_only_what_changed(void **state)
{
	struct fixture *fixture = *state;
	struct stat a, kept, tool, again;

	checkout(fixture, 0);
	assert_holds(fixture, 0);
	assert_int_equal(file_status(fixture, "tool").st_mode & 0777, 0755);
	assert_int_equal(file_status(fixture, "a.c").st_mode & 0777, 0644);
	a = file_status(fixture, "a.c");
	kept = file_status(fixture, "kept.id");
	tool = file_status(fixture, "tool");
	checkout(fixture, 1);
	assert_holds(fixture, 1);
	again = file_status(fixture, "a.c");
	assert_true(is_rewritten(&a, &again));
	again = file_status(fixture, "kept.id");
	assert_false(is_rewritten(&kept, &again));
	assert_int_equal(file_status(fixture, "tool").st_mode & 0111, 0);
	checkout(fixture, 0);
	assert_holds(fixture, 0);
	again = file_status(fixture, "kept.id");
	assert_false(is_rewritten(&kept, &again));
	assert_int_equal(file_status(fixture, "tool").st_mode & 0777, tool.st_mode & 0777);
	/* Once more: nothing at all. */
	a = file_status(fixture, "a.c");
	checkout(fixture, 0);
	again = file_status(fixture, "a.c");
	assert_false(is_rewritten(&a, &again));
}

static void test_foreign_and_changed_files(void **state)
{
	struct fixture *fixture = *state;

	checkout(fixture, 0);
	repository_write(fixture->own, "src/untracked.c", "x");
	repository_write(fixture->own, "src/ignored.o", "x");
	repository_write(fixture->own, "src/.config", "x");
	repository_write(fixture->own, "src/include/config/auto.conf", "x");
	repository_write(fixture->own, "src/a.c", "int c;\n");
	checkout(fixture, 0);
	assert_holds(fixture, 0);
}

static void test_interrupted_checkout(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *marker = path_join(fixture->own, "checkout-in-progress");
	_cleanup_free_ char *path = path_join(fixture->own, "src/a.c");
	struct stat a, kept, again;
	struct timespec times[2];
	int fd;

	checkout(fixture, 0);
	assert_false(file_exists(marker));
	kept = file_status(fixture, "kept.id");
	/* A torn file that the index calls clean: same size and times, other content. */
	a = file_status(fixture, "a.c");
	times[0] = a.st_atim;
	times[1] = a.st_mtim;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_int_equal(write(fd, "\0\0\0\0\0\0\0", 7), 7);
	assert_int_equal(futimens(fd, times), 0);
	(void)close(fd);
	repository_write(fixture->own, "checkout-in-progress", fixture->trees[1]);
	repository_write(fixture->own, "git/index.lock", "");
	checkout(fixture, 0);
	assert_holds(fixture, 0);
	again = file_status(fixture, "kept.id");
	assert_false(is_rewritten(&kept, &again));
	assert_false(file_exists(marker));
}

static void test_user_repository_is_only_read(void **state)
{
	struct fixture *fixture = *state;
	static const char list[] = "find . -not -type d -printf %p:%T@:%s:%i\\n";
	_cleanup_free_ char *before = NULL;
	_cleanup_free_ char *after = NULL;

	repository_write(fixture->repository, "a.c", "int uncommitted;\n");
	before = repository_run(fixture->repository, NULL, list);
	checkout(fixture, 0);
	checkout(fixture, 1);
	after = repository_run(fixture->repository, NULL, list);
	assert_string_equal(before, after);
}

static void test_kinds_of_repository(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *linked = path_join(fixture->directory, "linked");
	_cleanup_free_ char *shared = path_join(fixture->directory, "shared");
	_cleanup_free_ char *bare = path_join(fixture->directory, "bare.git");
	char *original = fixture->repository;

	repository_do(fixture->repository, "git worktree add -q --detach ../linked");
	repository_do(fixture->directory, "git clone -q --shared linux shared");
	/* Alternates of alternates, and relative ones. */
	repository_do(fixture->directory, "git clone -q --shared --bare shared bare.git");
	repository_write(bare, "objects/info/alternates", "../../shared/.git/objects\n");
	char *kinds[] = { linked, shared, bare };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		fixture->repository = kinds[i];
		checkout(fixture, (int)i % 2);
		assert_holds(fixture, (int)i % 2);
		assert_int_equal(file_remove_tree(fixture->own, &fixture->err), 0);
	}
	fixture->repository = original;
}

static void test_missing_objects(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *blob = repository_run(fixture->repository, NULL, "git rev-parse HEAD:a.c");
	_cleanup_free_ char *path = text_format("%s/.git/objects/%.2s/%s", fixture->repository, blob, blob + 2);

	assert_int_equal(unlink(path), 0);
	assert_true(source_checkout(fixture->repository, fixture->trees[1], fixture->own, &fixture->err) < 0);
	assert_non_null(strstr(fixture->err.text, "fsck"));
	assert_true(source_checkout(fixture->repository, "0123456789abcdef0123456789abcdef01234567",
				    fixture->own, &fixture->err) < 0);
	assert_non_null(strstr(fixture->err.text, "has no tree"));
	/* And the failure leaves nothing that a good checkout would stumble over. */
	checkout(fixture, 0);
	assert_holds(fixture, 0);
}

/* The object of type @type with the contents @data, whatever git thinks of it; its id. */
static char *object_write(struct fixture *fixture, const char *type, const void *data, size_t size)
{
	_cleanup_free_ char *path = path_join(fixture->directory, "object");
	_cleanup_free_ char *command = text_format("git hash-object -w --literally -t %s --stdin", type);
	struct error err;

	assert_int_equal(file_write_durable(path, data, size, 0644, &err), 0);
	return repository_run(fixture->repository, path, command);
}

/* One entry of a tree object: mode, name, NUL, 20 bytes of id. */
static void tree_add(struct text_buffer *tree, const char *mode, const char *name, const char *id)
{
	text_printf(tree, "%s %s", mode, name);
	text_append_bytes(tree, "", 1);
	for (int i = 0; i < 20; i++) {
		const char digits[] = { id[2 * i], id[2 * i + 1], '\0' };
		char byte = (char)strtol(digits, NULL, 16);

		text_append_bytes(tree, &byte, 1);
	}
}

static char *tree_write(struct fixture *fixture, struct text_buffer *tree)
{
	char *id = object_write(fixture, "tree", tree->text, tree->size);

	text_buffer_done(tree);
	*tree = (struct text_buffer){ 0 };
	return id;
}

/* Done or refused, nothing may be written through @link or above the work tree. */
static int assert_stays_inside(struct fixture *fixture, const char *tree)
{
	_cleanup_free_ char *victim = path_join(fixture->directory, "victim");
	_cleanup_free_ char *above = path_join(fixture->own, "evil");
	_cleanup_free_ char *config = path_join(fixture->own, "src/.git/config");
	struct error err = { 0 };

	int r = source_checkout(fixture->repository, tree, fixture->own, &err);
	_cleanup_free_ char *names = repository_run(victim, NULL, "ls -A");

	assert_string_equal(names, "kept");
	assert_false(file_exists(above));
	assert_false(file_exists(config));
	return r;
}

static void test_hostile_trees_stay_inside(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *victim = path_join(fixture->directory, "victim");
	_cleanup_free_ char *blob = object_write(fixture, "blob", "x\n", 2);
	_cleanup_free_ char *target = object_write(fixture, "blob", victim, strlen(victim));
	struct text_buffer tree = { 0 };

	repository_write(victim, "kept", "x");
	tree_add(&tree, "120000", "a", target);
	_cleanup_free_ char *link = tree_write(fixture, &tree);
	tree_add(&tree, "100644", "evil", blob);
	_cleanup_free_ char *inside = tree_write(fixture, &tree);
	tree_add(&tree, "40000", "a", inside);
	_cleanup_free_ char *directory = tree_write(fixture, &tree);
	tree_add(&tree, "100644", "a", blob);
	_cleanup_free_ char *file = tree_write(fixture, &tree);
	_cleanup_free_ char *path = path_join(fixture->own, "src/a/evil");

	/* A link, then a file behind it, or in its place; then twice the same name in one tree. */
	assert_int_equal(assert_stays_inside(fixture, link), 0);
	assert_int_equal(assert_stays_inside(fixture, directory), 0);
	assert_true(file_exists(path));
	assert_int_equal(assert_stays_inside(fixture, link), 0);
	assert_int_equal(assert_stays_inside(fixture, file), 0);
	assert_true(S_ISREG(file_status(fixture, "a").st_mode));
	assert_int_equal(assert_stays_inside(fixture, link), 0);
	assert_true(S_ISLNK(file_status(fixture, "a").st_mode));
	tree_add(&tree, "120000", "a", target);
	tree_add(&tree, "40000", "a", inside);
	_cleanup_free_ char *both = tree_write(fixture, &tree);
	assert_int_equal(assert_stays_inside(fixture, both), -EINVAL);
	tree_add(&tree, "40000", "a", inside);
	tree_add(&tree, "120000", "a", target);
	_cleanup_free_ char *reversed = tree_write(fixture, &tree);
	assert_int_equal(assert_stays_inside(fixture, reversed), -EINVAL);
	/* Names that no tree may hold. */
	static const char *const names[] = { "..", ".", ".git", "../evil", "a/evil", "" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		tree_add(&tree, i % 2 ? "100644" : "40000", names[i], i % 2 ? blob : inside);
		tree_add(&tree, "40000", names[i], inside);
		_cleanup_free_ char *named = tree_write(fixture, &tree);

		assert_true(assert_stays_inside(fixture, named) < 0);
	}
	/* A submodule is an empty directory at most; its repository is nobody's to fetch. */
	tree_add(&tree, "160000", "module", "0123456789abcdef0123456789abcdef01234567");
	_cleanup_free_ char *module = tree_write(fixture, &tree);

	(void)assert_stays_inside(fixture, module);
	/* And after all that an honest tree is checked out whole. */
	checkout(fixture, 0);
	assert_holds(fixture, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_exact_and_only_what_changed),
		TEST(test_foreign_and_changed_files),
		TEST(test_interrupted_checkout),
		TEST(test_user_repository_is_only_read),
		TEST(test_kinds_of_repository),
		TEST(test_missing_objects),
		TEST(test_hostile_trees_stay_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

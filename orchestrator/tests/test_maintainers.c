// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recipients from a tree's own script: what is made of its output, what the script can and
 * cannot do, and every way in which it gives none. Real repositories, real perl.
 */
#include <signal.h>
#include <unistd.h>

#include "orchestrator/work/maintainers.h"

#include "common/cleanup.h"
#include "orchestrator/tests/test_sandbox.h"
#include "orchestrator/tests/test_source_repository.h"

#define SCRIPT "scripts/get_maintainer.pl"
#define LINE "print \"linux-mm\\@kvack.org (open list:MM)\\n\";\n"

struct fixture {
	char *directory;
	char *repository;
	char *scratch;
	struct job_point parent;
	struct job_point child;
	json_t *recipients;
};

static void take_commit(const struct fixture *fixture, const char *revision,
			struct job_point *point)
{
	_cleanup_free_ char *command = text_format("git rev-parse %s", revision);
	_cleanup_free_ char *id = repository_run(fixture->repository, NULL, command);

	(void)snprintf(point->commit, sizeof(point->commit), "%s", id);
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->directory = repository_temporary();
	fixture->repository = path_join(fixture->directory, "linux");
	fixture->scratch = path_join(fixture->directory, "scratch");
	assert_int_equal(file_make_directories(fixture->scratch, 0755, NULL), 0);
	repository_do(fixture->directory, "git init -q -b main linux");
	repository_write(fixture->repository, "mm/mprotect.c", "int a;\n");
	repository_commit(fixture->repository, "one");
	repository_write(fixture->repository, "mm/mprotect.c", "int changed_here;\n");
	repository_commit(fixture->repository, "two");
	take_commit(fixture, "main~1", &fixture->parent);
	take_commit(fixture, "main", &fixture->child);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	int r = file_remove_tree(fixture->directory, NULL);

	json_decref(fixture->recipients);
	free(fixture->directory);
	free(fixture->repository);
	free(fixture->scratch);
	free(fixture);
	return r;
}

/* NULL: without the script. The tree is the work tree itself. */
static const json_t *find(struct fixture *fixture, const char *script)
{
	const struct maintainers_request request = {
		.repository = fixture->repository,
		.parent = &fixture->parent,
		.child = &fixture->child,
		.tree = fixture->repository,
		.scratch = fixture->scratch,
		.timeout_ms = 2000,
	};

	if (script)
		repository_write(fixture->repository, SCRIPT, script);
	json_decref(fixture->recipients);
	fixture->recipients = maintainers_find(&request);
	assert_non_null(fixture->recipients);
	return fixture->recipients;
}

static void assert_note(struct fixture *fixture, const char *script, const char *words)
{
	const json_t *recipients = find(fixture, script);
	const char *note = json_string_value(json_object_get(recipients, "note"));
	_cleanup_free_ char *left = path_join(fixture->scratch, "maintainers.patch");

	assert_null(json_object_get(recipients, "to"));
	if (!note || !strstr(note, words))
		fail_msg("no \"%s\" in: %s", words, note ? note : "(none)");
	assert_null(strchr(note, '\n'));
	assert_int_equal(access(left, F_OK), -1);
}

/* It gets the patch, and who is asked and who is told is kept apart. */
static void test_recipients(void **state)
{
	struct fixture *fixture = *state;
	const json_t *recipients;

	if (!test_has_sandbox())
		skip();
	recipients = find(fixture,
		"my @patch = <STDIN>;\n"
		"exit 3 unless grep { /^\\+int changed_here/ } @patch;\n"
		"exit 4 unless grep { /^diff --git a\\/mm\\/mprotect.c / } @patch;\n"
		"exit 5 unless grep { $_ eq '--nogit' } @ARGV;\n"
		"print qq{Andrew Morton <akpm\\@linux-foundation.org> (maintainer:MM)\\n};\n"
		"print qq{\"Liam R. Howlett\" <liam\\@oracle.com> (supporter:MM)\\n};\n"
		"print qq{Reader <r\\@kernel.org> (reviewer:MM)\\n};\n" LINE LINE);
	_cleanup_free_ char *text = json_dumps(recipients, JSON_SORT_KEYS | JSON_COMPACT);

	assert_string_equal(text,
		"{\"cc\":[\"Reader <r@kernel.org>\",\"linux-mm@kvack.org\"],"
		"\"to\":[\"Andrew Morton <akpm@linux-foundation.org>\","
		"\"\\\"Liam R. Howlett\\\" <liam@oracle.com>\"]}");
}

static void test_no_recipients(void **state)
{
	struct fixture *fixture = *state;

	if (!test_has_sandbox())
		skip();
	assert_note(fixture, NULL, "the tree has no " SCRIPT);
	assert_note(fixture, "print STDERR \"it is \\e[31m broken\\nand more\"; exit 7;",
		    SCRIPT " of the tree: it failed with status 7: it is ?[31m broken");
	assert_note(fixture, "this is no perl {", "it failed with status 255");
	assert_note(fixture, "kill 'KILL', $$;", "it was killed by signal 9");
	assert_note(fixture, "sleep 600;", "it did not end within 2 seconds");
	assert_note(fixture, "", "it named nobody");
	assert_note(fixture, "print \"Bcc: x\\@y.z\\n\";", "what is no recipient: \"Bcc: x@y.z\"");
	assert_note(fixture, "print \"x\" x 1000000;", "it printed more than 64 KiB");
	assert_note(fixture, "print \"\\xff\\xfe\\n\";", "what is no recipient");
	assert_note(fixture, "print \"a$_\\@b.c (open list)\\n\" for 1..61;", "more than 60 recipients");
	assert_note(fixture, "my $x = 'x' x (1 << 31); " LINE, "it failed with status");
}

/* The commit is no next one, has changed too much, or is gone. */
static void test_commits(void **state)
{
	struct fixture *fixture = *state;
	struct job_point child = fixture->child;

	fixture->child = fixture->parent;
	assert_note(fixture, LINE, "the child is not the parent's next commit");
	fixture->child = child;
	(void)memset(fixture->child.commit, '1', 40);
	assert_note(fixture, LINE, "the commit 111111111111 is not there any more");
	fixture->child.commit[0] = '\0';
	assert_note(fixture, LINE, "the kernels are no commits");
	for (int i = 0; i < 201; i++) {
		_cleanup_free_ char *name = text_format("many/%d", i);

		repository_write(fixture->repository, name, "x\n");
	}
	repository_commit(fixture->repository, "many");
	take_commit(fixture, "main~1", &fixture->parent);
	take_commit(fixture, "main", &fixture->child);
	assert_note(fixture, LINE, "files, more than anybody can be named for");
}

/* As nobody, who sees no network and no files of others, writes none and leaves no process. */
static void test_hostile_script(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *written = path_join(fixture->repository, "written");
	_cleanup_free_ char *script = text_format(
		"open(my $net, '<', '/proc/self/net/dev'); my @links = grep { /:/ } <$net>;\n"
		"exit 3 if grep { !/^\\s*lo:/ } @links;\n"
		"exit 4 if %d && $< != 65534;\n"
		"exit 5 if defined $ENV{SECRET};\n"
		"exit 6 if -e '%s' || kill(0, %d);\n"
		"exit 7 if open(my $file, '>', 'written');\n"
		"if (!fork()) { close STDOUT; close STDERR; setpgrp(0, 0); sleep 600; exit 0; }\n" LINE,
		geteuid() == 0, fixture->scratch, getpid());
	const json_t *recipients;

	if (!test_has_sandbox())
		skip();
	assert_int_equal(chmod(fixture->repository, 0777), 0);
	assert_int_equal(setenv("SECRET", "words", 1), 0);
	recipients = find(fixture, script);
	assert_int_equal(unsetenv("SECRET"), 0);
	if (json_object_get(recipients, "note"))
		fail_msg("%s", json_string_value(json_object_get(recipients, "note")));
	assert_int_equal(json_array_size(json_object_get(recipients, "cc")), 1);
	assert_int_equal(access(written, F_OK), -1);
}

static void test_lines(void **state)
{
	static const struct {
		const char *line;
		const char *recipient; /* NULL: refused */
	} rows[] = {
		{ "A B <a@b.c> (maintainer:X)", "A B <a@b.c>" },
		{ "\"A. B\" <a@b.c> (maintainer:X (Y))", "\"A. B\" <a@b.c>" },
		{ "A. B <a@b.c> (maintainer:X)", "\"A. B\" <a@b.c>" },
		{ "\"B, A\" <a@b.c> (maintainer:X)", "a@b.c" },
		{ "J\xc3\xb6rg <a@b.c> (maintainer:X)", "a@b.c" },
		{ "A \\\"x\\\" B <a@b.c> (maintainer:X)", "a@b.c" },
		{ "<a@b.c> (maintainer:X)", "a@b.c" },
		{ "a+b_c=d@b-c.d (maintainer)", "a+b_c=d@b-c.d" },
		{ "A <a@b.c>", NULL },
		{ "A <a@b.c> (maintainer", NULL },
		{ "A <a@b.c (maintainer)", NULL },
		{ "A <a@b> (maintainer)", NULL },
		{ "A <@b.c> (maintainer)", NULL },
		{ "A <a@b@c.d> (maintainer)", NULL },
		{ "A <a b@c.d> (maintainer)", NULL },
		{ "a@b.c, x@y.z (maintainer)", NULL },
		{ "a@b.c\rBcc: x@y.z (maintainer)", NULL },
		{ "(maintainer)", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_json_ json_t *recipients = NULL;
		struct error err = { "" };
		int r = maintainers_parse(rows[i].line, strlen(rows[i].line), &recipients, &err);

		if (!rows[i].recipient) {
			assert_int_equal(r, -EBADMSG);
			assert_null(recipients);
			continue;
		}
		if (r < 0)
			fail_msg("%s: %s", rows[i].line, err.text);
		assert_string_equal(json_string_value(json_array_get(json_object_get(recipients, "to"), 0)),
				    rows[i].recipient);
	}
	assert_int_equal(maintainers_parse("a@b.c (x)\0", 10, &(json_t *){ NULL }, NULL), -EBADMSG);
	assert_int_equal(maintainers_parse(NULL, 0, &(json_t *){ NULL }, NULL), -EBADMSG);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_recipients),
		TEST(test_no_recipients),
		TEST(test_commits),
		TEST(test_hostile_script),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

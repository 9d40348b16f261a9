// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Real files in a temporary directory: bounds, atomicity, modes, links, trees.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/temporary.h"
#include "common/text.h"

static int count_entries(const char *path)
{
	DIR *directory = opendir(path);
	int count = 0;

	assert_non_null(directory);
	while (readdir(directory))
		count++;
	(void)closedir(directory);
	return count - 2;
}

static void test_read_bounds(void **state)
{
	_cleanup_free_ char *path = temporary_path(state, "f"), *data = NULL;
	char big[10000];
	struct error err;
	size_t size = 7;

	memset(big, 'b', sizeof(big));
	assert_int_equal(file_write_durable(path, big, sizeof(big), 0600, &err), 0);
	assert_int_equal(file_read(path, sizeof(big) - 1, &data, &size, &err), -EFBIG);
	assert_null(data);
	assert_int_equal(size, 7);
	assert_non_null(strstr(err.text, path));
	assert_int_equal(file_read(path, sizeof(big), &data, &size, &err), 0);
	assert_int_equal(size, sizeof(big));
	assert_memory_equal(data, big, sizeof(big));
	assert_int_equal(data[size], '\0');
}

static void test_read_odd_files(void **state)
{
	_cleanup_free_ char *empty = temporary_path(state, "e"), *text = NULL, *proc = NULL;
	_cleanup_free_ char *nothing = NULL;
	struct error err;
	size_t size = 9;

	assert_int_equal(file_write_durable(empty, "", 0, 0600, &err), 0);
	assert_int_equal(file_read(empty, 0, &text, &size, &err), 0);
	assert_int_equal(size, 0);
	assert_string_equal(text, "");
	/* st_size is 0 here. */
	assert_int_equal(file_read("/proc/self/status", SIZE_MAX, &proc, NULL, &err), 0);
	assert_non_null(strstr(proc, "VmRSS"));
	assert_int_equal(file_read(*state, 100, &nothing, NULL, &err), -EISDIR);
	assert_int_equal(file_read("/nonexistent/f", 100, &nothing, NULL, &err), -ENOENT);
	assert_string_equal(err.text, "cannot open /nonexistent/f: No such file or directory");
}

static void test_write_replaces(void **state)
{
	_cleanup_free_ char *path = temporary_path(state, "f"), *data = NULL;
	struct error err;
	struct stat status;
	mode_t mask = umask(077);

	assert_int_equal(file_write_durable(path, "old content", 11, 0644, &err), 0);
	assert_int_equal(file_write_durable(path, "new", 3, 0640, &err), 0);
	(void)umask(mask);
	assert_int_equal(file_read(path, 100, &data, NULL, &err), 0);
	assert_string_equal(data, "new");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	assert_int_equal(count_entries(*state), 1);
}

static void test_write_failure_leaves_nothing(void **state)
{
	_cleanup_free_ char *path = temporary_path(state, "d");
	struct error err;

	/* rename() onto a directory fails after the temporary file was written. */
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(file_write_durable(path, "x", 1, 0600, &err), -EISDIR);
	assert_int_equal(count_entries(*state), 1);
	assert_int_equal(file_write_durable("/nonexistent/f", "x", 1, 0600, &err), -ENOENT);
}

/* No room: the old content stays, and no temporary file. */
static void test_write_without_room(void **state)
{
	_cleanup_free_ char *path = temporary_path(state, "f"), *data = NULL;
	struct rlimit old, small;
	char big[8192] = "";
	struct error err;
	int r;

	assert_int_equal(file_write_durable(path, "old", 3, 0600, &err), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 4096;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	r = file_write_durable(path, big, sizeof(big), 0600, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(r, -EFBIG);
	assert_int_equal(file_read(path, 100, &data, NULL, &err), 0);
	assert_string_equal(data, "old");
	assert_int_equal(count_entries(*state), 1);
}

static void test_replaces_link_not_target(void **state)
{
	_cleanup_free_ char *target = temporary_path(state, "t"), *link = temporary_path(state, "l");
	_cleanup_free_ char *data = NULL;
	struct error err;

	assert_int_equal(file_write_durable(target, "keep", 4, 0600, &err), 0);
	assert_int_equal(symlink("t", link), 0);
	assert_int_equal(file_write_durable(link, "new", 3, 0600, &err), 0);
	assert_int_equal(file_read(target, 100, &data, NULL, &err), 0);
	assert_string_equal(data, "keep");
}

static void test_copy(void **state)
{
	_cleanup_free_ char *from = temporary_path(state, "from"), *to = temporary_path(state, "to");
	_cleanup_free_ char *link = temporary_path(state, "link"), *data = NULL;
	_cleanup_free_ char *fifo = temporary_path(state, "fifo");
	_cleanup_free_ char *big = calloc(1, 200000);
	struct error err;
	struct stat status;
	size_t size;

	assert_non_null(big);
	memset(big, 'q', 200000);
	assert_int_equal(file_write_durable(from, big, 200000, 0600, &err), 0);
	assert_int_equal(file_copy_durable(from, to, 0755, &err), 0);
	assert_int_equal(file_read(to, 1 << 20, &data, &size, &err), 0);
	assert_int_equal(size, 200000);
	assert_memory_equal(data, big, size);
	assert_int_equal(stat(to, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0755);
	assert_int_equal(symlink("from", link), 0);
	assert_int_equal(file_copy_durable(link, to, 0644, &err), -ELOOP);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(file_copy_durable(fifo, to, 0644, &err), -EINVAL);
	assert_int_equal(file_copy_durable(*state, to, 0644, &err), -EINVAL);
	assert_int_equal(count_entries(*state), 4);
}

static void test_knob(void **state)
{
	_cleanup_free_ char *path = temporary_path(state, "knob"), *data = NULL;
	struct error err;

	assert_int_equal(file_write_knob(path, "1", &err), -ENOENT);
	assert_false(file_exists(path));
	assert_int_equal(file_write_durable(path, "powersave\n", 10, 0600, &err), 0);
	assert_int_equal(file_write_knob(path, "performance", &err), 0);
	assert_int_equal(file_read(path, 100, &data, NULL, &err), 0);
	assert_string_equal(data, "performance");
	assert_int_equal(file_write_knob("/dev/full", "1", &err), -ENOSPC);
}

static void test_directories(void **state)
{
	_cleanup_free_ char *deep = temporary_path(state, "a//b/c/"), *file = temporary_path(state, "f");
	_cleanup_free_ char *below = temporary_path(state, "f/g");
	struct error err;
	struct stat status;

	assert_int_equal(file_make_directories(deep, 0755, &err), 0);
	assert_int_equal(file_make_directories(deep, 0700, &err), 0);
	assert_int_equal(stat(deep, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0755);
	assert_int_equal(file_make_directories("/", 0755, &err), 0);
	assert_int_equal(file_write_durable(file, "", 0, 0600, &err), 0);
	assert_int_equal(file_make_directories(file, 0755, &err), -ENOTDIR);
	assert_int_equal(file_make_directories(below, 0755, &err), -ENOTDIR);
	assert_int_equal(file_make_directories("", 0755, &err), -ENOENT);
	assert_int_equal(file_sync_directory(*state, &err), 0);
	assert_true(file_sync_directory(file, &err) < 0);
}

static void test_remove_tree(void **state)
{
	_cleanup_free_ char *tree = temporary_path(state, "tree"), *deep = temporary_path(state, "tree/a/b");
	_cleanup_free_ char *inside = temporary_path(state, "tree/a/b/f");
	_cleanup_free_ char *link = temporary_path(state, "tree/a/link");
	_cleanup_free_ char *top_link = temporary_path(state, "top/");
	_cleanup_free_ char *top_link_name = temporary_path(state, "top");
	_cleanup_free_ char *outside = temporary_path(state, "outside"), *kept = temporary_path(state, "outside/kept");
	struct error err;

	assert_int_equal(file_make_directories(outside, 0755, &err), 0);
	assert_int_equal(file_write_durable(kept, "x", 1, 0600, &err), 0);
	assert_int_equal(file_make_directories(deep, 0755, &err), 0);
	assert_int_equal(file_write_durable(inside, "x", 1, 0400, &err), 0);
	assert_int_equal(symlink("../../outside", link), 0);
	assert_int_equal(symlink("outside", top_link_name), 0);

	assert_int_equal(file_remove_tree(tree, &err), 0);
	assert_false(file_exists(tree));
	assert_true(file_exists(kept));
	/* Even with a slash behind it, a link is removed and not followed. */
	assert_int_equal(file_remove_tree(top_link, &err), 0);
	assert_false(file_exists(top_link_name));
	assert_true(file_exists(kept));
	assert_int_equal(file_remove_tree(tree, &err), 0);
	assert_int_equal(file_remove_tree(kept, &err), 0);
	assert_false(file_exists(kept));
}

/* A build may leave a tree deeper than any path is long. */
static void test_remove_deep_tree(void **state)
{
	_cleanup_free_ char *tree = temporary_path(state, "tree"), *taken = temporary_path(state, "tree/0/x");
	_cleanup_close_ int at = -1;
	struct error err;

	assert_int_equal(file_make_directories(taken, 0755, &err), 0);
	at = open(tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < 1500; i++) {
		int next;

		assert_int_equal(mkdirat(at, "deep", 0755), 0);
		next = openat(at, "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(next >= 0);
		(void)close(at);
		at = next;
	}
	if (file_remove_tree(tree, &err) < 0)
		fail_msg("%s", err.text);
	assert_false(file_exists(tree));
}

/* A path that somebody else chose: nothing but a plain file is even opened. */
static void test_read_regular(void **state)
{
	_cleanup_free_ char *file = temporary_path(state, "file"), *fifo = temporary_path(state, "fifo");
	_cleanup_free_ char *link = temporary_path(state, "link"), *data = NULL;
	size_t size = 0;
	struct error err;

	assert_int_equal(file_write_durable(file, "abc", 3, 0600, &err), 0);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(file_read_regular(link, 3, &data, &size, &err), 0);
	assert_string_equal(data, "abc");
	assert_int_equal(size, 3);
	free(TAKE_PTR(data));
	assert_int_equal(file_read_regular(file, 2, &data, &size, &err), -EFBIG);
	assert_int_equal(file_read_regular(fifo, 3, &data, &size, &err), -EINVAL); /* at once */
	assert_int_equal(file_read_regular("/dev/zero", 3, &data, &size, &err), -EINVAL);
	assert_int_equal(file_read_regular(*state, 3, &data, &size, &err), -EINVAL);
	assert_int_equal(file_read_regular("/nonexistent", 3, &data, &size, &err), -ENOENT);
	assert_null(data);
}

static void test_free_and_join(void **state)
{
	_cleanup_free_ char *a = path_join("/a", "b"), *b = path_join("/a///", "b");
	_cleanup_free_ char *root = path_join("/", "b");

	assert_string_equal(a, "/a/b");
	assert_string_equal(b, "/a/b");
	assert_string_equal(root, "/b");
	assert_true(file_free_bytes(*state) > 0);
	assert_int_equal(file_free_bytes("/nonexistent"), -ENOENT);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_read_bounds),
		TEST(test_read_odd_files),
		TEST(test_write_replaces),
		TEST(test_write_failure_leaves_nothing),
		TEST(test_write_without_room),
		TEST(test_replaces_link_not_target),
		TEST(test_copy),
		TEST(test_knob),
		TEST(test_directories),
		TEST(test_remove_tree),
		TEST(test_remove_deep_tree),
		TEST(test_read_regular),
		TEST(test_free_and_join),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* GRUB's environment block, against the real grub-editenv, and against any bytes. */
#include "boot/tests/fake_root.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "boot/grubenv.h"
#include "common/subprocess.h"

/*
 * A disk that can lose writes: these stand before the C library's own. Lost or not, a
 * write succeeds, as it does on a real disk that lies.
 */
static bool is_losing_writes;
static bool is_synced;

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
	is_synced = false;
	if (is_losing_writes)
		return (ssize_t)size;
	return syscall(SYS_pwrite64, fd, data, size, offset);
}

int fsync(int fd)
{
	is_synced = true;
	return (int)syscall(SYS_fsync, fd);
}

/* Output of grub-editenv, or NULL where it is not installed. */
static char *editenv(const char *path, const char *verb, const char *argument)
{
	const char *const argv[] = { "grub-editenv", path, verb, argument, NULL };
	const struct subprocess_options options = { .argv = argv, .timeout_ms = 10000 };
	struct subprocess_result result = { 0 };
	char *output = NULL;

	if (subprocess_run(&options, &result, NULL) == 0 && result.exit_status == 0)
		output = text_duplicate(result.output ? result.output : "");
	subprocess_result_done(&result);
	return output;
}

static char *make_path(void)
{
	const char *tmp = getenv("TMPDIR");
	char *path = text_format("%s/abbot-env-XXXXXX", tmp ? tmp : "/tmp");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	return path;
}

static void store(const char *path, const void *data, size_t size)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void test_set_and_get(void **state)
{
	char block[GRUBENV_SIZE], value[64] = "untouched";

	(void)state;
	grubenv_init(block);
	assert_int_equal(grubenv_get(block, sizeof(block), "abbot_next", value, sizeof(value)), -ENOENT);
	assert_string_equal(value, "untouched");
	assert_int_equal(grubenv_set(block, "abbot_next", "abbot-1-a", NULL), 0);
	assert_int_equal(grubenv_set(block, "abbot_token", "a\\b\nc", NULL), 0);
	assert_int_equal(grubenv_set(block, "abbot_next", "x", NULL), 0);
	assert_int_equal(grubenv_get(block, sizeof(block), "abbot_next", value, sizeof(value)), 0);
	assert_string_equal(value, "x");
	assert_int_equal(grubenv_get(block, sizeof(block), "abbot_token", value, sizeof(value)), 0);
	assert_string_equal(value, "a\\b\nc");
	assert_int_equal(grubenv_get(block, sizeof(block), "abbot_token", value, 5), -ENOSPC);
	/* The name of one is not found inside another's value or name. */
	assert_int_equal(grubenv_get(block, sizeof(block), "next", value, sizeof(value)), -ENOENT);
	assert_int_equal(grubenv_set(block, "1x", "", NULL), -EINVAL);
	assert_int_equal(grubenv_set(block, "", "", NULL), -EINVAL);
}

static void test_escaped_line_is_no_variable(void **state)
{
	static const char data[] = GRUBENV_HEADER "a=x\\\nb=y\nc=z\n";
	char value[16];

	(void)state;
	assert_int_equal(grubenv_get(data, sizeof(data) - 1, "b", value, sizeof(value)), -ENOENT);
	assert_int_equal(grubenv_get(data, sizeof(data) - 1, "a", value, sizeof(value)), 0);
	assert_string_equal(value, "x\nb=y");
	assert_int_equal(grubenv_get(data, sizeof(data) - 1, "c", value, sizeof(value)), 0);
}

static void test_full(void **state)
{
	char block[GRUBENV_SIZE], before[GRUBENV_SIZE], big[1100], value[GRUBENV_SIZE];
	/* "v=" and the newline are what else must fit. */
	size_t room = GRUBENV_SIZE - strlen(GRUBENV_HEADER) - 3;

	(void)state;
	memset(big, 'x', sizeof(big));
	big[room + 1] = '\0';
	grubenv_init(block);
	memcpy(before, block, sizeof(block));
	assert_int_equal(grubenv_set(block, "v", big, NULL), -ENOSPC);
	assert_memory_equal(block, before, sizeof(block));
	big[room] = '\0';
	assert_int_equal(grubenv_set(block, "v", big, NULL), 0);
	assert_int_equal(grubenv_get(block, sizeof(block), "v", value, sizeof(value)), 0);
	assert_string_equal(value, big);
	assert_int_equal(grubenv_set(block, "w", "", NULL), -ENOSPC);
	assert_int_equal(grubenv_set(block, "v", "", NULL), 0);
	assert_int_equal(grubenv_set(block, "w", "", NULL), 0);
}

static void test_grub_editenv_reads_ours(void **state)
{
	_cleanup_free_ char *path = make_path(), *output = NULL;
	char block[GRUBENV_SIZE], value[64];

	(void)state;
	unlink(path);
	output = editenv(path, "create", NULL);
	if (!output) {
		print_message("grub-editenv is not installed\n");
		skip();
	}
	free(TAKE_PTR(output));
	output = editenv(path, "set", "saved_entry=Debian \\ 1>2");
	assert_non_null(output);
	assert_int_equal(grubenv_read_file(path, block, NULL), 0);
	assert_int_equal(grubenv_get(block, sizeof(block), "saved_entry", value, sizeof(value)), 0);
	assert_string_equal(value, "Debian \\ 1>2");
	assert_int_equal(grubenv_set(block, "abbot_next", "abbot-1-child", NULL), 0);
	assert_int_equal(grubenv_set(block, "abbot_token", "00ff", NULL), 0);
	assert_int_equal(grubenv_write_file(path, block, NULL), 0);
	free(TAKE_PTR(output));
	output = editenv(path, "list", NULL);
	assert_non_null(output);
	assert_string_equal(output, "saved_entry=Debian \\ 1>2\nabbot_next=abbot-1-child\nabbot_token=00ff\n");
	/* And what it changes, we read. */
	free(TAKE_PTR(output));
	output = editenv(path, "set", "abbot_next=");
	assert_non_null(output);
	assert_int_equal(grubenv_read_file(path, block, NULL), 0);
	assert_int_equal(grubenv_get(block, sizeof(block), "abbot_next", value, sizeof(value)), 0);
	assert_string_equal(value, "");
	assert_int_equal(unlink(path), 0);
}

/* GRUB replays no journal: the blocks that it knows must be the ones that change. */
static void test_write_is_in_place(void **state)
{
	_cleanup_free_ char *path = make_path();
	char block[GRUBENV_SIZE], again[GRUBENV_SIZE];
	struct stat before, after;

	(void)state;
	grubenv_init(block);
	store(path, block, sizeof(block));
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(grubenv_set(block, "abbot_next", "abbot-1-x", NULL), 0);
	assert_int_equal(grubenv_write_file(path, block, NULL), 0);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(after.st_size, GRUBENV_SIZE);
	assert_int_equal(grubenv_read_file(path, again, NULL), 0);
	assert_memory_equal(again, block, sizeof(block));
	assert_int_equal(unlink(path), 0);
}

static void test_lost_write_is_noticed(void **state)
{
	_cleanup_free_ char *path = make_path();
	char block[GRUBENV_SIZE];
	struct error err = { 0 };

	(void)state;
	grubenv_init(block);
	store(path, block, sizeof(block));
	assert_int_equal(grubenv_set(block, "abbot_next", "abbot-1-x", NULL), 0);
	is_losing_writes = true;
	assert_int_equal(grubenv_write_file(path, block, &err), -EIO);
	is_losing_writes = false;
	is_synced = false;
	assert_int_equal(grubenv_write_file(path, block, &err), 0);
	assert_true(is_synced);
	assert_int_equal(unlink(path), 0);
}

static void test_refuses(void **state)
{
	_cleanup_free_ char *path = make_path(), *link = text_format("%s-link", path);
	char block[GRUBENV_SIZE], garbage[GRUBENV_SIZE];

	(void)state;
	grubenv_init(block);
	memset(garbage, 'x', sizeof(garbage));
	store(path, block, 1023);
	assert_int_equal(grubenv_write_file(path, block, NULL), -EBADMSG);
	store(path, garbage, sizeof(garbage));
	assert_int_equal(grubenv_read_file(path, block, NULL), -EBADMSG);
	assert_int_equal(grubenv_write_file(path, garbage, NULL), -EBADMSG);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(grubenv_write_file(link, block, NULL), -ELOOP);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(grubenv_write_file(path, block, NULL), -ENOENT);
	assert_false(file_exists(path));
}

/* Any bytes, exactly sized for the sanitizer: no crash, and what was set is read again. */
static void test_any_bytes(void **state)
{
	static const char alphabet[] = "a=#\\\nx";
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t size = (seed = seed * 1664525 + 1013904223) % 1100;
		_cleanup_free_ char *data = malloc(size + 1);
		char value[GRUBENV_SIZE + 1];
		size_t header = strlen(GRUBENV_HEADER);

		for (size_t i = 0; i < size; i++) {
			seed = seed * 1664525 + 1013904223;
			data[i] = round % 2 ? (char)(seed >> 24) :
					      alphabet[(seed >> 16) % (sizeof(alphabet) - 1)];
		}
		if (round % 3 && size >= header)
			memcpy(data, GRUBENV_HEADER, header); /* NOLINT(bugprone-not-null-terminated-result) */
		{ /* moved to the end of an exact allocation: reading past it is caught */
			_cleanup_free_ char *exact = malloc(size ? size : 1);

			memcpy(exact, data, size);
			(void)grubenv_get(exact, size, "a", value, sizeof(value));
			if (size >= GRUBENV_SIZE &&
			    grubenv_set(exact, "a", "new", NULL) == 0) {
				assert_int_equal(grubenv_get(exact, GRUBENV_SIZE, "a", value, sizeof(value)), 0);
				assert_string_equal(value, "new");
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_and_get),
		cmocka_unit_test(test_escaped_line_is_no_variable),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_grub_editenv_reads_ours),
		cmocka_unit_test(test_write_is_in_place),
		cmocka_unit_test(test_lost_write_is_noticed),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

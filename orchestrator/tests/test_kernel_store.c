// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel store: complete or absent, checked when read, keys that cannot leave it.
 */
#include "orchestrator/work/kernel_store.h"

#include <sys/inotify.h>

#include "common/digest.h"
#include "orchestrator/tests/test_source_repository.h"

#define KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static int setup(void **state)
{
	*state = repository_temporary();
	return 0;
}

static int teardown(void **state)
{
	struct error err;
	int r = file_remove_tree(*state, &err);

	free(*state);
	return r;
}

static int store(const char *state, const char *status, const char *image, struct error *err)
{
	_cleanup_free_ char *stage = NULL;
	_cleanup_json_ json_t *meta = NULL;
	char hash[DIGEST_HEX_SIZE];
	int r = kernel_store_stage(state, KEY, &stage, err);

	if (r < 0)
		return r;
	repository_write(stage, "bzImage", image);
	digest_bytes(image, strlen(image), hash);
	meta = json_pack("{s:s,s:s,s:s}", "status", status, "image", "bzImage", "image_sha256", hash);
	return kernel_store_commit(state, KEY, stage, meta, err);
}

static void test_stores_and_finds(void **state)
{
	_cleanup_json_ json_t *meta = NULL;
	_cleanup_free_ char *path = kernel_store_path(*state, KEY, "bzImage");
	_cleanup_free_ char *data = NULL;
	struct error err = { 0 };

	assert_int_equal(kernel_store_find(*state, KEY, &meta, &err), -ENOENT);
	assert_null(meta);
	assert_int_equal(store(*state, "built", "first", &err), 0);
	assert_int_equal(kernel_store_find(*state, KEY, &meta, &err), 0);
	assert_string_equal(json_string_value(json_object_get(meta, "status")), "built");
	/* A built kernel is never replaced, and nothing is left of the attempt. */
	assert_int_equal(store(*state, "built", "second", &err), 0);
	assert_int_equal(file_read(path, 100, &data, NULL, &err), 0);
	assert_string_equal(data, "first");
	_cleanup_free_ char *names = repository_run(*state, NULL, "ls -A kernels");

	assert_string_equal(names, KEY);
}

static void test_failure_is_kept_and_gives_way(void **state)
{
	_cleanup_json_ json_t *failed = NULL;
	_cleanup_json_ json_t *built = NULL;
	struct error err = { 0 };

	assert_int_equal(store(*state, "failed", "", &err), 0);
	assert_int_equal(kernel_store_find(*state, KEY, &failed, &err), 0);
	assert_string_equal(json_string_value(json_object_get(failed, "status")), "failed");
	assert_int_equal(store(*state, "built", "works", &err), 0);
	assert_int_equal(kernel_store_find(*state, KEY, &built, &err), 0);
	assert_string_equal(json_string_value(json_object_get(built, "status")), "built");
}

/*
 * At no time does the key name a half-removed directory: it is put aside whole, before
 * the first of its files goes. The kernel itself says in which order that happens.
 */
static void test_record_gives_way_whole(void **state)
{
	_cleanup_free_ char *directory = text_format("%s/kernels/%s", (char *)*state, KEY);
	_cleanup_close_ int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	_cleanup_free_ char *names = NULL;
	_Alignas(struct inotify_event) char events[4096];
	struct error err = { 0 };

	assert_int_equal(store(*state, "failed", "", &err), 0);
	assert_true(inotify_add_watch(fd, directory, IN_MOVE_SELF | IN_DELETE | IN_DELETE_SELF) >= 0);
	assert_int_equal(store(*state, "built", "works", &err), 0);
	assert_true(read(fd, events, sizeof(events)) > 0);
	assert_int_equal(((const struct inotify_event *)events)->mask & IN_MOVE_SELF, IN_MOVE_SELF);
	names = repository_run(*state, NULL, "ls -A kernels");
	assert_string_equal(names, KEY);
}

static void test_damage_is_refused(void **state)
{
	_cleanup_json_ json_t *meta = NULL;
	_cleanup_free_ char *directory = text_format("%s/kernels/%s", (char *)*state, KEY);
	_cleanup_free_ char *path = path_join(directory, "meta.json");
	struct error err = { 0 };

	assert_int_equal(store(*state, "built", "good", &err), 0);
	repository_write(directory, "bzImage", "gooD");
	assert_int_equal(kernel_store_find(*state, KEY, &meta, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "is not what was built"));
	repository_write(directory, "meta.json", "{\"status\":\"built\"");
	assert_int_equal(kernel_store_find(*state, KEY, &meta, &err), -EBADMSG);
	repository_write(directory, "meta.json", "{\"status\":\"great\"}");
	assert_int_equal(kernel_store_find(*state, KEY, &meta, &err), -EBADMSG);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(kernel_store_find(*state, KEY, &meta, &err), -EBADMSG);
	assert_null(meta);
}

static void test_keys_and_names_stay_inside(void **state)
{
	static const char *const keys[] = { "", "..", "0123", "../" KEY, KEY "0", "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef" };
	_cleanup_json_ json_t *meta = NULL;
	_cleanup_free_ char *directory = NULL;
	struct error err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		assert_int_equal(kernel_store_find(*state, keys[i], &meta, &err), -EINVAL);
		assert_int_equal(kernel_store_stage(*state, keys[i], &directory, &err), -EINVAL);
		assert_null(kernel_store_path(*state, keys[i], "bzImage"));
	}
	assert_null(kernel_store_path(*state, KEY, "../x"));
	assert_null(kernel_store_path(*state, KEY, ".."));
	assert_null(kernel_store_path(*state, KEY, ""));
}

static void test_stage_clears_what_a_crash_left(void **state)
{
	_cleanup_free_ char *first = NULL;
	_cleanup_free_ char *second = NULL;
	_cleanup_free_ char *left = NULL;
	_cleanup_free_ char *aside = text_format("%s/kernels/.old-%s", (char *)*state, KEY);
	struct error err = { 0 };

	repository_write(aside, "meta.json", "a record that was giving way");
	assert_int_equal(kernel_store_stage(*state, KEY, &first, &err), 0);
	repository_write(first, "bzImage", "half");
	left = path_join(first, "bzImage");
	assert_int_equal(kernel_store_stage(*state, KEY, &second, &err), 0);
	assert_string_equal(first, second);
	assert_false(file_exists(left));
	assert_false(file_exists(aside));
	assert_true(file_exists(second));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stores_and_finds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failure_is_kept_and_gives_way, setup, teardown),
		cmocka_unit_test_setup_teardown(test_record_gives_way_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damage_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_keys_and_names_stay_inside, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stage_clears_what_a_crash_left, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot kernels` on a real store below a stand-in for /: what is listed, what is never
 * taken away, and that only what is ours and of no open job goes from the machine.
 */
#include "boot/tests/fake_root.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/boot_loader.h"
#include "orchestrator/tests/programs.h"
#include "orchestrator/work/service.h"

#define NOW_NS INT64_C(2000000000000000000)
#define KEY_A "aaaa112233445566778899aabbccddeeff00112233445566778899aabbccddee"
#define KEY_B "aabb112233445566778899aabbccddeeff00112233445566778899aabbccddee"
#define KEY_C "cccc112233445566778899aabbccddeeff00112233445566778899aabbccddee"

struct fixture {
	char *root;
	char *repository;
	char *state;
	struct store *store;
	bool is_of_machine;
};

static void put_kernel(const struct fixture *f, const char *key, int age_days)
{
	_cleanup_free_ char *meta = text_format("/kernels/%s/meta.json", key);
	_cleanup_free_ char *image = text_format("/kernels/%s/bzImage", key);
	_cleanup_free_ char *path = text_format("%s%s", f->state, meta);
	_cleanup_free_ char *text = text_format("{\"status\":\"built\",\"release\":\"6.12.0-ab%.12s\","
						"\"commit\":\"0123456789abcdef\",\"title\":\"mm: %.4s\"}", key, key);
	const time_t stored = (time_t)(NOW_NS / 1000000000 - (int64_t)age_days * 86400);
	const struct timespec times[2] = { { .tv_sec = stored }, { .tv_sec = stored } };

	fake_write_kernel(f->state, image, 'k');
	fake_write(f->state, meta, text);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool has_kernel(const struct fixture *f, const char *key)
{
	_cleanup_free_ char *path = text_format("%s/kernels/%s", f->state, key);

	return file_exists(path);
}

static bool is_there(const struct fixture *f, const char *path)
{
	_cleanup_free_ char *full = text_format("%s%s", f->root, path);

	return file_exists(full);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->root = fake_root_new();
	f->repository = text_format("%s/linux", f->root);
	f->state = text_format("%s/state", f->root);
	f->is_of_machine = true;
	programs_make_repository(f->repository);
	assert_int_equal(store_open(f->state, true, &f->store, NULL), 0);
	put_kernel(f, KEY_A, 100);
	put_kernel(f, KEY_B, 40);
	put_kernel(f, KEY_C, 2);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	store_close(f->store);
	fake_root_free(f->root);
	free(f->repository);
	free(f->state);
	free(f);
	return 0;
}

static json_t *ask(const struct fixture *f, json_t *request)
{
	const struct service service = {
		.store = f->store, .state_directory = f->state, .caller = "root", .now_ns = NOW_NS,
		.root = f->is_of_machine ? f->root : NULL,
	};
	json_t *reply = service_handle(&service, request);

	json_decref(request);
	return reply;
}

static void expect(const struct fixture *f, json_t *request, const char *member, const char *part)
{
	_cleanup_json_ json_t *reply = ask(f, request);
	const char *text = json_string_value(json_object_get(reply, member));
	_cleanup_free_ char *whole = json_dumps(reply, 0);

	if (!text || !strstr(text, part))
		fail_msg("wanted \"%s\" in %s of %s", part, member, whole);
}

static json_t *op(const char *name)
{
	return json_pack("{s:s}", "op", name);
}

static json_t *remove_of(const char *key)
{
	return json_pack("{s:s, s:[s]}", "op", "kernels-remove", "keys", key);
}

static void happen(const struct fixture *f, int64_t job, enum event_kind kind, enum event_phase phase,
		   int point, json_t *data)
{
	struct event event;

	event_init(&event, job, kind, phase);
	event.at_ns = NOW_NS;
	event.point = point;
	json_decref(event.data);
	event.data = data;
	assert_int_equal(store_append(f->store, &event, NULL), 0);
	event_done(&event);
}

static int64_t queue_job(const struct fixture *f)
{
	struct job job;
	json_t *request;
	_cleanup_json_ json_t *reply = NULL;

	job_init(&job);
	job.repository = text_duplicate(f->repository);
	assert_int_equal(job_add_point(&job, "child", "main", NULL), 0);
	request = json_pack("{s:s, s:o}", "op", "queue", "job", job_to_json(&job));
	job_done(&job);
	reply = ask(f, request);
	return json_integer_value(json_object_get(reply, "job"));
}

static void begin(const struct fixture *f, int64_t job)
{
	happen(f, job, EVENT_BEGIN, EVENT_NOTE, -1,
	       json_pack("{s:s, s:s}", "build_id", "d0", "release", "6.1.0"));
	happen(f, job, EVENT_CONFIGURE, EVENT_RESULT, -1, json_pack("{s:b}", "equal", 1));
}

static void built(const struct fixture *f, int64_t job, int point, const char *key)
{
	happen(f, job, EVENT_BUILD, EVENT_RESULT, point,
	       json_pack("{s:s, s:s, s:s}", "key", key, "build_id", point ? "c1" : "a1", "release", "6.12.0"));
}

static void end(const struct fixture *f, int64_t job)
{
	happen(f, job, EVENT_END, EVENT_NOTE, -1,
	       json_pack("{s:s, s:s}", "status", "failed", "reason", "test"));
}

/* What an installation leaves: an entry, and a module directory with @lines in its mark. */
static void put_installed(const struct fixture *f, const char *id, const char *release, const char *key,
			  const char *jobs)
{
	const struct boot_paths paths = { .root = f->root };
	_cleanup_free_ char *image = text_format("%s/kernels/" KEY_C "/bzImage", f->state);
	_cleanup_free_ char *mark = text_format("/lib/modules/%s/.abbot", release);
	_cleanup_free_ char *text = text_format("key %s\n%sconfig\n", key, jobs);
	_cleanup_free_ char *config = text_format("/boot/config-%s", release);
	const struct boot_entry entry = { .id = id, .title = "x", .kernel_path = image, .options = "ro",
					  .owner = "x" };
	struct boot_loader *loader = NULL;

	assert_int_equal(boot_loader_find(&paths, &loader, NULL), 0);
	assert_int_equal(loader->operations->install_entry(loader, &entry, NULL), 0);
	boot_loader_free(loader);
	fake_write(f->root, mark, text);
	fake_write(f->root, config, "x");
}

static void test_list(void **state)
{
	const struct fixture *f = *state;
	_cleanup_json_ json_t *reply = NULL;
	const json_t *said;

	expect(f, op("kernels"), "text", "aaaa11223344  6.12.0-abaaaa11223344");
	expect(f, op("kernels"), "text", " 100  0123456789ab mm: aaaa\n");
	expect(f, op("kernels"), "text", "3 kernels, ");
	fake_write(f->state, "/kernels/.stage-" KEY_A "/bzImage", "half");
	reply = ask(f, op("kernels"));
	said = json_object_get(reply, "kernels");
	assert_int_equal(json_array_size(json_object_get(said, "kernels")), 3);
	assert_int_equal(json_array_size(json_object_get(said, "orphans")), 0);
	assert_true(json_integer_value(json_object_get(said, "bytes")) > 3 * 8192);
}

static void test_remove(void **state)
{
	const struct fixture *f = *state;

	expect(f, op("kernels-remove"), "error", "which kernels");
	expect(f, remove_of("aa"), "error", "at least its first 4");
	expect(f, remove_of("dddd"), "error", "no kernel begins with dddd");
	expect(f, remove_of("../../x"), "error", "no kernel begins with");
	put_kernel(f, "aaaa222233445566778899aabbccddeeff00112233445566778899aabbccddee", 1);
	expect(f, remove_of("aaaa"), "error", "two kernels begin with aaaa");
	/* One that may not go keeps all the others. */
	expect(f, json_pack("{s:s, s:[s,s]}", "op", "kernels-remove", "keys", "aabb", "dddd"), "error", "dddd");
	assert_true(has_kernel(f, KEY_B));
	expect(f, remove_of("aabb"), "text", "removed aabb11223344 6.12.0-abaabb11223344");
	assert_false(has_kernel(f, KEY_B));
	assert_true(has_kernel(f, KEY_A));
}

static void test_what_a_job_needs_stays(void **state)
{
	const struct fixture *f = *state;
	int64_t job = queue_job(f);

	begin(f, job);
	expect(f, remove_of(KEY_C), "error", "job 1 has kernels still to build");
	expect(f, op("kernels-gc"), "error", "still to build");
	built(f, job, 0, KEY_A);
	built(f, job, 1, KEY_B);
	expect(f, op("kernels"), "text", "; job 1 needs it");
	expect(f, remove_of(KEY_A), "error", "job 1 needs the kernel aaaa11223344");
	expect(f, json_pack("{s:s, s:i}", "op", "kernels-gc", "older_than_days", 0), "text", "removed cccc");
	assert_true(has_kernel(f, KEY_A) && has_kernel(f, KEY_B));
	end(f, job);
	expect(f, op("kernels-gc"), "text", "removed aaaa");
	assert_false(has_kernel(f, KEY_A) || has_kernel(f, KEY_B));
}

static void test_gc_rules(void **state)
{
	const struct fixture *f = *state;

	expect(f, json_pack("{s:s, s:i}", "op", "kernels-gc", "keep_bytes", -1), "error", "0 or more");
	expect(f, json_pack("{s:s, s:s}", "op", "kernels-gc", "older_than_days", "x"), "error", "0 or more");
	expect(f, json_pack("{s:s, s:i}", "op", "kernels-gc", "older_than_days", 101), "text", "Nothing to remove");
	expect(f, json_pack("{s:s, s:i}", "op", "kernels-gc", "older_than_days", 100), "text", "removed aaaa");
	assert_true(has_kernel(f, KEY_B));
	/* Room for one and a half. */
	expect(f, json_pack("{s:s, s:i}", "op", "kernels-gc", "keep_bytes", 8192 + 4096), "text", "removed aabb");
	assert_true(has_kernel(f, KEY_C));
	expect(f, op("kernels-gc"), "text", "Nothing to remove");
}

static void test_orphans(void **state)
{
	struct fixture *f = *state;
	int64_t open_job = queue_job(f);

	begin(f, open_job);
	built(f, open_job, 0, KEY_A);
	built(f, open_job, 1, KEY_B);
	put_installed(f, "abbot-1-parent", "6.12.0-abaaaa11223344", KEY_A, "job 1\njob 7\n");
	put_installed(f, "abbot-9-child", "6.12.0-abcccc11223344", KEY_C, "job 9\n");
	fake_write(f->root, "/lib/modules/6.12.0-abdddd11223344/modules.dep", "theirs");
	fake_write(f->root, "/lib/modules/6.1.0-13-amd64/modules.dep", "theirs");
	expect(f, op("kernels"), "text", "orphan: boot entry abbot-9-child: job 9 needs it no more");
	expect(f, remove_of(KEY_C), "error", "is installed on this machine");
	/* The queue of some other directory knows nothing of this machine's entries. */
	f->is_of_machine = false;
	expect(f, op("kernels-gc"), "text", "Nothing to remove");
	assert_true(is_there(f, "/boot/abbot/abbot-9-child/kernel"));
	f->is_of_machine = true;
	expect(f, op("kernels-gc"), "text", "removed /lib/modules/6.12.0-abcccc11223344: job 9 needs it no more");
	assert_false(is_there(f, "/boot/abbot/abbot-9-child/kernel"));
	assert_false(is_there(f, "/lib/modules/6.12.0-abcccc11223344"));
	assert_false(is_there(f, "/boot/config-6.12.0-abcccc11223344"));
	assert_true(is_there(f, "/boot/abbot/abbot-1-parent/kernel"));
	assert_true(is_there(f, "/lib/modules/6.12.0-abaaaa11223344/.abbot"));
	assert_true(is_there(f, "/lib/modules/6.12.0-abdddd11223344/modules.dep"));
	assert_true(is_there(f, "/lib/modules/6.1.0-13-amd64/modules.dep"));
	/* Its orphan gone, the kernel may go too. */
	expect(f, remove_of(KEY_C), "text", "removed cccc");
	expect(f, op("kernels-gc"), "text", "Nothing to remove");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_list, setup, teardown),
		cmocka_unit_test_setup_teardown(test_remove, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_a_job_needs_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gc_rules, setup, teardown),
		cmocka_unit_test_setup_teardown(test_orphans, setup, teardown),
	};

	return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Evidence of boots from trees that stand for a machine: what is kept, what is found, what
 * is removed and when; a try that was cut off; and that nothing of it ever fails.
 */
#include "orchestrator/work/evidence.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define DECIDED_S 1000000
#define STORE "sys/fs/pstore"
#define ARCHIVE "var/lib/systemd/pstore/1780000000/001"

struct place {
	char *root;
	char *state_directory;
	struct evidence_request request;
};

static int set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	char *root = text_duplicate("/tmp/abbot-evidence-XXXXXX");

	assert_non_null(mkdtemp(root));
	place->root = root;
	place->state_directory = path_join(root, "state");
	place->request = (struct evidence_request){
		.root = root, .state_directory = place->state_directory, .job = 7, .boot = 1,
		.attempt = 2, .boot_id = "", .token = "t", .since_s = DECIDED_S,
	};
	*state = place;
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	(void)file_remove_tree(place->root, NULL);
	free(place->root);
	free(place->state_directory);
	free(place);
	return 0;
}

static char *put(const struct place *place, const char *directory, const char *name, const char *text)
{
	_cleanup_free_ char *full = path_join(place->root, directory);
	char *path = path_join(full, name);

	assert_int_equal(file_make_directories(full, 0755, NULL), 0);
	assert_int_equal(file_write_durable(path, text, strlen(text), 0644, NULL), 0);
	return path;
}

static char *put_record(const struct place *place, const char *directory, const char *name,
			const char *text, int64_t at_s)
{
	const struct timeval times[2] = { { .tv_sec = at_s }, { .tv_sec = at_s } };
	char *path = put(place, directory, name, text);

	assert_int_equal(utimes(path, times), 0);
	return path;
}

static json_t *collect(const struct place *place)
{
	json_t *result = NULL;

	assert_int_equal(evidence_collect(&place->request, &result, NULL), 0);
	return result;
}

static const char *finding(const json_t *result, size_t i, const char *key)
{
	const json_t *one = json_array_get(json_object_get(result, "findings"), i);
	const char *text = json_string_value(json_object_get(one, key));

	return text ? text : "";
}

static char *kept(const struct place *place, const char *name)
{
	_cleanup_free_ char *directory = evidence_directory(place->state_directory, 7, 1, 2);
	_cleanup_free_ char *path = path_join(directory, name);
	char *data = NULL;

	if (file_read(path, 1 << 20, &data, NULL, NULL) < 0)
		return NULL;
	return data;
}

static void test_boot_that_runs(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *text = NULL, *path = NULL, *directory = NULL;
	_cleanup_json_ json_t *result = NULL;
	struct stat status;

	free(put(place, "dev", "kmsg",
		 "6,1,1000000,-;Linux version 6.12\n"
		 "4,2,2000000,-;WARNING: CPU: 0 PID: 1 at mm/x.c:5 f+0x1/0x2\n"));
	free(put(place, "proc/sys/kernel", "tainted", "512\n"));
	place->request.is_running = true;
	place->request.boot_id = "b";
	result = collect(place);
	assert_string_equal(finding(result, 0, "kind"), "warning");
	assert_string_equal(finding(result, 0, "text"), "WARNING: CPU: 0 PID: 1 at mm/x.c:5 f+0x1/0x2");
	assert_int_equal(json_array_size(json_object_get(result, "findings")), 1);
	assert_int_equal(json_integer_value(json_object_get(result, "taint")), 512);
	assert_null(json_object_get(result, "crash"));
	text = kept(place, EVIDENCE_KERNEL_LOG);
	assert_string_equal(text, "[    1.000000] Linux version 6.12\n"
				  "[    2.000000] WARNING: CPU: 0 PID: 1 at mm/x.c:5 f+0x1/0x2\n");
	directory = evidence_directory(place->state_directory, 7, 1, 2);
	assert_non_null(strstr(directory, "/jobs/7/boot-02-attempt-2"));
	path = path_join(directory, EVIDENCE_KERNEL_LOG);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
}

static void test_log_that_cannot_be_read_is_said(void **state)
{
	struct place *place = *state;
	_cleanup_json_ json_t *result = NULL;

	place->request.is_running = true;
	result = collect(place);
	assert_string_equal(finding(result, 0, "kind"), "not-collected");
	assert_non_null(strstr(finding(result, 0, "text"), "/dev/kmsg"));
}

/* Parts in the log's order, whichever the names say; removed once they are written down. */
static void test_crash_in_pstore(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *last = put_record(place, STORE, "dmesg-efi_pstore-1",
					       "Panic#1 Part1\n<0>[ 9.0] Kernel panic - not syncing: abbot demo\n",
					       DECIDED_S - 5); /* its clock was slow */
	_cleanup_free_ char *first = put_record(place, STORE, "dmesg-efi_pstore-2",
						"Panic#1 Part2\n<1>[ 8.0] BUG: unable to handle page fault\n",
						DECIDED_S + 5);
	_cleanup_free_ char *old = put_record(place, STORE, "dmesg-efi_pstore-3",
					      "Panic#1 Part1\nKernel panic - not syncing: somebody else's\n",
					      DECIDED_S - 100000);
	_cleanup_free_ char *text = NULL;
	_cleanup_json_ json_t *result = NULL;

	place->request.has_crashed = true;
	result = collect(place);
	assert_string_equal(json_string_value(json_object_get(result, "crash")),
			    "it panicked: Kernel panic - not syncing: abbot demo (after: BUG: unable to handle page fault)");
	assert_string_equal(finding(result, 0, "from"), "pstore");
	text = kept(place, EVIDENCE_PSTORE);
	assert_non_null(text);
	assert_true(strstr(text, "unable to handle") < strstr(text, "abbot demo"));
	assert_null(strstr(text, "somebody"));
	assert_false(file_exists(first));
	assert_false(file_exists(last));
	assert_true(file_exists(old));
}

/* Power was cut after they were written down, with one record removed already. */
static void test_a_try_that_was_cut_off(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *record = put_record(place, STORE, "dmesg-efi_pstore-1",
						 "Panic#1 Part1\n[ 9.0] the end of it\n", DECIDED_S + 5);
	_cleanup_json_ json_t *result = NULL, *again = NULL;

	free(put(place, "state/jobs/7/boot-02-attempt-2", EVIDENCE_PSTORE,
		 "Panic#1 Part2\n[ 8.0] Kernel panic - not syncing: whole\n"
		 "Panic#1 Part1\n[ 9.0] the end of it\n"));
	place->request.has_crashed = true;
	result = collect(place);
	assert_false(file_exists(record));
	again = collect(place);
	assert_true(json_equal(result, again));
	assert_string_equal(finding(again, 0, "text"), "Kernel panic - not syncing: whole");
}

/* systemd-pstore.service was faster; what it has moved is its own. */
static void test_records_that_systemd_has_moved(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *moved = put_record(place, ARCHIVE, "dmesg-efi_pstore-1",
						"Panic#1 Part1\nKernel panic - not syncing: moved\n",
						DECIDED_S + 30);
	_cleanup_json_ json_t *result = NULL;

	free(put_record(place, ARCHIVE, "dmesg-efi_pstore-0",
			"Panic#1 Part1\nKernel panic - not syncing: attempt 1\n", DECIDED_S - 2));
	free(put_record(place, ARCHIVE, "dmesg.txt", "Kernel panic - not syncing: moved\n",
			DECIDED_S + 30));
	place->request.has_crashed = true;
	result = collect(place);
	assert_int_equal(json_array_size(json_object_get(result, "findings")), 1);
	assert_string_equal(finding(result, 0, "text"), "Kernel panic - not syncing: moved");
	assert_true(file_exists(moved));
}

static void test_room_is_made_only_for_what_is_kept(void **state)
{
	struct place *place = *state;
	_cleanup_free_ char *record = put_record(place, STORE, "dmesg-efi_pstore-1",
						 "Panic#1 Part1\nKernel panic - not syncing: x\n",
						 DECIDED_S + 5);
	_cleanup_json_ json_t *result = NULL;

	/* A file where the directory should be. */
	free(put(place, "state", "jobs", ""));
	place->request.has_crashed = true;
	result = collect(place);
	assert_true(file_exists(record));
	assert_string_equal(finding(result, 1, "kind"), "not-collected");
	assert_non_null(json_object_get(result, "crash"));
}

static void test_watchdog_and_nothing(void **state)
{
	struct place *place = *state;
	_cleanup_json_ json_t *nothing = NULL, *result = NULL;
	_cleanup_free_ char *status = NULL;

	place->request.has_crashed = true;
	nothing = collect(place);
	assert_string_equal(finding(nothing, 0, "kind"), "nothing");
	status = put(place, "sys/class/watchdog/watchdog0", "bootstatus", "32\n");
	result = collect(place);
	assert_string_equal(finding(result, 0, "kind"), "watchdog-reset");
	assert_string_equal(json_string_value(json_object_get(result, "crash")),
			    "the watchdog (watchdog0) reset it");
	/* It came up as asked: an old reset is of no interest. */
	place->request.has_crashed = false;
	json_decref(result);
	result = collect(place);
	assert_int_equal(json_array_size(json_object_get(result, "findings")), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_boot_that_runs),
		TEST(test_log_that_cannot_be_read_is_said),
		TEST(test_crash_in_pstore),
		TEST(test_a_try_that_was_cut_off),
		TEST(test_records_that_systemd_has_moved),
		TEST(test_room_is_made_only_for_what_is_kept),
		TEST(test_watchdog_and_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

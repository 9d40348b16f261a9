// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking at a stand-in machine, and the real ports that go to its boot loader. */
#include "boot/tests/fake_root.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/boot_loader.h"
#include "common/digest.h"
#include "orchestrator/work/kernel_store.h"
#include "orchestrator/work/observe.h"
#include "orchestrator/work/ports_machine.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define KEY "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static struct observation look(const char *root)
{
	const struct boot_paths paths = { .root = root };
	struct observation observation;
	struct error err = { 0 };

	if (observe_machine(&paths, &observation, &err) < 0)
		fail_msg("%s", err.text);
	return observation;
}

static void test_plain(void **state)
{
	char *root = fake_root_new();
	struct observation seen = look(root);

	(void)state;
	assert_string_equal(seen.boot_id, FAKE_BOOT_ID);
	assert_string_equal(seen.token, "");
	assert_string_equal(seen.build_id, "");
	assert_string_equal(seen.machine, "");
	assert_false(seen.is_armed);
	assert_false(seen.is_held);
	assert_true(seen.is_system_ready);
	assert_true(seen.now_s > 0 && seen.uptime_s > 0);
	assert_true(seen.release[0] != '\0' && seen.version[0] != '\0');
	fake_root_free(root);
}

static void test_test_boot(void **state)
{
	char *root = fake_root_new();
	struct observation seen, moved;

	(void)state;
	fake_write(root, "/proc/cmdline", "BOOT_IMAGE=/x abbot.token=" TOKEN " root=/dev/vda2 abbot.hold\n");
	fake_write(root, "/boot/grub/abbot.env",
		   "# GRUB Environment Block\nabbot_next=abbot-1-a\nabbot_token=" TOKEN "\n");
	fake_write(root, "/etc/machine-id", "0123\n");
	seen = look(root);
	assert_string_equal(seen.token, TOKEN);
	assert_string_equal(seen.cmdline, "BOOT_IMAGE=/x abbot.token=" TOKEN " root=/dev/vda2 abbot.hold");
	assert_true(seen.is_armed);
	assert_string_equal(seen.armed_entry, "abbot-1-a");
	assert_string_equal(seen.armed_token, TOKEN);
	assert_true(seen.is_held);
	assert_int_equal(strlen(seen.machine), 64);
	fake_write(root, "/etc/machine-id", "0124\n");
	moved = look(root);
	assert_string_not_equal(seen.machine, moved.machine);
	fake_root_free(root);
}

static void test_hold_file(void **state)
{
	char *root = fake_root_new();

	(void)state;
	fake_write(root, "/etc/abbot/hold", "");
	assert_true(look(root).is_held);
	fake_root_free(root);
}

static void test_no_loader(void **state)
{
	char *root = fake_root_new();
	_cleanup_free_ char *config = text_format("%s/boot/grub/grub.cfg", root);

	(void)state;
	fake_write(root, "/boot/grub/grub.cfg", "set default=0\n"); /* refused: no custom.cfg */
	assert_false(look(root).is_armed);
	assert_int_equal(unlink(config), 0);
	assert_false(look(root).is_armed);
	fake_root_free(root);
}

static void test_real_machine(void **state)
{
	(void)state;
	assert_int_equal(strlen(look("").boot_id), 36);
}

static void set_point(struct run_state *run, const char *name)
{
	assert_int_equal(job_add_point(&run->job, name, "x", NULL), 0);
}

static void check_id(const struct run_state *run, int point, const char *expected)
{
	char id[BOOT_ENTRY_SIZE];

	ports_machine_entry_id(run, point, id);
	assert_string_equal(id, expected);
}

static void test_entry_ids(void **state)
{
	struct run_state run;
	char longest[101];

	(void)state;
	memset(longest, 'n', 100);
	longest[100] = '\0';
	run_state_init(&run);
	run.job_id = 12;
	set_point(&run, "parent");
	set_point(&run, "v6.16");
	set_point(&run, "v6-16");
	check_id(&run, 0, "abbot-12-parent");
	check_id(&run, 1, "abbot-12-v6-16-p1");
	check_id(&run, 2, "abbot-12-v6-16");
	free(run.job.points[1].name);
	run.job.points[1].name = text_duplicate(longest);
	run.job_id = INT64_MAX;
	{
		char id[BOOT_ENTRY_SIZE];

		ports_machine_entry_id(&run, 1, id);
		assert_true(strlen(id) < BOOT_ENTRY_SIZE);
		assert_true(text_has_suffix(id, "-p1"));
	}
	run_state_done(&run);
}

/* A kernel in a store below @root, as the kernel store reads it. */
static char *make_store(const char *root)
{
	char *directory = text_format("%s/state", root);
	_cleanup_free_ char *stage = NULL, *image = NULL;
	char sum[DIGEST_HEX_SIZE];
	struct error err = { 0 };
	json_t *meta;

	if (kernel_store_stage(directory, KEY, &stage, &err) < 0)
		fail_msg("%s", err.text);
	image = text_format("%s/bzImage", stage);
	fake_write_kernel("", image, 'k');
	fake_write(stage, "/config", "CONFIG_64BIT=y\n");
	assert_int_equal(digest_file(image, sum, NULL), 0);
	meta = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "status", "built", "key", KEY, "image",
			 "bzImage", "image_sha256", sum, "build_id",
			 "000102030405060708090a0b0c0d0e0f10111213", "release", "6.12.0-ab");
	if (kernel_store_commit(directory, KEY, stage, meta, &err) < 0)
		fail_msg("%s", err.text);
	json_decref(meta);
	return directory;
}

static void test_ports_install_arm_remove(void **state)
{
	char *root = fake_root_new(), *store = make_store(root);
	_cleanup_free_ char *custom = NULL, *gone = NULL;
	struct ports *ports = NULL;
	struct run_state run;
	struct error err = { 0 };
	json_t *result = NULL;

	(void)state;
	fake_write(root, "/dev/watchdog", "");
	fake_write(root, "/proc/cmdline", "BOOT_IMAGE=/x root=/dev/vda2 panic=0 -- init-word\n");
	run_state_init(&run);
	run.job_id = 3;
	set_point(&run, "child");
	(void)snprintf(run.points[0].kernel_key, sizeof(run.points[0].kernel_key), "%s", KEY);
	free(run.job.boot.cmdline);
	run.job.boot.cmdline = text_duplicate("mitigations=auto");
	assert_int_equal(job_changes_add(&run.job.points[0].changes, JOB_CHANGE_CMDLINE, "of=point", NULL, &err), 0);
	assert_int_equal(job_changes_add(&run.job.points[0].changes, JOB_CHANGE_CONFIG, "CONFIG_X=y", NULL, &err), 0);
	assert_int_equal(ports_machine_new(&(const struct boot_paths){ .root = root }, store, &ports, NULL), 0);
	if (ports->install(ports->context, &run, 0, &result, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(json_string_value(json_object_get(result, "entry")), "abbot-3-child");
	assert_string_equal(json_string_value(json_object_get(result, "build_id")),
			    "000102030405060708090a0b0c0d0e0f10111213");
	json_decref(result);
	custom = fake_read(root, "/boot/grub/custom.cfg");
	assert_non_null(strstr(custom, "root=/dev/vda2 panic=0 mitigations=auto of=point systemd.watchdog_sec=60 panic=10 oops=panic"));
	assert_non_null(strstr(custom, "abbot.point=abbot-3-child -- init-word; then"));
	assert_int_equal(ports->arm(ports->context, "abbot-3-child", TOKEN, &result, &err), 0);
	json_decref(result);
	assert_true(look(root).is_armed);
	assert_int_equal(ports->disarm(ports->context, &err), 0);
	assert_false(look(root).is_armed);
	run.job_id = 30; /* another job's entries are left alone */
	assert_int_equal(ports->remove_entries(ports->context, &run, &result, &err), 0);
	assert_int_equal(json_array_size(json_object_get(result, "removed")), 0);
	json_decref(result);
	run.job_id = 3;
	assert_int_equal(ports->remove_entries(ports->context, &run, &result, &err), 0);
	assert_int_equal(json_array_size(json_object_get(result, "removed")), 1);
	json_decref(result);
	gone = fake_read(root, "/boot/grub/custom.cfg");
	assert_null(gone);
	ports_machine_free(ports);
	run_state_done(&run);
	fake_root_free(root);
	free(store);
}

static void test_ports_without_loader(void **state)
{
	char *root = fake_root_new();
	_cleanup_free_ char *config = text_format("%s/boot/grub/grub.cfg", root);
	struct ports *ports = NULL;
	struct run_state run;
	struct error err = { 0 };
	json_t *result = NULL;
	char token[33];

	(void)state;
	assert_int_equal(unlink(config), 0);
	run_state_init(&run);
	assert_int_equal(ports_machine_new(&(const struct boot_paths){ .root = root }, root, &ports, NULL), 0);
	assert_int_equal(ports->disarm(ports->context, &err), 0);
	assert_int_equal(ports->arm(ports->context, "abbot-1-a", TOKEN, &result, &err), -ENODEV);
	assert_int_equal(ports->remove_entries(ports->context, &run, &result, &err), 0);
	json_decref(result);
	assert_int_equal(ports->make_token(ports->context, token, &err), 0);
	assert_int_equal(strspn(token, "0123456789abcdef"), 32);
	ports_machine_free(ports);
	run_state_done(&run);
	fake_root_free(root);
}

/* The stand-in has no systemd: a job must not begin there, and the reason says so. */
static void test_ports_preflight(void **state)
{
	char *root = fake_root_new();
	struct ports *ports = NULL;
	struct run_state run;
	struct error err = { 0 };

	(void)state;
	run_state_init(&run);
	assert_int_equal(ports_machine_new(&(const struct boot_paths){ .root = root }, root, &ports, NULL), 0);
	assert_int_equal(ports->preflight(ports->context, &run, &err), -EPERM);
	assert_non_null(strstr(err.text, "systemd is not the first process"));
	assert_non_null(strstr(err.text, "--accept-hang-risk"));
	run.job.boot.accepts_hang_risk = true;
	assert_int_equal(ports->preflight(ports->context, &run, &err), -EPERM);
	assert_null(strstr(err.text, "--accept-hang-risk"));
	ports_machine_free(ports);
	run_state_done(&run);
	fake_root_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_test_boot),
		cmocka_unit_test(test_hold_file),
		cmocka_unit_test(test_no_loader),
		cmocka_unit_test(test_real_machine),
		cmocka_unit_test(test_entry_ids),
		cmocka_unit_test(test_ports_install_arm_remove),
		cmocka_unit_test(test_ports_without_loader),
		cmocka_unit_test(test_ports_preflight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Installing a kernel with modules and an initrd below a stand-in for /, through the real
 * ports; the distribution's programs are small scripts, so that they can fail.
 */
#include "boot/tests/fake_root.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/digest.h"
#include "orchestrator/work/install_initrd.h"
#include "orchestrator/work/install_modules.h"
#include "orchestrator/work/install_tool.h"
#include "orchestrator/work/kernel_store.h"
#include "orchestrator/work/module_tree.h"
#include "orchestrator/work/ports_machine.h"

#define KEY "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define KEY_TWO "10112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define RELEASE "6.12.0-ab001122334455"
#define MODULES "/lib/modules/" RELEASE

struct fixture {
	char *root;
	char *state;
	char *path_before;
	struct ports *ports;
	struct run_state run;
	struct error err;
};

static void write_program(const struct fixture *fixture, const char *name, const char *script)
{
	_cleanup_free_ char *path = text_format("/usr/sbin/%s", name);
	_cleanup_free_ char *full = text_format("%s%s", fixture->root, path);
	_cleanup_free_ char *text = text_format("#!/bin/sh\nroot=%s\n%s", fixture->root, script);

	fake_write(fixture->root, path, text);
	assert_int_equal(chmod(full, 0755), 0);
}

static void store_kernel(const struct fixture *fixture, const char *key, const char *config,
			 bool has_modules)
{
	_cleanup_free_ char *stage = NULL, *image = NULL, *modules = NULL;
	const char *content = fixture->root;
	_cleanup_json_ json_t *meta = NULL;
	struct module_tree tree = { 0 };
	char sum[DIGEST_HEX_SIZE];

	assert_int_equal(kernel_store_stage(fixture->state, key, &stage, NULL), 0);
	image = path_join(stage, "bzImage");
	fake_write_kernel("", image, 'k');
	fake_write(stage, "/config", config);
	assert_int_equal(digest_file(image, sum, NULL), 0);
	meta = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "status", "built", "key", key, "image",
			 "bzImage", "image_sha256", sum, "build_id",
			 "000102030405060708090a0b0c0d0e0f10111213", "release", RELEASE);
	if (has_modules) {
		_cleanup_free_ char *made = text_format("%s/made", fixture->root);
		const struct module_tree_source source = { .directory = made };

		assert_int_equal(file_remove_tree(made, NULL), 0);
		fake_write(made, "/kernel/fs/ext4.ko", content);
		fake_write(made, "/modules.order", "kernel/fs/ext4.ko\n");
		modules = path_join(stage, KERNEL_STORE_MODULES);
		assert_int_equal(module_tree_copy(&source, modules, &tree, NULL), 0);
		(void)json_object_set_new(meta, "modules", json_pack("{s:I, s:I, s:s}", "count",
			(json_int_t)tree.n_files, "bytes", (json_int_t)tree.n_bytes, "sha256", tree.sha256));
	}
	assert_int_equal(kernel_store_commit(fixture->state, key, stage, meta, NULL), 0);
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	_cleanup_free_ char *path = NULL;

	fixture->root = fake_root_new();
	fixture->state = text_format("%s/state", fixture->root);
	fixture->path_before = text_duplicate(getenv("PATH"));
	path = text_format("%s/usr/sbin:%s", fixture->root, fixture->path_before);
	assert_int_equal(setenv("PATH", path, 1), 0);
	write_program(fixture, "depmod", "echo depmod $*; echo dep > $root/lib/modules/$3/modules.dep\n");
	write_program(fixture, "mkinitramfs",
		      "set -e; test -f $root/lib/modules/$3/modules.dep; grep -q RD_GZIP=y $root/boot/config-$3\n"
		      "head -c 4096 /dev/zero > $2; echo mkinitramfs $3 >> $root/made-initrds\n");
	run_state_init(&fixture->run);
	fixture->run.job_id = 3;
	assert_int_equal(job_add_point(&fixture->run.job, "child", "x", NULL), 0);
	(void)snprintf(fixture->run.points[0].kernel_key, 65, "%s", KEY);
	assert_int_equal(ports_machine_new(&(const struct boot_paths){ .root = fixture->root }, fixture->state, &fixture->ports, NULL), 0);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	(void)setenv("PATH", fixture->path_before, 1);
	ports_machine_free(fixture->ports);
	run_state_done(&fixture->run);
	fake_root_free(fixture->root);
	free(fixture->state);
	free(fixture->path_before);
	free(fixture);
	return 0;
}

static int install(struct fixture *fixture)
{
	_cleanup_json_ json_t *result = NULL;

	fixture->err = (struct error){ 0 };
	return fixture->ports->install(fixture->ports->context, &fixture->run, 0, &result, &fixture->err);
}

static void must_install(struct fixture *fixture)
{
	if (install(fixture) < 0)
		fail_msg("%s", fixture->err.text);
}

static void remove_job(struct fixture *fixture, int64_t job)
{
	_cleanup_json_ json_t *result = NULL;

	fixture->run.job_id = job;
	if (fixture->ports->remove_entries(fixture->ports->context, &fixture->run, &result, &fixture->err) < 0)
		fail_msg("%s", fixture->err.text);
}

static bool is_there(const struct fixture *fixture, const char *path)
{
	_cleanup_free_ char *full = text_format("%s%s", fixture->root, path);
	struct stat status;

	return lstat(full, &status) == 0;
}

static void assert_sentence(const struct fixture *fixture, const char *expected)
{
	if (!strstr(fixture->err.text, expected))
		fail_msg("'%s' does not hold '%s'", fixture->err.text, expected);
}

/* How the machine must look when nothing of Abbot's is on it. */
static void assert_clean(const struct fixture *fixture)
{
	assert_false(is_there(fixture, MODULES));
	assert_false(is_there(fixture, "/boot/config-" RELEASE));
	assert_false(is_there(fixture, "/boot/abbot"));
	assert_false(is_there(fixture, "/boot/grub/custom.cfg"));
	assert_false(is_there(fixture, "/lib/modules/.abbot-" RELEASE));
}

static const char modular[] = "CONFIG_MODULES=y\nCONFIG_BLK_DEV_INITRD=y\nCONFIG_RD_GZIP=y\n";

static void test_modules_and_initrd(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *custom = NULL, *module = NULL, *mark = NULL;

	store_kernel(fixture, KEY, modular, true);
	must_install(fixture);
	module = fake_read(fixture->root, MODULES "/kernel/fs/ext4.ko");
	assert_string_equal(module, fixture->root);
	assert_true(is_there(fixture, MODULES "/modules.dep"));
	assert_true(is_there(fixture, MODULES "/config"));
	mark = fake_read(fixture->root, MODULES "/.abbot");
	assert_non_null(strstr(mark, "key " KEY "\njob 3\nconfig\n"));
	assert_true(is_there(fixture, "/boot/abbot/abbot-3-child/initrd"));
	custom = fake_read(fixture->root, "/boot/grub/custom.cfg");
	assert_non_null(strstr(custom, "initrd /abbot/abbot-3-child/initrd"));
	/* The boot loader has its copy: no other is kept. */
	assert_false(is_there(fixture, "/state/install/001122334455.initrd"));
	remove_job(fixture, 30);
	assert_true(is_there(fixture, MODULES));
	remove_job(fixture, 3);
	assert_clean(fixture);
}

/* A crash at any place: what it left is replaced, and removed with the job. */
static void test_again_after_a_crash(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *module = NULL;

	store_kernel(fixture, KEY, modular, true);
	fake_write(fixture->root, "/lib/modules/.abbot-" RELEASE "/kernel/fs/ext4.ko", "half");
	must_install(fixture);
	fake_write(fixture->root, MODULES "/kernel/fs/ext4.ko", "torn");
	must_install(fixture);
	module = fake_read(fixture->root, MODULES "/kernel/fs/ext4.ko");
	assert_string_equal(module, fixture->root);
	fake_write(fixture->root, "/lib/modules/.abbot-6.1-abffffffffffff/x", "half");
	remove_job(fixture, 3);
	assert_clean(fixture);
	assert_false(is_there(fixture, "/lib/modules/.abbot-6.1-abffffffffffff"));
}

static void test_two_jobs_share(void **state)
{
	struct fixture *fixture = *state;

	store_kernel(fixture, KEY, modular, true);
	must_install(fixture);
	fixture->run.job_id = 4;
	must_install(fixture);
	remove_job(fixture, 3);
	assert_true(is_there(fixture, MODULES "/modules.dep"));
	assert_true(is_there(fixture, "/boot/config-" RELEASE));
	remove_job(fixture, 4);
	assert_clean(fixture);
}

static void test_foreign_files_stay(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *module = NULL;

	store_kernel(fixture, KEY, modular, true);
	fake_write(fixture->root, MODULES "/kernel/fs/ext4.ko", "theirs");
	assert_int_equal(install(fixture), -EEXIST);
	assert_sentence(fixture, "is not Abbot's");
	remove_job(fixture, 3);
	module = fake_read(fixture->root, MODULES "/kernel/fs/ext4.ko");
	assert_string_equal(module, "theirs");
	/* A mark that is not one is no permission. */
	fake_write(fixture->root, MODULES "/.abbot", "hello\n");
	assert_int_equal(install(fixture), -EEXIST);
	remove_job(fixture, 3);
	assert_true(is_there(fixture, MODULES "/kernel/fs/ext4.ko"));
}

static void test_foreign_config_stays(void **state)
{
	struct fixture *fixture = *state;

	store_kernel(fixture, KEY, modular, true);
	fake_write(fixture->root, "/boot/config-" RELEASE, "theirs");
	assert_int_equal(install(fixture), -EEXIST);
	remove_job(fixture, 3);
	assert_true(is_there(fixture, "/boot/config-" RELEASE));
	assert_false(is_there(fixture, MODULES));
}

static void test_tools_fail(void **state)
{
	struct fixture *fixture = *state;

	store_kernel(fixture, KEY, modular, true);
	write_program(fixture, "mkinitramfs", "echo good so far; echo 'E: no gzip here'; exit 1\n");
	assert_int_equal(install(fixture), -EPROTO);
	assert_sentence(fixture, "mkinitramfs failed: E: no gzip here");
	assert_true(is_there(fixture, "/state/install/001122334455.log"));
	assert_false(is_there(fixture, "/boot/grub/custom.cfg"));
	write_program(fixture, "mkinitramfs", "exit 0\n");
	assert_int_equal(install(fixture), -EPROTO);
	assert_sentence(fixture, "made no initrd");
	write_program(fixture, "depmod", "echo broken >&2; exit 1\n");
	assert_int_equal(install(fixture), -EPROTO);
	assert_sentence(fixture, "depmod failed: broken");
	remove_job(fixture, 3);
	assert_clean(fixture);
}

static void test_tool_hangs(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *log = text_format("%s/log", fixture->root);
	const char *const argv[] = { "sleep", "100", NULL };
	const struct install_tool tool = { .argv = argv, .log_path = log, .timeout_ms = 200 };

	assert_int_equal(install_tool_run(&tool, &fixture->err), -EPROTO);
	assert_sentence(fixture, "did not end");
}

static void test_which_tool(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *made = NULL;

	store_kernel(fixture, KEY, modular, true);
	write_program(fixture, "dracut", "head -c 4096 /dev/zero > $4; echo dracut $3 >> $root/made-initrds\n");
	write_program(fixture, "mkinitcpio", "head -c 4096 /dev/zero > $4; echo mkinitcpio $2 >> $root/made-initrds\n");
	must_install(fixture);
	fake_write(fixture->root, "/etc/kernel/install.conf", "layout=other\ninitrd_generator=dracut\n");
	must_install(fixture);
	fake_write(fixture->root, "/etc/kernel/install.conf", "initrd_generator=mkinitcpio\n");
	must_install(fixture);
	made = fake_read(fixture->root, "/made-initrds");
	assert_string_equal(made, "mkinitramfs " RELEASE "\ndracut " RELEASE "\nmkinitcpio " RELEASE "\n");
	_cleanup_free_ char *tools = text_format("%s/usr/sbin", fixture->root);

	assert_int_equal(file_remove_tree(tools, NULL), 0);
	write_program(fixture, "depmod", "exit 0\n");
	assert_int_equal(install(fixture), -ENOENT);
	assert_sentence(fixture, "neither mkinitramfs, dracut nor mkinitcpio");
}

static void test_no_room(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *path = kernel_store_path(fixture->state, KEY, "meta.json");
	_cleanup_json_ json_t *meta = NULL;

	store_kernel(fixture, KEY, modular, true);
	meta = json_load_file(path, 0, NULL);
	(void)json_object_set_new(json_object_get(meta, "modules"), "bytes", json_integer(1LL << 60));
	assert_int_equal(json_dump_file(meta, path, 0), 0);
	assert_int_equal(install(fixture), -ENOSPC);
	assert_sentence(fixture, "MiB free, and");
	assert_false(is_there(fixture, MODULES));
	assert_false(is_there(fixture, "/boot/abbot"));
}

static void test_changed_modules(void **state)
{
	struct fixture *fixture = *state;

	store_kernel(fixture, KEY, modular, true);
	fake_write(fixture->state, "/kernels/" KEY "/modules/kernel/fs/ext4.ko", "changed");
	assert_int_equal(install(fixture), -EBADMSG);
	assert_sentence(fixture, "is not what was built");
	assert_false(is_there(fixture, MODULES));
}

static void check_need(const char *text, const char *options, bool expected)
{
	struct kernel_config config = { 0 };
	const char *why = NULL;

	assert_int_equal(kernel_config_parse(text, strlen(text), "x", &config, NULL), 0);
	assert_int_equal(install_initrd_is_needed(&config, options, &why), expected);
	assert_non_null(why);
	kernel_config_done(&config);
}

static void test_when_an_initrd_is_needed(void **state)
{
	(void)state;
	check_need(modular, "root=/dev/vda2", true);
	check_need("CONFIG_MODULES=y\n", "root=/dev/vda2", false);
	check_need("CONFIG_BLK_DEV_INITRD=y\n", "root=/dev/vda2 ro", false);
	check_need("CONFIG_BLK_DEV_INITRD=y\n", "root=PARTUUID=1-02", false);
	check_need("CONFIG_BLK_DEV_INITRD=y\n", "root=UUID=01-02", true);
	check_need("CONFIG_BLK_DEV_INITRD=y\n", "root=/dev/mapper/vg-root", true);
	check_need("CONFIG_64BIT=y\n", "root=UUID=01-02", false);
}

static void test_without_modules(void **state)
{
	struct fixture *fixture = *state;

	store_kernel(fixture, KEY, "CONFIG_BLK_DEV_INITRD=y\n", false);
	must_install(fixture);
	assert_false(is_there(fixture, MODULES));
	assert_false(is_there(fixture, "/boot/abbot/abbot-3-child/initrd"));
	/* A root that only an initrd finds: made over an empty directory. */
	fake_write(fixture->root, "/proc/cmdline", "BOOT_IMAGE=/x root=UUID=01-02\n");
	store_kernel(fixture, KEY_TWO, "CONFIG_BLK_DEV_INITRD=y\nCONFIG_RD_GZIP=y\n", false);
	(void)snprintf(fixture->run.points[0].kernel_key, 65, "%s", KEY_TWO);
	must_install(fixture);
	assert_true(is_there(fixture, "/boot/abbot/abbot-3-child/initrd"));
	remove_job(fixture, 3);
	assert_clean(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_modules_and_initrd, setup, teardown),
		cmocka_unit_test_setup_teardown(test_again_after_a_crash, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_jobs_share, setup, teardown),
		cmocka_unit_test_setup_teardown(test_foreign_files_stay, setup, teardown),
		cmocka_unit_test_setup_teardown(test_foreign_config_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tools_fail, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tool_hangs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_which_tool, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_room, setup, teardown),
		cmocka_unit_test_setup_teardown(test_changed_modules, setup, teardown),
		cmocka_unit_test(test_when_an_initrd_is_needed),
		cmocka_unit_test_setup_teardown(test_without_modules, setup, teardown),
	};

	return cmocka_run_group_tests_name("install", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab without its machine: a disk made, filled and read back by the real tools, and
 * what is read out of a guest's /boot and serial log. Whole runs are tests/lab's.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "boot/lab/disk.h"
#include "boot/lab/firmware.h"
#include "boot/lab/grub.h"
#include "boot/lab/inject.h"
#include "boot/lab/loader.h"
#include "boot/lab/outcome.h"
#include "boot/lab/variables.h"
#include "boot/lab/write_log.h"
#include "boot/lab/recipe.h"
#include "boot/lab/serial.h"
#include "boot/lab/tools.h"
#include "common/cleanup.h"
#include "common/file.h"

struct fixture {
	char directory[64];
	char image[96];
};

static void write_text(const char *path, const char *text)
{
	assert_int_equal(file_write_durable(path, text, strlen(text), 0640, NULL), 0);
}

static char *in(const struct fixture *fixture, const char *name)
{
	return path_join(fixture->directory, name);
}

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(fixture->directory, sizeof(fixture->directory), "%s/abbot-lab-XXXXXX",
		       tmp && strlen(tmp) < 32 ? tmp : "/tmp");
	assert_non_null(mkdtemp(fixture->directory));
	(void)snprintf(fixture->image, sizeof(fixture->image), "%s/ext4.img",
		       fixture->directory);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	int status = file_remove_tree(fixture->directory, NULL);

	free(fixture);
	return status;
}

/* An empty file system at an offset, as the root is in the disk. */
static void make_image(const struct fixture *fixture)
{
	const char *argv[] = {"mke2fs", "-q", "-F", "-t", "ext4", "-E", "offset=1048576",
			      fixture->image, "8M", NULL};
	struct error err = {0};

	write_text(fixture->image, "");
	assert_int_equal(truncate(fixture->image, 10 << 20), 0);
	if (lab_tool_run(argv, &err) != 0)
		fail_msg("%s", err.text);
}

static void test_inject_round_trip(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *tree = in(fixture, "tree");
	_cleanup_free_ char *sub = in(fixture, "tree/kernels");
	_cleanup_free_ char *file = in(fixture, "tree/kernels/with space");
	_cleanup_free_ char *script = in(fixture, "script");
	_cleanup_free_ char *back = in(fixture, "with space");
	_cleanup_free_ char *text = NULL;
	struct inject inject;
	struct error err = {0};
	struct stat status;

	make_image(fixture);
	assert_int_equal(file_make_directories(sub, 0755, NULL), 0);
	write_text(file, "contents\n");
	inject_start(&inject, fixture->image, 1 << 20);
	inject_directory(&inject, "/var");
	inject_tree(&inject, tree, "/var");
	inject_file(&inject, file, "/", "program", 0755);
	inject_link(&inject, "/", "link", "/program");
	if (inject_finish(&inject, script, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(inject_extract(fixture->image, 1 << 20, "/var/kernels/with space", back,
					&err), 0);
	assert_int_equal(file_read(back, 100, &text, NULL, NULL), 0);
	assert_string_equal(text, "contents\n");
	assert_int_equal(inject_extract_tree(fixture->image, 1 << 20, "/", fixture->directory, &err), 0);
	_cleanup_free_ char *program = in(fixture, "program");
	_cleanup_free_ char *link = in(fixture, "link");

	assert_int_equal(stat(program, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0755);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
}

static void test_inject_says_what_failed(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *script = in(fixture, "script");
	struct inject inject;
	struct error err = {0};

	make_image(fixture);
	inject_start(&inject, fixture->image, 1 << 20);
	inject_file(&inject, "/nonexistent/file", "/", "file", 0644);
	assert_int_equal(inject_finish(&inject, script, &err), -EIO);
	assert_non_null(strstr(err.text, "/nonexistent/file"));
	inject_start(&inject, fixture->image, 1 << 20);
	inject_file(&inject, script, "/no-such-directory", "file", 0644);
	assert_int_equal(inject_finish(&inject, script, &err), -EIO);
	inject_start(&inject, fixture->image, 1 << 20);
	inject_file(&inject, "/etc/hostname", "/", "a\"b", 0644);
	assert_int_equal(inject_finish(&inject, script, &err), -EINVAL);
}

static void test_extract_absent(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *back = in(fixture, "back");

	make_image(fixture);
	assert_int_equal(inject_extract(fixture->image, 1 << 20, "/absent", back, NULL), 1);
	assert_false(file_exists(back));
	assert_true(inject_extract("/nonexistent.img", 0, "/absent", back, NULL) < 0);
}

static void check_disk(const struct fixture *fixture, const struct lab_loader *loader)
{
	_cleanup_free_ char *root = in(fixture, "root.ext4");
	_cleanup_free_ char *disk = in(fixture, "disk.img");
	_cleanup_free_ char *tree = in(fixture, "tree");
	_cleanup_free_ char *file = in(fixture, "tree/marker");
	_cleanup_free_ char *back = in(fixture, "back");
	const char *argv[] = {"mke2fs", "-q", "-F", "-t", "ext4", "-d", tree, root, "16M", NULL};
	const char *verify[] = {"sgdisk", "--verify", disk, NULL};
	_cleanup_free_ char *text = NULL;
	struct error err = {0};

	assert_int_equal(file_make_directories(tree, 0755, NULL), 0);
	write_text(file, "here\n");
	assert_int_equal(lab_tool_run(argv, &err), 0);
	const struct lab_options options = {.run_directory = fixture->directory, .default_image = file};

	if (lab_disk_make(loader, &options, disk, root, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(lab_tool_run(verify, &err), 0);
	if (lab_disk_repair(disk, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(inject_extract(disk, LAB_DISK_ROOT_OFFSET, "/marker", back, &err), 0);
	assert_int_equal(file_read(back, 100, &text, NULL, NULL), 0);
	assert_string_equal(text, "here\n");
}

static void test_disk_holds_root(void **state)
{
	check_disk(*state, &lab_loader_grub);
}

/* What decides the default boot is on the disk, and a change of it is seen. */
static void test_disk_of_systemd_boot(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *disk = in(fixture, "disk.img"), *entry = in(fixture, "esp/loader/loader.conf");
	_cleanup_free_ char *first = NULL, *second = NULL, *left = in(fixture, "esp/abbot/abbot-1-x");
	_cleanup_(lab_names_done) struct lab_names names = {0};
	const struct lab_loader *loader = &lab_loader_systemd_boot;
	struct error err = {0};

	check_disk(fixture, loader);
	if (loader->fetch(disk, fixture->directory, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loader->hash_default(fixture->directory, &first, &err), 0);
	assert_int_equal(loader->find_leftovers(fixture->directory, &names, &err), 0);
	assert_int_equal(names.n_names, 0);
	write_text(entry, "default abbot-1-x.conf\n");
	assert_int_equal(file_make_directories(left, 0755, NULL), 0);
	assert_int_equal(loader->hash_default(fixture->directory, &second, &err), 0);
	assert_string_not_equal(first, second);
	assert_int_equal(loader->find_leftovers(fixture->directory, &names, &err), 0);
	assert_string_equal(names.names[0], "/boot/abbot/abbot-1-x");
}

/* One variable of a flash as edk2 lays it out. */
static size_t put_variable(uint8_t *at, uint8_t state, const char *name, const char *data)
{
	size_t n = strlen(name) + 1, size = 60 + 2 * n + strlen(data);

	at[0] = 0xaa;
	at[1] = 0x55;
	at[2] = state;
	at[36] = (uint8_t)(2 * n);
	at[40] = (uint8_t)strlen(data);
	for (size_t i = 0; i < n; i++)
		at[60 + 2 * i] = (uint8_t)name[i];
	memcpy(at + 60 + 2 * n, data, strlen(data));
	return (size + 3) & ~(size_t)3;
}

static void test_variables(void **state)
{
	uint8_t flash[1024];
	struct variables_found found = {0};
	size_t at = 0x48 + 28;

	(void)state;
	memset(flash, 0xff, sizeof(flash));
	memcpy(flash + 0x28, "_FVH", 4);
	memcpy(flash + 0x30, "\x48\0", 2);
	memset(flash + at, 0, 512);
	at += put_variable(flash + at, 0x3c, "BootNext", "old");
	at += put_variable(flash + at, 0x3f, "Boot", "other");
	at += put_variable(flash + at, 0x3f, "BootOrder", "ab");
	memset(flash + at, 0xff, sizeof(flash) - at);
	assert_int_equal(variables_find(flash, sizeof(flash), "BootOrder", &found), 1);
	assert_int_equal(found.size, 2);
	assert_memory_equal(found.data, "ab", 2);
	assert_int_equal(variables_find(flash, sizeof(flash), "BootNext", &found), 0);
	flash[0x48 + 28 + 2] = 0x3f;
	assert_int_equal(variables_find(flash, sizeof(flash), "BootNext", &found), 1);
	flash[0x48 + 28 + 41] = 0xff; /* data beyond the end */
	assert_int_equal(variables_find(flash, sizeof(flash), "BootOrder", &found), -EBADMSG);
	assert_int_equal(variables_find("x", 1, "BootOrder", &found), -EBADMSG);
}

/* What is added is found, by us and in the flash that Debian ships, until the store is full. */
static void test_variables_add(void **state)
{
	_cleanup_free_ char *flash = NULL;
	struct variables_found found = {0};
	char big[4096] = {0};
	size_t size = 0, n = 0;
	struct error err = {0};
	char name[16];

	(void)state;
	if (!file_exists(LAB_FIRMWARE_VARIABLES))
		skip();
	assert_int_equal(file_read(LAB_FIRMWARE_VARIABLES, 16 << 20, &flash, &size, &err), 0);
	assert_int_equal(variables_add(flash, size, "Boot0000", "one", 3), 0);
	assert_int_equal(variables_add(flash, size, "BootOrder", "\0\0", 2), 0);
	assert_int_equal(variables_find(flash, size, "Boot0000", &found), 1);
	assert_int_equal(found.size, 3);
	assert_memory_equal(found.data, "one", 3);
	do {
		(void)snprintf(name, sizeof(name), "Boot%04zX", ++n);
	} while (variables_add(flash, size, name, big, sizeof(big)) == 0);
	assert_in_range(n, 8, 200);
	assert_int_equal(variables_find(flash, size, "BootOrder", &found), 1);
}

/* The same of the machine that the firmware starts by itself. */
static void test_disk_of_uefi(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *disk = in(fixture, "disk.img"), *flash = in(fixture, VARIABLES_NAME);
	_cleanup_free_ char *first = NULL, *second = NULL, *kernel = in(fixture, "esp/" LAB_DEFAULT_KERNEL);
	_cleanup_(lab_names_done) struct lab_names names = {0};
	const struct lab_loader *loader = &lab_loader_uefi;
	struct error err = {0};
	bool is_empty = false;

	if (!file_exists(LAB_FIRMWARE_VARIABLES))
		skip();
	check_disk(fixture, loader);
	assert_int_equal(file_copy_durable(LAB_FIRMWARE_VARIABLES, flash, 0600, &err), 0);
	assert_int_equal(loader->fill_variables(flash, &err), 0);
	if (loader->fetch(disk, fixture->directory, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loader->hash_default(fixture->directory, &first, &err), 0);
	assert_int_equal(loader->find_leftovers(fixture->directory, &names, &err), 0);
	assert_int_equal(names.n_names, 0);
	assert_int_equal(loader->is_one_shot_empty(fixture->directory, &is_empty, &err), 0);
	assert_true(is_empty);
	write_text(kernel, "another");
	assert_int_equal(loader->hash_default(fixture->directory, &second, &err), 0);
	assert_string_not_equal(first, second);
}

static void put_number(uint8_t *at, uint64_t value, int n)
{
	for (; n > 0; n--, value >>= 8)
		*at++ = (uint8_t)value;
}

/* Two writes and a discard, as QEMU logs them, on a disk of three sectors. */
static void test_write_log(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *path = in(fixture, "writes"), *disk = in(fixture, "small"), *after = NULL;
	_cleanup_(write_log_close) struct write_log log = {0};
	_cleanup_close_ int fd = -1;
	uint8_t bytes[6 * 512] = {0};
	struct write_log_entry entry;
	struct error err = {0};

	put_number(bytes, UINT64_C(0x6a736677736872), 8);
	put_number(bytes + 8, 1, 8);
	put_number(bytes + 16, 3, 8);
	put_number(bytes + 24, 512, 4);
	put_number(bytes + 512, 2, 8);         /* the third sector ... */
	put_number(bytes + 512 + 8, 1, 8);
	memset(bytes + 1024, 'a', 512);
	put_number(bytes + 1536 + 8, 3, 8);    /* ... all discarded ... */
	put_number(bytes + 1536 + 16, WRITE_LOG_DISCARD, 8);
	put_number(bytes + 2048 + 8, 1, 8);    /* ... and the first */
	memset(bytes + 2560, 'b', 512);
	assert_int_equal(file_write_durable(path, bytes, sizeof(bytes), 0644, &err), 0);
	assert_int_equal(file_write_durable(disk, bytes + 3 * 512 - 1, 3 * 512, 0644, &err), 0);
	fd = open(disk, O_RDWR | O_CLOEXEC);
	assert_int_equal(write_log_open(path, &log, &err), 0);
	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(write_log_next(&log, &entry, &err), 1);
		assert_int_equal(entry.index, i);
		assert_int_equal(write_log_apply(&log, &entry, fd, &err), 0);
	}
	assert_int_equal(write_log_next(&log, &entry, &err), 0);
	assert_int_equal(file_read(disk, 4096, &after, NULL, &err), 0);
	assert_int_equal(after[0], 'b');
	assert_int_equal(after[511], 'b');
	assert_int_not_equal(after[512], 'b');
	assert_int_equal(after[1024], 'a');
	log.index = 2;
	log.at = sizeof(bytes) - 512; /* a header that is not there: 'bbbb...' */
	assert_int_equal(write_log_next(&log, &entry, &err), -EBADMSG);
	write_log_close(&log);
	assert_int_equal(write_log_open(disk, &log, &err), -EBADMSG);
}

static void make_boot(const struct fixture *fixture, const char *environment,
		      const char *custom)
{
	_cleanup_free_ char *grub = in(fixture, "boot/grub");
	_cleanup_free_ char *env = in(fixture, "boot/grub/abbot.env");
	_cleanup_free_ char *cfg = in(fixture, "boot/grub/custom.cfg");

	assert_int_equal(file_make_directories(grub, 0755, NULL), 0);
	if (environment)
		write_text(env, environment);
	if (custom)
		write_text(cfg, custom);
}

static void test_one_shot(void **state)
{
	const struct fixture *fixture = *state;
	bool is_empty = false;

	make_boot(fixture, NULL, NULL);
	assert_int_equal(lab_loader_grub.is_one_shot_empty(fixture->directory, &is_empty, NULL), 0);
	assert_true(is_empty);
	make_boot(fixture, "# GRUB Environment Block\nabbot_next=\nabbot_token=x\n####", NULL);
	assert_int_equal(lab_loader_grub.is_one_shot_empty(fixture->directory, &is_empty, NULL), 0);
	assert_true(is_empty);
	make_boot(fixture, "# GRUB Environment Block\nabbot_next=abbot-1-parent\n####", NULL);
	assert_int_equal(lab_loader_grub.is_one_shot_empty(fixture->directory, &is_empty, NULL), 0);
	assert_false(is_empty);
}

static void test_leftovers(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *image = in(fixture, "boot/abbot-1-child.vmlinuz");
	_cleanup_(lab_names_done) struct lab_names names = {0};

	make_boot(fixture, "", "set x=1\nmenuentry 'Debian' --id debian {\n}\n");
	assert_int_equal(lab_loader_grub.find_leftovers(fixture->directory, &names, NULL), 0);
	assert_int_equal(names.n_names, 0);
	write_text(image, "kernel");
	make_boot(fixture, "", "menuentry 'Abbot child' --id 'abbot-1-child' {\n}\n");
	assert_int_equal(lab_loader_grub.find_leftovers(fixture->directory, &names, NULL), 0);
	assert_string_equal(names.names[0], "/boot/abbot-1-child.vmlinuz");
	assert_string_equal(names.names[1], "entry abbot-1-child");
	assert_null(names.names[2]);
}

static char *hash_of(const struct fixture *fixture, const char *first_text, const char *second_text)
{
	static const char *const names[] = {"first", "second", NULL};
	_cleanup_free_ char *first = in(fixture, "first"), *second = in(fixture, "second");
	char *hash = NULL;

	write_text(first, first_text);
	write_text(second, second_text);
	assert_int_equal(outcome_hash_files(fixture->directory, names, &hash, NULL), 0);
	return hash;
}

static void test_default_hash_sees_each_file(void **state)
{
	_cleanup_free_ char *first = hash_of(*state, "ab", "c");
	_cleanup_free_ char *second = hash_of(*state, "a", "bc");
	_cleanup_free_ char *third = hash_of(*state, "ab", "c");

	assert_int_equal(strlen(first), 64);
	assert_string_not_equal(first, second);
	assert_string_equal(first, third);
}

static void test_serial_notes(void **state)
{
	struct serial_reader reader;

	(void)state;
	serial_reader_init(&reader, "/nonexistent");
	serial_reader_poll(&reader);
	assert_string_equal(reader.note, "");
	serial_reader_take_line(&reader, "\x1b[H  Booting `Abbot parent'\r");
	assert_string_equal(reader.note, "GRUB boots Abbot parent");
	serial_reader_take_line(&reader, "abbotd[71]: measuring \x1b[2Jchild\r");
	assert_string_equal(reader.note, "measuring  [2Jchild");
	serial_reader_take_line(&reader, "abbotd: done");
	assert_string_equal(reader.note, "done");
	serial_reader_take_line(&reader, "systemd[1]: Starting abbotd.service");
	serial_reader_take_line(&reader, "abbotd[7");
	assert_string_equal(reader.note, "done");
	serial_reader_done(&reader);
}

static void test_recipe_version(void **state)
{
	char version[13];

	(void)state;
	lab_recipe_version(version);
	assert_int_equal(strlen(version), 12);
	assert_int_equal(strspn(version, "0123456789abcdef"), 12);
	assert_string_not_equal(version, "000000000000");
}

static void test_grub_files(void **state)
{
	char block[LAB_GRUB_ENVIRONMENT_SIZE + 1];
	_cleanup_free_ char *config = lab_grub_config();

	(void)state;
	lab_grub_environment(block);
	assert_int_equal(strlen(block), 1024);
	assert_int_equal(strncmp(block, "# GRUB Environment Block\n#", 26), 0);
	assert_non_null(strstr(config, "source ${config_directory}/custom.cfg"));
	assert_non_null(strstr(config, "root=PARTUUID=" LAB_DISK_ROOT_PARTUUID));
}

#define LAB_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LAB_TEST(test_inject_round_trip),
		LAB_TEST(test_inject_says_what_failed),
		LAB_TEST(test_extract_absent),
		LAB_TEST(test_disk_holds_root),
		LAB_TEST(test_one_shot),
		LAB_TEST(test_leftovers),
		LAB_TEST(test_default_hash_sees_each_file),
		LAB_TEST(test_disk_of_systemd_boot),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_variables_add),
		LAB_TEST(test_disk_of_uefi),
		LAB_TEST(test_write_log),
		cmocka_unit_test(test_serial_notes),
		cmocka_unit_test(test_recipe_version),
		cmocka_unit_test(test_grub_files),
	};

	return cmocka_run_group_tests_name("lab", tests, NULL, NULL);
}

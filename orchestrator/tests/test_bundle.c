// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bundles of a real store, made and checked by the program; and bundles that somebody
 * damaged, forged or made to do harm.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/tests/programs.h"
#include "orchestrator/tests/stored_job.h"
#include "orchestrator/work/bundle.h"

#define FILE_MAX (64 << 20)
#define BLOCK 512
#define _cleanup_output_ _cleanup_(program_output_done)

struct fixture {
	char *state;
	char *directory; /* of the bundle */
};

static void fixture_done(struct fixture *f)
{
	free(f->state);
	free(f->directory);
}

#define _cleanup_fixture_ _cleanup_(fixture_done)

static struct program_output bundle(const struct fixture *f, const char *output, const char *option)
{
	return RUN(NULL, programs_path("abbot"), "--state", f->state, "bundle", "1", "--output", output,
		   option);
}

static struct program_output verify(const char *path)
{
	return RUN(NULL, programs_path("abbot"), "bundle", "--verify", path);
}

static void expect(struct program_output output, int exit_status, const char *part)
{
	if (output.exit_status != exit_status ||
	    (!strstr(output.output, part) && !strstr(output.error_output, part)))
		fail_msg("wanted %d and \"%s\", got %d:\n%s%s", exit_status, part,
			 output.exit_status, output.output, output.error_output);
	program_output_done(&output);
}

/* A job, and its bundle as a directory. */
static struct fixture fixture_open(void **state, const struct stored_job *what)
{
	struct fixture f = { .state = temporary_path(state, "state"),
			     .directory = temporary_path(state, "bundle") };

	assert_int_equal(stored_job_add(f.state, what), 1);
	expect(bundle(&f, f.directory, NULL), 0, "taken out: ");
	return f;
}

static char *read_member(const struct fixture *f, const char *name)
{
	_cleanup_free_ char *path = path_join(f->directory, name);
	struct error err = { "" };
	char *data;

	if (file_read(path, FILE_MAX, &data, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return data;
}

static void write_member(const struct fixture *f, const char *name, const char *text)
{
	_cleanup_free_ char *path = path_join(f->directory, name);

	assert_int_equal(file_write_durable(path, text, strlen(text), 0644, NULL), 0);
}

/* Sums of what is there now, as a forger makes them. */
static void sum_again(const struct fixture *f)
{
	_cleanup_bundle_ struct bundle all = { 0 };
	_cleanup_text_ struct text_buffer text = { 0 };

	assert_int_equal(bundle_read(f->directory, &all, NULL), 0);
	for (size_t i = 0; i < all.n_files; i++) {
		char hex[DIGEST_HEX_SIZE];

		if (strcmp(all.files[i].name, BUNDLE_SUMS) == 0)
			continue;
		digest_bytes(all.files[i].data, all.files[i].size, hex);
		text_printf(&text, "%s  %s\n", hex, all.files[i].name);
	}
	write_member(f, BUNDLE_SUMS, text.text);
}

static void replace_in(const struct fixture *f, const char *name, const char *from, const char *to)
{
	_cleanup_free_ char *text = read_member(f, name), *changed = NULL;
	char *at = strstr(text, from);

	if (!at)
		fail_msg("%s has no \"%s\":\n%s", name, from, text);
	changed = text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	write_member(f, name, changed);
}

static const char listing[] =
	"README.txt\n"
	"SHA256SUMS\n"
	"bench/abbot-bench\n"
	"bench/abbot-bench-source.tar.gz\n"
	"boots/boot-01-attempt-1/dmesg.txt\n"
	"boots/boot-01-attempt-1/journal.txt\n"
	"boots/boot-02-attempt-1/dmesg.txt\n"
	"boots/boot-02-attempt-1/journal.txt\n"
	"boots/boot-03-attempt-1/dmesg.txt\n"
	"boots/boot-03-attempt-1/journal.txt\n"
	"bundle.json\n"
	"events.json\n"
	"job.json\n"
	"kernels/child/build.log\n"
	"kernels/child/config\n"
	"kernels/child/meta.json\n"
	"kernels/config-differences.txt\n"
	"kernels/parent/build.log\n"
	"kernels/parent/config\n"
	"kernels/parent/meta.json\n"
	"machine.json\n"
	"raw/boot-01-attempt-1/process-01.json\n"
	"raw/boot-01-attempt-1/process-02.json\n"
	"raw/boot-01-attempt-1/process-03.json\n"
	"raw/boot-01-attempt-1/process-04.json\n"
	"raw/boot-01-attempt-1/process-05.json\n"
	"raw/boot-02-attempt-1/process-01.json\n"
	"raw/boot-02-attempt-1/process-02.json\n"
	"raw/boot-02-attempt-1/process-03.json\n"
	"raw/boot-02-attempt-1/process-04.json\n"
	"raw/boot-02-attempt-1/process-05.json\n"
	"raw/boot-03-attempt-1/process-01.json\n"
	"raw/boot-03-attempt-1/process-02.json\n"
	"raw/boot-03-attempt-1/process-03.json\n"
	"raw/boot-03-attempt-1/process-04.json\n"
	"raw/boot-03-attempt-1/process-05.json\n"
	"report/comparison.tsv\n"
	"report/components.tsv\n"
	"report/points.tsv\n"
	"report/report.html\n"
	"report/report.json\n"
	"report/report.txt\n";

static void test_holds_what_it_should(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_bundle_ struct bundle all = { 0 };
	_cleanup_text_ struct text_buffer names = { 0 };
	_cleanup_free_ char *differences = read_member(&f, "kernels/config-differences.txt");

	assert_int_equal(bundle_read(f.directory, &all, NULL), 0);
	for (size_t i = 0; i < all.n_files; i++)
		text_printf(&names, "%s\n", all.files[i].name);
	assert_string_equal(names.text, listing);
	assert_string_equal(differences, "parent and child:\n  KASAN: parent n, child y\n");
	expect(RUN(f.directory, "sha256sum", "--check", "--quiet", "--strict", BUNDLE_SUMS), 0, "");
	expect(verify(f.directory), 0, "REGRESSION: child takes 2");
	expect(RUN(f.directory, "bench/abbot-bench", "--version"), 0, "abbot-bench");
}

static void test_equal_stores_give_equal_bytes(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *first = temporary_path(state, "first.tar.zst");
	_cleanup_free_ char *second = temporary_path(state, "second.tar.zst");
	_cleanup_free_ char *unpacked = temporary_path(state, "unpacked");
	_cleanup_free_ char *below = path_join(unpacked, "abbot-job-1");
	struct stat status;

	expect(bundle(&f, first, NULL), 0, "first.tar.zst: 42 files");
	expect(bundle(&f, second, NULL), 0, "second.tar.zst: 42 files");
	expect(RUN(NULL, "cmp", first, second), 0, "");
	expect(verify(first), 0, "holds: 42 files, and the report follows from 15 processes");
	/* Anybody's tar reads it, and it is the directory. */
	assert_int_equal(mkdir(unpacked, 0755), 0);
	expect(RUN(unpacked, "tar", "--zstd", "-xf", first), 0, "");
	expect(RUN(NULL, "diff", "-r", below, f.directory), 0, "");
	free(below);
	below = text_format("%s/abbot-job-1/report/report.txt", unpacked);
	assert_int_equal(stat(below, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0644);
	assert_int_equal(status.st_mtime, 1700000032);
}

/* No file of the bundle, and no name, has @word. */
static void assert_nowhere(const char *directory, const char *word)
{
	_cleanup_output_ struct program_output found =
		RUN(NULL, "grep", "-rlF", "--exclude-dir=bench", word, directory);

	if (found.exit_status != 1)
		fail_msg("%s is in %s", word, found.output);
}

static void test_scrubs(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *open = temporary_path(state, "private");
	_cleanup_free_ char *journal = read_member(&f, "boots/boot-01-attempt-1/journal.txt");
	_cleanup_free_ char *dmesg = read_member(&f, "boots/boot-01-attempt-1/dmesg.txt");
	static const char *const private[] = { "alice", "snowdon", "192.168.7.12", "52:54:00", "4C530001" };

	for (size_t i = 0; i < ARRAY_SIZE(private); i++)
		assert_nowhere(f.directory, private[i]);
	assert_string_equal(journal, "[    2.000000] [host] kernel: Linux\n"
				     "[    2.500000] [host] dhclient[9]: bound to [ip] -- renewal\n");
	assert_string_equal(dmesg, "[    1.000000] eth0: [mac] up\n"
				   "[    1.100000] usb 1-1: SerialNumber: [serial]\n");
	expect(bundle(&f, open, "--private"), 0, "PRIVATE: nothing was taken out");
	for (size_t i = 0; i < ARRAY_SIZE(private); i++)
		expect(RUN(NULL, "grep", "-rqF", private[i], open), 0, "");
	expect(verify(open), 0, "holds: ");
}

static void test_mail(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *with = temporary_path(state, "with"), *without = temporary_path(state, "without");
	_cleanup_free_ char *mail = NULL;

	expect(bundle(&f, without, "--to=nobody"), 2, "nobody");
	expect(bundle(&f, with, "--to=linux-mm@kvack.org"), 0, "43 files");
	free(f.directory);
	f.directory = text_duplicate(with);
	mail = read_member(&f, "report/report.mail");
	assert_non_null(strstr(mail, "To: linux-mm@kvack.org\n"));
	expect(verify(with), 0, "holds: 43 files");
}

static void test_program_tells_no_path(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *program = path_join(f.directory, "bench/abbot-bench");
	_cleanup_free_ char *makefile = programs_source_file("Makefile");
	_cleanup_free_ char *source = realpath(makefile, NULL);

	assert_non_null(source);
	*strrchr(source, '/') = '\0';
	expect(RUN(NULL, "grep", "-cF", source, program), 1, "0");
}

static void test_refuses_to_make(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *other = temporary_path(state, "other");
	_cleanup_free_ char *nowhere = temporary_path(state, "nowhere/there.tar.zst");
	struct stat status;

	expect(bundle(&f, f.directory, NULL), 2, "is there already");
	expect(bundle(&f, nowhere, NULL), 2, "cannot");
	expect(RUN(NULL, programs_path("abbot"), "--state", f.state, "bundle", "7"), 2, "there is no job 7");
	expect(RUN(NULL, programs_path("abbot"), "bundle"), 2, "takes one job number");
	expect(RUN(NULL, programs_path("abbot"), "bundle", "--verify", "x", "1"), 2, "stands alone");
	stored_job_file(f.state, "kernels/" STORED_KEY_CHILD "/build.log",
			"x\n-----BEGIN PRIVATE KEY-----\nMIIE\n");
	expect(bundle(&f, other, NULL), 1, "build.log holds a private key");
	expect(bundle(&f, other, "--private"), 1, "build.log holds a private key");
	assert_int_equal(stat(other, &status), -1);
	assert_int_equal(stored_job_add(f.state, &(struct stored_job){ .is_running = 1 }), 2);
	expect(RUN(NULL, programs_path("abbot"), "--state", f.state, "bundle", "2"), 1, "has not ended");
}

static void test_kernels_that_are_gone_are_named(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *kernels = path_join(f.state, "kernels");
	_cleanup_free_ char *readme = NULL;

	assert_int_equal(file_remove_tree(kernels, NULL), 0);
	free(f.directory);
	f.directory = temporary_path(state, "second");
	expect(bundle(&f, f.directory, NULL), 0, "");
	readme = read_member(&f, "README.txt");
	assert_non_null(strstr(readme, "Not kept any more: kernels/child/config\n"));
	expect(verify(f.directory), 0, "holds: ");
}

static void test_damage_is_noticed(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *member = path_join(f.directory, "kernels/child/config");

	write_member(&f, "kernels/child/config", "CONFIG_MMU=n\n");
	expect(verify(f.directory), 1, "kernels/child/config is not what it was");
	assert_int_equal(unlink(member), 0);
	expect(verify(f.directory), 1, "kernels/child/config is missing");
	sum_again(&f);
	expect(verify(f.directory), 0, "holds: 41 files");
	write_member(&f, "more.txt", "x");
	expect(verify(f.directory), 1, "more.txt is not in SHA256SUMS");
}

static void test_forged_numbers_are_named(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });

	replace_in(&f, "raw/boot-02-attempt-1/process-04.json", "\"mean\": 125.9", "\"mean\": 225.9");
	sum_again(&f);
	expect(verify(f.directory), 1, "report/report.json: boots[1].");
	expect(verify(f.directory), 1, "report/report.txt is not what follows");
	replace_in(&f, "raw/boot-02-attempt-1/process-04.json", "\"mean\": 225.9", "\"mean\": 125.9");
	sum_again(&f);
	expect(verify(f.directory), 0, "holds: ");
	replace_in(&f, "report/report.txt", "REGRESSION", "IMPROVEMENT");
	sum_again(&f);
	expect(verify(f.directory), 1, "report/report.txt is not what follows");
	replace_in(&f, "report/report.txt", "IMPROVEMENT", "REGRESSION");
	replace_in(&f, "job.json", "HEAD^", "HEAD~9");
	sum_again(&f);
	expect(verify(f.directory), 1, "job.json is not what follows");
	replace_in(&f, "job.json", "HEAD~9", "HEAD^");
	write_member(&f, "report/extra.txt", "x");
	sum_again(&f);
	expect(verify(f.directory), 1, "report/extra.txt does not follow");
}

static void test_hostile_events(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *events = read_member(&f, "events.json");

	replace_in(&f, "events.json", "raw/boot-01-attempt-1/process-01.json", "../../../../etc/passwd");
	sum_again(&f);
	expect(verify(f.directory), 2, "names ../../../../etc/passwd where raw/boot-01");
	write_member(&f, "events.json", "[");
	sum_again(&f);
	expect(verify(f.directory), 2, "events.json is no JSON");
	write_member(&f, "events.json", "[]");
	sum_again(&f);
	expect(verify(f.directory), 2, "the events are no list, or an empty one");
	write_member(&f, "events.json", events);
	replace_in(&f, "events.json", "\"boot\": 1,", "\"boot\": 99999999999,");
	sum_again(&f);
	expect(verify(f.directory), 2, "is not as abbot writes it");
	write_member(&f, "events.json", events);
	replace_in(&f, "bundle.json", "\"schema\": 1", "\"schema\": 2");
	sum_again(&f);
	expect(verify(f.directory), 2, "another schema");
}

static void test_hostile_directories(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *link = path_join(f.directory, "raw/link"), *huge = path_join(f.directory, "huge");
	_cleanup_free_ char *fifo = path_join(f.directory, "fifo"), *odd = path_join(f.directory, ".hidden");

	assert_int_equal(symlink("/etc/passwd", link), 0);
	expect(verify(f.directory), 2, "raw/link is a symbolic link");
	assert_int_equal(unlink(link), 0);
	assert_int_equal(symlink("/etc", link), 0);
	expect(verify(f.directory), 2, "raw/link is a symbolic link");
	assert_int_equal(unlink(link), 0);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	expect(verify(f.directory), 2, "fifo is no plain file");
	assert_int_equal(unlink(fifo), 0);
	assert_int_equal(symlink("x", odd), 0);
	expect(verify(f.directory), 2, "cannot be the name");
	assert_int_equal(unlink(odd), 0);
	write_member(&f, "huge", "");
	assert_int_equal(truncate(huge, INT64_C(1) << 40), 0);
	expect(verify(f.directory), 2, "huge has 1099511627776 bytes; 64 MiB are the most");
	expect(verify(f.state), 2, "is no bundle");
	expect(verify("/dev/null"), 2, "/dev/null");
}

/* The archive of a bundle of one file, changed by @change and summed again. */
static void expect_archive(void **state, void (*change)(char *header), const char *part)
{
	_cleanup_bundle_ struct bundle one = { 0 };
	_cleanup_free_ char *tar = NULL, *packed = NULL, *path = temporary_path(state, "hostile.tar.zst");
	size_t tar_size, packed_size;
	unsigned sum = 0;

	assert_int_equal(bundle_add(&one, "a", text_duplicate("some text"), 9, NULL), 0);
	assert_int_equal(bundle_tar_make(&one, "top", 1, &tar, &tar_size, NULL), 0);
	change(tar);
	memset(tar + 148, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += (unsigned char)tar[i];
	(void)snprintf(tar + 148, 8, "%06o", sum);
	assert_int_equal(bundle_zstd_pack(tar, tar_size, &packed, &packed_size, NULL), 0);
	assert_int_equal(file_write_durable(path, packed, packed_size, 0644, NULL), 0);
	expect(verify(path), 2, part);
}

static void be_parent(char *header)
{
	strcpy(header, "top/../../etc/passwd");
}

static void be_absolute(char *header)
{
	strcpy(header, "/etc/passwd");
}

static void be_link(char *header)
{
	header[156] = '2';
	strcpy(header + 157, "/etc/passwd");
}

static void be_hard_link(char *header)
{
	header[156] = '1';
}

static void be_device(char *header)
{
	header[156] = '3';
}

static void be_huge(char *header)
{
	strcpy(header + 124, "77777777777");
}

static void be_longer(char *header)
{
	strcpy(header + 124, "00000100000");
}

static void be_binary_size(char *header)
{
	header[124] = (char)0x80;
}

static void be_no_header(char *header)
{
	memcpy(header + 257, "nothing", 7);
}

static void test_hostile_archives(void **state)
{
	expect_archive(state, be_parent, "\"top/../../etc/passwd\" cannot be the name");
	expect_archive(state, be_absolute, "\"/etc/passwd\" cannot be the name");
	expect_archive(state, be_link, "top/a is a symbolic link");
	expect_archive(state, be_hard_link, "top/a is a hard link");
	expect_archive(state, be_device, "top/a is a device");
	expect_archive(state, be_huge, "a says that it has 8589934591 bytes; 64 MiB are the most");
	expect_archive(state, be_longer, "it is cut off within a");
	expect_archive(state, be_binary_size, "no header as abbot writes it");
	expect_archive(state, be_no_header, "no header as abbot writes it");
}

static void test_cut_archive(void **state)
{
	_cleanup_fixture_ struct fixture f = fixture_open(state, &(struct stored_job){ 0 });
	_cleanup_free_ char *path = temporary_path(state, "cut.tar.zst");
	struct stat status;

	expect(bundle(&f, path, NULL), 0, "");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(truncate(path, status.st_size / 2), 0);
	expect(verify(path), 2, "it is cut off");
	assert_int_equal(truncate(path, 0), 0);
	expect(verify(path), 2, "it is cut off");
	assert_int_equal(file_write_durable(path, "not zstd at all", 15, 0644, NULL), 0);
	expect(verify(path), 2, "it cannot be decompressed");
}

/* A gigabyte of zeros in some KiB. */
static void test_bomb(void **state)
{
	_cleanup_free_ char *path = temporary_path(state, "bomb.tar.zst"), *zeros = calloc(1, 64 << 20);
	_cleanup_free_ char *packed = NULL;
	_cleanup_text_ struct text_buffer all = { 0 };
	size_t size;

	assert_int_equal(bundle_zstd_pack(zeros, 64 << 20, &packed, &size, NULL), 0);
	for (int i = 0; i < 16; i++)
		text_append_bytes(&all, packed, size);
	assert_int_equal(file_write_durable(path, all.text, all.size, 0644, NULL), 0);
	expect(verify(path), 2, "decompressed it has more than 512 MiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_holds_what_it_should, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_equal_stores_give_equal_bytes, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_scrubs, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_mail, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_program_tells_no_path, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_refuses_to_make, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_kernels_that_are_gone_are_named, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_damage_is_noticed, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_forged_numbers_are_named, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_events, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_directories, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_archives, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_cut_archive, temporary_setup, temporary_teardown),
		cmocka_unit_test_setup_teardown(test_bomb, temporary_setup, temporary_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

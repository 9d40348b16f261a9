// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is taken out of logs and settings, and what stays because it only looks private.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "orchestrator/work/scrub.h"

#define BOOT_ID "7f1e9c52-0d0a-4a57-9a53-3f5f5b1f2a01"

static void scrub_init(struct scrub *scrub)
{
	scrub_add_word(scrub, SCRUB_HOST, "snowdon");
	scrub_add_word(scrub, SCRUB_USER, "alice");
	scrub_keep_uuid(scrub, BOOT_ID);
}

static void becomes(const char *before, const char *after)
{
	_cleanup_scrub_ struct scrub scrub = { 0 };
	_cleanup_text_ struct text_buffer text = { 0 };

	scrub_init(&scrub);
	scrub_text(&scrub, before, strlen(before), &text);
	if (strcmp(text.text, after) != 0)
		fail_msg("\"%s\" became\n\"%s\", not\n\"%s\"", before, text.text, after);
}

static void stays(const char *text)
{
	becomes(text, text);
}

static void test_paths(void **state)
{
	(void)state;
	becomes("cd /home/alice/linux && make", "cd /[path] && make");
	becomes("gcc -I/home/bob/include -c x.c", "gcc -I/[path] -c x.c");
	becomes("KCONFIG=\"/work/job.config\", next", "KCONFIG=\"/[path]\", next");
	becomes("at /root/linux/mm/x.c:12: error", "at /[path]:12: error");
	becomes("file:///data/linux", "file:///[path]");
	becomes("/home/al\\ ice/x y", "/[path] y");
	becomes("mounted /var/tmp/a", "mounted /[path]");
	stays("loaded /usr/lib/modules/6.12/kernel/x.ko from /boot");
	stays("BOOT_IMAGE=/vmlinuz-6.12 mm/mprotect.c 3.2 ns/page and/or 1/2 /");
	stays("mounted on /home, /tmp and /proc/1/fd, nodes in /dev.");
	becomes("see /data/x.", "see /[path].");
	stays("<a href=\"x\">1</a>");
}

static void test_addresses(void **state)
{
	(void)state;
	becomes("eth0: 52:54:00:12:34:56, up", "eth0: [mac], up");
	becomes("id 52-54-00-12-34-56", "id [mac]");
	becomes("10.0.0.1:22, then 10.0.0.2.", "[ip]:22, then [ip].");
	becomes("from 192.168.1.1-192.168.1.9", "from [ip]-[ip]");
	becomes("fe80::5054:ff:fe12:3456: link", "[ip]: link");
	becomes("2001:db8::1/64", "[ip]/64");
	stays("at 12:34:56 on 0000:00:1f.2, 127.0.0.1 and ::1 and 0.0.0.0");
	stays("version 6.12.1 of 252.39-1, 1.2.3, std::string");
	stays("sha 52:54:00 and 300.1.2.3");
}

static void test_names(void **state)
{
	(void)state;
	becomes("session of user alice on Snowdon", "session of user [user] on [host]");
	becomes("alice@snowdon.example", "[user]@[host].example");
	stays("malice snowdonia alice_2");
}

static void test_serials_and_ids(void **state)
{
	(void)state;
	becomes("usb: SerialNumber: 4C53-01", "usb: SerialNumber: [serial]");
	becomes("Serial Number = \"X99\", x", "Serial Number = \"[serial]\", x");
	becomes("S/N: 1234", "S/N: [serial]");
	becomes("root=UUID=1234-ABCD ro", "root=UUID=[id] ro");
	becomes("(sda1): 01234567-89ab-cdef-0123-456789abcdef.", "(sda1): [id].");
	stays("boot " BOOT_ID);
	stays("serial8250: ttyS0, Serial: 8250/16550 driver, serial number unknown");
}

static void test_common_words_stay(void **state)
{
	_cleanup_scrub_ struct scrub scrub = { 0 };

	(void)state;
	scrub_add_word(&scrub, SCRUB_USER, "debian");
	scrub_add_word(&scrub, SCRUB_HOST, "localhost");
	scrub_add_word(&scrub, SCRUB_USER, "mm");
	assert_int_equal(scrub.n_words, 0);
}

static void test_json(void **state)
{
	_cleanup_scrub_ struct scrub scrub = { 0 };
	_cleanup_json_ json_t *before = json_pack("{s:s, s:i, s:[s], s:{s:s}}", "path", "/home/al ice/x y", "n", 3, "list",
						  "alice", "alice", "cmdline", "root=UUID=77 quiet");
	_cleanup_json_ json_t *after = json_pack("{s:s, s:i, s:[s], s:{s:s}}", "path", "/[path]", "n", 3, "list",
						 "[user]", "alice", "cmdline", "root=UUID=[id] quiet");
	_cleanup_json_ json_t *clean = NULL;
	_cleanup_free_ char *said = NULL;

	(void)state;
	scrub_init(&scrub);
	clean = scrub_json(&scrub, before);
	assert_true(json_equal(clean, after));
	said = scrub_say(&scrub);
	assert_string_equal(said, "1 path, 1 user name, 1 disk or machine id");
}

static void test_journal_names_its_host(void **state)
{
	static const char journal[] = "[    1.0] kernel: no host here\n[    2.0] web7.example sshd[1]: x\n\n[";
	_cleanup_scrub_ struct scrub scrub = { 0 };

	(void)state;
	scrub_add_journal(&scrub, journal, strlen(journal));
	assert_int_equal(scrub.n_words, 2);
	assert_string_equal(scrub.words[0].text, "web7.example");
	assert_string_equal(scrub.words[1].text, "web7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_serials_and_ids),
		cmocka_unit_test(test_common_words_stay),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_journal_names_its_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Our block in custom.cfg, checked by the real grub-script-check; the scan of grub.cfg; any bytes. */
#include "boot/tests/fake_root.h"

#include <errno.h>
#include <unistd.h>

#include "boot/grub_config.h"
#include "boot/grub_scan.h"
#include "common/subprocess.h"

static char *write_entry(const char *id, const char *title, const char *initrd, const char *options)
{
	const struct grub_menu_entry entry = {
		.id = id, .title = title, .uuid = FAKE_UUID, .kernel_path = "/abbot/x/kernel",
		.initrd_path = initrd, .options = options,
	};
	char *text = NULL;

	assert_int_equal(grub_menu_entry_write(&entry, &text, NULL), 0);
	return text;
}

static char *write_config(const char *before)
{
	struct grub_config config = { 0 };
	char *text;

	assert_int_equal(grub_config_parse(before, strlen(before), &config, NULL), 0);
	config.default_options = text_duplicate("root=/dev/vda2 ro");
	assert_int_equal(grub_config_set(&config, "abbot-1-a", write_entry("abbot-1-a", "A", NULL, "ro"), NULL), 0);
	assert_int_equal(grub_config_set(&config, "abbot-1-b",
					 write_entry("abbot-1-b", "it's $b \"x\" {\n}", "/i", "x=\"1 2\" a=$(b) {;}"),
					 NULL), 0);
	text = grub_config_write(&config);
	grub_config_done(&config);
	return text;
}

static void test_round_trip(void **state)
{
	static const char theirs[] = "menuentry 'Mine' {\n\ttrue\n}\n";
	_cleanup_free_ char *text = write_config(theirs), *with_more = NULL, *again = NULL, *rest = NULL;
	struct grub_config config = { 0 };

	(void)state;
	with_more = text_format("%s# after\n", text);
	assert_int_equal(grub_config_parse(with_more, strlen(with_more), &config, NULL), 0);
	assert_int_equal(config.n_entries, 2);
	assert_true(grub_config_has(&config, "abbot-1-a"));
	assert_false(grub_config_has(&config, "abbot-1"));
	assert_string_equal(config.before, theirs);
	assert_string_equal(config.after, "# after\n");
	assert_string_equal(config.default_options, "root=/dev/vda2 ro");
	again = grub_config_write(&config);
	assert_string_equal(again, with_more);
	grub_config_remove(&config, "abbot-1-a");
	grub_config_remove(&config, "abbot-1-none");
	grub_config_remove(&config, "abbot-1-b");
	rest = grub_config_write(&config);
	assert_string_equal(rest, "menuentry 'Mine' {\n\ttrue\n}\n# after\n");
	grub_config_done(&config);
}

static void test_edited_by_hand(void **state)
{
	_cleanup_free_ char *text = write_config("");
	struct grub_config config = { 0 };
	struct error err = { 0 };

	(void)state;
	/* Any one byte between the markers, the markers included. */
	for (size_t i = 0; text[i]; i++) {
		_cleanup_free_ char *edited = text_duplicate(text);

		edited[i] = edited[i] == 'x' ? 'y' : 'x';
		assert_int_equal(grub_config_parse(edited, strlen(edited), &config, &err), -EBADMSG);
	}
	/* Cut short anywhere: an interrupted write by somebody else. */
	for (size_t size = 1; text[size]; size++)
		if (size > strlen("### BEGIN abbot"))
			assert_int_equal(grub_config_parse(text, size, &config, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "by hand"));
}

static void test_doubled_markers(void **state)
{
	_cleanup_free_ char *text = write_config(""), *twice = text_format("%s%s", text, text);
	struct grub_config config = { 0 };

	(void)state;
	assert_int_equal(grub_config_parse(twice, strlen(twice), &config, NULL), -EBADMSG);
	assert_int_equal(grub_config_parse("a\0b", 3, &config, NULL), -EBADMSG);
}

static void test_clear_comes_before_belief(void **state)
{
	_cleanup_free_ char *text = write_config("");
	const char *save = strstr(text, "save_env -f \"${abbot_env}\" abbot_next abbot_token");
	const char *reload = save ? strstr(save, "load_env -f \"${abbot_env}\" abbot_next abbot_token") : NULL;
	const char *test = reload ? strstr(reload, "if [ -z \"${abbot_next}\" ]") : NULL, *chosen;

	(void)state;
	assert_non_null(test);
	assert_non_null(strstr(test ? test : "", "set default=\"${abbot_try}\""));
	/* Nowhere else, and nothing else, becomes the default. */
	chosen = strstr(text, "set default=");
	assert_ptr_equal(chosen, strstr(test ? test : "", "set default="));
	assert_non_null(chosen);
	assert_null(chosen ? strstr(chosen + 1, "set default=") : chosen);
}

static void test_entry(void **state)
{
	_cleanup_free_ char *text = write_entry("abbot-1-b", "it's", "/i", "x=\"1 2\" a=$b");

	(void)state;
	assert_non_null(strstr(text, "menuentry 'it'\\''s' --unrestricted --id abbot-1-b {\n"));
	assert_non_null(strstr(text, "search --no-floppy --fs-uuid --set=root " FAKE_UUID "\n"));
	assert_non_null(strstr(text, "if linux /abbot/x/kernel abbot.token=${abbot_try_token} 'x=1 2' 'a=$b'; then\n"));
	assert_non_null(strstr(text, "if initrd /i; then\n"));
	assert_non_null(strstr(text, "sleep 5\n\t\treboot\n"));
}

static void test_options_that_grub_would_change(void **state)
{
	static const char *const refused[] = { "a=\\x", "a='b'" };
	char *text = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		const struct grub_menu_entry entry = { .id = "abbot-1-a", .title = "t", .uuid = "u",
						       .kernel_path = "/k", .options = refused[i] };
		struct error err = { 0 };

		assert_int_equal(grub_menu_entry_write(&entry, &text, &err), -EINVAL);
		assert_null(text);
	}
}

static void test_grub_accepts_it(void **state)
{
	_cleanup_free_ char *text = write_config("set a=b\n"), *path = NULL;
	char *root = fake_root_new();
	const char *argv[] = { "grub-script-check", NULL, NULL };
	const struct subprocess_options options = { .argv = argv, .timeout_ms = 10000 };
	struct subprocess_result result = { 0 };
	int r;

	(void)state;
	path = text_format("%s/boot/grub/custom.cfg", root);
	argv[1] = path;
	fake_write(root, "/boot/grub/custom.cfg", text);
	r = subprocess_run(&options, &result, NULL);
	if (r == 0)
		assert_int_equal(result.exit_status, 0);
	subprocess_result_done(&result);
	if (r == 0) { /* and it is able to say no */
		fake_write(root, "/boot/grub/custom.cfg", "if [ a; then\n");
		assert_int_equal(subprocess_run(&options, &result, NULL), 0);
		assert_int_not_equal(result.exit_status, 0);
		subprocess_result_done(&result);
	}
	fake_root_free(root);
	if (r < 0) {
		print_message("grub-script-check is not installed\n");
		skip();
	}
}

static struct grub_scan scan(const char *text)
{
	return grub_scan_config(text, strlen(text));
}

static void test_scan(void **state)
{
	(void)state;
	assert_true(scan(FAKE_GRUB_CFG).sources_custom);
	assert_false(scan(FAKE_GRUB_CFG).sets_default_after);
	assert_false(scan(FAKE_GRUB_CFG).default_is_ours);
	assert_true(scan("if x; then source ${a}/custom.cfg; fi").sources_custom);
	assert_true(scan(". \"$prefix/custom.cfg\"").sources_custom);
	assert_false(scan("# source $prefix/custom.cfg\n").sources_custom);
	assert_false(scan("  if [ -f $prefix/custom.cfg ]; then\n").sources_custom);
	assert_false(scan("source $prefix/custom.cfg.old\n").sources_custom);
	assert_true(scan("source $prefix/custom.cfg\nset default=0\n").sets_default_after);
	assert_true(scan("set default='abbot-1-a'\n").default_is_ours);
	assert_true(scan("\tset timeout=-1\n").waits_for_ever);
	assert_false(scan("set timeout=-10\nset timeout=1\n").waits_for_ever);
	assert_true(scan("if [ \"${recordfail}\" = 1 ]; then").has_recordfail);
	assert_true(scan("if [ \"${boot_counter}\" ]").has_boot_counter);
}

/* Seeded noise and mutations; the sanitizer build does the judging. */
static void test_any_bytes(void **state)
{
	_cleanup_free_ char *good = write_config("set a=b\n");
	size_t length = strlen(good);
	uint32_t seed = 7;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		size_t size = (seed = seed * 1664525 + 1013904223) % length;
		_cleanup_free_ char *data = malloc(size + 1);
		struct grub_config config = { 0 };

		memcpy(data, good, size);
		for (int change = 0; size > 0 && change < round % 40; change++) {
			seed = seed * 1664525 + 1013904223;
			data[(seed >> 8) % size] = (char)(seed >> 24);
		}
		(void)grub_scan_config(data, size);
		if (grub_config_parse(data, size, &config, NULL) == 0)
			grub_config_done(&config);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_edited_by_hand),
		cmocka_unit_test(test_doubled_markers),
		cmocka_unit_test(test_clear_comes_before_belief),
		cmocka_unit_test(test_entry),
		cmocka_unit_test(test_options_that_grub_would_change),
		cmocka_unit_test(test_grub_accepts_it),
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

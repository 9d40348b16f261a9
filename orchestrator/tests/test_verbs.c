// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verb table against its manual page (both ways) and against what the shell's
 * completion really offers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/cli/verb.h"
#include "orchestrator/tests/programs.h"

static char *read_source(const char *name)
{
	_cleanup_free_ char *path = programs_source_file(name);
	struct error err = { 0 };
	char *data = NULL;

	if (file_read(path, 1024 * 1024, &data, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return data;
}

/* "--no-icount" as roff spells it: "\-\-no\-icount". */
static char *roff(const char *text)
{
	struct text_buffer buffer = { 0 };

	for (; *text; text++)
		text_printf(&buffer, "%s%c", *text == '-' ? "\\" : "", *text);
	return text_buffer_take(&buffer);
}

/* The page's part about one verb, from its heading to the next. */
static char *section_of(const char *page, const char *verb)
{
	_cleanup_free_ char *heading = text_format("\n.SS abbot %s ", verb);
	const char *begin = strstr(page, heading), *end, *part;

	if (!begin)
		fail_msg("abbot.1 has no section about \"%s\"", verb);
	end = strstr(begin + 1, "\n.SS ");
	part = strstr(begin + 1, "\n.SH ");
	if (!end || (part && part < end))
		end = part;
	return text_format("%.*s", (int)(end ? (size_t)(end - begin) : strlen(begin)), begin);
}

static void test_man_page_has_every_verb_and_option(void **state)
{
	_cleanup_free_ char *page = read_source("orchestrator/cli/abbot.1");
	size_t n_options = 0;

	(void)state;
	for (size_t i = 0; verb_table[i]; i++) {
		_cleanup_free_ char *section = section_of(page, verb_table[i]->name);

		for (const struct verb_option *o = verb_table[i]->options; o && o->name; o++) {
			_cleanup_free_ char *name = roff(o->name);

			n_options++;
			if (!strstr(section, name))
				fail_msg("abbot.1, %s: %s is missing", verb_table[i]->name, o->name);
		}
	}
	assert_true(n_options > 25);
}

static bool has_option(const struct verb *verb, const char *roff_name, size_t size)
{
	for (const struct verb_option *o = verb->options; o && o->name; o++) {
		_cleanup_free_ char *name = roff(o->name);

		if (strlen(name) == size && memcmp(name, roff_name, size) == 0)
			return true;
	}
	return false;
}

static void test_man_page_has_no_other_option(void **state)
{
	_cleanup_free_ char *page = read_source("orchestrator/cli/abbot.1");

	(void)state;
	for (size_t i = 0; verb_table[i]; i++) {
		_cleanup_free_ char *section = section_of(page, verb_table[i]->name);
		const char *at = section;

		while ((at = strstr(at, "\\-\\-"))) {
			size_t size = strspn(at, "\\-abcdefghijklmnopqrstuvwxyz");

			if (!has_option(verb_table[i], at, size) &&
			    /* in a heading "\fR" follows at once, of which \f was taken for letters */
			    !has_option(verb_table[i], at, size - strlen("\\f")))
				fail_msg("abbot.1, %s: unknown option %.*s", verb_table[i]->name,
					 (int)size, at);
			at += size;
		}
	}
}

static char *complete(const char *const *words, int n_words)
{
	_cleanup_free_ char *file = programs_source_file("orchestrator/cli/abbot.bash-completion");
	_cleanup_text_ struct text_buffer script = { 0 };
	struct program_output output;

	text_printf(&script, "source '%s'; COMP_WORDS=('%s'", file, programs_path("abbot"));
	for (int i = 0; i < n_words; i++)
		text_printf(&script, " '%s'", words[i]);
	text_printf(&script, "); COMP_CWORD=%d; _abbot; printf '%%s\\n' \"${COMPREPLY[@]}\"", n_words);
	output = RUN(NULL, "bash", "-c", script.text);
	if (output.exit_status != 0)
		fail_msg("bash: %s", output.error_output);
	free(output.error_output);
	return output.output;
}

static void expect_line(const char *lines, const char *line, const char *where)
{
	_cleanup_free_ char *all = text_format("\n%s", lines);
	_cleanup_free_ char *wanted = text_format("\n%s\n", line);

	if (!strstr(all, wanted))
		fail_msg("%s: \"%s\" is not completed", where, line);
}

static void test_completion_offers_verbs(void **state)
{
	_cleanup_free_ char *lines = complete((const char *const[]){ "--state", "/x", "" }, 3);
	_cleanup_free_ char *value = complete((const char *const[]){ "--state", "" }, 2);

	(void)state;
	for (size_t i = 0; verb_table[i]; i++)
		expect_line(lines, verb_table[i]->name, "verbs");
	expect_line(lines, "help", "verbs");
	expect_line(lines, "--version", "verbs");
	assert_string_equal(value, "\n"); /* a directory follows, not a verb */
}

static void test_completion_offers_options(void **state)
{
	(void)state;
	for (size_t i = 0; verb_table[i]; i++) {
		const struct verb *verb = verb_table[i];
		_cleanup_free_ char *lines = complete((const char *const[]){ verb->name, "--" }, 2);

		for (const struct verb_option *o = verb->options; o && o->name; o++) {
			_cleanup_free_ char *word = text_format("%s%s", o->name, o->argument ? "=" : "");

			expect_line(lines, word, verb->name);
		}
		for (size_t j = 0; verb->words && verb->words[j]; j++) {
			_cleanup_free_ char *words = complete((const char *const[]){ verb->name, "" }, 2);

			expect_line(words, verb->words[j], verb->name);
		}
		expect_line(lines, "--help", verb->name);
	}
}

static void test_every_verb_is_explained(void **state)
{
	(void)state;
	for (size_t i = 0; verb_table[i]; i++) {
		const struct verb *verb = verb_table[i];
		struct program_output help = RUN(NULL, programs_path("abbot"), "help", verb->name);
		struct program_output same = RUN(NULL, programs_path("abbot"), verb->name, "--help");

		assert_int_equal(help.exit_status, 0);
		assert_string_equal(help.output, same.output);
		assert_non_null(strstr(help.output, verb->synopsis));
		assert_true(text_has_prefix(verb->synopsis, verb->name));
		for (const struct verb_option *o = verb->options; o && o->name; o++)
			assert_non_null(strstr(help.output, o->name));
		program_output_done(&help);
		program_output_done(&same);
	}
}

static void test_names_are_unique_and_found(void **state)
{
	(void)state;
	for (size_t i = 0; verb_table[i]; i++)
		assert_ptr_equal(verb_find(verb_table[i]->name), verb_table[i]);
	assert_null(verb_find("quue"));
	assert_string_equal(verb_nearest("quue"), "queue");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_man_page_has_every_verb_and_option),
		cmocka_unit_test(test_man_page_has_no_other_option),
		cmocka_unit_test(test_completion_offers_verbs),
		cmocka_unit_test(test_completion_offers_options),
		cmocka_unit_test(test_every_verb_is_explained),
		cmocka_unit_test(test_names_are_unique_and_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

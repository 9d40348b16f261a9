// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a generated grub.cfg does. Judging it is for boot/grub.c and boot/preflight.c.
 */
#include "boot/grub_scan.h"

#include <string.h>

#include "boot/boot_loader.h"

/* One word, quotes left out; longer ones are cut, which no word that we look for is. */
struct grub_word {
	char text[256];
	size_t size;
};

static bool grub_is_separator(char c)
{
	return c == ' ' || c == '\t' || c == ';' || c == '\r' || c == '\0';
}

/* The next word of the line that ends at @end; false at its end or at a comment. */
static bool grub_next_word(const char *data, size_t end, size_t *at, struct grub_word *word)
{
	char quote = '\0';

	while (*at < end && grub_is_separator(data[*at]))
		(*at)++;
	if (*at >= end || data[*at] == '#')
		return false;
	word->size = 0;
	for (; *at < end && (quote || !grub_is_separator(data[*at])); (*at)++) {
		char c = data[*at];

		if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? '\0' : c;
		else if (word->size + 1 < sizeof(word->text))
			word->text[word->size++] = c;
	}
	word->text[word->size] = '\0';
	return true;
}

static bool grub_word_is(const struct grub_word *word, const char *text)
{
	return strcmp(word->text, text) == 0;
}

static bool grub_word_begins(const struct grub_word *word, const char *prefix)
{
	return strncmp(word->text, prefix, strlen(prefix)) == 0;
}

static bool grub_word_is_custom(const struct grub_word *word)
{
	static const char suffix[] = "/custom.cfg";
	size_t length = sizeof(suffix) - 1;

	return word->size >= length && strcmp(word->text + word->size - length, suffix) == 0;
}

static void grub_scan_set(struct grub_scan *scan, const struct grub_word *assignment)
{
	if (grub_word_begins(assignment, "default=")) {
		scan->sets_default_after = scan->sources_custom;
		if (grub_word_begins(assignment, "default=" BOOT_ENTRY_PREFIX))
			scan->default_is_ours = true;
	}
	if (grub_word_is(assignment, "timeout=-1"))
		scan->waits_for_ever = true;
}

static void grub_scan_line(struct grub_scan *scan, const char *data, size_t at, size_t end)
{
	struct grub_word previous = { .size = 0 }, word;

	previous.text[0] = '\0';
	while (grub_next_word(data, end, &at, &word)) {
		if ((grub_word_is(&previous, "source") || grub_word_is(&previous, ".")) &&
		    grub_word_is_custom(&word)) {
			scan->sources_custom = true;
			scan->sets_default_after = false;
		}
		if (grub_word_is(&previous, "set"))
			grub_scan_set(scan, &word);
		if (strstr(word.text, "recordfail"))
			scan->has_recordfail = true;
		if (strstr(word.text, "boot_counter"))
			scan->has_boot_counter = true;
		previous = word;
	}
}

struct grub_scan grub_scan_config(const char *data, size_t size)
{
	struct grub_scan scan = { 0 };
	size_t at = 0;

	while (at < size) {
		const char *newline = memchr(data + at, '\n', size - at);
		size_t end = newline ? (size_t)(newline - data) : size;

		grub_scan_line(&scan, data, at, end);
		at = end + 1;
	}
	return scan;
}

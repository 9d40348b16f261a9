// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One menu entry in GRUB's language. A kernel that does not load must never leave the
 * menu waiting for a key, and so every failure in here ends in a reboot: the one-shot
 * is consumed by then, and the default entry comes up.
 */
#include "boot/grub_config.h"

#include <errno.h>
#include <string.h>

#include "boot/boot_options.h"
#include "common/cleanup.h"
#include "common/text.h"

static bool grub_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("_./:=,@%+-", c));
}

/* Single quotes keep everything but a single quote, which goes outside, escaped. */
static void grub_append_quoted(struct text_buffer *buffer, const char *text, size_t size)
{
	bool is_plain = size > 0;

	for (size_t i = 0; i < size; i++)
		is_plain &= grub_is_plain(text[i]);
	if (is_plain) {
		text_append_bytes(buffer, text, size);
		return;
	}
	text_append(buffer, "'");
	for (size_t i = 0; i < size; i++) {
		/* A title may come from a commit: nothing in it may end the line. */
		char c = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];

		if (c == '\'')
			text_append(buffer, "'\\''");
		else
			text_append_bytes(buffer, &c, 1);
	}
	text_append(buffer, "'");
}

/* Each word without its double quotes: GRUB puts them back around a word with spaces. */
static int grub_append_options(struct text_buffer *buffer, const char *options, struct error *err)
{
	const char *cursor = options, *word;
	size_t size;

	while (boot_options_next(&cursor, &word, &size)) {
		_cleanup_text_ struct text_buffer bare = { 0 };

		for (size_t i = 0; i < size; i++) {
			if (word[i] == '\\' || word[i] == '\'')
				return error_set(err, -EINVAL,
						 "GRUB cannot pass the kernel option %.*s on as it is: avoid backslashes and single quotes in it.",
						 (int)size, word);
			if (word[i] != '"')
				text_append_bytes(&bare, &word[i], 1);
		}
		text_append(buffer, " ");
		grub_append_quoted(buffer, bare.text ? bare.text : "", bare.size);
	}
	return 0;
}

static void grub_append_failure(struct text_buffer *buffer, const char *indent, const char *what)
{
	text_printf(buffer,
		    "%secho 'Abbot: the %s cannot be loaded; rebooting into the default'\n"
		    "%ssleep 5\n"
		    "%sreboot\n",
		    indent, what, indent, indent);
}

int grub_menu_entry_write(const struct grub_menu_entry *entry, char **ret_text, struct error *err)
{
	_cleanup_text_ struct text_buffer buffer = { 0 };
	int r;

	text_append(&buffer, "menuentry ");
	grub_append_quoted(&buffer, entry->title, strlen(entry->title));
	/* --unrestricted: with a GRUB password set, nobody is there to type it. */
	text_printf(&buffer, " --unrestricted --id %s {\n", entry->id);
	text_printf(&buffer, "\techo 'Abbot: booting %s'\n", entry->id);
	text_printf(&buffer, "\tsearch --no-floppy --fs-uuid --set=root %s\n", entry->uuid);
	text_append(&buffer, "\tif linux ");
	grub_append_quoted(&buffer, entry->kernel_path, strlen(entry->kernel_path));
	/* First, so that no over-long command line can cut it off. */
	text_append(&buffer, " abbot.token=${abbot_try_token}");
	r = grub_append_options(&buffer, entry->options, err);
	if (r < 0)
		return r;
	text_append(&buffer, "; then\n");
	if (entry->initrd_path) {
		text_append(&buffer, "\t\tif initrd ");
		grub_append_quoted(&buffer, entry->initrd_path, strlen(entry->initrd_path));
		text_append(&buffer, "; then\n\t\t\ttrue\n\t\telse\n");
		grub_append_failure(&buffer, "\t\t\t", "initrd");
		text_append(&buffer, "\t\tfi\n");
	} else {
		text_append(&buffer, "\t\ttrue\n");
	}
	text_append(&buffer, "\telse\n");
	grub_append_failure(&buffer, "\t\t", "kernel");
	text_append(&buffer, "\tfi\n}\n");
	*ret_text = text_buffer_take(&buffer);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * os-release(5) as text. Reading the file is the caller's.
 */
#include "boot/os_release.h"

#include <string.h>

#include "common/cleanup.h"

#define NAMES_SIZE 256

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The shell's quoting as far as os-release(5) allows it; false for what is not well formed. */
static bool take_value(const char *at, const char *end, char *ret_value, size_t value_size)
{
	char quote = '\0';
	size_t n = 0;

	while (end > at && is_blank(end[-1]))
		end--;
	if (at < end && (*at == '"' || *at == '\''))
		quote = *at++;
	for (; at < end && *at != quote; at++) {
		if (*at == '\0' || (!quote && (is_blank(*at) || *at == '"' || *at == '\'')))
			return false;
		if (*at == '\\' && quote != '\'' && ++at == end)
			return false;
		if (n + 1 >= value_size)
			return false;
		ret_value[n++] = *at;
	}
	if (quote ? at + 1 != end : at != end)
		return false;
	ret_value[n] = '\0';
	return true;
}

bool os_release_get(const char *data, size_t size, const char *name, char *ret_value,
		    size_t value_size)
{
	const char *at = data, *end = data + size;
	size_t length = strlen(name);
	char value[NAMES_SIZE];
	bool is_found = false;

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		if (!line_end)
			line_end = end;
		while (at < line_end && is_blank(*at))
			at++;
		if ((size_t)(line_end - at) > length && memcmp(at, name, length) == 0 &&
		    at[length] == '=' &&
		    take_value(at + length + 1, line_end, value,
			       value_size < sizeof(value) ? value_size : sizeof(value))) {
			memcpy(ret_value, value, strlen(value) + 1);
			is_found = true;
		}
		at = line_end + 1;
	}
	return is_found;
}

/* Is @word one of the words of @list, which blanks divide? */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

struct os_commands os_commands_of(const char *data, size_t size)
{
	static const struct {
		const char *family;
		struct os_commands commands;
	} families[] = {
		{ "debian", { "update-grub", "grub-editenv", "grub-set-default",
			      "apt-get install bubblewrap gcc make binutils flex bison bc perl libelf-dev" } },
		{ "fedora", { "grub2-mkconfig -o /boot/grub2/grub.cfg", "grub2-editenv", "grub2-set-default",
			      "dnf install bubblewrap gcc make binutils flex bison bc perl elfutils-libelf-devel" } },
		{ "rhel", { "grub2-mkconfig -o /boot/grub2/grub.cfg", "grub2-editenv", "grub2-set-default",
			    "dnf install bubblewrap gcc make binutils flex bison bc perl elfutils-libelf-devel" } },
		{ "suse", { "grub2-mkconfig -o /boot/grub2/grub.cfg", "grub2-editenv", "grub2-set-default",
			    "zypper install bubblewrap gcc make binutils flex bison bc perl libelf-devel" } },
		{ "arch", { "grub-mkconfig -o /boot/grub/grub.cfg", "grub-editenv", "grub-set-default",
			    "pacman -S bubblewrap gcc make binutils flex bison bc perl libelf" } },
	};
	static const struct os_commands upstream = { "grub-mkconfig -o /boot/grub/grub.cfg",
						     "grub-editenv", "grub-set-default", "" };
	char id[NAMES_SIZE] = "", like[NAMES_SIZE] = "";

	(void)os_release_get(data, size, "ID", id, sizeof(id));
	(void)os_release_get(data, size, "ID_LIKE", like, sizeof(like));
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (strcmp(id, families[i].family) == 0 || has_word(like, families[i].family))
			return families[i].commands;
	return upstream;
}

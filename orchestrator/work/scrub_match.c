// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What private things look like, each by its own form. Rather one too many: a lost word of a
 * log does less harm than an address that is handed on.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/cleanup.h"
#include "orchestrator/work/scrub.h"

#define UUID_LENGTH 36
#define MAC_GROUPS_MIN 6

/* Paths below these are of people wherever they stand ("-I/home/..."). */
static const char *const private_places[] = {
	"/home/", "/root/", "/srv/", "/mnt/", "/media/", "/tmp/", "/var/tmp/", "/var/home/",
	"/run/user/", "/run/media/", "/Users/", NULL,
};

/* First parts of paths that every machine has; any other path is somebody's. */
static const char *const system_places[] = {
	"bin", "boot", "dev", "efi", "etc", "init", "lib", "lib32", "lib64", "libx32", "proc", "run",
	"sbin", "sys", "sysroot", "usr", "var", "EFI", "system.slice", "user.slice", "init.scope",
	/* Without a part below them. */
	"home", "media", "mnt", "root", "srv", "tmp", NULL,
};

/* And names of kernels where /boot is a filesystem of its own ("BOOT_IMAGE=/vmlinuz-6.1"). */
static const char *const boot_files[] = { "/vmlinuz", "/initr", "/bzImage", NULL };

static bool is_in(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static char char_at(const char *text, size_t size, size_t at)
{
	return at < size ? text[at] : '\0';
}

static bool starts_with(const char *text, size_t size, size_t at, const char *prefix)
{
	size_t length = strlen(prefix);

	return size - at >= length && memcmp(text + at, prefix, length) == 0;
}

static size_t path_length(const char *text, size_t size, size_t at)
{
	size_t end = at;

	while (end < size && text[end] && !isspace((unsigned char)text[end]) &&
	       !is_in(text[end], "\"'`,;:()[]{}<>|&*?")) {
		/* "a\ b" is one path. */
		end += text[end] == '\\' && end + 1 < size && text[end + 1] == ' ' ? 2 : 1;
	}
	while (end > at + 1 && text[end - 1] == '.')
		end--; /* of the sentence */
	return end - at;
}

static bool is_system_path(const char *path, size_t length)
{
	size_t part = 1;

	for (size_t i = 0; boot_files[i]; i++)
		if (starts_with(path, length, 0, boot_files[i]))
			return true;
	while (part < length && path[part] != '/')
		part++;
	for (size_t i = 0; system_places[i]; i++)
		if (strlen(system_places[i]) == part - 1 &&
		    memcmp(path + 1, system_places[i], part - 1) == 0)
			return true;
	return false;
}

static bool is_number(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isdigit((unsigned char)text[i]) && text[i] != '.')
			return false;
	return true;
}

size_t scrub_match_path(const char *text, size_t size, size_t at)
{
	char before = at ? text[at - 1] : ' ';
	bool is_after_scheme = at >= 3 && memcmp(text + at - 3, "://", 3) == 0;
	bool begins = is_after_scheme || (!is_word(before) && !is_in(before, "./-~])%<"));
	size_t length;

	if (text[at] != '/')
		return 0;
	for (size_t i = 0; private_places[i]; i++)
		if (starts_with(text, size, at, private_places[i]))
			return path_length(text, size, at);
	if (!begins || !(is_word(char_at(text, size, at + 1)) || char_at(text, size, at + 1) == '.'))
		return 0;
	length = path_length(text, size, at);
	/* "/1024" and the like are no paths of people. */
	if (is_number(text + at + 1, length - 1))
		return 0;
	return is_system_path(text + at, length) ? 0 : length;
}

size_t scrub_match_mac(const char *text, size_t size, size_t at)
{
	char before = at ? text[at - 1] : ' ', separator = char_at(text, size, at + 2);
	size_t end = at, groups = 0;

	if (is_word(before) || is_in(before, ":-") || !is_in(separator, ":-"))
		return 0;
	while (isxdigit((unsigned char)char_at(text, size, end)) &&
	       isxdigit((unsigned char)char_at(text, size, end + 1))) {
		end += 2;
		groups++;
		if (char_at(text, size, end) != separator)
			break;
		end++;
	}
	if (end > at && text[end - 1] == separator)
		end--;
	return groups >= MAC_GROUPS_MIN && !is_word(char_at(text, size, end)) ? end - at : 0;
}

static bool is_everybodys_ip(const char *word)
{
	return strcmp(word, "::") == 0 || strcmp(word, "::1") == 0 ||
	       strncmp(word, "127.", 4) == 0 || strncmp(word, "0.", 2) == 0 ||
	       strncmp(word, "255.", 4) == 0;
}

size_t scrub_match_ip(const char *text, size_t size, size_t at)
{
	char before = at ? text[at - 1] : ' ', word[INET6_ADDRSTRLEN + 1];
	unsigned char address[16];
	size_t length = 0, colons = 0, dots = 0;

	if (is_word(before) || is_in(before, ".:"))
		return 0;
	while (at + length < size && length < sizeof(word) - 1 &&
	       (isxdigit((unsigned char)text[at + length]) || is_in(text[at + length], ".:"))) {
		colons += text[at + length] == ':';
		dots += text[at + length] == '.';
		length++;
	}
	if (colons < 2 && dots < 3)
		return 0;
	/* "10.0.0.1:22" and "10.0.0.1." are addresses with something after. */
	if (colons < 2 && colons)
		length = (size_t)((const char *)memchr(text + at, ':', length) - (text + at));
	for (; length; length--) {
		if (is_in(text[at + length - 1], ".:") && !(length > 1 && text[at + length - 2] == ':'))
			continue;
		break;
	}
	memcpy(word, text + at, length);
	word[length] = '\0';
	if (is_word(char_at(text, size, at + length)) || is_everybodys_ip(word))
		return 0;
	if (inet_pton(AF_INET, word, address) == 1 || inet_pton(AF_INET6, word, address) == 1)
		return length;
	return 0;
}

size_t scrub_match_uuid(const char *text, size_t size, size_t at)
{
	if (size - at < UUID_LENGTH || (at && is_word(text[at - 1])) ||
	    is_word(char_at(text, size, at + UUID_LENGTH)))
		return 0;
	for (size_t i = 0; i < UUID_LENGTH; i++) {
		bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_hyphen ? text[at + i] != '-' : !isxdigit((unsigned char)text[at + i]))
			return 0;
	}
	return UUID_LENGTH;
}

/* After @skip bytes: blanks, ':' or '=', then the word that is taken out. */
static size_t value_after(const char *text, size_t size, size_t at, size_t skip, size_t *ret_skip)
{
	size_t end;
	bool has_sign = false;

	while (is_in(char_at(text, size, at + skip), " \t:=\"'[")) {
		has_sign = has_sign || is_in(text[at + skip], ":=");
		skip++;
	}
	end = at + skip;
	while (end < size && (is_word(text[end]) || is_in(text[end], "-./:+")))
		end++;
	*ret_skip = skip;
	return has_sign && end > at + skip ? end - at : 0;
}

size_t scrub_match_serial(const char *text, size_t size, size_t at, size_t *ret_skip)
{
	static const char *const words[] = { "serial number", "serial_number", "serialnumber", "serial-number",
					     "serial no.", "serial no", "serialno", "s/n", NULL };

	for (size_t i = 0; words[i]; i++) {
		size_t length = strlen(words[i]);

		if (size - at >= length && strncasecmp(text + at, words[i], length) == 0)
			return value_after(text, size, at, length, ret_skip);
	}
	return 0;
}

size_t scrub_match_disk_id(const char *text, size_t size, size_t at, size_t *ret_skip)
{
	static const char *const words[] = { "UUID=", "by-uuid/", "by-partuuid/", "by-id/", "LABEL=",
					     "machine-id=", "machine_id=", NULL };

	for (size_t i = 0; words[i]; i++) {
		size_t length = strlen(words[i]), end = at + length;

		if (!starts_with(text, size, at, words[i]))
			continue;
		while (end < size && (is_word(text[end]) || is_in(text[end], "-.:+\\")))
			end++;
		*ret_skip = length;
		return end > at + length ? end - at : 0;
	}
	return 0;
}

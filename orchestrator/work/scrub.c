// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Goes through a text once and puts a word in brackets where something private begins.
 */
#include "orchestrator/work/scrub.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cleanup.h"

#define WORD_LENGTH_MIN 3

static const struct {
	const char *one, *many, *replacement;
} kinds[SCRUB_KIND_COUNT] = {
	[SCRUB_PATH] = { "path", "paths", "/[path]" },
	[SCRUB_HOST] = { "host name", "host names", "[host]" },
	[SCRUB_USER] = { "user name", "user names", "[user]" },
	[SCRUB_SERIAL] = { "serial number", "serial numbers", "[serial]" },
	[SCRUB_UUID] = { "disk or machine id", "disk or machine ids", "[id]" },
	[SCRUB_MAC] = { "MAC address", "MAC addresses", "[mac]" },
	[SCRUB_IP] = { "IP address", "IP addresses", "[ip]" },
};

/* Names that a distribution gives: they tell nobody apart, and stand in many texts. */
static const char *const common_words[] = {
	"localhost", "debian", "ubuntu", "fedora", "centos", "rocky", "alma", "suse", "opensuse",
	"arch", "archlinux", "linux", "kernel", "build", "builder", "root", "admin", "user", "test",
	"abbot", "abbot-build", "nobody", "none", "default", "unknown", "parent", "child", NULL,
};

void scrub_done(struct scrub *scrub)
{
	if (!scrub)
		return;
	for (size_t i = 0; i < scrub->n_words; i++)
		free(scrub->words[i].text);
	for (size_t i = 0; i < scrub->n_kept; i++)
		free(scrub->kept[i]);
	free(scrub->words);
	free(scrub->kept);
	*scrub = (struct scrub){ 0 };
}

void scrub_add_word(struct scrub *scrub, enum scrub_kind kind, const char *word)
{
	struct scrub_word *words;

	if (strlen(word) < WORD_LENGTH_MIN)
		return;
	for (size_t i = 0; common_words[i]; i++)
		if (strcasecmp(common_words[i], word) == 0)
			return;
	for (size_t i = 0; i < scrub->n_words; i++)
		if (strcmp(scrub->words[i].text, word) == 0)
			return;
	words = reallocarray(scrub->words, scrub->n_words + 1, sizeof(*words));
	if (!words)
		abort();
	scrub->words = words;
	words[scrub->n_words++] = (struct scrub_word){ .text = text_duplicate(word), .kind = kind };
}

void scrub_keep_uuid(struct scrub *scrub, const char *uuid)
{
	char **kept = reallocarray(scrub->kept, scrub->n_kept + 1, sizeof(*kept));

	if (!kept)
		abort();
	scrub->kept = kept;
	kept[scrub->n_kept++] = text_duplicate(uuid);
}

static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t match_word(const struct scrub *scrub, const char *text, size_t size, size_t at,
			 enum scrub_kind *ret_kind)
{
	if (at && is_word_character(text[at - 1]))
		return 0;
	for (size_t i = 0; i < scrub->n_words; i++) {
		const char *word = scrub->words[i].text;
		size_t length = strlen(word);

		if (size - at < length || strncasecmp(text + at, word, length) != 0 ||
		    (at + length < size && is_word_character(text[at + length])))
			continue;
		*ret_kind = scrub->words[i].kind;
		return length;
	}
	return 0;
}

static bool is_kept(const struct scrub *scrub, const char *text, size_t length)
{
	for (size_t i = 0; i < scrub->n_kept; i++)
		if (strlen(scrub->kept[i]) == length &&
		    strncasecmp(scrub->kept[i], text, length) == 0)
			return true;
	return false;
}

/* The length of what is private at @at; its first *ret_skip bytes stay all the same. */
static size_t match(const struct scrub *scrub, const char *text, size_t size, size_t at,
		    enum scrub_kind *ret_kind, size_t *ret_skip)
{
	size_t length;

	*ret_skip = 0;
	*ret_kind = SCRUB_UUID;
	length = scrub_match_disk_id(text, size, at, ret_skip);
	if (length)
		return length;
	*ret_kind = SCRUB_SERIAL;
	length = scrub_match_serial(text, size, at, ret_skip);
	if (length)
		return length;
	*ret_skip = 0;
	*ret_kind = SCRUB_PATH;
	length = scrub_match_path(text, size, at);
	if (length)
		return length;
	*ret_kind = SCRUB_UUID;
	length = scrub_match_uuid(text, size, at);
	if (length && is_kept(scrub, text + at, length))
		*ret_skip = length;
	if (length)
		return length;
	*ret_kind = SCRUB_MAC;
	length = scrub_match_mac(text, size, at);
	if (length)
		return length;
	*ret_kind = SCRUB_IP;
	length = scrub_match_ip(text, size, at);
	return length ? length : match_word(scrub, text, size, at, ret_kind);
}

static void replace(struct scrub *scrub, enum scrub_kind kind, struct text_buffer *text)
{
	scrub->counts[kind]++;
	text_append(text, kinds[kind].replacement);
}

void scrub_text(struct scrub *scrub, const char *text, size_t size, struct text_buffer *ret_text)
{
	size_t copied = 0;

	text_append(ret_text, "");
	for (size_t at = 0; at < size;) {
		enum scrub_kind kind;
		size_t skip, length = match(scrub, text, size, at, &kind, &skip);

		if (!length) {
			at++;
			continue;
		}
		text_append_bytes(ret_text, text + copied, at + skip - copied);
		if (skip < length)
			replace(scrub, kind, ret_text);
		at += length;
		copied = at;
	}
	if (size > copied)
		text_append_bytes(ret_text, text + copied, size - copied);
}

static json_t *scrub_string(struct scrub *scrub, const json_t *json)
{
	const char *text = json_string_value(json);
	size_t size = json_string_length(json);
	_cleanup_text_ struct text_buffer clean = { 0 };

	/* A string that is a path may hold blanks. */
	if (size && scrub_match_path(text, size, 0) && !memchr(text, '\n', size))
		replace(scrub, SCRUB_PATH, &clean);
	else
		scrub_text(scrub, text, size, &clean);
	return json_stringn_nocheck(clean.text, clean.size);
}

json_t *scrub_json(struct scrub *scrub, const json_t *json)
{
	const char *key;
	json_t *member, *copy;
	size_t i;

	if (json_is_string(json))
		return scrub_string(scrub, json);
	if (json_is_object(json)) {
		copy = json_object();
		json_object_foreach((json_t *)(uintptr_t)json, key, member)
			(void)json_object_set_new_nocheck(copy, key, scrub_json(scrub, member));
		return copy;
	}
	if (json_is_array(json)) {
		copy = json_array();
		json_array_foreach(json, i, member)
			(void)json_array_append_new(copy, scrub_json(scrub, member));
		return copy;
	}
	return json_deep_copy(json);
}

const char *scrub_kind_name(enum scrub_kind kind)
{
	return kinds[kind].many;
}

char *scrub_say(const struct scrub *scrub)
{
	struct text_buffer text = { 0 };

	for (size_t i = 0; i < SCRUB_KIND_COUNT; i++)
		if (scrub->counts[i])
			text_printf(&text, "%s%zu %s", text.size ? ", " : "", scrub->counts[i],
				    scrub->counts[i] == 1 ? kinds[i].one : kinds[i].many);
	return text.size ? text_buffer_take(&text) : text_duplicate("nothing");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SHA256SUMS of a bundle: a line "HEX  NAME" for each other file, sorted by name, so that
 * `sha256sum -c` checks it too.
 */
#include <string.h>

#include "common/cleanup.h"
#include "common/digest.h"
#include "common/text.h"
#include "orchestrator/work/bundle.h"

#define HEX_DIGITS (DIGEST_HEX_SIZE - 1)
#define LINE_MAX_BYTES (HEX_DIGITS + 2 + BUNDLE_NAME_MAX)

int bundle_add_sums(struct bundle *bundle, struct error *err)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	int r = bundle_sort(bundle, err);
	size_t size;

	if (r < 0)
		return r;
	for (size_t i = 0; i < bundle->n_files; i++) {
		char hex[DIGEST_HEX_SIZE];

		digest_bytes(bundle->files[i].data, bundle->files[i].size, hex);
		text_printf(&text, "%s  %s\n", hex, bundle->files[i].name);
	}
	size = text.size;
	r = bundle_add(bundle, BUNDLE_SUMS, text_buffer_take(&text), size, err);
	return r < 0 ? r : bundle_sort(bundle, err);
}

struct sums {
	const struct bundle *bundle;
	bool *is_listed;
	void (*say)(void *context, const char *words);
	void *context;
};

static void say(const struct sums *sums, char *words)
{
	_cleanup_free_ char *owned = words;

	sums->say(sums->context, owned);
}

static void check_line(const struct sums *sums, const char *line)
{
	char hex[DIGEST_HEX_SIZE];
	const char *name = line + HEX_DIGITS + 2;
	const struct bundle_file *file;

	if (strlen(line) <= HEX_DIGITS + 2 || strspn(line, "0123456789abcdef") != HEX_DIGITS ||
	    memcmp(line + HEX_DIGITS, "  ", 2) != 0 || !bundle_name_is_good(name)) {
		say(sums, text_format(BUNDLE_SUMS " has the line \"%.80s\", which is no sum of a file", line));
		return;
	}
	file = bundle_find(sums->bundle, name);
	if (!file) {
		say(sums, text_format("%s is missing", name));
		return;
	}
	if (sums->is_listed[file - sums->bundle->files]) {
		say(sums, text_format(BUNDLE_SUMS " lists %s twice", name));
		return;
	}
	sums->is_listed[file - sums->bundle->files] = true;
	digest_bytes(file->data, file->size, hex);
	if (memcmp(hex, line, HEX_DIGITS) != 0)
		say(sums, text_format("%s is not what it was: its SHA-256 is %s", name, hex));
}

static void check_lines(const struct sums *sums, const struct bundle_file *list)
{
	for (size_t at = 0; at < list->size;) {
		const char *end = memchr(list->data + at, '\n', list->size - at);
		size_t length = end ? (size_t)(end - list->data) - at : list->size - at;
		char line[LINE_MAX_BYTES + 1];

		if (length > LINE_MAX_BYTES || memchr(list->data + at, '\0', length)) {
			say(sums, text_format("%s has a line that is no sum of a file", BUNDLE_SUMS));
			return;
		}
		memcpy(line, list->data + at, length);
		line[length] = '\0';
		check_line(sums, line);
		at += length + 1;
	}
}

void bundle_check_sums(const struct bundle *bundle,
		       void (*hear)(void *context, const char *words), void *context)
{
	const struct bundle_file *list = bundle_find(bundle, BUNDLE_SUMS);
	_cleanup_free_ bool *is_listed = calloc(bundle->n_files + 1, sizeof(*is_listed));
	const struct sums sums = {
		.bundle = bundle, .is_listed = is_listed, .say = hear, .context = context,
	};

	if (!list || !is_listed) {
		hear(context, list ? "out of memory" : BUNDLE_SUMS " is missing");
		return;
	}
	check_lines(&sums, list);
	for (size_t i = 0; i < bundle->n_files; i++)
		if (!is_listed[i] && &bundle->files[i] != list)
			say(&sums, text_format("%s is not in " BUNDLE_SUMS, bundle->files[i].name));
}

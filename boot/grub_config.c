// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * custom.cfg as data: parsing, editing and writing our block. What an entry looks like
 * is in boot/grub_menu.c; files are read and written by boot/grub_entries.c.
 */
#include "boot/grub_config.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/digest.h"
#include "common/text.h"

#define GRUB_BEGIN "### BEGIN abbot: made by abbotd, do not edit; it goes with the last entry\n"
#define GRUB_END "### END abbot\n"
#define GRUB_BEGIN_STEM "### BEGIN abbot"
#define GRUB_END_STEM "### END abbot"
#define GRUB_SUM "# abbot-sha256 "
#define GRUB_OPTIONS "# abbot-default-options "
#define GRUB_ENTRY "# abbot-entry "
#define GRUB_ENTRY_END "# abbot-entry-end\n"

/*
 * Cleared, read back, and only then believed: on a filesystem where the clearing does
 * not last (btrfs, LVM, a read-only disk), the default entry boots, not ours for ever.
 */
static const char grub_preamble[] =
	"if [ -n \"${config_directory}\" ]; then\n"
	"\tset abbot_env=\"${config_directory}/" GRUB_ENVIRONMENT_NAME "\"\n"
	"else\n"
	"\tset abbot_env=\"${prefix}/" GRUB_ENVIRONMENT_NAME "\"\n"
	"fi\n"
	"if [ -s \"${abbot_env}\" ]; then\n"
	"\tset abbot_next=\n"
	"\tset abbot_token=\n"
	"\tload_env -f \"${abbot_env}\" abbot_next abbot_token\n"
	"\tif [ -n \"${abbot_next}\" ]; then\n"
	"\t\tset abbot_try=\"${abbot_next}\"\n"
	"\t\tset abbot_try_token=\"${abbot_token}\"\n"
	"\t\tset abbot_next=\n"
	"\t\tset abbot_token=\n"
	"\t\tsave_env -f \"${abbot_env}\" abbot_next abbot_token\n"
	"\t\tset abbot_next=unread\n"
	"\t\tload_env -f \"${abbot_env}\" abbot_next abbot_token\n"
	"\t\tif [ -z \"${abbot_next}\" ]; then\n"
	"\t\t\tset default=\"${abbot_try}\"\n"
	"\t\tfi\n"
	"\tfi\n"
	"fi\n";

void grub_config_done(struct grub_config *config)
{
	for (size_t i = 0; i < config->n_entries; i++)
		free(config->entries[i].text);
	free(config->entries);
	free(config->before);
	free(config->after);
	free(config->default_options);
	*config = (struct grub_config){ 0 };
}

static struct grub_config_entry *grub_config_find(const struct grub_config *config, const char *id)
{
	for (size_t i = 0; i < config->n_entries; i++)
		if (strcmp(config->entries[i].id, id) == 0)
			return &config->entries[i];
	return NULL;
}

bool grub_config_has(const struct grub_config *config, const char *id)
{
	return grub_config_find(config, id) != NULL;
}

int grub_config_set(struct grub_config *config, const char *id, char *text, struct error *err)
{
	_cleanup_free_ char *owned = text;
	struct grub_config_entry *entry = grub_config_find(config, id), *grown;

	if (strlen(id) >= BOOT_ENTRY_SIZE)
		return error_set(err, -EINVAL, "The boot entry id %s is too long.", id);
	if (!entry) {
		if (config->n_entries >= GRUB_CONFIG_ENTRIES_MAX)
			return error_set(err, -E2BIG, "There are already %d boot entries of Abbot: remove some.",
					 GRUB_CONFIG_ENTRIES_MAX);
		grown = reallocarray(config->entries, config->n_entries + 1, sizeof(*grown));
		if (!grown)
			return error_set(err, -ENOMEM, "Out of memory.");
		config->entries = grown;
		entry = &config->entries[config->n_entries++];
		memset(entry, 0, sizeof(*entry));
		memcpy(entry->id, id, strlen(id) + 1);
	}
	free(entry->text);
	entry->text = TAKE_PTR(owned);
	return 0;
}

void grub_config_remove(struct grub_config *config, const char *id)
{
	struct grub_config_entry *entry = grub_config_find(config, id);
	size_t index;

	if (!entry)
		return;
	index = (size_t)(entry - config->entries);
	free(entry->text);
	memmove(entry, entry + 1, (config->n_entries - index - 1) * sizeof(*entry));
	config->n_entries--;
}

char *grub_config_write(const struct grub_config *config)
{
	_cleanup_text_ struct text_buffer body = { 0 }, file = { 0 };
	char sum[DIGEST_HEX_SIZE];

	text_append(&file, config->before ? config->before : "");
	if (config->n_entries > 0) {
		if (config->default_options)
			text_printf(&body, GRUB_OPTIONS "%s\n", config->default_options);
		text_append(&body, grub_preamble);
		for (size_t i = 0; i < config->n_entries; i++)
			text_printf(&body, GRUB_ENTRY "%s\n%s" GRUB_ENTRY_END,
				    config->entries[i].id, config->entries[i].text);
		digest_bytes(body.text, body.size, sum);
		if (file.size > 0 && file.text[file.size - 1] != '\n')
			text_append(&file, "\n");
		text_printf(&file, GRUB_BEGIN GRUB_SUM "%s\n%s" GRUB_END, sum, body.text);
	}
	text_append(&file, config->after ? config->after : "");
	return text_buffer_take(&file);
}

/* The first line from @at on that begins with @stem, or NULL. */
static const char *grub_find_line(const char *at, const char *stem)
{
	while (at) {
		if (text_has_prefix(at, stem))
			return at;
		at = strchr(at, '\n');
		if (at)
			at++;
	}
	return NULL;
}

/* "# abbot-entry ID\n", text, "# abbot-entry-end\n", again and again up to the end. */
static int grub_parse_entries(const char *at, struct grub_config *config, struct error *err)
{
	int r;

	while (at && (at = grub_find_line(at, GRUB_ENTRY))) {
		char id[BOOT_ENTRY_SIZE];
		const char *text, *end;
		size_t length;

		at += strlen(GRUB_ENTRY);
		length = strcspn(at, "\n");
		text = at + length;
		end = *text ? grub_find_line(text + 1, GRUB_ENTRY_END) : NULL;
		if (length == 0 || length >= sizeof(id) || !end)
			return error_set(err, -EBADMSG, "An entry in the block of Abbot is incomplete.");
		memcpy(id, at, length);
		id[length] = '\0';
		r = grub_config_set(config, id, text_format("%.*s", (int)(end - text - 1), text + 1), err);
		if (r < 0)
			return r;
		at = end;
	}
	return 0;
}

/* @body is what stands between the checksum line and the end marker. */
static int grub_parse_body(const char *body, const char *sum, struct grub_config *config,
			   struct error *err)
{
	char actual[DIGEST_HEX_SIZE];

	digest_bytes(body, strlen(body), actual);
	if (strncmp(sum, actual, strlen(actual)) != 0 || sum[strlen(actual)] != '\n')
		return error_set(err, -EBADMSG,
				 "The block of Abbot in custom.cfg was edited by hand: remove the lines from \"" GRUB_BEGIN_STEM "\" to \"" GRUB_END_STEM "\" and try again.");
	if (text_has_prefix(body, GRUB_OPTIONS)) {
		const char *options = body + strlen(GRUB_OPTIONS);

		config->default_options = text_format("%.*s", (int)strcspn(options, "\n"), options);
	}
	return grub_parse_entries(body, config, err);
}

static int grub_parse_text(const char *text, struct grub_config *config, struct error *err)
{
	const char *begin = grub_find_line(text, GRUB_BEGIN_STEM);
	const char *end = grub_find_line(text, GRUB_END_STEM);
	const char *sum = begin ? begin + strlen(GRUB_BEGIN) : NULL;
	_cleanup_free_ char *body = NULL;
	const char *body_at;

	if (!begin && !end) {
		config->before = text_duplicate(text);
		config->after = text_duplicate("");
		return 0;
	}
	if (!begin || !end || end < begin || !text_has_prefix(begin, GRUB_BEGIN GRUB_SUM) ||
	    !text_has_prefix(end, GRUB_END) || grub_find_line(begin + 1, GRUB_BEGIN_STEM) ||
	    grub_find_line(end + 1, GRUB_END_STEM) || !(body_at = strchr(sum, '\n')) ||
	    body_at + 1 > end)
		return error_set(err, -EBADMSG,
				 "The lines \"" GRUB_BEGIN_STEM "\" and \"" GRUB_END_STEM "\" in custom.cfg were edited by hand: remove both and all between them, and try again.");
	body = text_format("%.*s", (int)(end - body_at - 1), body_at + 1);
	config->before = text_format("%.*s", (int)(begin - text), text);
	config->after = text_duplicate(end + strlen(GRUB_END));
	return grub_parse_body(body, sum + strlen(GRUB_SUM), config, err);
}

int grub_config_parse(const char *data, size_t size, struct grub_config *ret_config,
		      struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	_cleanup_free_ char *text = NULL;
	int r;

	if (size > GRUB_CONFIG_MAX_BYTES || memchr(data, '\0', size))
		return error_set(err, -EBADMSG, "custom.cfg is no text file of a sensible size.");
	text = strndup(data, size);
	if (!text)
		return error_set(err, -ENOMEM, "Out of memory.");
	r = grub_parse_text(text, &config, err);
	if (r < 0)
		return r;
	*ret_config = config;
	config = (struct grub_config){ 0 };
	return 0;
}

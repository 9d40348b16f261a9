// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel command lines as data. How a boot loader must quote one is for its backend.
 */
#include "boot/boot_options.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

static bool boot_options_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool boot_options_next(const char **cursor, const char **ret_start, size_t *ret_size)
{
	const char *at = *cursor, *start;
	bool is_quoted = false;

	while (boot_options_is_space(*at))
		at++;
	if (!*at) {
		*cursor = at;
		return false;
	}
	start = at;
	for (; *at && (is_quoted || !boot_options_is_space(*at)); at++)
		if (*at == '"')
			is_quoted = !is_quoted;
	*ret_start = start;
	*ret_size = (size_t)(at - start);
	*cursor = at;
	return true;
}

static bool boot_options_is_separator(const char *word, size_t size)
{
	return size == 2 && word[0] == '-' && word[1] == '-';
}

static bool boot_options_word_begins(const char *word, size_t size, const char *prefix)
{
	size_t length = strlen(prefix);

	if (size > 0 && *word == '"') { /* "name=value with spaces" */
		word++;
		size--;
	}
	return size >= length && strncmp(word, prefix, length) == 0;
}

static void boot_options_add_word(struct text_buffer *buffer, const char *word, size_t size)
{
	if (buffer->size > 0)
		text_append(buffer, " ");
	text_append_bytes(buffer, word, size);
}

/* In the order in which a kernel comes up; initramfs-tools also obeys panic=, dracut needs both rd.* ones. */
static const char boot_test_options_fixed[] =
	"panic=10 oops=panic softlockup_panic=1 hung_task_panic=1 nmi_watchdog=panic,1 "
	"sysctl.kernel.panic_on_rcu_stall=1 systemd.crash_reboot=1 "
	"rd.shell=0 rd.emergency=reboot";

/*
 * What runs by the clock and would run beside the measurement: not started on a kernel under
 * test (systemd-debug-generator(8)). A unit that the system lacks may be named.
 */
static const char *const boot_quiet_units[] = {
	"apt-daily.timer", "apt-daily-upgrade.timer", "dnf-makecache.timer", "dpkg-db-backup.timer",
	"e2scrub_all.timer", "fstrim.timer", "fwupd-refresh.timer", "logrotate.timer",
	"man-db.timer", "motd-news.timer", "plocate-updatedb.timer", "systemd-tmpfiles-clean.timer",
	"unattended-upgrades.service",
};

char *boot_test_options(const char *point)
{
	_cleanup_text_ struct text_buffer options = { 0 };

	text_append(&options, boot_test_options_fixed);
	for (size_t i = 0; i < ARRAY_SIZE(boot_quiet_units); i++)
		text_printf(&options, " systemd.mask=%s", boot_quiet_units[i]);
	text_printf(&options, " abbot.point=%s", point);
	return text_buffer_take(&options);
}

char *boot_options_inherit(const char *cmdline)
{
	static const char *const dropped[] = { "BOOT_IMAGE=", "initrd=", "abbot." };
	_cleanup_text_ struct text_buffer buffer = { 0 };
	const char *cursor = cmdline, *word;
	bool is_for_init = false;
	size_t size;

	while (boot_options_next(&cursor, &word, &size)) {
		bool is_dropped = false;

		is_for_init |= boot_options_is_separator(word, size);
		for (size_t i = 0; !is_for_init && i < sizeof(dropped) / sizeof(dropped[0]); i++)
			is_dropped |= boot_options_word_begins(word, size, dropped[i]);
		if (!is_dropped)
			boot_options_add_word(&buffer, word, size);
	}
	return text_buffer_take(&buffer);
}

char *boot_options_join(const char *base, const char *more)
{
	_cleanup_text_ struct text_buffer buffer = { 0 };
	const char *cursor = base, *word;
	bool is_added = false;
	size_t size;

	while (boot_options_next(&cursor, &word, &size)) {
		if (!is_added && boot_options_is_separator(word, size)) {
			boot_options_add_word(&buffer, more, strlen(more));
			is_added = true;
		}
		boot_options_add_word(&buffer, word, size);
	}
	if (!is_added && *more)
		boot_options_add_word(&buffer, more, strlen(more));
	return text_buffer_take(&buffer);
}

/* Is the word NAME or NAME=...? */
static bool boot_options_is(const char *word, size_t size, const char *name)
{
	size_t length = strlen(name);

	if (size > 0 && *word == '"') {
		word++;
		size--;
	}
	return size >= length && strncmp(word, name, length) == 0 &&
	       (size == length || word[length] == '=');
}

char *boot_options_without(const char *cmdline, const char *name)
{
	_cleanup_text_ struct text_buffer buffer = { 0 };
	const char *cursor = cmdline, *word;
	bool is_for_init = false;
	size_t size;

	while (boot_options_next(&cursor, &word, &size)) {
		is_for_init |= boot_options_is_separator(word, size);
		if (is_for_init || !boot_options_is(word, size, name))
			boot_options_add_word(&buffer, word, size);
	}
	return text_buffer_take(&buffer);
}

/* The last word that is NAME or NAME=...; NULL when there is none. */
static const char *boot_options_find(const char *cmdline, const char *name, size_t *ret_size)
{
	const char *cursor = cmdline, *word, *found = NULL;
	size_t size;

	while (boot_options_next(&cursor, &word, &size)) {
		if (boot_options_is_separator(word, size))
			break;
		if (!boot_options_is(word, size, name))
			continue;
		found = *word == '"' ? word + 1 : word;
		*ret_size = *word == '"' ? size - 1 : size;
	}
	return found;
}

bool boot_options_get(const char *cmdline, const char *name, char *ret_value, size_t size)
{
	size_t word_size = 0, length = strlen(name), n = 0;
	const char *word = boot_options_find(cmdline, name, &word_size);

	if (!word || word_size == length || word_size - length > size)
		return false;
	for (size_t i = length + 1; i < word_size; i++)
		if (word[i] != '"')
			ret_value[n++] = word[i];
	ret_value[n] = '\0';
	return true;
}

bool boot_options_has(const char *cmdline, const char *name)
{
	size_t size;

	return boot_options_find(cmdline, name, &size) != NULL;
}

int boot_options_check(const char *options, struct error *err)
{
	size_t n_quotes = 0;

	if (strlen(options) > BOOT_OPTIONS_MAX_BYTES)
		return error_set(err, -E2BIG,
				 "The kernel command line is %zu bytes long; at most %d fit: shorten the job's cmdline.",
				 strlen(options), BOOT_OPTIONS_MAX_BYTES);
	for (const char *at = options; *at; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return error_set(err, -EINVAL,
					 "The kernel command line holds a control character (byte %d): remove it from the job's cmdline.",
					 (unsigned char)*at);
		n_quotes += *at == '"';
	}
	if (n_quotes % 2)
		return error_set(err, -EINVAL,
				 "The kernel command line has an unpaired double quote: correct the job's cmdline.");
	return 0;
}

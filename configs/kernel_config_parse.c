// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strict reading of a kernel .config: what a name, a value and a line are, and
 * sorting of what was read. Setting and writing are in kernel_config.c.
 */
#include "configs/kernel_config_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

/* Beyond any real tree (about 20,000), and a bound for hostile input. */
#define SYMBOLS_MAX 200000
#define NAME_MAX_BYTES 128

static bool is_name_byte(char byte)
{
	return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
	       (byte >= '0' && byte <= '9') || byte == '_';
}

bool kernel_config_is_name(const char *text, size_t size)
{
	if (size == 0 || size > NAME_MAX_BYTES)
		return false;
	for (size_t i = 0; i < size; i++) {
		if (!is_name_byte(text[i]))
			return false;
	}
	return true;
}

static bool is_digits(const char *text, size_t size, const char *digits)
{
	if (size == 0)
		return false;
	for (size_t i = 0; i < size; i++) {
		if (!text[i] || !strchr(digits, text[i]))
			return false;
	}
	return true;
}

/* Quotes at both ends and no bare quote between them; kconfig escapes " and \ by a \. */
static bool is_quoted(const char *text, size_t size)
{
	if (size < 2 || text[0] != '"' || text[size - 1] != '"')
		return false;
	for (size_t i = 1; i < size - 1; i++) {
		if (text[i] == '"')
			return false;
		if (text[i] == '\\' && ++i >= size - 1)
			return false;
	}
	return true;
}

bool kernel_config_is_value(const char *text, size_t size)
{
	if (size == 1 && (*text == 'y' || *text == 'm' || *text == 'n'))
		return true;
	if (size > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return is_digits(text + 2, size - 2, "0123456789abcdefABCDEF");
	if (size > 1 && text[0] == '-')
		return is_digits(text + 1, size - 1, "0123456789");
	return is_digits(text, size, "0123456789") || is_quoted(text, size);
}

/* "CONFIG_X=value" or "# CONFIG_X is not set": where name and value are. */
static bool line_split(const char *line, size_t size, const char **ret_name, size_t *ret_name_size,
		       const char **ret_value, size_t *ret_value_size)
{
	static const char unset_tail[] = " is not set";
	static const char prefix[] = "CONFIG_";
	const size_t prefix_size = sizeof(prefix) - 1;
	const size_t tail_size = sizeof(unset_tail) - 1;
	const char *equals;

	if (size > 2 + prefix_size + tail_size && !memcmp(line, "# ", 2) &&
	    !memcmp(line + 2, prefix, prefix_size) &&
	    !memcmp(line + size - tail_size, unset_tail, tail_size)) {
		*ret_name = line + 2 + prefix_size;
		*ret_name_size = size - 2 - prefix_size - tail_size;
		*ret_value = "n";
		*ret_value_size = 1;
		return kernel_config_is_name(*ret_name, *ret_name_size);
	}
	equals = memchr(line, '=', size);
	if (!equals || size <= prefix_size || memcmp(line, prefix, prefix_size) != 0)
		return false;
	*ret_name = line + prefix_size;
	*ret_name_size = (size_t)(equals - *ret_name);
	*ret_value = equals + 1;
	*ret_value_size = size - (size_t)(*ret_value - line);
	return equals > *ret_name && kernel_config_is_name(*ret_name, *ret_name_size) &&
	       kernel_config_is_value(*ret_value, *ret_value_size);
}

struct sort_item {
	struct kernel_config_symbol symbol;
	size_t line;
};

static int sort_compare(const void *a, const void *b)
{
	const struct sort_item *x = a, *y = b;
	int order = strcmp(x->symbol.name, y->symbol.name);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Sorts by name; of a symbol that was given twice the last value counts, as in kconfig. */
static int symbols_sort(struct kernel_config *config)
{
	_cleanup_free_ struct sort_item *items = calloc(config->n_symbols + 1, sizeof(*items));
	size_t n = config->n_symbols, n_kept = 0;

	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		items[i] = (struct sort_item){ config->symbols[i], i };
	qsort(items, n, sizeof(*items), sort_compare);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && !strcmp(items[i].symbol.name, items[i + 1].symbol.name))
			kernel_config_symbol_done(&items[i].symbol);
		else
			config->symbols[n_kept++] = items[i].symbol;
	}
	config->n_symbols = n_kept;
	return 0;
}

static int line_read(struct kernel_config *config, const char *line, size_t size,
		     const char *name, size_t number, struct error *err)
{
	const char *symbol, *value;
	size_t symbol_size, value_size;

	while (size > 0 && (line[size - 1] == ' ' || line[size - 1] == '\t' ||
			    line[size - 1] == '\r'))
		size--;
	if (size == 0)
		return 0;
	if (memchr(line, '\0', size))
		return error_set(err, -EINVAL, "%s line %zu holds a NUL byte: it is no kernel config",
				 name, number);
	if (!line_split(line, size, &symbol, &symbol_size, &value, &value_size)) {
		if (line[0] == '#')
			return 0;
		return error_set(err, -EINVAL,
				 /* Not the line itself: root may have been made to read another's file. */
				 "%s line %zu is neither CONFIG_X=value nor \"# CONFIG_X is not set\"",
				 name, number);
	}
	if (config->n_symbols >= SYMBOLS_MAX)
		return error_set(err, -EFBIG, "%s holds more than %d symbols", name, SYMBOLS_MAX);
	if (kernel_config_append(config, symbol, symbol_size, value, value_size) < 0)
		return error_set(err, -ENOMEM, "out of memory while reading %s", name);
	return 0;
}

int kernel_config_parse(const char *data, size_t size, const char *name,
			struct kernel_config *ret_config, struct error *err)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	size_t number = 0;

	if (size > KERNEL_CONFIG_MAX_BYTES)
		return error_set(err, -EFBIG, "%s is larger than %d MiB: it is no kernel config",
				 name, KERNEL_CONFIG_MAX_BYTES >> 20);
	for (size_t at = 0; at < size;) {
		const char *end = memchr(data + at, '\n', size - at);
		size_t length = end ? (size_t)(end - (data + at)) : size - at;
		int r = line_read(&config, data + at, length, name, ++number, err);

		if (r < 0)
			return r;
		at += length + 1;
	}
	if (symbols_sort(&config) < 0)
		return error_set(err, -ENOMEM, "out of memory while reading %s", name);
	*ret_config = config;
	config = (struct kernel_config){ 0 };
	return 0;
}


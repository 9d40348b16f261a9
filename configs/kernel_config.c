// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel .config in memory: sorted symbols, setting, writing, the canonical
 * hash. Reading is in kernel_config_parse.c; what symbols mean is normalise.c's.
 */
#include "configs/kernel_config_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

void kernel_config_symbol_done(struct kernel_config_symbol *symbol)
{
	free(symbol->name);
	free(symbol->value);
}

void kernel_config_done(struct kernel_config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->n_symbols; i++)
		kernel_config_symbol_done(&config->symbols[i]);
	free(config->symbols);
	*config = (struct kernel_config){ 0 };
}

/* Grows by doubling: the capacity is the power of two at or above n_symbols. */
static int symbols_reserve(struct kernel_config *config)
{
	struct kernel_config_symbol *symbols;
	size_t n = config->n_symbols;

	if (n & (n - 1) && n > 0)
		return 0;
	symbols = reallocarray(config->symbols, n ? n * 2 : 1, sizeof(*symbols));
	if (!symbols)
		return -ENOMEM;
	config->symbols = symbols;
	return 0;
}

int kernel_config_append(struct kernel_config *config, const char *name, size_t name_size,
			 const char *value, size_t value_size)
{
	_cleanup_free_ char *name_copy = strndup(name, name_size);
	_cleanup_free_ char *value_copy = strndup(value, value_size);

	if (!name_copy || !value_copy || symbols_reserve(config) < 0)
		return -ENOMEM;
	config->symbols[config->n_symbols++] = (struct kernel_config_symbol){
		.name = TAKE_PTR(name_copy),
		.value = TAKE_PTR(value_copy),
	};
	return 0;
}

/* Where @name is, or (found false) where it belongs. */
static size_t symbol_position(const struct kernel_config *config, const char *name, bool *ret_found)
{
	size_t low = 0, high = config->n_symbols;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(config->symbols[middle].name, name);

		if (order == 0) {
			*ret_found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*ret_found = false;
	return low;
}

const char *kernel_config_get(const struct kernel_config *config, const char *name)
{
	bool found;
	size_t at = symbol_position(config, name, &found);

	return found ? config->symbols[at].value : NULL;
}

int kernel_config_set(struct kernel_config *config, const char *name, const char *value,
		      struct error *err)
{
	_cleanup_free_ char *name_copy = NULL;
	_cleanup_free_ char *value_copy = NULL;
	bool found;
	size_t at;

	if (!kernel_config_is_name(name, strlen(name)) || !kernel_config_is_value(value, strlen(value)))
		return error_set(err, -EINVAL, "CONFIG_%s=%s is not a config setting: write y, m, n, a number or \"text\"",
				 name, value);
	at = symbol_position(config, name, &found);
	value_copy = text_duplicate(value);
	if (found) {
		free(config->symbols[at].value);
		config->symbols[at].value = TAKE_PTR(value_copy);
		return 0;
	}
	name_copy = text_duplicate(name);
	if (symbols_reserve(config) < 0)
		return error_set(err, -ENOMEM, "out of memory while setting CONFIG_%s", name);
	memmove(&config->symbols[at + 1], &config->symbols[at],
		(config->n_symbols - at) * sizeof(config->symbols[0]));
	config->symbols[at] = (struct kernel_config_symbol){
		.name = TAKE_PTR(name_copy),
		.value = TAKE_PTR(value_copy),
	};
	config->n_symbols++;
	return 0;
}

char *kernel_config_write(const struct kernel_config *config)
{
	_cleanup_text_ struct text_buffer text = { 0 };

	for (size_t i = 0; i < config->n_symbols; i++) {
		const struct kernel_config_symbol *symbol = &config->symbols[i];

		if (!strcmp(symbol->value, "n"))
			text_printf(&text, "# CONFIG_%s is not set\n", symbol->name);
		else
			text_printf(&text, "CONFIG_%s=%s\n", symbol->name, symbol->value);
	}
	return text_buffer_take(&text);
}

void kernel_config_canonical_hash(const struct kernel_config *config,
				  char ret_hex[DIGEST_HEX_SIZE])
{
	_cleanup_text_ struct text_buffer text = { 0 };

	for (size_t i = 0; i < config->n_symbols; i++) {
		const struct kernel_config_symbol *symbol = &config->symbols[i];

		if (!strcmp(symbol->name, "LOCALVERSION") || !strcmp(symbol->value, "n"))
			continue;
		text_printf(&text, "%s=%s\n", symbol->name, symbol->value);
	}
	digest_bytes(text.text ? text.text : "", text.size, ret_hex);
}

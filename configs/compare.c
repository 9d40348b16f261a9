// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comparison of two kernel configs: a merge of two sorted lists. Whether a
 * difference is refused or only reported is the caller's decision.
 */
#include "configs/compare.h"

#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

/*
 * Never a difference: the local version is Abbot's own, and the rest describe the
 * tools, which are the same for all points (they are part of the kernel key).
 */
static const char *const ignored_symbols[] = {
	"LOCALVERSION",         "CC_VERSION_TEXT",     "GCC_VERSION",
	"CLANG_VERSION",        "AS_VERSION",          "LD_VERSION",
	"LLD_VERSION",          "PAHOLE_VERSION",      "RUSTC_VERSION",
	"RUSTC_VERSION_TEXT",   "RUSTC_LLVM_VERSION",  "BINDGEN_VERSION_TEXT",
};

static bool is_ignored(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(ignored_symbols); i++) {
		if (!strcmp(name, ignored_symbols[i]))
			return true;
	}
	return false;
}

/* Values come from files: what is not UTF-8 must not make a JSON object fail. */
static json_t *value_to_json(const char *value)
{
	json_t *json = json_string(value);

	return json ? json : json_string("(not UTF-8)");
}

static void only_append(json_t *list, const struct kernel_config_symbol *symbol)
{
	/* "is not set" against not mentioned is no difference anybody can act on. */
	if (strcmp(symbol->value, "n") != 0 && !is_ignored(symbol->name))
		(void)json_array_append_new(list, json_string(symbol->name));
}

static size_t conflict_append(json_t *conflicts, const struct kernel_config_symbol *a,
			      const struct kernel_config_symbol *b)
{
	json_t *conflict;

	if (!strcmp(a->value, b->value) || is_ignored(a->name))
		return 0;
	conflict = json_object();
	(void)json_object_set_new(conflict, "symbol", json_string(a->name));
	(void)json_object_set_new(conflict, "a", value_to_json(a->value));
	(void)json_object_set_new(conflict, "b", value_to_json(b->value));
	(void)json_array_append_new(conflicts, conflict);
	return 1;
}

size_t kernel_config_compare(const struct kernel_config *a, const struct kernel_config *b,
			     json_t **ret_comparison)
{
	json_t *conflicts = json_array(), *only_a = json_array(), *only_b = json_array();
	json_t *comparison = json_object();
	size_t n_conflicts = 0;

	for (size_t i = 0, j = 0; i < a->n_symbols || j < b->n_symbols;) {
		int order;

		if (i >= a->n_symbols)
			order = 1;
		else if (j >= b->n_symbols)
			order = -1;
		else
			order = strcmp(a->symbols[i].name, b->symbols[j].name);
		if (order < 0)
			only_append(only_a, &a->symbols[i++]);
		else if (order > 0)
			only_append(only_b, &b->symbols[j++]);
		else
			n_conflicts += conflict_append(conflicts, &a->symbols[i++], &b->symbols[j++]);
	}
	(void)json_object_set_new(comparison, "equal",
				  json_boolean(n_conflicts == 0 && json_array_size(only_a) == 0 &&
					       json_array_size(only_b) == 0));
	(void)json_object_set_new(comparison, "conflicts", conflicts);
	(void)json_object_set_new(comparison, "only_a", only_a);
	(void)json_object_set_new(comparison, "only_b", only_b);
	*ret_comparison = comparison;
	return n_conflicts;
}

char *kernel_config_conflicts_text(const json_t *comparison, const char *name_a,
				   const char *name_b)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	size_t i;
	const json_t *conflict;

	json_array_foreach(json_object_get(comparison, "conflicts"), i, conflict)
		text_printf(&text, "  %s: %s %s, %s %s\n",
			    json_string_value(json_object_get(conflict, "symbol")), name_a,
			    json_string_value(json_object_get(conflict, "a")), name_b,
			    json_string_value(json_object_get(conflict, "b")));
	return text_buffer_take(&text);
}

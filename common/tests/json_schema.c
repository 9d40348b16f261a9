// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One function a keyword. A keyword that is not in the table is an error.
 */
#include "common/tests/json_schema.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/text.h"

#define REFERENCE "#/$defs/"

struct place {
	const json_t *root;    /* the whole schema, for references */
	const json_t *schema;
	const char *path;
};

static int check(const struct place *place, const json_t *value, struct error *err);

/* The same at another schema, @step further in the value. */
static int check_below(const struct place *place, const json_t *schema, const char *step,
		       const json_t *value, struct error *err)
{
	_cleanup_free_ char *path = text_format("%s%s", place->path, step);
	const struct place below = { place->root, schema, path };

	return check(&below, value, err);
}

static bool has_type(const json_t *value, const char *type)
{
	return (strcmp(type, "object") == 0 && json_is_object(value)) ||
	       (strcmp(type, "array") == 0 && json_is_array(value)) ||
	       (strcmp(type, "string") == 0 && json_is_string(value)) ||
	       (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
	       (strcmp(type, "null") == 0 && json_is_null(value)) ||
	       (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
	       (strcmp(type, "number") == 0 && json_is_number(value));
}

static int check_type(const struct place *place, const json_t *types, const json_t *value,
		      struct error *err)
{
	size_t i;
	json_t *type;

	if (json_is_string(types) && has_type(value, json_string_value(types)))
		return 0;
	json_array_foreach((json_t *)types, i, type)
		if (has_type(value, json_string_value(type)))
			return 0;
	return error_set(err, -EINVAL, "%s: is of another type", place->path);
}

static int check_const(const struct place *place, const json_t *constant, const json_t *value,
		       struct error *err)
{
	return json_equal(constant, value) ? 0 :
		       error_set(err, -EINVAL, "%s: is not the constant", place->path);
}

static int check_enum(const struct place *place, const json_t *words, const json_t *value,
		      struct error *err)
{
	size_t i;
	json_t *word;

	json_array_foreach((json_t *)words, i, word)
		if (json_equal(word, value))
			return 0;
	return error_set(err, -EINVAL, "%s: is none of the words", place->path);
}

static int check_minimum(const struct place *place, const json_t *limit, const json_t *value,
			 struct error *err)
{
	return json_is_number(value) && json_number_value(value) < json_number_value(limit) ?
		       error_set(err, -EINVAL, "%s: is too small", place->path) : 0;
}

static int check_maximum(const struct place *place, const json_t *limit, const json_t *value,
			 struct error *err)
{
	return json_is_number(value) && json_number_value(value) > json_number_value(limit) ?
		       error_set(err, -EINVAL, "%s: is too large", place->path) : 0;
}

static int check_required(const struct place *place, const json_t *names, const json_t *value,
			  struct error *err)
{
	size_t i;
	json_t *name;

	json_array_foreach((json_t *)names, i, name)
		if (json_is_object(value) && !json_object_get(value, json_string_value(name)))
			return error_set(err, -EINVAL, "%s: lacks %s", place->path,
					 json_string_value(name));
	return 0;
}

/* Together with additionalProperties, which says what the others are. */
static int check_properties(const struct place *place, const json_t *properties,
			    const json_t *value, struct error *err)
{
	const json_t *others = json_object_get(place->schema, "additionalProperties");
	const char *name;
	json_t *member;

	json_object_foreach((json_t *)value, name, member) {
		_cleanup_free_ char *step = text_format(".%s", name);
		const json_t *schema = json_object_get(properties, name);
		int code;

		if (!schema && json_is_false(others))
			return error_set(err, -EINVAL, "%s%s: is not in the schema", place->path,
					 step);
		if (!schema)
			schema = others;
		code = json_is_object(schema) ? check_below(place, schema, step, member, err) : 0;
		if (code < 0)
			return code;
	}
	return 0;
}

static int check_others(const struct place *place, const json_t *others, const json_t *value,
			struct error *err)
{
	(void)others;
	return json_object_get(place->schema, "properties") ? 0 :
		       check_properties(place, NULL, value, err);
}

static int check_items(const struct place *place, const json_t *schema, const json_t *value,
		       struct error *err)
{
	size_t i;
	json_t *item;
	int code = 0;

	json_array_foreach((json_t *)value, i, item)
		if (code == 0)
			code = check_below(place, schema, "[]", item, err);
	return code;
}

/* The last one tried gives the sentence: the first is "null" wherever this serves. */
static int check_any_of(const struct place *place, const json_t *schemas, const json_t *value,
			struct error *err)
{
	size_t i;
	json_t *schema;
	int code = -EINVAL;

	json_array_foreach((json_t *)schemas, i, schema) {
		code = check_below(place, schema, "", value, err);
		if (code != -EINVAL)
			return code;
	}
	return code;
}

static int check_reference(const struct place *place, const json_t *reference,
			   const json_t *value, struct error *err)
{
	const char *text = json_string_value(reference);
	const json_t *schema = NULL;

	if (text && strncmp(text, REFERENCE, strlen(REFERENCE)) == 0)
		schema = json_object_get(json_object_get(place->root, "$defs"),
					 text + strlen(REFERENCE));
	if (!schema)
		return error_set(err, -ENOTSUP, "%s: the schema refers to nothing", place->path);
	return check_below(place, schema, "", value, err);
}

static int check_nothing(const struct place *place, const json_t *keyword, const json_t *value,
			 struct error *err)
{
	(void)place;
	(void)keyword;
	(void)value;
	(void)err;
	return 0;
}

static const struct {
	const char *name;
	int (*check)(const struct place *place, const json_t *keyword, const json_t *value,
		     struct error *err);
} keywords[] = {
	{ "type", check_type },
	{ "const", check_const },
	{ "enum", check_enum },
	{ "minimum", check_minimum },
	{ "maximum", check_maximum },
	{ "required", check_required },
	{ "properties", check_properties },
	{ "additionalProperties", check_others },
	{ "items", check_items },
	{ "anyOf", check_any_of },
	{ "$ref", check_reference },
	{ "$schema", check_nothing },
	{ "$defs", check_nothing },
	{ "title", check_nothing },
	{ "description", check_nothing },
};

static int check(const struct place *place, const json_t *value, struct error *err)
{
	const char *name;
	json_t *keyword;

	json_object_foreach((json_t *)place->schema, name, keyword) {
		size_t i = 0;
		int code;

		while (i < ARRAY_SIZE(keywords) && strcmp(keywords[i].name, name) != 0)
			i++;
		if (i == ARRAY_SIZE(keywords))
			return error_set(err, -ENOTSUP, "%s: the schema says %s, which is not known",
					 place->path, name);
		code = keywords[i].check(place, keyword, value, err);
		if (code < 0)
			return code;
	}
	return 0;
}

int json_schema_validate(const json_t *schema, const json_t *value, struct error *err)
{
	const struct place place = { schema, schema, "$" };

	return check(&place, value, err);
}

/* The tests run in the tree, or know it by where the configs are. */
json_t *json_schema_load(const char *path)
{
	const char *data = getenv("ABBOT_DATA");
	_cleanup_free_ char *full = data ? text_format("%s/../%s", data, path) : text_duplicate(path);
	json_error_t error;
	json_t *schema = json_load_file(full, JSON_REJECT_DUPLICATES, &error);

	if (!schema)
		fail_msg("%s: %s", full, error.text);
	return schema;
}

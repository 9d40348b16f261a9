// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A validator of JSON Schema (draft 2020-12), as far as the schemas of abbot-bench and of the
 * report use it.
 */
#pragma once

#include <jansson.h>

#include "common/error.h"

/*
 * 0: @value is as @schema says. -EINVAL: it is not, the sentence begins with the place.
 * -ENOTSUP: the schema itself says something that this does not understand, which is never passed over.
 */
int json_schema_validate(const json_t *schema, const json_t *value, struct error *err);

/* The schema at @path from the top of the tree, wherever the test runs; the test fails without it. */
json_t *json_schema_load(const char *path);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A Type 1 entry of the Boot Loader Specification (KEY VALUE lines), as text. Pure.
 * https://uapi-group.org/specifications/specs/boot_loader_specification
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/text.h"

/*
 * The values of @key, in order, with one blank between them ("options" may be given several
 * times); false and *ret_value untouched when there is none. Caller frees.
 */
bool bls_entry_get(const char *data, size_t size, const char *key, char **ret_value);

/* Adds the line "KEY VALUE"; @value must hold no line end. */
void bls_entry_add(struct text_buffer *text, const char *key, const char *value);

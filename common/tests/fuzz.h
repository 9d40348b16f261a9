// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What every fuzz target (FOLDER/tests/fuzz_NAME.c) shares. A target gives hostile bytes to
 * one parser and demands what must hold of whatever it accepts. `make fuzz` links it with
 * libFuzzer, the unit tests with tests/fuzz_replay.c.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer's entry point. @data is not NUL-terminated. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the parser promises; ends the process where it does not hold. */
#define FUZZ_REQUIRE(condition)                                                            \
	do {                                                                               \
		if (!(condition)) {                                                        \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, \
				#condition);                                               \
			abort();                                                           \
		}                                                                          \
	} while (0)

/* The bytes as text, ended by a NUL, in memory of just that size. The caller's to free. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

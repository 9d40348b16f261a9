// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How a failing function tells its caller why. Every fallible function returns
 * 0 (or a positive meaning) or a negative errno, and takes a `struct error *`
 * as its last parameter, which receives one sentence a user can act on: what,
 * where, and what to do. Libraries fill it; only `abbot` and `abbotd` print it.
 */
#pragma once

#include <stdarg.h>

struct error {
	char text[1024];
};

/*
 * Formats the sentence into @err (which may be NULL) and returns @code, so that
 * callers write `return error_set(err, -EINVAL, "...")`. @code must be negative.
 * Control characters in the result are replaced by '?': texts may hold input
 * that an attacker chose. Too long a text is cut.
 */
int error_set(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* As error_set(), followed by ": " and strerror(-code). */
int error_set_errno(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " before the sentence already in @err; returns @code. */
int error_prefix(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

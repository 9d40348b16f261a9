// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What clang's analyser cannot see across files, told to it by `make lint` only: the
 * code given to error_set() comes back, and cmocka's fail() does not.
 */
#pragma once

#include "common/error.h"

#define error_set(err, code, ...) ((void)error_set(err, code, __VA_ARGS__), (code))
#define error_set_errno(err, code, ...) ((void)error_set_errno(err, code, __VA_ARGS__), (code))
#define error_prefix(err, code, ...) ((void)error_prefix(err, code, __VA_ARGS__), (code))

__attribute__((noreturn)) void _fail(const char *const file, const int line);

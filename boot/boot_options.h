// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel command lines as data: what a test entry inherits, what Abbot adds so that
 * a dead test kernel reboots by itself, and looking a parameter up. Pure.
 * Format: Documentation/admin-guide/kernel-parameters.rst; words are split at white
 * space, double quotes keep white space, and after a lone "--" all is for init.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* x86's and arm64's COMMAND_LINE_SIZE is 2048; the rest is for BOOT_IMAGE= and abbot.token=. */
#define BOOT_OPTIONS_MAX_BYTES 1800

/*
 * The additions of every test boot: reboot by itself on panic, oops, lockup, failed
 * initramfs, emergency mode; start no timers (apt-daily and its like); and abbot.point=@point. Caller frees; never NULL.
 */
char *boot_test_options(const char *point);

/*
 * The part of @cmdline (as in /proc/cmdline) that another entry should inherit: without
 * BOOT_IMAGE=, initrd= and everything of Abbot's own (abbot.*). Caller frees; never NULL.
 */
char *boot_options_inherit(const char *cmdline);

/* @base with @more put at its end, but before a lone "--". Caller frees; never NULL. */
char *boot_options_join(const char *base, const char *more);

/* @cmdline without the words NAME and NAME=value before a lone "--". Caller frees; never NULL. */
char *boot_options_without(const char *cmdline, const char *name);

/*
 * The value of the last NAME=value before a lone "--", quotes removed. Returns false,
 * *ret_value untouched, when it is absent; a value that does not fit counts as absent.
 */
bool boot_options_get(const char *cmdline, const char *name, char *ret_value, size_t size);
/* Is the word NAME, or NAME=anything, there (before a lone "--")? */
bool boot_options_has(const char *cmdline, const char *name);

/*
 * Next word of *cursor, with quotes: *ret_start and *ret_size; advances *cursor. False
 * at the end.
 */
bool boot_options_next(const char **cursor, const char **ret_start, size_t *ret_size);

/* Fit to be handed to a kernel by a boot loader: no control characters, quotes paired, length. */
int boot_options_check(const char *options, struct error *err);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What tells who and where a machine is, taken out of texts before they are handed on: paths of
 * people, host and user names, serial numbers, UUIDs, MAC and IP addresses. Each becomes a word in
 * brackets. Kernel, build and boot ids stay: the result rests on them.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/text.h"

enum scrub_kind {
	SCRUB_PATH,
	SCRUB_HOST,
	SCRUB_USER,
	SCRUB_SERIAL,
	SCRUB_UUID,
	SCRUB_MAC,
	SCRUB_IP,
	SCRUB_KIND_COUNT,
};

struct scrub_word {
	char *text;
	enum scrub_kind kind;
};

struct scrub {
	struct scrub_word *words;    /* taken out wherever they stand as words of their own */
	size_t n_words;
	char **kept;                 /* UUIDs that stay */
	size_t n_kept;
	size_t counts[SCRUB_KIND_COUNT]; /* taken out so far */
};

void scrub_done(struct scrub *scrub);
#define _cleanup_scrub_ __attribute__((cleanup(scrub_done)))

/* What is too short, or is everybody's ("localhost", "debian"), is not taken. Copies. */
void scrub_add_word(struct scrub *scrub, enum scrub_kind kind, const char *word);
void scrub_keep_uuid(struct scrub *scrub, const char *uuid);

/* Appends @text (any bytes) without what is private, and counts it. */
void scrub_text(struct scrub *scrub, const char *text, size_t size, struct text_buffer *ret_text);
/* A deep copy: strings as above, a string that is a path whole. Keys, numbers and the rest stay. */
json_t *scrub_json(struct scrub *scrub, const json_t *json);

/* scrub_machine.c: this machine's host name, users, machine id and serial numbers. Reads files. */
void scrub_add_machine(struct scrub *scrub);
/* The host name of a journal's lines, "[    5.123456] HOST unit[1]: ...". */
void scrub_add_journal(struct scrub *scrub, const char *text, size_t size);

/* "paths", "host names": of several. */
const char *scrub_kind_name(enum scrub_kind kind);
/* "3 paths, 1 host name"; "nothing". The caller's to free. */
char *scrub_say(const struct scrub *scrub);

/*
 * scrub_match.c: the length of what begins at @at, or 0. @text has @size bytes. *ret_skip: how
 * much of it stays ("SerialNumber: " before the number).
 */
size_t scrub_match_path(const char *text, size_t size, size_t at);
size_t scrub_match_mac(const char *text, size_t size, size_t at);
size_t scrub_match_ip(const char *text, size_t size, size_t at);
size_t scrub_match_uuid(const char *text, size_t size, size_t at);
size_t scrub_match_serial(const char *text, size_t size, size_t at, size_t *ret_skip);
size_t scrub_match_disk_id(const char *text, size_t size, size_t at, size_t *ret_skip);

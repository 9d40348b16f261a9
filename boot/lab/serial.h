// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows the guest's serial log while it grows, for the host's progress display.
 */
#pragma once

#include "common/text.h"

struct serial_reader {
	const char *path;        /* borrowed; may not exist yet */
	int fd;
	struct text_buffer line; /* the unfinished one */
	char note[96];           /* what the guest's abbotd, or GRUB, said last; "" at first */
};

/* @path is borrowed and need not exist yet. */
void serial_reader_init(struct serial_reader *reader, const char *path);
void serial_reader_done(struct serial_reader *reader);
/* Reads what is new. Never blocks, never fails: no news is an unchanged note. */
void serial_reader_poll(struct serial_reader *reader);
/* One line of the log, for the reader's note; apart for tests. */
void serial_reader_take_line(struct serial_reader *reader, const char *line);

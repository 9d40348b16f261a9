// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The running kernel's log from /dev/kmsg, as dmesg(1) prints it.
 * Format: Documentation/ABI/testing/dev-kmsg.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"
#include "common/text.h"

/*
 * All messages that the kernel still has, "[   12.345678] text" a line, at most @max_bytes of
 * them, the newest last. @root stands for /. Negative errno when /dev/kmsg cannot be read.
 * Does not wait for messages to come.
 */
int kernel_messages_read(const char *root, size_t max_bytes, struct text_buffer *text,
			 struct error *err);

/*
 * Appends what whole records of /dev/kmsg say: "6,339,5140900,-;text" and lines of
 * " KEY=value", which are left out. A record of another form is left out, too.
 */
void kernel_messages_add(struct text_buffer *text, const char *records, size_t size);

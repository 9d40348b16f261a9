// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Picks the two kinds of line out of the serial log that tell where a job is: GRUB's
 * "Booting `entry'" and what abbotd says. The log itself stays as it is.
 */
#include "boot/lab/serial.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/printable.h"

#define LINE_MAX_BYTES 4096

void serial_reader_init(struct serial_reader *reader, const char *path)
{
	*reader = (struct serial_reader){.path = path, .fd = -1};
}

void serial_reader_done(struct serial_reader *reader)
{
	cleanup_close(&reader->fd);
	reader->fd = -1;
	text_buffer_done(&reader->line);
}

/* systemd puts "abbotd[PID]: " before each line that it copies to the console. */
static const char *after_daemon_name(const char *line)
{
	const char *name = strstr(line, "abbotd");

	if (!name)
		return NULL;
	name += strlen("abbotd");
	if (*name == '[') {
		name = strchr(name, ']');
		if (!name)
			return NULL;
		name++;
	}
	return text_has_prefix(name, ": ") ? name + 2 : NULL;
}

void serial_reader_take_line(struct serial_reader *reader, const char *line)
{
	const char *said = after_daemon_name(line);
	const char *booting = strstr(line, "Booting `");
	char *end;

	if (said) {
		(void)snprintf(reader->note, sizeof(reader->note), "%s", said);
	} else if (booting) {
		booting += strlen("Booting `");
		(void)snprintf(reader->note, sizeof(reader->note), "GRUB boots %s", booting);
		end = strchr(reader->note, '\'');
		if (end)
			*end = '\0';
	}
	/* It goes to a terminal, and a guest's console holds anything. */
	for (char *c = reader->note; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	printable_clean(reader->note, false);
	(void)text_strip(reader->note);
}

static void take_bytes(struct serial_reader *reader, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		char c = bytes[i] ? bytes[i] : ' ';

		if (c == '\n' || reader->line.size >= LINE_MAX_BYTES) {
			serial_reader_take_line(reader, reader->line.text ? reader->line.text : "");
			text_buffer_done(&reader->line);
			reader->line = (struct text_buffer){0};
		}
		if (c != '\n')
			text_append_bytes(&reader->line, &c, 1);
	}
}

void serial_reader_poll(struct serial_reader *reader)
{
	char bytes[4096];
	ssize_t n;

	if (reader->fd < 0)
		reader->fd = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (reader->fd < 0)
		return;
	while ((n = read(reader->fd, bytes, sizeof(bytes))) > 0)
		take_bytes(reader, bytes, (size_t)n);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Works with a log of a lab disk's writes, for the case recorded-writes:
 *
 *   replay_writes list LOG                 each write: INDEX OFFSET SIZE WHAT, where WHAT is
 *                                          "armed ENTRY" or "empty" (GRUB's environment of
 *                                          ours), "menu" (our part of custom.cfg), or "-"
 *   replay_writes apply LOG DISK FROM TO   writes FROM <= index < TO to DISK
 *   replay_writes boot DISK VARIABLES TPM SERIAL SECONDS
 *                                          runs it until it goes off: 0; 1: it did not
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/lab/machine.h"
#include "boot/lab/write_log.h"
#include "common/cleanup.h"
#include "common/text.h"

#define ENVIRONMENT "# GRUB Environment Block\n"
#define MENU "### BEGIN abbot"
#define LOOK_MAX_BYTES (1U << 20)

static int fail(const struct error *err)
{
	(void)fprintf(stderr, "replay_writes: %s\n", err->text);
	return 2;
}

/* Environments of ours begin a block; the menu's mark is near the beginning of its file. */
static void print_what(const char *data, size_t size)
{
	static const char next[] = "\nabbot_next=";

	for (size_t at = 0; at + 1024 <= size; at += 1024) {
		const char *found;

		if (memcmp(data + at, ENVIRONMENT, strlen(ENVIRONMENT)) != 0)
			continue;
		found = (const char *)memmem(data + at, 1024, next, strlen(next));
		if (!found)
			continue;
		found += strlen(next);
		if (*found == '\n')
			puts("empty");
		else
			printf("armed %.*s\n", (int)strcspn(found, "\n#"), found);
		return;
	}
	puts(memmem(data, size, MENU, strlen(MENU)) ? "menu" : "-");
}

static int list(const char *path)
{
	_cleanup_(write_log_close) struct write_log log = { 0 };
	_cleanup_free_ char *data = calloc(1, LOOK_MAX_BYTES + 1);
	struct write_log_entry entry;
	struct error err = { 0 };
	int r = write_log_open(path, &log, &err);

	while (data && r >= 0 && (r = write_log_next(&log, &entry, &err)) > 0) {
		size_t size = entry.size < LOOK_MAX_BYTES ? (size_t)entry.size : LOOK_MAX_BYTES;

		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " ", entry.index, entry.offset, entry.size);
		if (entry.flags & WRITE_LOG_DISCARD || pread(log.fd, data, size, (off_t)entry.data_at) != (ssize_t)size)
			size = 0;
		print_what(data, size);
	}
	return r < 0 ? fail(&err) : 0;
}

static int apply(const char *path, const char *disk, uint64_t from, uint64_t to)
{
	_cleanup_(write_log_close) struct write_log log = { 0 };
	_cleanup_close_ int fd = open(disk, O_WRONLY | O_CLOEXEC);
	struct write_log_entry entry;
	struct error err = { 0 };
	int r = fd < 0 ? error_set_errno(&err, -errno, "cannot open %s", disk) : write_log_open(path, &log, &err);

	while (r >= 0 && log.index < to && (r = write_log_next(&log, &entry, &err)) > 0)
		if (entry.index >= from && (r = write_log_apply(&log, &entry, fd, &err)) < 0)
			break;
	return r < 0 ? fail(&err) : 0;
}

static int boot(char **words)
{
	const struct machine machine = { .disk = words[0], .variables = words[1], .tpm = words[2],
					 .serial = words[3], .timeout_ms = strtoll(words[4], NULL, 10) * 1000 };
	enum machine_end end;
	struct error err = { 0 };
	double wall_s;

	if (machine_write_tpm(machine.tpm, &err) < 0 || machine_run(&machine, &wall_s, &end, &err) < 0)
		return fail(&err);
	printf("%s after %.0f s\n", end == MACHINE_OFF ? "off" : "still on", wall_s);
	return end == MACHINE_OFF ? 0 : 1;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "list") == 0)
		return list(argv[2]);
	if (argc == 6 && strcmp(argv[1], "apply") == 0)
		return apply(argv[2], argv[3], strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10));
	if (argc == 7 && strcmp(argv[1], "boot") == 0)
		return boot(argv + 2);
	(void)fputs("usage: replay_writes list LOG | apply LOG DISK FROM TO | boot DISK VARIABLES TPM SERIAL SECONDS\n", stderr);
	return 2;
}

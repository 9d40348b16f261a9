// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starving the watchdog, and the note of it: STATE/watchdog.json, {"boot_id", "identity",
 * "at_s", "failed"}. Asking whether it may be done is the caller's.
 */
#include "boot/starve.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <linux/watchdog.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define NOTE_NAME "watchdog.json"
#define NOTE_MAX_BYTES 4096
#define TIMEOUT_WANTED_S 10
/* i6300esb and others count twice: a first stage, then the reset. */
#define MARGIN_S 30

static void read_boot_id(const char *root, char ret_id[37])
{
	_cleanup_free_ char *path = text_format("%s/proc/sys/kernel/random/boot_id", root), *data = NULL;

	ret_id[0] = '\0';
	if (file_read(path, NOTE_MAX_BYTES, &data, NULL, NULL) == 0)
		(void)snprintf(ret_id, 37, "%s", text_strip(data));
}

/* The same as sysfs's, which a kernel need not have. */
static void read_identity(int fd, char ret_identity[64])
{
	struct watchdog_info info = { 0 };

	if (ioctl(fd, WDIOC_GETSUPPORT, &info) < 0)
		info.identity[0] = '\0';
	(void)snprintf(ret_identity, 64, "%.*s", (int)sizeof(info.identity), (const char *)info.identity);
}

static int write_note(const char *state_directory, const char *boot_id, const char *identity,
		      bool has_failed, struct error *err)
{
	_cleanup_free_ char *path = path_join(state_directory, NOTE_NAME), *text = NULL;
	_cleanup_json_ json_t *note = json_pack("{s:s, s:s, s:I, s:b}", "boot_id", boot_id, "identity",
						identity, "at_s", (json_int_t)time(NULL), "failed",
						has_failed ? 1 : 0);

	text = json_dumps(note, JSON_COMPACT);
	if (!text)
		return error_set(err, -ENOMEM, "Out of memory.");
	return file_write_durable(path, text, strlen(text), 0644, err);
}

static int unusable(const char *path, struct error *err)
{
	return error_set(err, -EBADMSG, "%s is not what abbot wrote there: remove it.", path);
}

static int judge(const struct boot_paths *paths, const char *noted_boot_id, bool has_failed,
		 struct error *err)
{
	char boot_id[37];

	if (has_failed)
		return STARVE_FAILED;
	read_boot_id(paths->root, boot_id);
	if (strcmp(boot_id, noted_boot_id) != 0)
		return STARVE_PROVED;
	return error_set(err, -EBUSY, "The watchdog is being starved, or the attempt was broken off.");
}

int starve_read(const struct boot_paths *paths, const char *state_directory,
		struct starve_proof *ret_proof, struct error *err)
{
	_cleanup_free_ char *path = path_join(state_directory, NOTE_NAME), *data = NULL;
	_cleanup_json_ json_t *note = NULL;
	const char *boot_id, *identity;
	int has_failed = 0;
	json_int_t at_s;
	size_t size = 0;
	time_t at;
	struct tm utc;
	int r;

	r = file_read(path, NOTE_MAX_BYTES, &data, &size, err);
	if (r == -ENOENT || r == -ENOTDIR)
		return STARVE_NEVER_TRIED;
	if (r < 0)
		return r;
	note = json_loadb(data, size, 0, NULL);
	if (json_unpack(note, "{s:s, s:s, s:I, s:b}", "boot_id", &boot_id, "identity", &identity, "at_s",
			&at_s, "failed", &has_failed) < 0)
		return unusable(path, err);
	at = (time_t)at_s;
	if (!gmtime_r(&at, &utc))
		return unusable(path, err);
	(void)strftime(ret_proof->date, sizeof(ret_proof->date), "%Y-%m-%d %H:%M", &utc);
	(void)snprintf(ret_proof->identity, sizeof(ret_proof->identity), "%s", identity);
	return judge(paths, boot_id, has_failed, err);
}

static int open_watchdog(int *ret_fd, struct error *err)
{
	int fd = open("/dev/watchdog", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		*ret_fd = fd;
		return 0;
	}
	if (errno == EBUSY)
		return error_set(err, -EBUSY,
				 "/dev/watchdog is in use: set RuntimeWatchdogSec=0 in /etc/systemd/system.conf, run systemctl daemon-reexec, and try again.");
	if (errno == ENOENT)
		return error_set(err, -EOPNOTSUPP, "There is no /dev/watchdog: load its driver.");
	return error_set_errno(err, -errno, "Cannot open /dev/watchdog");
}

/* What a driver without WDIOC_SETTIMEOUT counts, it says by WDIOC_GETTIMEOUT. */
static int set_timeout(int fd, int *ret_timeout_s, struct error *err)
{
	int timeout_s = TIMEOUT_WANTED_S;

	if (ioctl(fd, WDIOC_SETTIMEOUT, &timeout_s) < 0 && ioctl(fd, WDIOC_GETTIMEOUT, &timeout_s) < 0)
		return error_set_errno(err, -errno, "The watchdog does not say when it bites");
	*ret_timeout_s = timeout_s;
	return 0;
}

static void wait_s(int64_t seconds)
{
	struct timespec left = { .tv_sec = seconds };

	while (clock_nanosleep(CLOCK_BOOTTIME, 0, &left, &left) == EINTR)
		;
}

/* Broken off half-way, the next reboot would pass for the watchdog's. */
static void block_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP };
	sigset_t mask;

	(void)sigemptyset(&mask);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		(void)sigaddset(&mask, signals[i]);
	(void)sigprocmask(SIG_BLOCK, &mask, NULL);
}

/* 'V' is the magic close: without it the timer would go on. */
static void give_up(int fd)
{
	(void)!write(fd, "V", 1);
	(void)close(fd);
}

int starve_watchdog(const char *state_directory, struct error *err)
{
	_cleanup_free_ char *path = path_join(state_directory, NOTE_NAME), *before = NULL;
	char boot_id[37], identity[64] = "";
	int fd = -1, timeout_s = 0, r;
	size_t size = 0;

	(void)file_read(path, NOTE_MAX_BYTES, &before, &size, NULL);

	read_boot_id("", boot_id);
	/* First the note: the timer runs from open() on. */
	r = write_note(state_directory, boot_id, identity, false, err);
	if (r < 0)
		return r;
	sync();
	r = open_watchdog(&fd, err);
	if (r < 0) { /* nothing was tried: what was known is still true */
		if (!before || file_write_durable(path, before, size, 0644, NULL) < 0)
			(void)unlink(path);
		return r;
	}
	block_signals();
	read_identity(fd, identity);
	(void)write_note(state_directory, boot_id, identity, false, NULL);
	r = set_timeout(fd, &timeout_s, err);
	if (r == 0) {
		wait_s(2 * (int64_t)timeout_s + MARGIN_S);
		r = error_set(err, -ETIMEDOUT,
			      "The machine is still up %lld s after the last feeding: this watchdog (%s) does not reboot it.",
			      2LL * timeout_s + MARGIN_S, identity);
	}
	give_up(fd);
	(void)write_note(state_directory, boot_id, identity, true, NULL);
	return r;
}

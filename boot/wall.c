// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A notice on terminals, as wall(1) gives it. Sessions come from logind, since a system need
 * not keep utmp any more; logind itself sends notices of scheduled shutdowns only.
 */
#include "boot/wall.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "boot/system_bus.h"
#include "common/cleanup.h"
#include "common/text.h"

#define LOGIND "org.freedesktop.login1"
#define WALL_BUS_TIMEOUT_US (5 * 1000000ULL)

static void cleanup_message(sd_bus_message **message)
{
	sd_bus_message_unref(*message);
}

/* @terminal: "tty1" or "pts/3". True when it took all of @text. */
static bool write_terminal(const char *terminal, const char *text)
{
	_cleanup_free_ char *path = text_format("/dev/%s", terminal);
	_cleanup_close_ int fd = -1;

	if (!*terminal || strstr(terminal, ".."))
		return false;
	fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd >= 0 && isatty(fd) && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static int tell_session(sd_bus *bus, const char *session, const char *text)
{
	_cleanup_free_ char *terminal = NULL;

	if (sd_bus_get_property_string(bus, LOGIND, session, LOGIND ".Session", "TTY", NULL, &terminal) < 0)
		return 0;
	return write_terminal(terminal, text);
}

int wall_notice(const char *text)
{
	_cleanup_free_ char *notice = text_format("\r\n\a%s\r\n", text);
	_cleanup_(cleanup_message) sd_bus_message *reply = NULL;
	_cleanup_(system_bus_close) sd_bus *bus = NULL;
	const char *id, *user, *seat, *path;
	int n_told = 0, r;
	uint32_t uid;

	r = system_bus_open(WALL_BUS_TIMEOUT_US, &bus);
	if (r >= 0)
		r = sd_bus_call_method(bus, LOGIND, "/org/freedesktop/login1", LOGIND ".Manager",
				       "ListSessions", NULL, &reply, "");
	if (r >= 0)
		r = sd_bus_message_enter_container(reply, 'a', "(susso)");
	while (r >= 0 && (r = sd_bus_message_read(reply, "(susso)", &id, &uid, &user, &seat, &path)) > 0)
		n_told += tell_session(bus, path, notice);
	return r < 0 ? r : n_told;
}

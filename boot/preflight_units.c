// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`, what systemd and logind know: units that must act after a reboot, who is
 * logged in, and what holds a shutdown up. org.freedesktop.systemd1(5), .login1(5).
 */
#include "boot/preflight_internal.h"

#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

#define SYSTEMD "org.freedesktop.systemd1"
#define SYSTEMD_MANAGER "org.freedesktop.systemd1.Manager"
#define LOGIND "org.freedesktop.login1"
#define LOGIND_MANAGER "org.freedesktop.login1.Manager"
/* Of a list for people; how many there are is said in any case. */
#define NAMES_MAX 5

static void cleanup_message(sd_bus_message **message)
{
	sd_bus_message_unref(*message);
}

/* *ret_state is at least as long lived as *ret_reply. */
static const char *unit_file_state(sd_bus *bus, const char *unit, sd_bus_message **ret_reply)
{
	const char *state = "not installed";

	if (sd_bus_call_method(bus, SYSTEMD, "/org/freedesktop/systemd1", SYSTEMD_MANAGER,
			       "GetUnitFileState", NULL, ret_reply, "s", unit) >= 0)
		(void)sd_bus_message_read(*ret_reply, "s", &state);
	return state;
}

static void check_unit(struct preflight *preflight, sd_bus *bus, const char *check,
		       const char *unit, const char *what, const char *otherwise)
{
	_cleanup_(cleanup_message) sd_bus_message *reply = NULL;
	const char *state = unit_file_state(bus, unit, &reply);
	_cleanup_free_ char *remedy = text_format("Run systemctl enable %s.", unit);

	if (strcmp(state, "enabled") == 0)
		preflight_add(preflight, check, PREFLIGHT_OK, "", "%s %s.", unit, what);
	else
		preflight_add(preflight, check, PREFLIGHT_REFUSAL, remedy, "%s is %s: %s.", unit, state,
			      otherwise);
}

void preflight_check_units(struct preflight *preflight, sd_bus *bus)
{
	check_unit(preflight, bus, "unit", "abbotd.service", "starts at boot",
		   "after a reboot nobody would go on");
	check_unit(preflight, bus, "emergency-unit", "abbot-emergency-reboot.service",
		   "ends a test boot's emergency mode",
		   "a test kernel whose boot fails would wait for a password");
	check_unit(preflight, bus, "deadline-unit", "abbot-deadline.timer",
		   "ends a test boot that never reports",
		   "a test kernel on which abbotd does not start would stay up");
}

static bool is_person(sd_bus *bus, const char *session)
{
	_cleanup_free_ char *class = NULL;

	return sd_bus_get_property_string(bus, LOGIND, session, LOGIND ".Session", "Class", NULL,
					  &class) < 0 ||
	       text_has_prefix(class, "user");
}

/* Names of logged-in users, at most NAMES_MAX; -errno when logind does not answer. */
static int list_users(sd_bus *bus, struct text_buffer *names, int *ret_n_users)
{
	_cleanup_(cleanup_message) sd_bus_message *reply = NULL;
	const char *id, *user, *seat, *path;
	uint32_t uid;
	int n = 0, r;

	r = sd_bus_call_method(bus, LOGIND, "/org/freedesktop/login1", LOGIND_MANAGER, "ListSessions",
			       NULL, &reply, "");
	if (r >= 0)
		r = sd_bus_message_enter_container(reply, 'a', "(susso)");
	while (r >= 0 &&
	       (r = sd_bus_message_read(reply, "(susso)", &id, &uid, &user, &seat, &path)) > 0)
		if (is_person(bus, path) && n++ < NAMES_MAX)
			text_printf(names, "%s%s", names->size ? ", " : "", user);
	*ret_n_users = n;
	return r;
}

static void check_users(struct preflight *preflight, sd_bus *bus)
{
	_cleanup_text_ struct text_buffer names = { 0 };
	int n_users;

	if (list_users(bus, &names, &n_users) < 0)
		preflight_add(preflight, "users", PREFLIGHT_SKIPPED, "", "logind does not say who is logged in.");
	else if (n_users > 0)
		preflight_add(preflight, "users", PREFLIGHT_WARNING,
			      "Tell them, or queue with --not-before for a time when they are gone.",
			      "%d session%s would end with a reboot: %s.", n_users, n_users == 1 ? "" : "s",
			      names.text);
	else
		preflight_add(preflight, "users", PREFLIGHT_OK, "", "Nobody is logged in.");
}

/* What holds a shutdown up for good; a delay lock only for seconds. */
static int list_inhibitors(sd_bus *bus, struct text_buffer *names)
{
	_cleanup_(cleanup_message) sd_bus_message *reply = NULL;
	const char *what, *who, *why, *mode;
	uint32_t uid, pid;
	int r;

	r = sd_bus_call_method(bus, LOGIND, "/org/freedesktop/login1", LOGIND_MANAGER,
			       "ListInhibitors", NULL, &reply, "");
	if (r >= 0)
		r = sd_bus_message_enter_container(reply, 'a', "(ssssuu)");
	while (r >= 0 && (r = sd_bus_message_read(reply, "(ssssuu)", &what, &who, &why, &mode, &uid,
						  &pid)) > 0)
		if (strstr(what, "shutdown") && text_has_prefix(mode, "block") && names->size < 512)
			text_printf(names, "%s%s (%s)", names->size ? ", " : "", who, why);
	return r;
}

static void check_inhibitors(struct preflight *preflight, sd_bus *bus)
{
	_cleanup_text_ struct text_buffer names = { 0 };

	if (list_inhibitors(bus, &names) < 0)
		preflight_add(preflight, "inhibitors", PREFLIGHT_SKIPPED, "",
			      "logind does not say what inhibits a shutdown.");
	else if (names.size > 0)
		preflight_add(preflight, "inhibitors", PREFLIGHT_WARNING, "Look at systemd-inhibit --list.",
			      "A shutdown is inhibited, and abbotd reboots all the same: %s.", names.text);
	else
		preflight_add(preflight, "inhibitors", PREFLIGHT_OK, "", "Nothing inhibits a shutdown.");
}

void preflight_check_people(struct preflight *preflight, sd_bus *bus)
{
	check_users(preflight, bus);
	check_inhibitors(preflight, bus);
}

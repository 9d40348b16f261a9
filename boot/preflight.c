// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`: runs every group of checks and collects their lines. The checks are
 * in boot/preflight_loader.c, preflight_machine.c and preflight_tools.c.
 */
#include "boot/preflight.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "boot/preflight_internal.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define PREFLIGHT_MAX_BYTES (64UL * 1024)

static const char *preflight_status_name(enum preflight_status status)
{
	switch (status) {
	case PREFLIGHT_OK:
		return "ok";
	case PREFLIGHT_WARNING:
		return "warning";
	case PREFLIGHT_REFUSAL:
		return "refusal";
	case PREFLIGHT_SKIPPED:
		return "skipped";
	}
	return "unknown";
}

/* What a job that runs now brings about, or what is over when the next one begins. */
static bool preflight_will_pass(const char *check)
{
	static const char *const checks[] = { "one-shot", "pending-entry", "firmware-one-shot",
					      "command-line", "hold", "users", "inhibitors" };

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		if (strcmp(checks[i], check) == 0)
			return true;
	return false;
}

void preflight_add(struct preflight *preflight, const char *check, enum preflight_status status,
		   const char *remedy, const char *format, ...)
{
	char text[1024];
	va_list arguments;
	json_t *line;

	if (preflight->request->occasion == PREFLIGHT_QUEUE && preflight_will_pass(check))
		return;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is just above */
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	/* A path or an entry's name need not be UTF-8; the line must not be lost for it. */
	line = json_pack("{s:s, s:s, s:s, s:s}", "check", check, "status",
			 preflight_status_name(status), "text", text, "remedy", remedy);
	if (!line)
		line = json_pack("{s:s, s:s, s:s, s:s}", "check", check, "status",
				 preflight_status_name(status), "text",
				 "The result names something that is not UTF-8.", "remedy", "");
	(void)json_array_append_new(preflight->lines, line);
	preflight->is_refused |= status == PREFLIGHT_REFUSAL;
}

char *preflight_read(const struct preflight *preflight, const char *path, size_t *ret_size)
{
	_cleanup_free_ char *full = text_format("%s%s", preflight->paths->root, path);
	char *data = NULL;

	return file_read(full, PREFLIGHT_MAX_BYTES, &data, ret_size, NULL) < 0 ? NULL : data;
}

void preflight_read_line(const struct preflight *preflight, const char *path, char *ret_line, size_t size)
{
	_cleanup_free_ char *data = preflight_read(preflight, path, NULL);

	if (data)
		data[strcspn(data, "\n")] = '\0';
	(void)snprintf(ret_line, size, "%s", data ? text_strip(data) : "");
}

bool preflight_exists(const struct preflight *preflight, const char *path)
{
	_cleanup_free_ char *full = text_format("%s%s", preflight->paths->root, path);

	return file_exists(full);
}

static void preflight_check_user(struct preflight *preflight)
{
	if (geteuid() == 0)
		preflight_add(preflight, "user", PREFLIGHT_OK, "", "Running as root: everything can be looked at.");
	else
		preflight_add(preflight, "user", PREFLIGHT_WARNING, "Run it again as root.",
			      "Not running as root: some checks below cannot see enough.");
}

static void preflight_check_hold(struct preflight *preflight)
{
	if (preflight_exists(preflight, "/etc/abbot/hold"))
		preflight_add(preflight, "hold", PREFLIGHT_REFUSAL, "Remove /etc/abbot/hold.",
			      "/etc/abbot/hold stops the daemon from doing anything.");
	else
		preflight_add(preflight, "hold", PREFLIGHT_OK, "", "There is no /etc/abbot/hold.");
}

static void preflight_check_all(struct preflight *preflight)
{
	preflight_check_user(preflight);
	preflight_check_loader(preflight);
	preflight_check_grub(preflight);
	preflight_check_firmware(preflight);
	preflight_check_kernel(preflight);
	preflight_check_hang(preflight);
	preflight_check_drivers(preflight);
	preflight_check_root(preflight);
	preflight_check_services(preflight);
	preflight_check_hold(preflight);
	preflight_check_space(preflight);
	if (preflight->request->builds)
		preflight_check_tools(preflight);
}

int preflight_run(const struct boot_paths *paths, const struct preflight_request *request,
		  json_t **ret_lines, struct error *err)
{
	_cleanup_json_ json_t *lines = json_array();
	_cleanup_free_ char *os_release = NULL;
	struct preflight preflight = { .paths = paths, .request = request, .lines = lines };
	size_t size = 0;

	if (!lines)
		return error_set(err, -ENOMEM, "Out of memory.");
	os_release = preflight_read(&preflight, "/etc/os-release", &size);
	if (!os_release) /* os-release(5): the second place */
		os_release = preflight_read(&preflight, "/usr/lib/os-release", &size);
	preflight.commands = os_commands_of(os_release, os_release ? size : 0);
	preflight_check_all(&preflight);
	boot_loader_free(preflight.loader);
	*ret_lines = TAKE_PTR(lines);
	return preflight.is_refused ? 1 : 0;
}

int preflight_refuse(const json_t *lines, struct error *err)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	const json_t *line;
	size_t i;

	json_array_foreach(lines, i, line) {
		const char *remedy = json_string_value(json_object_get(line, "remedy"));

		if (strcmp(json_string_value(json_object_get(line, "status")), "refusal") != 0)
			continue;
		text_printf(&text, " %s: %s", json_string_value(json_object_get(line, "check")),
			    json_string_value(json_object_get(line, "text")));
		if (*remedy)
			text_printf(&text, " %s", remedy);
	}
	return error_set(err, -EPERM, "this machine is not safe to reboot unattended (see \"abbot check\").%s",
			 text.text ? text.text : "");
}

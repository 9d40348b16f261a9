// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`: runs every group of checks and collects their lines. The checks are
 * in boot/preflight_loader.c, preflight_machine.c and preflight_tools.c.
 */
#include "boot/preflight.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
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

void preflight_add(struct preflight *preflight, const char *check, enum preflight_status status,
		   const char *remedy, const char *format, ...)
{
	char text[1024];
	va_list arguments;
	json_t *line;

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

int preflight_run(const struct boot_paths *paths, const char *state_directory, int kernels,
		  json_t **ret_lines, struct error *err)
{
	_cleanup_json_ json_t *lines = json_array();
	struct preflight preflight = {
		.paths = paths,
		.state_directory = state_directory,
		.kernels = kernels,
		.lines = lines,
	};

	if (!lines)
		return error_set(err, -ENOMEM, "Out of memory.");
	preflight_check_user(&preflight);
	preflight_check_loader(&preflight);
	preflight_check_grub(&preflight);
	preflight_check_firmware(&preflight);
	preflight_check_kernel(&preflight);
	preflight_check_services(&preflight);
	preflight_check_hold(&preflight);
	preflight_check_space(&preflight);
	preflight_check_tools(&preflight);
	boot_loader_free(preflight.loader);
	*ret_lines = TAKE_PTR(lines);
	return preflight.is_refused ? 1 : 0;
}

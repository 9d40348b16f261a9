// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The names that this machine and its people go by.
 */
#include <ctype.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "orchestrator/work/scrub.h"

#define PERSON_UID_MIN 1000
#define PERSON_UID_MAX 59999
#define ID_MAX_BYTES 256

/* Whole, and up to its first dot. */
static void add_host(struct scrub *scrub, const char *name)
{
	_cleanup_free_ char *label = text_format("%.*s", (int)strcspn(name, "."), name);

	scrub_add_word(scrub, SCRUB_HOST, name);
	scrub_add_word(scrub, SCRUB_HOST, label);
}

static void add_people(struct scrub *scrub)
{
	const struct passwd *person;

	setpwent();
	while ((person = getpwent()))
		if (person->pw_uid >= PERSON_UID_MIN && person->pw_uid <= PERSON_UID_MAX)
			scrub_add_word(scrub, SCRUB_USER, person->pw_name);
	endpwent();
}

static void add_file(struct scrub *scrub, enum scrub_kind kind, const char *path)
{
	_cleanup_free_ char *data = NULL;

	if (file_read(path, ID_MAX_BYTES, &data, NULL, NULL) == 0)
		scrub_add_word(scrub, kind, text_strip(data));
}

void scrub_add_machine(struct scrub *scrub)
{
	static const char *const serials[] = {
		"/sys/class/dmi/id/board_serial", "/sys/class/dmi/id/chassis_serial",
		"/sys/class/dmi/id/product_serial", "/sys/class/dmi/id/board_asset_tag",
		"/sys/class/dmi/id/chassis_asset_tag",
	};
	struct utsname names;

	if (uname(&names) == 0)
		add_host(scrub, names.nodename);
	add_people(scrub);
	for (size_t i = 0; i < ARRAY_SIZE(serials); i++)
		add_file(scrub, SCRUB_SERIAL, serials[i]);
	add_file(scrub, SCRUB_UUID, "/etc/machine-id");
}

void scrub_add_journal(struct scrub *scrub, const char *text, size_t size)
{
	for (size_t at = 0; at < size;) {
		const char *line = text + at, *end = memchr(line, '\n', size - at);
		size_t length = end ? (size_t)(end - line) : size - at;
		const char *bracket = length && *line == '[' ? memchr(line, ']', length) : NULL;

		if (bracket && bracket + 1 < line + length && bracket[1] == ' ') {
			const char *name = bracket + 2;
			size_t n = 0;

			while (name + n < line + length && !isspace((unsigned char)name[n]))
				n++;
			if (n && n <= 64 && !memchr(name, ':', n)) {
				_cleanup_free_ char *word = text_format("%.*s", (int)n, name);

				add_host(scrub, word);
			}
		}
		at += length + 1;
	}
}

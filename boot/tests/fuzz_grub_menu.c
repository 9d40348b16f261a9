// SPDX-License-Identifier: GPL-2.0-or-later
/* Titles, paths and kernel options that become a menu entry: title, path, options, a line each. */
#include "boot/grub_config.h"
#include "common/cleanup.h"
#include "common/tests/fuzz.h"

/* Quoting as GRUB's shell reads it: what single quotes hold is literal, else a backslash escapes. */
static bool is_quote_open(const char *text)
{
	bool is_open = false;

	for (; *text; text++) {
		if (*text == '\'')
			is_open = !is_open;
		else if (!is_open && *text == '\\' && text[1])
			text++;
	}
	return is_open;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *lines = fuzz_text(data, size), *text = NULL;
	char *rest = lines;
	const char *title = strsep(&rest, "\n");
	const char *path = rest ? strsep(&rest, "\n") : "/vmlinuz";
	const struct grub_menu_entry entry = {
		.id = "abbot-1-child",
		.title = title,
		.uuid = "ABCD-1234",
		.kernel_path = path,
		.initrd_path = size % 2 ? path : NULL,
		.options = rest ? rest : "",
	};

	if (grub_menu_entry_write(&entry, &text, NULL) < 0)
		return 0;
	/* Whatever it was made of: quotes are closed, and it is one entry. */
	FUZZ_REQUIRE(!is_quote_open(text));
	FUZZ_REQUIRE(strncmp(text, "menuentry ", 10) == 0);
	FUZZ_REQUIRE(strcmp(text + strlen(text) - 6, "\tfi\n}\n") == 0);
	return 0;
}

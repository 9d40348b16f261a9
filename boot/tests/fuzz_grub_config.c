// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * custom.cfg, as it is, and as the body of a block of ours whose checksum is right: what
 * is accepted is written back and read again with the same entries.
 */
#include "boot/grub_config.h"
#include "common/cleanup.h"
#include "common/digest.h"
#include "common/tests/fuzz.h"
#include "common/text.h"

static void parse_and_write(const char *data, size_t size)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	_cleanup_(grub_config_done) struct grub_config again = { 0 };
	_cleanup_free_ char *text = NULL;
	struct error err = { .text = "" };

	if (grub_config_parse(data, size, &config, &err) < 0) {
		FUZZ_REQUIRE(err.text[0]);
		return;
	}
	text = grub_config_write(&config);
	FUZZ_REQUIRE(grub_config_parse(text, strlen(text), &again, &err) == 0);
	FUZZ_REQUIRE(again.n_entries == config.n_entries);
	for (size_t i = 0; i < again.n_entries; i++) {
		FUZZ_REQUIRE(strcmp(again.entries[i].id, config.entries[i].id) == 0);
		FUZZ_REQUIRE(strcmp(again.entries[i].text, config.entries[i].text) == 0);
	}
	if (grub_config_set(&config, "abbot-9-new", text_duplicate("true\n"), &err) == 0)
		FUZZ_REQUIRE(grub_config_has(&config, "abbot-9-new"));
	grub_config_remove(&config, "abbot-9-new");
	FUZZ_REQUIRE(!grub_config_has(&config, "abbot-9-new"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *body = fuzz_text(data, size), *block = NULL;
	char sum[DIGEST_HEX_SIZE];

	parse_and_write((const char *)data, size);
	digest_bytes(body, strlen(body), sum);
	block = text_format("### BEGIN abbot: made by abbotd, do not edit; it goes with the last entry\n"
			    "# abbot-sha256 %s\n%s### END abbot\n", sum, body);
	parse_and_write(block, strlen(block));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What a broken kernel leaves in its log, as text and as records of /dev/kmsg. */
#include "boot/kernel_log.h"
#include "boot/kernel_messages.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text_buffer text = { 0 };
	struct kernel_log log;
	char *crash;

	kernel_log_scan((const char *)data, size, &log);
	FUZZ_REQUIRE(log.n_findings <= KERNEL_LOG_FINDINGS_MAX);
	for (int i = 0; i < log.n_findings; i++) {
		FUZZ_REQUIRE(log.findings[i].n >= 1 && log.findings[i].kind);
		for (const char *at = log.findings[i].text; *at; at++)
			FUZZ_REQUIRE((unsigned char)*at >= ' ' && *at != 0x7f);
	}
	crash = kernel_log_crash(&log);
	FUZZ_REQUIRE(!crash || log.n_findings > 0);
	free(crash);
	kernel_messages_add(&text, (const char *)data, size);
	FUZZ_REQUIRE(text.size == 0 || text.text[text.size - 1] == '\n');
	text_buffer_done(&text);
	return 0;
}

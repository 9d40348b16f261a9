// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What came up after a one-shot reboot: the table of "Verify" in boot(7) as a pure
 * function. Applies only once the boot id has changed.
 */
#pragma once

#include <stdbool.h>

enum boot_verdict {
	BOOT_VERDICT_EXPECTED,    /* "expected": kernel and token as asked, one-shot empty */
	BOOT_VERDICT_FELL_BACK,   /* "fell-back": default kernel, one-shot empty: it was tried */
	BOOT_VERDICT_NOT_TAKEN,   /* "not-taken": default kernel, still armed */
	BOOT_VERDICT_NOT_CLEARED, /* "not-cleared": test kernel, still armed */
	BOOT_VERDICT_WRONG,       /* "wrong-kernel": neither the expected nor the default */
};

struct boot_facts {
	const char *expected_build_id;
	const char *expected_token;
	const char *default_build_id;
	const char *running_build_id;
	const char *running_token; /* "" if none */
	bool is_armed;
};

enum boot_verdict boot_verify(const struct boot_facts *facts);
const char *boot_verdict_name(enum boot_verdict verdict);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verification table: running kernel and one-shot against what was asked for.
 * Pure. What to do about a verdict is the planner's business.
 */
#include "boot/verify.h"

#include <string.h>

/* An unknown id ("" or NULL) is equal to nothing: no proof, no match. */
static bool verify_same(const char *a, const char *b)
{
	return a && b && *a && strcmp(a, b) == 0;
}

enum boot_verdict boot_verify(const struct boot_facts *facts)
{
	bool has_token = facts->running_token && *facts->running_token;
	bool is_expected_kernel = verify_same(facts->running_build_id, facts->expected_build_id);
	bool is_expected_token = verify_same(facts->running_token, facts->expected_token);
	bool is_default = verify_same(facts->running_build_id, facts->default_build_id);

	/*
	 * The one-shot that brought us here is still set: the loader does not clear it,
	 * and every reboot would come here again. Worse than a wrong token.
	 */
	if (is_expected_kernel && has_token && facts->is_armed)
		return BOOT_VERDICT_NOT_CLEARED;
	if (is_expected_kernel && is_expected_token)
		return BOOT_VERDICT_EXPECTED;
	/* The default entry never carries a token, even when it is the kernel under test. */
	if (is_default && !has_token)
		return facts->is_armed ? BOOT_VERDICT_NOT_TAKEN : BOOT_VERDICT_FELL_BACK;
	return BOOT_VERDICT_WRONG;
}

const char *boot_verdict_name(enum boot_verdict verdict)
{
	switch (verdict) {
	case BOOT_VERDICT_EXPECTED:
		return "expected";
	case BOOT_VERDICT_FELL_BACK:
		return "fell-back";
	case BOOT_VERDICT_NOT_TAKEN:
		return "not-taken";
	case BOOT_VERDICT_NOT_CLEARED:
		return "not-cleared";
	case BOOT_VERDICT_WRONG:
		return "wrong-kernel";
	}
	return "unknown";
}

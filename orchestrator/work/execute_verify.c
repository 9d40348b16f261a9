// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What came up, judged by boot/verify.h, with a sentence for whoever must look at it.
 */
#include "orchestrator/work/execute_verify.h"

#include <errno.h>

#include "boot/verify.h"

static const char *verdict_text(enum boot_verdict verdict)
{
	switch (verdict) {
	case BOOT_VERDICT_EXPECTED:
		return "the expected kernel runs";
	case BOOT_VERDICT_FELL_BACK:
		return "the default kernel came up: the test kernel did not boot, or did not stay up";
	case BOOT_VERDICT_NOT_TAKEN:
		return "the boot loader did not take the one-shot entry: it was cleared; run "
		       "abbot check, then resume";
	case BOOT_VERDICT_NOT_CLEARED:
		return "the boot loader did not clear the one-shot entry, which would boot it "
		       "for ever: it was cleared by hand; do not trust this loader";
	case BOOT_VERDICT_WRONG:
		return "another kernel came up than the one asked for: nothing was measured; look "
		       "at the boot loader, then resume";
	}
	return "";
}

int execute_verify(const struct ports *ports, const struct run_state *state,
		   const struct observation *observation, const struct action *action,
		   json_t **ret_result, struct error *err)
{
	const struct boot_state *boot = &state->boots[action->boot];
	const struct boot_facts facts = {
		.expected_build_id = state->points[boot->point].build_id,
		.expected_token = boot->token,
		.default_build_id = state->default_build_id,
		.running_build_id = observation->build_id,
		.running_token = observation->token,
		.is_armed = observation->is_armed,
	};
	enum boot_verdict verdict = boot_verify(&facts);
	struct error reason = { 0 };
	json_t *data = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b}", "verdict",
				 boot_verdict_name(verdict), "text", verdict_text(verdict),
				 "boot_id", observation->boot_id, "build_id",
				 observation->build_id, "release", observation->release,
				 "version", observation->version, "cmdline",
				 observation->cmdline, "armed",
				 observation->is_armed ? 1 : 0);

	if (!data)
		return error_set(err, -ENOMEM, "out of memory");
	/* Before it is written down: a crash in between only asks again. */
	if (verdict == BOOT_VERDICT_EXPECTED && ports->stop_deadline(ports->context, &reason) < 0)
		(void)json_object_set_new(data, "deadline", json_string(reason.text));
	*ret_result = data;
	return 0;
}

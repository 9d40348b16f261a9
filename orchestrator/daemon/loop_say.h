// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The daemon's progress lines, to the journal and to `systemctl status`: one before
 * what takes long, one after each step.
 */
#pragma once

#include <jansson.h>

#include "common/error.h"
#include "orchestrator/daemon/step.h"

/* One line in the journal and systemd's status each; they never fail. */
void say_intent(const struct step *step);
void say_result(const struct step *step, int status, const json_t *result,
		const struct error *act_error);
void say_idle(const struct step *step);

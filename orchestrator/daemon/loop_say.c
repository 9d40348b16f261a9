// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Progress lines, in the words of describe.h: a step is described as the event that
 * it leaves behind.
 */
#include "orchestrator/daemon/loop_say.h"

#include <string.h>
#include <systemd/sd-daemon.h>

#include "common/cleanup.h"
#include "common/log.h"
#include "orchestrator/work/describe.h"

/* Nothing is to be said when an action of this kind starts, or ends. */
struct voice {
	enum event_kind kind;
	bool before;
	bool after;
};

static bool voice_of(enum action_kind kind, struct voice *ret_voice)
{
	static const struct voice voices[] = {
		[ACTION_BEGIN] = { EVENT_BEGIN, false, true },
		[ACTION_CONFIGURE] = { EVENT_CONFIGURE, true, true },
		[ACTION_RANGE] = { EVENT_RANGE, false, true },
		[ACTION_SELECT] = { EVENT_SELECT, false, true },
		[ACTION_SKIP] = { EVENT_SKIP, false, true },
		[ACTION_BUILD] = { EVENT_BUILD, true, true },
		[ACTION_INSTALL] = { EVENT_INSTALL, false, true },
		[ACTION_HOP] = { EVENT_HOP, false, false },
		[ACTION_ARM] = { EVENT_ARM, false, true },
		[ACTION_REBOOT] = { EVENT_REBOOT, true, false },
		[ACTION_VERIFY] = { EVENT_VERIFY, false, true },
		[ACTION_PROFILE] = { EVENT_PROFILE, false, true },
		[ACTION_MEASURE] = { EVENT_MEASURE, false, true },
		[ACTION_DIAGNOSE] = { EVENT_DIAGNOSE, false, true },
		[ACTION_EVIDENCE] = { EVENT_EVIDENCE, false, true },
		[ACTION_RESTORE] = { EVENT_RESTORE, false, true },
		[ACTION_DISARM] = { EVENT_DISARM, false, true },
		[ACTION_RETURN] = { EVENT_RETURN, true, false },
		[ACTION_REMOVE] = { EVENT_REMOVE, false, true },
		[ACTION_PAUSE] = { EVENT_PAUSE, false, true },
		[ACTION_END] = { EVENT_END, false, true },
	};

	if (kind == ACTION_IDLE || (size_t)kind >= ARRAY_SIZE(voices))
		return false;
	*ret_voice = voices[kind];
	return true;
}

static void say(const struct step *step, enum event_kind kind, enum event_phase phase,
		const json_t *data, enum log_level level)
{
	const struct action *action = &step->action;
	_cleanup_free_ char *words = NULL;
	struct event event;

	event_init(&event, step->state.job_id, kind, phase);
	event.point = action->point;
	event.boot = action->boot;
	event.attempt = action->attempt;
	event.process = action->process;
	if (data)
		(void)json_object_update(event.data, (json_t *)(uintptr_t)data);
	words = describe_event(&step->state.job, &event);
	event_done(&event);
	log_line(level, "abbotd: %s", words);
	(void)sd_notifyf(0, "STATUS=Job %lld: %s", (long long)step->state.job_id, words);
}

void say_intent(const struct step *step)
{
	struct voice voice;

	if (voice_of(step->action.kind, &voice) && voice.before)
		say(step, voice.kind, EVENT_INTENT, NULL, LOG_LEVEL_INFO);
}

void say_result(const struct step *step, int status, const json_t *result,
		const struct error *act_error)
{
	_cleanup_json_ json_t *failure = NULL;
	struct voice voice;

	if (!voice_of(step->action.kind, &voice) || (!voice.after && status >= 0))
		return;
	if (status < 0) {
		failure = json_pack("{s:o}", "error",
				    json_stringn_nocheck(act_error->text, strlen(act_error->text)));
		result = failure;
	}
	say(step, voice.kind, EVENT_RESULT, result, status < 0 ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO);
}

void say_idle(const struct step *step)
{
	if (!step->can_run)
		(void)sd_notify(0, "STATUS=Nothing to do.");
	else if (step->observation.is_held)
		(void)sd_notify(0, "STATUS=On hold: abbot.hold or /etc/abbot/hold.");
}

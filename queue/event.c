// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events in memory: their names, making and releasing. What they mean is
 * queue/run_state.c's business, keeping them queue/store.c's.
 */
#include "queue/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

static const char *const kind_names[EVENT_KIND_COUNT] = {
	[EVENT_SUBMITTED] = "submitted",
	[EVENT_BEGIN] = "begin",
	[EVENT_CONFIGURE] = "configure",
	[EVENT_RANGE] = "range",
	[EVENT_SELECT] = "select",
	[EVENT_SKIP] = "skip",
	[EVENT_BUILD] = "build",
	[EVENT_INSTALL] = "install",
	[EVENT_HOP] = "hop",
	[EVENT_ARM] = "arm",
	[EVENT_REBOOT] = "reboot",
	[EVENT_VERIFY] = "verify",
	[EVENT_PROFILE] = "profile",
	[EVENT_MEASURE] = "measure",
	[EVENT_DIAGNOSE] = "diagnose",
	[EVENT_RESTORE] = "restore",
	[EVENT_EVIDENCE] = "evidence",
	[EVENT_DISARM] = "disarm",
	[EVENT_RETURN] = "return",
	[EVENT_REMOVE] = "remove",
	[EVENT_PAUSE] = "pause",
	[EVENT_RESUME] = "resume",
	[EVENT_CANCEL] = "cancel",
	[EVENT_END] = "end",
};

static const char *const phase_names[EVENT_PHASE_COUNT] = {
	[EVENT_NOTE] = "note",
	[EVENT_INTENT] = "intent",
	[EVENT_RESULT] = "result",
};

void event_init(struct event *event, int64_t job, enum event_kind kind, enum event_phase phase)
{
	*event = (struct event){
		.job = job,
		.kind = kind,
		.phase = phase,
		.point = -1,
		.boot = -1,
		.attempt = -1,
		.process = -1,
		.data = json_object(),
	};
	/* "Never NULL" is what lets every reader skip a check: out of memory ends here. */
	if (!event->data)
		abort();
}

void event_done(struct event *event)
{
	if (!event)
		return;
	json_decref(event->data);
	event->data = NULL;
}

void event_list_done(struct event_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->n_events; i++)
		event_done(&list->events[i]);
	free(list->events);
	*list = (struct event_list){ 0 };
}

const char *event_kind_name(enum event_kind kind)
{
	if ((unsigned int)kind >= EVENT_KIND_COUNT)
		return "unknown";
	return kind_names[kind];
}

const char *event_phase_name(enum event_phase phase)
{
	if ((unsigned int)phase >= EVENT_PHASE_COUNT)
		return "unknown";
	return phase_names[phase];
}

int event_kind_from_name(const char *name, enum event_kind *ret_kind)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(kind_names); i++) {
		if (strcmp(name, kind_names[i]) == 0) {
			*ret_kind = (enum event_kind)i;
			return 0;
		}
	}
	return -EINVAL;
}

int event_phase_from_name(const char *name, enum event_phase *ret_phase)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(phase_names); i++) {
		if (strcmp(name, phase_names[i]) == 0) {
			*ret_phase = (enum event_phase)i;
			return 0;
		}
	}
	return -EINVAL;
}

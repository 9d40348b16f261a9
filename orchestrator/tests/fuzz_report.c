// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of a damaged or forged store, told and rendered: every line is printable, and
 * every format is a text or a sentence why not.
 */
#include "common/cleanup.h"
#include "orchestrator/work/describe.h"
#include "orchestrator/work/result_build.h"
#include "queue/run_state.h"
#include "queue/tests/hostile_rows.h"
#include "reports/render/render.h"

static void render_all(const struct event_list *events)
{
	static const char *const formats[] = { "text", "json", "tsv", "html", "mail" };
	const struct store_job row = { .id = 1, .name = (char[]){ "fuzz" }, .submitted_ns = 1 };
	_cleanup_(result_done) struct result result;
	struct error err = { .text = "" };

	result_init(&result);
	if (result_build(&row, events, &result, &err) < 0) {
		FUZZ_REQUIRE(err.text[0]);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		_cleanup_free_ char *text = NULL;

		err.text[0] = '\0';
		if (render_result(&result, formats[i], &text, &err) < 0)
			FUZZ_REQUIRE(err.text[0]);
		else
			FUZZ_REQUIRE(text && *text && text[strlen(text) - 1] == '\n');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(event_list_done) struct event_list events = hostile_rows_read(data, size);
	struct run_state state;

	if (run_state_fold(&state, &events, NULL) < 0)
		return 0;
	for (size_t i = 0; i < events.n_events; i++) {
		_cleanup_free_ char *words = describe_event(&state.job, &events.events[i]);

		FUZZ_REQUIRE(!strchr(words, '\n') && !strchr(words, '\033'));
	}
	if (events.n_events)
		render_all(&events);
	run_state_done(&state);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Between the parts of result_build; not for others.
 */
#pragma once

#include <jansson.h>

#include "queue/event.h"
#include "queue/job.h"
#include "reports/render/result.h"

/* What a boot's last attempt left behind besides its values. */
struct boot_notes {
	json_t *profile;       /* in force; owned, NULL before */
	json_t *environment;   /* of the first measured process; owned, NULL before */
	json_t *parameters;    /* of that process; owned, NULL before */
	int n_processes;       /* results so far, warm-ups included */
	int n_measured;
};

struct result_builder {
	struct result *result;
	struct job job;
	size_t bench;              /* which of the job's workloads this result is of */
	bool has_job;
	struct boot_notes *notes;  /* one for each boot of the result */
	char *default_release;
	char *sandbox; /* of the builds: "bubblewrap", or why there was none */
	json_t *not_available;     /* knobs that this machine lacks; owned, NULL */
	json_t *findings;          /* of the boots' evidence, with "boots"; owned, NULL before */
	enum result_status status_before_pause;
};

/* A copy of @with in place of *@text; NULL for an empty one. */
void result_build_replace(char **text, const char *with);

int result_build_note(struct result_builder *builder, const struct event *event,
		      struct error *err);

/* The compared configs and the mail's recipients; the kernel of the event's point, or why there is none. */
void result_build_configure(struct result_builder *builder, const struct event *event);
void result_build_kernel(struct result_builder *builder, const struct event *event);

/* One process's result into its boot: value, phases, a failed gate. */
int result_build_measure(struct result_builder *builder, size_t boot, int process,
			 const json_t *data, struct error *err);

/* What a diagnosis found, or why not, into its boot. */
void result_build_diagnosis(struct result_boot *boot, const json_t *data);

/* What one attempt left behind; when all events are in, the findings become warnings. */
void result_build_evidence(struct result_builder *builder, const struct event *event);
void result_build_findings(struct result_builder *builder);

/* Of a bisection (result_build_bisect.c): a chosen commit is a point. */
void result_build_select(struct result_builder *builder, const struct event *event);
/* The proof of what was found stays, and the search is told; nothing for other designs. */
int result_build_bisection(struct result_builder *builder, const struct event_list *events,
			   struct error *err);
/* What a boot left behind is forgotten. */
void result_build_forget(struct boot_notes *notes);

/* Facts equal on all boots, warnings of those that are not; the machine. */
void result_build_facts(struct result_builder *builder);
/*
 * A second look, independent of the planner's: the same boot twice, another kernel, a
 * failed gate or other settings make the result INVALID, whatever the job's end said.
 */
void result_build_check_gates(struct result_builder *builder);

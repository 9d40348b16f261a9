// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a reader of a result should know besides its figures: a sentence for people
 * (result.warnings), and the same with its kind, boot and kernel for programs.
 */
#pragma once

#include "reports/render/result.h"

/* Every kind, NULL-terminated: those of the schema, reports/render/abbot-report.schema.json. */
extern const char *const result_finding_kinds[];

/*
 * A warning and its finding. @kind is one of the table, or the finding is of the kind
 * "other". @boot and @point from 0, or RESULT_NONE; a boot tells the point, too.
 */
void result_warn(struct result *result, const char *kind, size_t boot, size_t point,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The finding alone, of attempt @attempt at boot @boot, which is there. */
void result_finding_add(struct result *result, const char *kind, size_t boot, int attempt,
			const char *text);

/* What a further workload's result found and this one did not, under that workload's name. */
void result_finding_take(struct result *result, const struct result *further);

void result_findings_done(struct result_findings *findings);

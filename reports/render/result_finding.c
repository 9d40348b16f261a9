// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of findings. What is worth one is known where it is seen.
 */
#include "reports/render/result_finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

#define OTHER "other"

const char *const result_finding_kinds[] = {
	/* What the kernels under test left behind. */
	"panic", "oops", "warning", "lockup", "rcu-stall", "hung-task", "oom", "hardware-error",
	"trace", "failed-unit", "watchdog-reset", "not-collected", "nothing",
	/* How the job went. */
	"setting-differs", "attempts", "configs-differ",
	/* What follows from the numbers. */
	"unequal-n", "mean-differs", "quantised", "outlier-boot", "drift", "drift-gate",
	"sensitivity", "few-boots", "no-interval", "unbalanced-order", "rung-drift",
	OTHER, NULL,
};

static const char *known_kind(const char *kind)
{
	for (size_t i = 0; kind && result_finding_kinds[i]; i++) {
		if (strcmp(result_finding_kinds[i], kind) == 0)
			return result_finding_kinds[i];
	}
	return OTHER;
}

static struct result_finding *add(struct result *result, const char *kind, const char *text)
{
	struct result_findings *findings = &result->findings;
	struct result_finding *added;

	findings->items = reallocarray(findings->items, findings->n + 1, sizeof(*findings->items));
	if (!findings->items)
		abort(); /* a report too big for memory cannot be saved */
	added = &findings->items[findings->n++];
	*added = (struct result_finding){
		.kind = known_kind(kind),
		.boot = RESULT_NONE,
		.point = RESULT_NONE,
		.text = text_duplicate(text),
	};
	return added;
}

void result_finding_add(struct result *result, const char *kind, size_t boot, int attempt,
			const char *text)
{
	struct result_finding *added = add(result, kind, text);

	added->boot = boot;
	added->attempt = attempt;
}

void result_warn(struct result *result, const char *kind, size_t boot, size_t point,
		 const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	struct result_finding *added;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		abort();
	va_end(arguments);
	result_texts_add(&result->warnings, "%s", text);
	added = add(result, kind, text);
	added->boot = boot;
	added->point = point;
	if (boot < result->n_boots)
		added->attempt = result->boots[boot].attempt;
}

static bool is_same(const struct result_finding *a, const struct result_finding *b)
{
	return a->kind == b->kind && a->boot == b->boot && a->point == b->point &&
	       a->attempt == b->attempt && strcmp(a->text, b->text) == 0;
}

void result_finding_take(struct result *result, const struct result *further)
{
	size_t n_own = result->findings.n;

	for (size_t i = 0; i < further->findings.n; i++) {
		const struct result_finding *finding = &further->findings.items[i];
		struct result_finding *added;
		bool is_known = false;

		for (size_t k = 0; k < n_own && !is_known; k++)
			is_known = is_same(&result->findings.items[k], finding);
		if (is_known)
			continue;
		added = add(result, finding->kind, finding->text);
		added->boot = finding->boot;
		added->point = finding->point;
		added->attempt = finding->attempt;
		added->workload = further->bench ? text_duplicate(further->bench) : NULL;
	}
}

void result_findings_done(struct result_findings *findings)
{
	for (size_t i = 0; i < findings->n; i++) {
		free(findings->items[i].text);
		free(findings->items[i].workload);
	}
	free(findings->items);
	*findings = (struct result_findings){ 0 };
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two kernels side by side, metric by metric: the headline's and each phase, a row each. The
 * layout is benchstat's (golang.org/x/perf/cmd/benchstat): old, new, delta, how sure, n; but
 * the boot is what is counted.
 */
#pragma once

#include <jansson.h>

#include "common/text.h"
#include "reports/render/result.h"

struct metrics_row {
	char *workload;        /* its name in the job, or what is run */
	char *name;            /* "iteration" */
	char *unit;            /* or NULL */
	bool is_headline;      /* of its workload */
	double old_mean;       /* of the boots' means */
	double new_mean;
	double old_sd_pct;     /* between boots; NAN for one boot */
	double new_sd_pct;
	size_t n_old;          /* boots */
	size_t n_new;
	struct interval interval;
	enum verdict verdict;  /* by its own interval; INCONCLUSIVE where its sandwich drifted */
};

struct metrics {
	struct metrics_row *rows;
	size_t n_rows;
	int level_pct;         /* of the interval that is shown and decides: 95 or 99 */
	bool has_several;      /* workloads: each has a heading */
	const char *old_name;  /* heads of the columns, borrowed; NULL: "old", "new" */
	const char *new_name;
};

/* One kernel's boots of one workload. */
struct metrics_side {
	const struct result *result; /* whose boots have values */
	size_t point;
};

void metrics_done(struct metrics *metrics);
#define _cleanup_metrics_ __attribute__((cleanup(metrics_done)))

/*
 * Adds the rows of one workload, the headline first. Two sides of one result keep the order of
 * its boots, others have none. @history may be NULL and is of the headline only. A phase that a
 * boot lacks, or that is not positive, is left out.
 */
int metrics_add(struct metrics *metrics, const struct metrics_side *old,
		const struct metrics_side *new, const struct interval_history *history,
		struct error *err);

/* 80 columns. */
void metrics_write_text(const struct metrics *metrics, struct text_buffer *text);
/* A list of objects; a new reference. */
json_t *metrics_json(const struct metrics *metrics);

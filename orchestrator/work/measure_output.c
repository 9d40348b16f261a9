// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * abbot-bench's JSON, taken as hostile: it ran on the kernel under test. Running it is for
 * measure.c.
 */
#include "orchestrator/work/measure_output.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

#define BENCH_SCHEMA 1

static int parse(const struct job_bench *bench, int exit_status, const char *data, size_t size,
		 json_t **ret_output, struct error *err)
{
	json_error_t json_error;
	_cleanup_json_ json_t *output = json_loadb(data, size, JSON_REJECT_DUPLICATES, &json_error);
	const char *workload;
	const char *status;

	if (!json_is_object(output))
		return error_set(err, -EBADMSG, "abbot-bench %s printed no JSON object (%s)",
				 bench->workload, output ? "another value" : json_error.text);
	if (json_integer_value(json_object_get(output, "schema")) != BENCH_SCHEMA)
		return error_set(err, -EBADMSG,
				 "abbot-bench %s printed a result of another schema than %d; "
				 "install abbot-bench and abbotd of one version",
				 bench->workload, BENCH_SCHEMA);
	workload = json_string_value(json_object_get(output, "workload"));
	if (!workload || strcmp(workload, bench->workload) != 0)
		return error_set(err, -EBADMSG, "abbot-bench ran \"%s\" instead of \"%s\"",
				 workload ? workload : "", bench->workload);
	status = json_string_value(json_object_get(output, "status"));
	/* Both must agree: a number from a wrong state may not slip into a mean. */
	if (!status || strcmp(status, exit_status == 0 ? "ok" : "unexpected") != 0)
		return error_set(err, -EBADMSG,
				 "abbot-bench %s ended with status %d but its result says \"%s\"",
				 bench->workload, exit_status, status ? status : "");
	*ret_output = TAKE_PTR(output);
	return 0;
}

static int refuse_metric(const struct job_bench *bench, const json_t *metrics,
			 struct error *err)
{
	_cleanup_text_ struct text_buffer names = { 0 };
	const char *name;
	json_t *metric;

	/* jansson's iterator is not const, though it changes nothing. */
	json_object_foreach((json_t *)metrics, name, metric)
		text_printf(&names, "%s%s", names.size ? ", " : "", name);
	return error_set(err, -EINVAL, "abbot-bench %s has no metric \"%s\"; it has: %s",
			 bench->workload, bench->metric, names.size ? names.text : "none");
}

static int pick_value(const struct job_bench *bench, const json_t *output, double *ret_value,
		      struct error *err)
{
	const json_t *metrics = json_object_get(output, "metrics");
	const json_t *mean =
		json_object_get(json_object_get(metrics, bench->metric), "mean");
	double value = json_number_value(mean);

	if (!json_is_number(mean))
		return refuse_metric(bench, metrics, err);
	if (!isfinite(value) || value <= 0)
		return error_set(err, -EBADMSG,
				 "abbot-bench %s measured %g for %s, which cannot be",
				 bench->workload, value, bench->metric);
	*ret_value = value;
	return 0;
}

int measure_output_read(const struct job_bench *bench, int exit_status, const char *data,
			size_t size, json_t **ret_output, double *ret_value, struct error *err)
{
	_cleanup_json_ json_t *output = NULL;
	double value = 0;
	int r = parse(bench, exit_status, data, size, &output, err);

	if (r == 0 && exit_status == 0)
		r = pick_value(bench, output, &value, err);
	if (r < 0)
		return r;
	*ret_output = TAKE_PTR(output);
	*ret_value = value;
	return 0;
}

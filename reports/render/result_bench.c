// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The workloads of one job: the result itself is the first, the others are kept in it.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/render/result.h"

const struct result *result_bench(const struct result *result, size_t index)
{
	if (index == 0)
		return result;
	return index <= result->n_further ? &result->further[index - 1] : NULL;
}

bool result_is_partly_invalid(const struct result *result)
{
	size_t n_invalid = 0;

	for (size_t i = 0; i <= result->n_further; i++)
		n_invalid += result_bench(result, i)->status == RESULT_INVALID;
	return n_invalid > 0 && n_invalid <= result->n_further;
}

static int unknown_bench(const struct result *result, const char *name, struct error *err)
{
	_cleanup_text_ struct text_buffer names = { 0 };

	for (size_t i = 0; i <= result->n_further && result->bench; i++)
		text_printf(&names, "%s%s", i ? ", " : "", result_bench(result, i)->bench);
	if (!result->bench)
		return error_set(err, -EINVAL, "the job has one workload only, %s",
				 result->workload ? result->workload : "and that without a name");
	return error_set(err, -EINVAL, "the job has no workload \"%.100s\"; it has: %s", name,
			 names.text);
}

int result_take_bench(struct result *result, const char *name, struct error *err)
{
	for (size_t i = 0; i <= result->n_further; i++) {
		struct result taken = i ? result->further[i - 1] : *result;

		if (!taken.bench || strcmp(taken.bench, name) != 0)
			continue;
		if (i) {
			/* What is released below must not be this one. */
			result->further[i - 1] = (struct result){ 0 };
			result_done(result);
			*result = taken;
			return 0;
		}
		for (size_t k = 0; k < result->n_further; k++)
			result_done(&result->further[k]);
		result->n_further = 0;
		return 0;
	}
	return unknown_bench(result, name, err);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was the same on every boot, what was not, and whether the numbers may be
 * compared at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/result_build_internal.h"

/* Of the workload's environment: what the profile says better, or what differs by design. */
static const char *const skipped_environment[] = {
	"release", "version", "thp_enabled", "thp_shmem_enabled", "memory_bound", NULL,
};

static bool is_skipped(const char *name)
{
	for (size_t i = 0; skipped_environment[i]; i++) {
		if (strcmp(skipped_environment[i], name) == 0)
			return true;
	}
	return false;
}

/* A JSON value as a reader would say it: "performance", "cpu0 powersave, cpu1 performance". */
static void say(struct text_buffer *text, const json_t *value)
{
	const char *key;
	json_t *member;
	size_t i;
	bool is_first = true;

	if (json_is_string(value)) {
		text_append(text, json_string_value(value));
	} else if (json_is_integer(value)) {
		text_printf(text, "%lld", (long long)json_integer_value(value));
	} else if (json_is_real(value)) {
		text_printf(text, "%.9g", json_real_value(value));
	} else if (json_is_boolean(value)) {
		text_append(text, json_is_true(value) ? "yes" : "no");
	} else if (json_is_object(value)) {
		json_object_foreach((json_t *)(uintptr_t)value, key, member) {
			text_printf(text, "%s%s ", is_first ? "" : ", ", key);
			say(text, member);
			is_first = false;
		}
	} else if (json_is_array(value)) {
		json_array_foreach(value, i, member) {
			text_append(text, i ? ", " : "");
			say(text, member);
		}
	} else {
		text_append(text, "not available");
	}
}

static char *said(const json_t *value)
{
	struct text_buffer text = { 0 };

	say(&text, value);
	return text_buffer_take(&text);
}

/* The names that any boot's profile has, each once. */
static json_t *profile_names(const struct result_builder *builder)
{
	json_t *names = json_object();

	for (size_t i = 0; i < builder->result->n_boots; i++) {
		if (builder->notes[i].profile)
			(void)json_object_update(names, builder->notes[i].profile);
	}
	return names;
}

/* True when all boots with a profile agree; else says which do not. */
static bool is_held_equal(const struct result_builder *builder, const char *name,
			  char **ret_difference)
{
	const json_t *first = NULL;
	size_t first_boot = 0;
	bool has_first = false;

	for (size_t i = 0; i < builder->result->n_boots; i++) {
		const json_t *value = json_object_get(builder->notes[i].profile, name);
		_cleanup_free_ char *before = NULL;
		_cleanup_free_ char *now = NULL;

		if (!builder->notes[i].profile)
			continue;
		if (!has_first) {
			has_first = true;
			first = value;
			first_boot = i;
			continue;
		}
		if ((!first && !value) ||
		    json_equal((json_t *)(uintptr_t)first, (json_t *)(uintptr_t)value))
			continue;
		before = said(first);
		now = said(value);
		*ret_difference = text_format("%s differs: %s in boot %zu, %s in boot %zu", name,
					      before, first_boot + 1, now, i + 1);
		return false;
	}
	return true;
}

static void add_profile(struct result_builder *builder)
{
	struct result *result = builder->result;
	_cleanup_json_ json_t *names = profile_names(builder);
	const char *name;
	json_t *value;

	json_object_foreach(names, name, value) {
		_cleanup_free_ char *difference = NULL;
		_cleanup_free_ char *text = NULL;

		if (!is_held_equal(builder, name, &difference)) {
			result_texts_add(&result->warnings, "The machine's %s.", difference);
			continue;
		}
		if (json_is_null(value))
			continue; /* listed with what is not available */
		text = said(value);
		result_facts_add(&result->held_equal, name, text);
	}
}

static void add_compiler(struct result *result)
{
	for (size_t i = 0; i < result->n_points; i++) {
		const char *compiler = result->points[i].compiler;

		if (!compiler || !result->points[0].compiler ||
		    strcmp(compiler, result->points[0].compiler) != 0)
			return;
	}
	if (result->n_points)
		result_facts_add(&result->held_equal, "compiler", result->points[0].compiler);
}

static void add_machine(struct result_builder *builder)
{
	struct result *result = builder->result;
	const json_t *environment = result->n_boots ? builder->notes[0].environment : NULL;
	const json_t *parameters = result->n_boots ? builder->notes[0].parameters : NULL;
	_cleanup_free_ char *parameters_text = parameters ? said(parameters) : NULL;
	_cleanup_free_ char *missing = NULL;
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)environment, name, value) {
		_cleanup_free_ char *text = NULL;

		if (is_skipped(name) || json_is_null(value) || json_is_object(value))
			continue;
		text = said(value);
		result_facts_add(&result->measured_on, name, text);
	}
	result_facts_add(&result->measured_on, "parameters", parameters_text);
	result_facts_add(&result->measured_on, "default kernel", builder->default_release);
	result_facts_add(&result->measured_on, "build sandbox", builder->sandbox);
	if (json_array_size(builder->not_available)) {
		missing = said(builder->not_available);
		result_facts_add(&result->measured_on, "not available", missing);
	}
}

static void warn_of_attempts(struct result *result)
{
	for (size_t i = 0; i < result->n_boots; i++) {
		const struct result_boot *boot = &result->boots[i];

		if (boot->attempt > 1)
			result_texts_add(&result->warnings,
					 "Boot %zu (%s) needed %d attempts; only the last one counts.",
					 i + 1, result_boot_label(result, boot), boot->attempt);
	}
}

void result_build_facts(struct result_builder *builder)
{
	struct result *result = builder->result;

	add_profile(builder);
	add_compiler(result);
	add_machine(builder);
	warn_of_attempts(result);
	if (result->is_config_compared && !result->is_config_equal)
		result_texts_add(&result->warnings,
				 "The kernels' configs differ; the delta may be theirs.");
	result_facts_sort(&result->held_equal);
	result_facts_sort(&result->measured_on);
}

static char *boot_fault(const struct result_builder *builder, size_t index)
{
	const struct result *result = builder->result;
	const struct result_boot *boot = &result->boots[index];
	const char *wanted = result->points[boot->point].build_id;
	const char *label = result_boot_label(result, boot);

	if (boot->unexpected)
		return text_format("boot %zu (%s): %s", index + 1, label, boot->unexpected);
	if (wanted && boot->build_id && strcmp(wanted, boot->build_id) != 0)
		return text_format("boot %zu (%s) ran the kernel %s, not %s", index + 1, label,
				   boot->build_id, wanted);
	for (size_t i = 0; boot->boot_id && i < index; i++) {
		if (result->boots[i].boot_id &&
		    strcmp(result->boots[i].boot_id, boot->boot_id) == 0)
			return text_format("boots %zu and %zu have the same boot id: the machine was not rebooted between them",
					   i + 1, index + 1);
	}
	return NULL;
}

static char *profile_fault(const struct result_builder *builder)
{
	_cleanup_json_ json_t *names = profile_names(builder);
	_cleanup_free_ char *difference = NULL;
	const char *name;
	json_t *value;

	if (builder->job.measure.profile_differences == JOB_DIFFERENCES_ALLOW)
		return NULL;
	json_object_foreach(names, name, value) {
		if (!is_held_equal(builder, name, &difference))
			return text_format("the machine's %s", difference);
	}
	return NULL;
}

void result_build_check_gates(struct result_builder *builder)
{
	struct result *result = builder->result;
	char *fault = NULL;

	/* Of several workloads that failed, each has its own reason. */
	if (result->status != RESULT_DONE && result->status != RESULT_INCONCLUSIVE &&
	    !(result->status == RESULT_INVALID && builder->job.n_benches > 1))
		return;
	for (size_t i = 0; i < result->n_boots && !fault; i++)
		fault = boot_fault(builder, i);
	if (!fault)
		fault = profile_fault(builder);
	if (!fault)
		return;
	result->status = RESULT_INVALID;
	free(result->reason);
	result->reason = fault;
}

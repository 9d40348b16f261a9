// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The "configure" port: one config for each point, made by the point's own kconfig
 * in an object directory apart from the builds', then compared with each other.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "configs/compare.h"
#include "configs/normalise.h"
#include "orchestrator/work/build_recipients.h"
#include "orchestrator/work/build_seed.h"
#include "orchestrator/work/kernel_store.h"

#define KCONFIG_TIMEOUT_MS (20 * 60 * 1000)

/* The last line that says something. */
static const char *last_line(char *text)
{
	char *line;

	text = text_strip(text);
	line = strrchr(text, '\n');
	return line ? line + 1 : text;
}

static int kconfig_run(const struct build_site *site, const char *target, struct error *err)
{
	_cleanup_free_ char *objects = text_format("O=%s", site->scratch);
	const char *const argv[] = { "make", "--no-print-directory", "-C", site->source, objects,
				     build_site_cc(site), target, NULL };
	struct subprocess_options options = { .argv = argv, .directory = site->scratch,
					      .merge_stderr = true, .timeout_ms = KCONFIG_TIMEOUT_MS };
	struct subprocess_result result = { 0 };
	int r = build_site_run(site, &options, &result, err);

	if (r == 0 && result.exit_status != 0)
		r = error_set(err, -EPERM, "make %s failed: %s", target,
			      result.timed_out ? "it did not end" :
			      result.output ? last_line(result.output) : "no output");
	subprocess_result_done(&result);
	return r;
}

static int scratch_read(const struct build_site *site, struct kernel_config *ret_config,
			char **ret_text, struct error *err)
{
	_cleanup_free_ char *path = path_join(site->scratch, ".config");
	_cleanup_free_ char *data = NULL;
	size_t size;
	int r = build_site_read(site, path, KERNEL_CONFIG_MAX_BYTES + 1, &data, &size, err);

	if (r == 0)
		r = kernel_config_parse(data, size, path, ret_config, err);
	if (r == 0 && ret_text)
		*ret_text = TAKE_PTR(data);
	return r;
}

static int seed_take(const struct build_site *site, const struct build_seed *seed,
		     struct kernel_config *ret_config, struct error *err)
{
	_cleanup_free_ char *text = NULL;
	int r;

	if (!seed->target) {
		text = kernel_config_write(&seed->config);
		return kernel_config_parse(text, strlen(text), seed->name, ret_config, err);
	}
	r = kconfig_run(site, seed->target, err);
	return r < 0 ? r : scratch_read(site, ret_config, NULL, err);
}

/* Kernels that would not come up on this machine. */
static int config_refuse(const struct kernel_config *config, struct error *err)
{
	const char *is_x86 = kernel_config_get(config, "X86");
	const char *is_64bit = kernel_config_get(config, "64BIT");

	if (is_x86 && !strcmp(is_x86, "y") && (!is_64bit || strcmp(is_64bit, "y") != 0))
		return error_set(err, -EPERM,
				 "this config makes a 32-bit kernel: add a fragment with CONFIG_64BIT=y");
	return 0;
}

/*
 * What was asked for stands a second time at the end: of the members of a choice that
 * are y, kconfig takes the last, and a fragment need not know what the seed had chosen.
 */
static char *wanted_write(const struct kernel_config *wanted,
			  const struct normalise_requests *requests)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_free_ char *all = kernel_config_write(wanted);

	text_append(&text, all);
	for (size_t i = 0; i < requests->n_requests; i++) {
		const struct normalise_request *request = &requests->requests[i];

		if (strcmp(request->value, "n") != 0)
			text_printf(&text, "CONFIG_%s=%s\n", request->name, request->value);
	}
	return text_buffer_take(&text);
}

/* Kconfig twice: for the seed where it is a target, then over seed, fragments and policy. */
static int point_configure(const struct build_site *site, const struct build_seed *seed,
			   const struct job *job, const struct job_point *point,
			   struct kernel_config *ret_config, struct error *err)
{
	_cleanup_(kernel_config_done) struct kernel_config wanted = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config made = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config edits = { 0 };
	_cleanup_(normalise_requests_done) struct normalise_requests requests = { 0 };
	_cleanup_free_ struct kernel_config *fragments = NULL;
	size_t n_fragments = 0;
	_cleanup_free_ char *scratch_config = path_join(site->scratch, ".config");
	_cleanup_free_ char *stored = build_seed_config_path(seed, site, point);
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *made_text = NULL;
	int r = build_site_checkout(site, job->repository, point->tree, err);

	if (r == 0)
		r = seed_take(site, seed, &wanted, err);
	if (r == 0)
		r = build_seed_fragments(seed, point, &edits, &fragments, &n_fragments, err);
	if (r == 0)
		r = normalise_apply(&wanted, fragments, n_fragments, job->boot.preempt, &requests,
				    err);
	if (r < 0)
		return r;
	text = wanted_write(&wanted, &requests);
	r = file_write_durable(site->request, text, strlen(text), 0644, err);
	if (r == 0)
		r = build_site_put(site, site->request, scratch_config, err);
	if (r == 0)
		r = kconfig_run(site, "olddefconfig", err);
	if (r == 0)
		r = scratch_read(site, &made, &made_text, err);
	if (r == 0)
		r = normalise_assert(&made, &requests, err);
	if (r == 0)
		r = config_refuse(&made, err);
	if (r == 0)
		r = file_write_durable(stored, made_text, strlen(made_text), 0644, err);
	if (r < 0)
		return r;
	*ret_config = made;
	made = (struct kernel_config){ 0 };
	return 0;
}

/* A kernel that is only looked up brings the config that it was built with. */
static int point_look_up(const struct build_context *context, const struct job_point *point,
			 struct kernel_config *ret_config, struct error *err)
{
	_cleanup_free_ char *path = kernel_store_path(context->state_directory, point->kernel, "config");
	_cleanup_free_ char *data = NULL;
	size_t size;
	int r;

	if (!path)
		return error_set(err, -EINVAL, "'%s' is not a kernel key", point->kernel);
	r = file_read(path, KERNEL_CONFIG_MAX_BYTES, &data, &size, err);
	return r < 0 ? r : kernel_config_parse(data, size, path, ret_config, err);
}

static void only_describe(json_t *differences, const json_t *names, const char *point)
{
	size_t i;
	const json_t *name;

	json_array_foreach(names, i, name) {
		_cleanup_free_ char *text = text_format("%s: only %s has it", json_string_value(name), point);

		(void)json_array_append_new(differences, json_string(text));
	}
}

/* Against the first point; the whole of it in "differences", a sentence when it is refused. */
static int configs_compare(const struct job *job, const struct kernel_config *configs,
			   json_t *result, struct error *err)
{
	json_t *differences = json_object_get(result, "differences");
	_cleanup_text_ struct text_buffer conflicts = { 0 };
	bool is_equal = true;

	for (size_t i = 1; i < job->n_points; i++) {
		_cleanup_json_ json_t *comparison = NULL;
		_cleanup_free_ char *lines = NULL;
		const char *a = job->points[0].name, *b = job->points[i].name;
		char *position = NULL;

		(void)kernel_config_compare(&configs[0], &configs[i], &comparison);
		is_equal &= json_is_true(json_object_get(comparison, "equal"));
		lines = kernel_config_conflicts_text(comparison, a, b);
		for (char *line = strtok_r(lines, "\n", &position); line;
		     line = strtok_r(NULL, "\n", &position)) {
			line = text_strip(line);
			(void)json_array_append_new(differences, json_string(line));
			text_printf(&conflicts, "%s%s", conflicts.size ? "; " : "", line);
		}
		only_describe(differences, json_object_get(comparison, "only_a"), a);
		only_describe(differences, json_object_get(comparison, "only_b"), b);
	}
	(void)json_object_set_new(result, "equal", json_boolean(is_equal));
	if (conflicts.size == 0 || job->build.config_differences == JOB_DIFFERENCES_ALLOW)
		return 0;
	return error_set(err, -EPERM,
			 "the kernels' configs differ (set config-differences = allow to compare them anyway): %s",
			 conflicts.text);
}

static int points_configure(const struct build_context *context, const struct job *job,
			    struct kernel_config *configs, json_t *result, struct error *err)
{
	_cleanup_(build_site_done) struct build_site site = { 0 };
	_cleanup_(build_seed_done) struct build_seed seed = { 0 };
	json_t *points = json_object_get(result, "points");
	int r = 0;

	for (size_t i = 0; i < job->n_points; i++) {
		const struct job_point *point = &job->points[i];
		char hash[DIGEST_HEX_SIZE];
		const char *modules;

		if (!point->kernel[0] && !site.directory) {
			r = build_site_open(context, job, &site, err);
			if (r == 0)
				r = build_seed_read(job, &seed, err);
			if (r < 0)
				return r;
		}
		r = point->kernel[0] ? point_look_up(context, point, &configs[i], err) :
				       point_configure(&site, &seed, job, point, &configs[i], err);
		if (r < 0)
			return error_prefix(err, r, "the config of %s (%.12s)", point->name, point->commit);
		kernel_config_canonical_hash(&configs[i], hash);
		modules = kernel_config_get(&configs[i], "MODULES");
		(void)json_array_append_new(
			points, json_pack("{s:s,s:I,s:b}", "config_sha256", hash, "n_symbols",
					  (json_int_t)configs[i].n_symbols, "has_modules",
					  modules && strcmp(modules, "y") == 0));
	}
	r = configs_compare(job, configs, result, err);
	return r == 0 && site.directory ? build_recipients_add(&site, job, result, err) : r;
}

int build_configure(const struct build_context *context, const struct job *job,
		    json_t **ret_result, struct error *err)
{
	_cleanup_json_ json_t *result = json_pack("{s:[],s:[]}", "points", "differences");
	_cleanup_free_ char *directory = path_join(context->state_directory, "configs");
	_cleanup_free_ struct kernel_config *configs = calloc(job->n_points + 1, sizeof(*configs));
	int r;

	if (!configs)
		return error_set(err, -ENOMEM, "out of memory");
	r = file_make_directories(directory, 0755, err);
	if (r == 0)
		r = points_configure(context, job, configs, result, err);
	for (size_t i = 0; i < job->n_points; i++)
		kernel_config_done(&configs[i]);
	if (r == 0)
		*ret_result = TAKE_PTR(result);
	return r;
}

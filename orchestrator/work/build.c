// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The "build" port: the key of a point's kernel, the store asked first, then one
 * incremental build. What is known about the result is build_result.c's.
 */
#include "orchestrator/work/build.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/build_result.h"
#include "orchestrator/work/build_seed.h"
#include "orchestrator/work/kernel_store.h"

/* CPU seconds for each symbol that is on, seen with gcc 12; only for the progress line. */
#define CPU_SECONDS_PER_SYMBOL 1.1

static void kernel_work_done(struct kernel_work *work)
{
	build_site_done(&work->site);
	free(work->config_path);
	free(work->stage);
	free(work->log);
}

/* For the lab's guest: nothing is built there, the host's kernels and failures are looked up. */
static int kernel_look_up(const struct build_context *context, const struct job_point *point,
			  json_t **ret_meta, struct error *err)
{
	_cleanup_json_ json_t *meta = NULL;
	int r = kernel_store_find(context->state_directory, point->kernel, &meta, err);

	if (r < 0)
		return r;
	(void)json_object_set_new(meta, "reused", json_true());
	if (strcmp(json_string_value(json_object_get(meta, "status")), "failed") == 0)
		r = build_result_failure_sentence(meta, point, err);
	*ret_meta = TAKE_PTR(meta);
	return r;
}

static int config_load(struct kernel_work *work, struct error *err)
{
	_cleanup_(build_seed_done) struct build_seed seed = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_free_ char *data = NULL;
	const char *modules;
	size_t size;
	int r = build_seed_read(work->job, &seed, err);

	if (r < 0)
		return r;
	work->config_path = build_seed_config_path(&seed, &work->site, work->point);
	if (!work->config_path)
		return error_set(err, -ENOMEM, "out of memory");
	/* The name covers all that made it: another seed or fragment is another name. */
	if (!file_exists(work->config_path))
		return error_set(err, -ESTALE,
				 "the seed config, a fragment or the compiler changed since the configs of this job were made: queue it again");
	r = file_read(work->config_path, KERNEL_CONFIG_MAX_BYTES, &data, &size, err);
	if (r == 0)
		r = kernel_config_parse(data, size, work->config_path, &config, err);
	if (r < 0)
		return r;
	kernel_config_canonical_hash(&config, work->config_sha256);
	for (size_t i = 0; i < config.n_symbols; i++)
		work->n_symbols_on += config.symbols[i].value[0] == 'y' ||
				      config.symbols[i].value[0] == 'm';
	modules = kernel_config_get(&config, "MODULES");
	work->has_modules = modules && strcmp(modules, "y") == 0;
	return 0;
}

static int key_make(struct kernel_work *work, struct error *err)
{
	const char *override = work->context->local_version_override;
	const struct kernel_key_inputs inputs = {
		.tree = work->point->tree,
		.config_sha256 = work->config_sha256,
		.toolchain_identity = work->site.toolchain.identity,
		.architecture = work->site.architecture,
		.local_version_override = override,
	};

	if (override && (strlen(override) >= KERNEL_KEY_LOCAL_VERSION_SIZE ||
			 override[strspn(override, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-")]))
		return error_set(err, -EINVAL, "'%s' cannot be a local version: letters, digits, '.', '+' and '-' only",
				 override);
	kernel_key_compute(&inputs, work->key);
	kernel_key_local_version(work->key, override, work->local_version);
	return 0;
}

static double expected_seconds(const struct kernel_work *work)
{
	long processors = work->job->build.jobs > 0 ? (long)work->job->build.jobs :
						      sysconf(_SC_NPROCESSORS_ONLN);

	if (work->context->expected_s > 0)
		return work->context->expected_s;
	return (double)work->n_symbols_on * CPU_SECONDS_PER_SYMBOL / (double)(processors > 0 ? processors : 1);
}

static int kernel_make(struct kernel_work *work, json_t **ret_meta, struct error *err)
{
	const char *state_directory = work->context->state_directory;
	_cleanup_free_ char *what = text_format("building %s %.12s", work->point->name, work->point->commit);
	_cleanup_free_ char *config = NULL;
	struct build_make make = { .what = what, .local_version = work->local_version,
				   .config = work->config_path, .jobs = work->job->build.jobs,
				   .expected_s = expected_seconds(work),
				   .has_modules = work->has_modules,
				   .shows_progress = work->context->shows_progress };
	int r = kernel_store_stage(state_directory, work->key, &work->stage, err);

	if (r < 0)
		return r;
	work->log = path_join(work->stage, "build.log");
	config = path_join(work->stage, "config");
	make.log = work->log;
	r = file_copy_durable(work->config_path, config, 0644, err);
	if (r == 0)
		r = build_site_checkout(&work->site, work->job->repository, work->point->tree, err);
	if (r == 0)
		r = build_make_run(&work->site, &make, &work->made, err);
	if (r == 0 && work->has_modules && work->made.exit_status == 0)
		r = build_make_install_modules(&work->site, &make, work->site.modules, &work->made,
					       err);
	if (r < 0)
		return r;
	return work->made.exit_status == 0 ? build_result_success(work, ret_meta, err) :
					     build_result_failure(work, ret_meta, err);
}

int build_kernel(const struct build_context *context, const struct job *job, size_t point,
		 json_t **ret_meta, struct error *err)
{
	_cleanup_(kernel_work_done) struct kernel_work work = { .context = context, .job = job,
								.point = &job->points[point] };
	_cleanup_json_ json_t *meta = NULL;
	int r;

	if (work.point->kernel[0])
		return kernel_look_up(context, work.point, ret_meta, err);
	r = build_site_open(context, job, &work.site, err);
	if (r == 0)
		r = config_load(&work, err);
	if (r == 0)
		r = key_make(&work, err);
	if (r < 0)
		return r;
	r = kernel_store_find(context->state_directory, work.key, &meta, err);
	if (r < 0 && r != -ENOENT)
		return r;
	/* A recorded failure is tried again: a package that was missing may be there now. */
	if (r == 0 && strcmp(json_string_value(json_object_get(meta, "status")), "built") == 0) {
		/* Another commit may have had the same tree. */
		(void)json_object_set_new(meta, "commit", json_string(work.point->commit));
		if (work.point->title)
			(void)json_object_set_new(meta, "title", json_string(work.point->title));
		(void)json_object_set_new(meta, "reused", json_true());
		*ret_meta = TAKE_PTR(meta);
		return 0;
	}
	return kernel_make(&work, ret_meta, err);
}

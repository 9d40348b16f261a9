// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The "build" port: the key of a point's kernel, the store asked first, then one
 * incremental build, and what is known about the result into the store.
 */
#include "orchestrator/work/build.h"

#include <errno.h>
#include <string.h>

#include "boot/kernel_id.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/build_log.h"
#include "orchestrator/work/build_make.h"
#include "orchestrator/work/build_seed.h"
#include "orchestrator/work/code_id.h"
#include "orchestrator/work/kernel_key.h"
#include "orchestrator/work/kernel_store.h"

#define TAIL_LINES 15
#define TAIL_BYTES_IN_SENTENCE 600
#define RELEASE_MAX 63 /* of uname(2), less the NUL */
/* CPU seconds for each symbol that is on, seen with gcc 12; only for the progress line. */
#define CPU_SECONDS_PER_SYMBOL 1.1

/* Everything about one kernel between "what is its key" and "it is in the store". */
struct kernel_work {
	const struct build_context *context;
	const struct job *job;
	const struct job_point *point;
	struct build_site site;
	char *config_path;
	char config_sha256[DIGEST_HEX_SIZE];
	size_t n_symbols_on;
	char key[DIGEST_HEX_SIZE];
	char local_version[KERNEL_KEY_LOCAL_VERSION_SIZE];
	char *stage;
	char *log;
	struct build_made made;
};

static void kernel_work_done(struct kernel_work *work)
{
	build_site_done(&work->site);
	free(work->config_path);
	free(work->stage);
	free(work->log);
}

static int failed_meta(const json_t *meta, const struct job_point *point, struct error *err)
{
	const char *tail = json_string_value(json_object_get(meta, "error"));
	_cleanup_free_ char *reason = build_log_reason(tail ? tail : "");
	_cleanup_free_ char *flat = build_log_flatten(tail ? tail : "", TAIL_BYTES_IN_SENTENCE);

	return error_set(err, -EPROTO, "%s (%.12s) does not build: %.200s; the log ends: %s",
			 point->name, point->commit, reason, flat);
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
		r = failed_meta(meta, point, err);
	*ret_meta = TAKE_PTR(meta);
	return r;
}

static int config_load(struct kernel_work *work, struct error *err)
{
	_cleanup_(build_seed_done) struct build_seed seed = { 0 };
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_free_ char *data = NULL;
	size_t size;
	int r = build_seed_read(work->job, &seed, err);

	if (r < 0)
		return r;
	work->config_path = build_seed_config_path(&seed, &work->site, work->point->tree);
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
		work->n_symbols_on += config.symbols[i].value[0] == 'y';
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

static json_t *meta_make(const struct kernel_work *work, const char *status)
{
	return json_pack("{s:s,s:s,s:s,s:s,s:s?,s:s,s:s,s:s,s:s,s:s,s:s,s:f,s:f,s:b,s:b}", "status", status,
			 "key", work->key, "commit", work->point->commit, "tree", work->point->tree,
			 "title", work->point->title, "config_sha256", work->config_sha256, "compiler",
			 work->site.toolchain.compiler, "binutils", work->site.toolchain.binutils, "arch",
			 work->site.architecture, "kcflags", KERNEL_KEY_KCFLAGS, "local_version",
			 work->local_version, "cpu_time_s", (double)work->made.cpu_time_ms / 1000,
			 "wall_time_s", (double)work->made.wall_time_ms / 1000, "is_incremental",
			 (int)work->made.is_incremental, "reused", 0);
}

/* make said no: a fault of this machine is ours to report, any other is the commit's to record. */
static int failure_record(const struct kernel_work *work, json_t **ret_meta, struct error *err)
{
	_cleanup_json_ json_t *meta = NULL;
	_cleanup_free_ char *tail = build_log_tail(work->log, TAIL_LINES);
	int blame = build_log_blame(tail);
	int r;

	if (work->made.timed_out || work->made.exit_status < 0)
		return error_set(err, -EINTR, "the build of %s (%.12s) was ended before it was done; its log is %s",
				 work->point->name, work->point->commit, work->log);
	if (blame < 0)
		return error_set(err, blame, "the build of %s (%.12s) ran out of %s; its log is %s",
				 work->point->name, work->point->commit,
				 blame == -ENOSPC ? "disk space" : "memory", work->log);
	meta = meta_make(work, "failed");
	(void)json_object_set_new(meta, "error", json_string(tail));
	r = kernel_store_commit(work->context->state_directory, work->key, work->stage, meta, err);
	if (r < 0)
		return r;
	r = failed_meta(meta, work->point, err);
	*ret_meta = TAKE_PTR(meta);
	return r;
}

static int release_read(const struct kernel_work *work, json_t *meta, struct error *err)
{
	_cleanup_free_ char *path = path_join(work->site.objects, "include/config/kernel.release");
	_cleanup_free_ char *text = NULL;
	size_t size;
	int r = build_site_read(&work->site, path, 4096, &text, &size, err);

	if (r < 0)
		return r;
	text_strip(text);
	if (strlen(text) > RELEASE_MAX || !text_has_suffix(text, work->local_version))
		return error_set(err, -EPROTO, "the release '%.100s' is longer than %d characters, or not what was asked for",
				 text, RELEASE_MAX);
	(void)json_object_set_new(meta, "release", json_string(text));
	return 0;
}

static int image_take(const struct kernel_work *work, json_t *meta, struct error *err)
{
	_cleanup_free_ char *from = path_join(work->site.objects, "arch/x86/boot/bzImage");
	_cleanup_free_ char *to = path_join(work->stage, "bzImage");
	char hash[DIGEST_HEX_SIZE];
	int r = build_site_fetch(&work->site, from, to, err);

	if (r == 0)
		r = digest_file(to, hash, err);
	if (r < 0)
		return r;
	(void)json_object_set_new(meta, "image", json_string("bzImage"));
	(void)json_object_set_new(meta, "image_sha256", json_string(hash));
	return 0;
}

/* vmlinux is looked at and not kept: its hashes say all that is needed of it. */
static int vmlinux_take(const struct kernel_work *work, json_t *meta, struct error *err)
{
	_cleanup_free_ char *from = path_join(work->site.objects, "vmlinux");
	_cleanup_free_ char *to = path_join(work->stage, ".vmlinux");
	char build_id[KERNEL_BUILD_ID_SIZE];
	char code_id[DIGEST_HEX_SIZE], hash[DIGEST_HEX_SIZE];
	int r = build_site_fetch(&work->site, from, to, err);

	if (r == 0)
		r = kernel_id_of_vmlinux(to, build_id, err);
	if (r == 0)
		r = code_id_compute(to, build_id, work->local_version, code_id, hash, err);
	if (r < 0)
		return r;
	if (unlink(to) < 0)
		return error_set_errno(err, -errno, "%s cannot be removed", to);
	(void)json_object_set_new(meta, "build_id", json_string(build_id));
	(void)json_object_set_new(meta, "code_id", json_string(code_id));
	(void)json_object_set_new(meta, "vmlinux_sha256", json_string(hash));
	return 0;
}

static int success_record(const struct kernel_work *work, json_t **ret_meta, struct error *err)
{
	_cleanup_json_ json_t *meta = meta_make(work, "built");
	int r = release_read(work, meta, err);

	if (r == 0)
		r = image_take(work, meta, err);
	if (r == 0)
		r = vmlinux_take(work, meta, err);
	if (r == 0)
		r = kernel_store_commit(work->context->state_directory, work->key, work->stage, meta, err);
	if (r == 0)
		*ret_meta = TAKE_PTR(meta);
	return r;
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
	if (r < 0)
		return r;
	return work->made.exit_status == 0 ? success_record(work, ret_meta, err) :
					     failure_record(work, ret_meta, err);
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
	r = build_site_open(context, job->repository, &work.site, err);
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

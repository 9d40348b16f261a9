// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * After make: what a kernel is, or why there is none, into the store. Running make
 * is build_make.c's, when and for what build.c's.
 */
#include "orchestrator/work/build_result.h"

#include <errno.h>
#include <string.h>

#include "boot/kernel_id.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/build_log.h"
#include "orchestrator/work/code_id.h"
#include "orchestrator/work/kernel_store.h"
#include "orchestrator/work/module_tree.h"

#define TAIL_LINES 20
#define RELEASE_MAX 63 /* of uname(2), less the NUL */

int build_result_failure_sentence(const json_t *meta, const struct job_point *point, struct error *err)
{
	const char *tail = json_string_value(json_object_get(meta, "log_tail"));
	_cleanup_free_ char *reason = build_log_reason(tail ? tail : "");
	const char *key = json_string_value(json_object_get(meta, "key"));

	return error_set(err, -EPROTO,
			 "%s (%.12s) does not build: %.200s; its log is kernels/%.64s/build.log below the state directory",
			 point->name, point->commit, reason, key ? key : "?");
}

static json_t *meta_make(const struct kernel_work *work, const char *status)
{
	return json_pack("{s:s,s:s,s:s,s:s,s:s?,s:s,s:s,s:s,s:s,s:s,s:s,s:f,s:f,s:b,s:b,s:s,s:s?}", "status", status,
			 "key", work->key, "commit", work->point->commit, "tree", work->point->tree,
			 "title", work->point->title, "config_sha256", work->config_sha256, "compiler",
			 work->site.toolchain.compiler, "binutils", work->site.toolchain.binutils, "arch",
			 work->site.architecture, "kcflags", KERNEL_KEY_KCFLAGS, "local_version",
			 work->local_version, "cpu_time_s", (double)work->made.cpu_time_ms / 1000,
			 "wall_time_s", (double)work->made.wall_time_ms / 1000, "is_incremental",
			 (int)work->made.is_incremental, "reused", 0, "sandbox",
			 work->site.no_sandbox ? "none" : "bubblewrap", "no_sandbox", work->site.no_sandbox);
}

/* make said no: a fault of this machine is ours to report, any other is the commit's to record. */
int build_result_failure(const struct kernel_work *work, json_t **ret_meta, struct error *err)
{
	_cleanup_json_ json_t *meta = NULL;
	_cleanup_free_ char *tail = build_log_excerpt(work->log, TAIL_LINES);
	int blame = build_log_blame(tail);
	int r;

	if (work->made.was_disk_full)
		blame = -ENOSPC;
	else if (work->made.timed_out || work->made.exit_status < 0)
		return error_set(err, -EINTR, "the build of %s (%.12s) was ended before it was done; its log is %s",
				 work->point->name, work->point->commit, work->log);
	if (blame < 0)
		return error_set(err, blame, "the build of %s (%.12s) ran out of %s; its log is %s",
				 work->point->name, work->point->commit,
				 blame == -ENOSPC ? "disk space" : "memory", work->log);
	meta = meta_make(work, "failed");
	/* "error" becomes the sentence: the lines are the report's, to print as lines. */
	(void)json_object_set_new(meta, "log_tail", json_string(tail));
	r = kernel_store_commit(work->context->state_directory, work->key, work->stage, meta, err);
	if (r < 0)
		return r;
	r = build_result_failure_sentence(meta, work->point, err);
	*ret_meta = TAKE_PTR(meta);
	return r;
}

/* It is printed, compared, and part of paths: no spaces, no slash, ASCII. */
static bool is_release(const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c >= 0x7f || *c == '/')
			return false;
	return true;
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
	if (!is_release(text))
		return error_set(err, -EPROTO, "the kernel's release '%.100s' holds what cannot be in a release", text);
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

/*
 * The modules that make put below the site's directory, into the stage. A kernel whose
 * modules differ is another one, though its vmlinux be the same: they are in the code id.
 */
static int modules_take(const struct kernel_work *work, json_t *meta, struct error *err)
{
	_cleanup_free_ char *from = text_format("%s/lib/modules/%s", work->site.modules,
						json_string_value(json_object_get(meta, "release")));
	_cleanup_free_ char *to = path_join(work->stage, KERNEL_STORE_MODULES);
	const struct module_tree_source source = { .directory = from,
						   .checks_owner = work->site.change_user,
						   .uid = work->site.uid };
	struct module_tree tree;
	_cleanup_free_ char *code = NULL;
	char code_id[DIGEST_HEX_SIZE];
	int r = module_tree_copy(&source, to, &tree, err);

	if (r == 0)
		r = file_remove_tree(work->site.modules, err);
	if (r < 0)
		return r;
	code = text_format("%s %s", json_string_value(json_object_get(meta, "code_id")), tree.sha256);
	digest_bytes(code, strlen(code), code_id);
	(void)json_object_set_new(meta, "code_id", json_string(code_id));
	(void)json_object_set_new(meta, "modules",
				  json_pack("{s:I, s:I, s:s}", "count", (json_int_t)tree.n_files,
					    "bytes", (json_int_t)tree.n_bytes, "sha256", tree.sha256));
	return 0;
}

int build_result_success(const struct kernel_work *work, json_t **ret_meta, struct error *err)
{
	_cleanup_json_ json_t *meta = meta_make(work, "built");
	int r = release_read(work, meta, err);

	if (r == 0)
		r = image_take(work, meta, err);
	if (r == 0)
		r = vmlinux_take(work, meta, err);
	if (r == 0 && work->has_modules)
		r = modules_take(work, meta, err);
	if (r == 0)
		r = kernel_store_commit(work->context->state_directory, work->key, work->stage, meta, err);
	if (r == 0)
		*ret_meta = TAKE_PTR(meta);
	return r;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the seed config (the running kernel's, a file, a make target) and the
 * fragments. Applying them is normalise.c's, running kconfig build_configure.c's.
 */
#include "orchestrator/work/build_seed.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

void build_seed_done(struct build_seed *seed)
{
	if (!seed)
		return;
	free(seed->target);
	free(seed->name);
	kernel_config_done(&seed->config);
	for (size_t i = 0; i < seed->n_fragments; i++)
		kernel_config_done(&seed->fragments[i]);
	free(seed->fragments);
	*seed = (struct build_seed){ 0 };
}

static int gzip_read(const char *path, char **ret_data, size_t *ret_size, struct error *err)
{
	static const char *const argv[] = { "gzip", "-dc", NULL };
	_cleanup_close_ int fd = file_open_regular(path, err);
	_cleanup_free_ char *opened = text_format("/proc/self/fd/%d", fd);
	/* One byte more than allowed, so that what is cut off is seen as too large. */
	struct subprocess_options options = { .argv = argv, .input_path = opened, .timeout_ms = 30000,
					      .max_output_bytes = KERNEL_CONFIG_MAX_BYTES + 1 };
	struct subprocess_result result = { 0 };
	int r;

	if (fd < 0)
		return fd;
	r = subprocess_check(&options, &result, err);
	if (r < 0)
		r = error_prefix(err, r, "%s cannot be unpacked", path);
	if (r == 0) {
		*ret_data = TAKE_PTR(result.output);
		*ret_size = result.output_size;
	}
	subprocess_result_done(&result);
	return r;
}

static int config_read(const char *path, struct kernel_config *ret_config, struct error *err)
{
	_cleanup_free_ char *data = NULL;
	size_t size = 0;
	int r;

	if (text_has_suffix(path, ".gz"))
		r = gzip_read(path, &data, &size, err);
	else
		r = file_read_regular(path, KERNEL_CONFIG_MAX_BYTES, &data, &size, err);
	if (r == 0)
		r = kernel_config_parse(data, size, path, ret_config, err);
	return r;
}

static int running_path(char **ret_path, struct error *err)
{
	struct utsname system;

	if (uname(&system) < 0)
		return error_set_errno(err, -errno, "the running kernel's release is unknown");
	if (file_exists("/proc/config.gz")) {
		*ret_path = text_duplicate("/proc/config.gz");
		return 0;
	}
	_cleanup_free_ char *boot = text_format("/boot/config-%s", system.release);
	_cleanup_free_ char *modules = text_format("/lib/modules/%s/config", system.release);

	if (!file_exists(boot) && !file_exists(modules))
		return error_set(err, -ENOENT,
				 "the running kernel's config is neither in /proc/config.gz nor in %s: give a config with --config",
				 boot);
	*ret_path = file_exists(boot) ? TAKE_PTR(boot) : TAKE_PTR(modules);
	return 0;
}

static bool is_make_target(const char *text)
{
	size_t size = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");

	return text[size] == '\0' && text[0] != '-' && text[0] != '.' && text_has_suffix(text, "config");
}

static int seed_read(const char *config, struct build_seed *seed, struct error *err)
{
	int r;

	if (!strcmp(config, "running")) {
		r = running_path(&seed->name, err);
		return r < 0 ? r : config_read(seed->name, &seed->config, err);
	}
	seed->name = text_duplicate(config);
	if (strchr(config, '/'))
		return config_read(config, &seed->config, err);
	if (!is_make_target(config))
		return error_set(err, -EINVAL,
				 "config = %s is neither \"running\", nor a path with a slash in it, nor a make target such as tinyconfig",
				 config);
	seed->target = text_duplicate(config);
	return 0;
}

static void hash_config(struct digest *digest, const struct kernel_config *config)
{
	_cleanup_free_ char *text = kernel_config_write(config);

	digest_add_text(digest, text);
}

int build_seed_read(const struct job *job, struct build_seed *ret_seed, struct error *err)
{
	_cleanup_(build_seed_done) struct build_seed seed = { 0 };
	struct digest *digest;
	size_t n = 0;
	int r = seed_read(job->build.config, &seed, err);

	if (r < 0)
		return r;
	while (job->build.fragments[n])
		n++;
	seed.fragments = calloc(n + 1, sizeof(*seed.fragments));
	if (!seed.fragments)
		return error_set(err, -ENOMEM, "out of memory");
	for (; seed.n_fragments < n; seed.n_fragments++) {
		r = config_read(job->build.fragments[seed.n_fragments],
				&seed.fragments[seed.n_fragments], err);
		if (r < 0)
			return r;
	}
	digest = digest_new();
	if (!digest)
		return error_set(err, -ENOMEM, "out of memory");
	digest_add_text(digest, seed.target ? seed.target : "");
	hash_config(digest, &seed.config);
	for (size_t i = 0; i < n; i++)
		hash_config(digest, &seed.fragments[i]);
	digest_add_text(digest, job->boot.preempt);
	digest_finish(digest, seed.hash);
	*ret_seed = seed;
	seed = (struct build_seed){ 0 };
	return 0;
}

int build_seed_fragments(const struct build_seed *seed, const struct job_point *point,
			 struct kernel_config *edits, struct kernel_config **ret_fragments,
			 size_t *ret_n, struct error *err)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	_cleanup_free_ struct kernel_config *fragments =
		calloc(seed->n_fragments + 1, sizeof(*fragments));
	size_t n = seed->n_fragments;

	if (!fragments)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		fragments[i] = seed->fragments[i];
	for (size_t i = 0; i < point->changes.n; i++)
		if (point->changes.items[i].kind == JOB_CHANGE_CONFIG)
			text_printf(&text, "%s\n", point->changes.items[i].what);
	if (text.size) {
		int r = kernel_config_parse(text.text, text.size, "config-set", edits, err);

		if (r < 0)
			return r;
		fragments[n++] = *edits;
	}
	*ret_fragments = TAKE_PTR(fragments);
	*ret_n = n;
	return 0;
}

char *build_seed_config_path(const struct build_seed *seed, const struct build_site *site,
			     const struct job_point *point)
{
	char hash[DIGEST_HEX_SIZE];
	struct digest *digest = digest_new();

	if (!digest)
		return NULL;
	digest_add_text(digest, seed->hash);
	digest_add_text(digest, point->tree);
	digest_add_text(digest, site->toolchain.identity);
	for (size_t i = 0; i < point->changes.n; i++)
		if (point->changes.items[i].kind == JOB_CHANGE_CONFIG)
			digest_add_text(digest, point->changes.items[i].what);
	digest_finish(digest, hash);
	return text_format("%s/configs/%s.config", site->state_directory, hash);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The directories of one repository's builds, the unprivileged user they run as,
 * and programs run there with nothing of the caller's environment.
 */
#include "orchestrator/work/build_site.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/kernel_key.h"
#include "orchestrator/work/source.h"

#define MIN_FREE_BYTES (2LL << 30)
#define COPY_TIMEOUT_MS (10 * 60 * 1000)
/* No file of a build is larger, its log and a link to /dev/zero included. */
#define FILE_MAX_BYTES (4ULL << 30)
#define PROCESSES_MAX 2048
#define RESERVED_BYTES (256LL << 20)

void build_site_done(struct build_site *site)
{
	if (!site)
		return;
	free(site->state_directory);
	free(site->directory);
	free(site->source);
	free(site->objects);
	free(site->scratch);
	free(site->modules);
	free(site->ccache);
	free(site->marker);
	free(site->request);
	free(site->architecture);
	free(site->no_sandbox);
	toolchain_done(&site->toolchain);
	*site = (struct build_site){ 0 };
}

/* Scripts of any commit run during a build: never as root. */
static int user_find(struct build_site *site, struct error *err)
{
	const struct passwd *user;

	if (geteuid() != 0)
		return 0;
	user = getpwnam(BUILD_USER);
	if (!user || user->pw_uid == 0)
		return error_set(err, -ENOENT,
				 "there is no user %s to build kernels as (root does not): create it with: useradd --system %s",
				 BUILD_USER, BUILD_USER);
	site->change_user = true;
	site->uid = user->pw_uid;
	site->gid = user->pw_gid;
	return 0;
}

int build_site_own_directory(const struct build_site *site, const char *path, struct error *err)
{
	int r = file_make_directories(path, 0755, err);

	if (r == 0 && site->change_user && lchown(path, site->uid, site->gid) < 0)
		return error_set_errno(err, -errno, "%s cannot be given to %s", path, BUILD_USER);
	return r;
}

static int space_check(const struct build_context *context, const struct build_site *site,
		       struct error *err)
{
	long long needed = context->min_free_bytes > 0 ? context->min_free_bytes : MIN_FREE_BYTES;
	long long available = file_free_bytes(context->state_directory);

	if (available < 0)
		return error_set_errno(err, (int)available, "the free space of %s is unknown",
				       context->state_directory);
	if (available >= needed)
		return 0;
	/* An earlier build may have filled it; its objects can be made again. */
	if (file_remove_tree(site->objects, NULL) == 0 && file_remove_tree(site->scratch, NULL) == 0)
		available = file_free_bytes(context->state_directory);
	if (available >= needed)
		return 0;
	return error_set(err, -ENOSPC,
			 "%s has %lld MiB free and a kernel build needs %lld: free some, or use another --state directory",
			 context->state_directory, available >> 20, needed >> 20);
}

/* As the job says: a build without a sandbox is an exception that is recorded, or refused. */
static int sandbox_find(const struct job *job, struct build_site *site, struct error *err)
{
	const struct subprocess_options as = { .change_user = site->change_user, .uid = site->uid,
					       .gid = site->gid };
	struct error why = { 0 };

	if (strcmp(job->build.sandbox, "none") == 0) {
		site->no_sandbox = text_duplicate("the job asks for none");
		return 0;
	}
	if (sandbox_check(&as, &why) == 0)
		return 0;
	if (strcmp(job->build.sandbox, "required") == 0)
		return error_set(err, -EOPNOTSUPP, "there is no sandbox for builds, and the job requires one: %s", why.text);
	site->no_sandbox = text_duplicate(why.text);
	return 0;
}

static void limits_find(const struct build_context *context, struct build_site *site)
{
	long long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	site->reserved_bytes = context->reserved_bytes > 0 ? context->reserved_bytes : RESERVED_BYTES;
	site->max_memory_bytes = context->max_memory_bytes > 0 ? (uint64_t)context->max_memory_bytes :
				 pages > 0 && page > 0 ? (uint64_t)(pages * page) : 0;
}

static int architecture_find(struct build_site *site, struct error *err)
{
	struct utsname system;

	if (uname(&system) < 0)
		return error_set_errno(err, -errno, "the architecture is unknown");
	if (strcmp(system.machine, "x86_64") != 0)
		return error_set(err, -EOPNOTSUPP, "building kernels on %s is not there yet: only x86_64 is",
				 system.machine);
	site->architecture = text_duplicate(system.machine);
	return 0;
}

char *build_site_directory(const char *state_directory, const char *repository)
{
	_cleanup_free_ char *path = realpath(repository, NULL);
	_cleanup_free_ char *state = realpath(state_directory, NULL);
	char hash[DIGEST_HEX_SIZE];

	if (!path || !state)
		return NULL;
	digest_bytes(path, strlen(path), hash);
	return text_format("%s/build/%.16s", state, hash);
}

int build_site_open(const struct build_context *context, const struct job *job,
		    struct build_site *ret_site, struct error *err)
{
	_cleanup_(build_site_done) struct build_site site = { 0 };
	int r;

	r = file_make_directories(context->state_directory, 0755, err);
	if (r < 0)
		return r;
	/* make changes directory: a relative path would mean another place there. */
	site.state_directory = realpath(context->state_directory, NULL);
	site.directory = build_site_directory(context->state_directory, job->repository);
	if (!site.directory || !site.state_directory)
		return error_set(err, -ENOENT, "there is no repository at %s any more", job->repository);
	site.source = path_join(site.directory, "src");
	site.objects = path_join(site.directory, "obj");
	site.scratch = path_join(site.directory, "conf");
	site.modules = path_join(site.directory, "mods");
	site.marker = path_join(site.directory, "build-in-progress");
	site.request = path_join(site.directory, "requested.config");
	site.ccache = path_join(site.state_directory, "ccache");
	limits_find(context, &site);
	r = user_find(&site, err);
	if (r == 0)
		r = architecture_find(&site, err);
	if (r == 0)
		r = space_check(context, &site, err);
	if (r == 0)
		r = sandbox_find(job, &site, err);
	if (r == 0)
		r = toolchain_identify(&site.toolchain, err);
	if (r == 0)
		r = file_make_directories(site.source, 0755, err);
	if (r == 0)
		r = build_site_own_directory(&site, site.scratch, err);
	if (r == 0)
		r = build_site_own_directory(&site, site.objects, err);
	if (r == 0 && site.toolchain.has_ccache)
		r = build_site_own_directory(&site, site.ccache, err);
	if (r < 0)
		return r;
	*ret_site = site;
	site = (struct build_site){ 0 };
	return 0;
}

int build_site_checkout(const struct build_site *site, const char *repository, const char *tree,
			struct error *err)
{
	_cleanup_free_ char *makefile = path_join(site->source, "Makefile");
	const char *const argv[] = { "test", "-r", makefile, NULL };
	struct subprocess_options options = { .argv = argv, .timeout_ms = COPY_TIMEOUT_MS };
	struct subprocess_result result = { 0 };
	int r = source_checkout(repository, tree, site->directory, err);

	if (r == 0)
		r = build_site_run(site, &options, &result, err);
	if (r == 0 && result.exit_status != 0)
		r = error_set(err, -EACCES,
			      "%s cannot read %s: make the state directory and all above it searchable (chmod o+x)",
			      site->change_user ? "user " BUILD_USER : "the build", makefile);
	subprocess_result_done(&result);
	return r;
}

const char *build_site_cc(const struct build_site *site)
{
	return site->toolchain.has_ccache ? "CC=ccache gcc" : "CC=gcc";
}

int build_site_run(const struct build_site *site, struct subprocess_options *options,
		   struct subprocess_result *ret_result, struct error *err)
{
	_cleanup_free_ char *cache = text_format("CCACHE_DIR=%s", site->ccache);
	_cleanup_free_ char *home = text_format("HOME=%s", site->objects);
	const char *const environment[] = {
		"PATH=" TOOLCHAIN_PATH, home, cache, "LC_ALL=C", "TZ=UTC",
		"KBUILD_BUILD_TIMESTAMP=" KERNEL_KEY_TIMESTAMP,
		"KBUILD_BUILD_USER=" KERNEL_KEY_USER, "KBUILD_BUILD_HOST=" KERNEL_KEY_HOST,
		"KBUILD_BUILD_VERSION=" KERNEL_KEY_VERSION, "SOURCE_DATE_EPOCH=0", NULL,
	};
	const struct sandbox_place places[] = {
		{ site->state_directory, false }, { site->objects, true }, { site->scratch, true },
		{ site->modules, true }, { site->ccache, true },
	};

	options->environment = environment;
	options->max_file_bytes = FILE_MAX_BYTES;
	/* A tree's Makefile may start what outlives it, and would touch the next build. */
	options->ends_strays = true;
	options->change_user = site->change_user;
	options->uid = site->uid;
	options->gid = site->gid;
	options->max_memory_bytes = site->max_memory_bytes;
	options->max_processes = site->change_user ? PROCESSES_MAX : 0; /* nobody else is that user */
	options->is_expendable = true;
	return site->no_sandbox ? subprocess_run(options, ret_result, err) :
				  sandbox_run(options, places, ARRAY_SIZE(places), ret_result, err);
}

int build_site_read(const struct build_site *site, const char *path, size_t max_bytes,
		    char **ret_data, size_t *ret_size, struct error *err)
{
	const char *const argv[] = { "cat", "--", path, NULL };
	struct subprocess_options options = { .argv = argv, .timeout_ms = COPY_TIMEOUT_MS,
					      .max_output_bytes = max_bytes };
	struct subprocess_result result = { 0 };
	int r = build_site_run(site, &options, &result, err);

	if (r == 0 && result.exit_status != 0)
		r = error_set(err, -EIO, "%s cannot be read", path);
	if (r == 0) {
		*ret_data = TAKE_PTR(result.output);
		*ret_size = result.output_size;
	}
	subprocess_result_done(&result);
	return r;
}

int build_site_fetch(const struct build_site *site, const char *path, const char *to,
		     struct error *err)
{
	_cleanup_close_ int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	const char *const argv[] = { "cat", "--", path, NULL };
	struct subprocess_options options = { .argv = argv, .timeout_ms = COPY_TIMEOUT_MS,
					      .output_fd = fd };
	struct subprocess_result result = { 0 };
	int r;

	if (fd < 0)
		return error_set_errno(err, -errno, "%s cannot be made", to);
	r = build_site_run(site, &options, &result, err);
	if (r == 0 && result.exit_status != 0)
		r = error_set(err, -EIO, "%s cannot be copied to %s: is there space?", path, to);
	subprocess_result_done(&result);
	return r;
}

int build_site_put(const struct build_site *site, const char *from, const char *path,
		   struct error *err)
{
	const char *const argv[] = { "cp", "--remove-destination", "--", from, path, NULL };
	struct subprocess_options options = { .argv = argv, .timeout_ms = COPY_TIMEOUT_MS,
					      .merge_stderr = true };
	struct subprocess_result result = { 0 };
	int r = build_site_run(site, &options, &result, err);

	if (r == 0 && result.exit_status != 0)
		r = error_set(err, -EIO, "%s cannot be copied to %s: %s", from, path,
			      result.output ? text_strip(result.output) : "");
	subprocess_result_done(&result);
	return r;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The identity of the compiler, assembler and linker: their versions and what
 * their programs hold, since a distribution's update need not change a version.
 */
#include "orchestrator/work/toolchain.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/text.h"

#define TOOL_TIMEOUT_MS 30000

static const char *const tool_environment[] = { "PATH=" TOOLCHAIN_PATH, "LC_ALL=C", NULL };

static bool has_program(const char *name)
{
	static const char *const directories[] = { "/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
						   "/usr/bin", "/sbin", "/bin" };
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(directories) && !found; i++) {
		_cleanup_free_ char *path = path_join(directories[i], name);

		found = path && access(path, X_OK) == 0;
	}
	return found;
}

/* Found here rather than as the 400th line of a build log. */
static int programs_check(struct error *err)
{
	static const char *const needed[] = { "make", "gcc", "ld", "as", "flex", "bison", "bc", "gzip" };
	_cleanup_text_ struct text_buffer missing = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		if (!has_program(needed[i]))
			text_printf(&missing, "%s%s", missing.size ? ", " : "", needed[i]);
	}
	if (missing.size == 0)
		return 0;
	return error_set(err, -ENOENT,
			 "no kernel can be built here without %s: apt-get install gcc make flex bison bc libelf-dev libssl-dev",
			 missing.text);
}

/* The first line of the program's output. */
static int first_line(const char *program, const char *option, char **ret_line, struct error *err)
{
	const char *const argv[] = { program, option, NULL };
	struct subprocess_options options = { .argv = argv, .environment = tool_environment,
					      .timeout_ms = TOOL_TIMEOUT_MS };
	struct subprocess_result result = { 0 };
	int r = subprocess_check(&options, &result, err);

	if (r < 0) {
		subprocess_result_done(&result);
		return error_prefix(err, r, "%s %s", program, option);
	}
	*ret_line = strndup(result.output, strcspn(result.output, "\n"));
	subprocess_result_done(&result);
	return *ret_line ? 0 : error_set(err, -ENOMEM, "out of memory");
}

/* cc1 is in gcc's own directory; as and ld are names to look up when gcc knows no better. */
static int program_add(struct digest *digest, const char *option, struct error *err)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *in_bin = NULL;
	char hex[DIGEST_HEX_SIZE];
	int r = first_line("gcc", option, &path, err);

	if (r < 0)
		return r;
	if (!strchr(path, '/'))
		in_bin = path_join("/usr/bin", path);
	r = digest_file(in_bin ? in_bin : path, hex, err);
	if (r == 0)
		digest_add_text(digest, hex);
	return r;
}

void toolchain_done(struct toolchain *toolchain)
{
	if (!toolchain)
		return;
	free(toolchain->compiler);
	free(toolchain->binutils);
	free(toolchain->machine);
	*toolchain = (struct toolchain){ 0 };
}

int toolchain_identify(struct toolchain *ret_toolchain, struct error *err)
{
	static const char *const programs[] = { "-print-prog-name=cc1", "-print-prog-name=as",
						"-print-prog-name=ld" };
	_cleanup_(toolchain_done) struct toolchain toolchain = { 0 };
	struct digest *digest;
	int r = programs_check(err);

	if (r == 0)
		r = first_line("gcc", "--version", &toolchain.compiler, err);
	if (r == 0)
		r = first_line("ld", "--version", &toolchain.binutils, err);
	if (r == 0)
		r = first_line("gcc", "-dumpmachine", &toolchain.machine, err);
	if (r < 0)
		return r;
	digest = digest_new();
	if (!digest)
		return error_set(err, -ENOMEM, "out of memory");
	digest_add_text(digest, toolchain.compiler);
	digest_add_text(digest, toolchain.binutils);
	digest_add_text(digest, toolchain.machine);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && r == 0; i++)
		r = program_add(digest, programs[i], err);
	digest_finish(digest, toolchain.identity);
	if (r < 0)
		return r;
	toolchain.has_ccache = has_program("ccache");
	*ret_toolchain = toolchain;
	toolchain = (struct toolchain){ 0 };
	return 0;
}

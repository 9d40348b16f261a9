// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`, what builds need: space for the kernels, the programs and headers of a
 * kernel build, the unprivileged user.
 */
#include "boot/preflight_internal.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define MIB (1024LL * 1024)
/* A distribution-like bzImage is 10 to 15 MiB; an object directory 1 to 3 GiB. */
#define PREFLIGHT_BOOT_BYTES_PER_KERNEL (20 * MIB)
#define PREFLIGHT_STATE_BYTES_PER_KERNEL (32 * MIB)
#define PREFLIGHT_STATE_BYTES_FOR_BUILDS (3072 * MIB)
#define PREFLIGHT_BUILD_USER "abbot-build"

static void check_space_at(struct preflight *preflight, const char *check, const char *path,
			   long long needed)
{
	_cleanup_free_ char *at = text_duplicate(path);
	long long available;

	while (!file_exists(at) && strrchr(at, '/') && strrchr(at, '/') != at)
		*strrchr(at, '/') = '\0'; /* not made yet: what it will be made in */
	available = file_free_bytes(at);
	if (available < 0)
		preflight_add(preflight, check, PREFLIGHT_SKIPPED, "", "The free space of %s cannot be read.", at);
	else if (available < needed)
		preflight_add(preflight, check, PREFLIGHT_REFUSAL, "Remove what is not needed there.",
			      "%s has %lld MiB free, and %d kernels need %lld MiB.", at,
			      available / MIB, preflight->request->kernels, needed / MIB);
	else
		preflight_add(preflight, check, PREFLIGHT_OK, "", "%s has %lld MiB free; %lld MiB are needed.",
			      at, available / MIB, needed / MIB);
}

void preflight_check_space(struct preflight *preflight)
{
	_cleanup_free_ char *boot = text_format("%s/boot", preflight->paths->root);

	check_space_at(preflight, "boot-space", boot,
		       preflight->request->kernels * PREFLIGHT_BOOT_BYTES_PER_KERNEL);
	check_space_at(preflight, "state-space", preflight->request->state_directory,
		       (preflight->request->builds ? PREFLIGHT_STATE_BYTES_FOR_BUILDS : 0) +
			       preflight->request->kernels * PREFLIGHT_STATE_BYTES_PER_KERNEL);
}

static bool is_in_path(const char *program)
{
	const char *path = getenv("PATH");

	for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
		size_t length = strcspn(at, ":");
		_cleanup_free_ char *full = text_format("%.*s/%s", (int)length, at, program);

		if (length > 0 && access(full, X_OK) == 0)
			return true;
		at += length + (at[length] == ':');
	}
	return false;
}

static void check_programs(struct preflight *preflight)
{
	static const char *const programs[] = { "gcc", "make", "ld", "flex", "bison", "bc", "perl" };
	_cleanup_text_ struct text_buffer missing = { 0 };
	const char *install = preflight->commands.install_build_tools;

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (!is_in_path(programs[i]))
			text_printf(&missing, " %s", programs[i]);
	if (missing.size > 0)
		preflight_add(preflight, "build-tools", PREFLIGHT_REFUSAL,
			      *install ? install : "Install them.",
			      "A kernel build needs these programs, which are not in PATH:%s.", missing.text);
	else
		preflight_add(preflight, "build-tools", PREFLIGHT_OK, "", "The programs of a kernel build are there.");
}

void preflight_check_tools(struct preflight *preflight)
{
	const char *install = preflight->commands.install_build_tools;

	check_programs(preflight);
	if (preflight_exists(preflight, "/usr/include/libelf.h") ||
	    preflight_exists(preflight, "/usr/include/gelf.h"))
		preflight_add(preflight, "libelf", PREFLIGHT_OK, "", "The headers of libelf are there.");
	else
		preflight_add(preflight, "libelf", PREFLIGHT_REFUSAL, *install ? install : "Install them.",
			      "The headers of libelf, which the objtool of an x86 kernel needs, are missing.");
	if (is_in_path("bwrap"))
		preflight_add(preflight, "build-sandbox", PREFLIGHT_OK, "", "The sandbox of kernel builds, bubblewrap, is there.");
	else
		preflight_add(preflight, "build-sandbox", PREFLIGHT_WARNING, "Install bubblewrap.",
			      "Kernel builds run a tree's own programs without a sandbox: bubblewrap is not there.");
	if (geteuid() != 0)
		preflight_add(preflight, "build-user", PREFLIGHT_SKIPPED, "",
			      "Without root, kernels are built as the user who asks.");
	else if (getpwnam(PREFLIGHT_BUILD_USER))
		preflight_add(preflight, "build-user", PREFLIGHT_OK, "", "Kernels are built as " PREFLIGHT_BUILD_USER ".");
	else
		preflight_add(preflight, "build-user", PREFLIGHT_REFUSAL,
			      "Run useradd --system --no-create-home " PREFLIGHT_BUILD_USER ".",
			      "The user " PREFLIGHT_BUILD_USER ", as whom kernels are built, does not exist.");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's tools: which are needed, which Debian package has each, and running one.
 * What is done with them is in root.c, disk.c, inject.c and machine.c.
 */
#include "boot/lab/tools.h"

#include <errno.h>
#include <string.h>

#include "boot/lab/firmware.h"
#include "boot/lab/lab.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "common/text.h"

static const struct {
	const char *program;
	const char *package;
} lab_tools[] = {
	{"qemu-system-x86_64", "qemu-system-x86"},
	{"debootstrap", "debootstrap"},
	{"mke2fs", "e2fsprogs"},
	{"e2fsck", "e2fsprogs"},
	{"debugfs", "e2fsprogs"},
	{"mkfs.vfat", "dosfstools"},
	{"mmd", "mtools"},
	{"mcopy", "mtools"},
	{"sgdisk", "gdisk"},
	{"grub-mkimage", "grub-common"},
};

/* The disk tools live in sbin, which the PATH of an ordinary login or of `su` lacks. */
char *lab_tool_find(const char *program)
{
	const char *path = getenv("PATH");
	_cleanup_free_ char *directories =
		text_format("%s:/usr/local/sbin:/usr/sbin:/sbin", path ? path : "/usr/bin:/bin");
	char *rest = directories;

	for (char *directory; (directory = strsep(&rest, ":"));) {
		_cleanup_free_ char *candidate = path_join(directory, program);

		if (candidate && access(candidate, X_OK) == 0)
			return TAKE_PTR(candidate);
	}
	return NULL;
}

int lab_tool_run(const char *const *argv, struct error *err)
{
	_cleanup_free_ char *program = lab_tool_find(argv[0]);
	const char *arguments[LAB_TOOL_ARGUMENTS_MAX + 1] = {program};
	struct subprocess_options options = {
		.argv = arguments,
		.merge_stderr = true,
		.timeout_ms = LAB_TOOL_TIMEOUT_MS,
	};
	struct subprocess_result result = {0};
	size_t n = 1;

	if (!program)
		return error_set(err, -ENOENT, "%s is not installed", argv[0]);
	for (; argv[n]; n++) {
		if (n == LAB_TOOL_ARGUMENTS_MAX)
			return error_set(err, -E2BIG, "too many arguments for %s", argv[0]);
		arguments[n] = argv[n];
	}
	int status = subprocess_check(&options, &result, err);

	subprocess_result_done(&result);
	return status;
}

static void note_missing(struct text_buffer *missing, const char *what, const char *package)
{
	text_printf(missing, "%s%s (package %s)", missing->size > 0 ? ", " : "", what, package);
}

static bool is_installed(const char *program)
{
	_cleanup_free_ char *path = lab_tool_find(program);

	return path;
}

int lab_check_tools(struct error *err)
{
	_cleanup_text_ struct text_buffer missing = {0};

	for (size_t i = 0; i < ARRAY_SIZE(lab_tools); i++)
		if (!is_installed(lab_tools[i].program))
			note_missing(&missing, lab_tools[i].program, lab_tools[i].package);
	if (!file_exists(LAB_FIRMWARE_CODE) || !file_exists(LAB_FIRMWARE_VARIABLES))
		note_missing(&missing, LAB_FIRMWARE_CODE, "ovmf");
	if (!file_exists(LAB_GRUB_MODULES "/normal.mod"))
		note_missing(&missing, LAB_GRUB_MODULES, "grub-efi-amd64-bin");
	if (!file_exists(LAB_SYSTEMD_BOOT))
		note_missing(&missing, LAB_SYSTEMD_BOOT, "systemd-boot-efi");
	if (missing.size == 0)
		return 0;
	return error_set(err, -ENOENT, "the lab needs %s; install what is missing", missing.text);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The backend for firmware that starts kernels itself, by its variable BootNext: is it in
 * charge, and would it come back? Variables are in boot/uefi_options.c, entries in
 * uefi_entries.c, the one-shot in uefi_one_shot.c.
 */
#include "boot/uefi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boot/efi_variable.h"
#include "boot/entry_files.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

/* What firmware starts on a partition when the option names no file. */
#ifdef __aarch64__
#define DEFAULT_FILE "\\EFI\\BOOT\\BOOTAA64.EFI"
#else
#define DEFAULT_FILE "\\EFI\\BOOT\\BOOTX64.EFI"
#endif

static void uefi_free(struct boot_loader *loader)
{
	struct uefi *uefi = uefi_of(loader);

	free(uefi->root);
	esp_done(&uefi->esp);
	free(uefi->kernels_path);
	free(uefi);
}

static void cleanup_uefi(struct uefi **uefi)
{
	if (*uefi)
		uefi_free(&(*uefi)->base);
}

/* The file "\EFI\x.efi" of the mounted ESP. Caller frees. */
static char *esp_file(const struct esp *esp, const char *name)
{
	char *path = text_format("%s%s%s", esp->path, *name == '\\' ? "" : "/", name);

	for (char *at = path + strlen(esp->path); *at; at++)
		if (*at == '\\')
			*at = '/';
	return path;
}

/* 1: the running system's option is a kernel; 0: it is something else, said in @err. */
static int check_started_kernel(struct uefi *uefi, int current, struct error *err)
{
	_cleanup_free_ void *bytes = NULL;
	_cleanup_free_ char *path = NULL;
	struct efi_load_option option;
	struct uefi_option ours;
	const char *name;

	if (uefi_is_ours(&uefi->paths, current, &ours))
		return 1;
	if (uefi_read_option(&uefi->paths, current, &bytes, &option) < 0) {
		(void)error_set(err, -ENODEV, "The firmware did not start this system's kernel itself: its entry Boot%04X is not there any more.",
				(unsigned int)current);
		return 0;
	}
	name = *option.path ? option.path : DEFAULT_FILE;
	path = esp_file(&uefi->esp, name);
	if (esp_is_kernel(path))
		return 1;
	(void)error_set(err, -ENODEV, "The firmware did not start this system's kernel itself: its entry Boot%04X starts %s, which is no kernel on the mounted EFI system partition.",
			(unsigned int)current, name);
	return 0;
}

/* What the firmware boots when no BootNext is set: the first of BootOrder that is there. */
static int check_boot_order(const struct boot_paths *paths, struct error *err)
{
	_cleanup_free_ void *data = NULL;
	const unsigned char *order;
	size_t size = 0;

	if (efi_variable_read(paths, "BootOrder", EFI_GUID_GLOBAL, &data, &size, NULL) < 0)
		size = 0;
	order = data;
	for (size_t i = 0; i + 1 < size; i += 2) {
		int number = order[i] | order[i + 1] << 8;
		_cleanup_free_ void *bytes = NULL;
		struct efi_load_option option;
		struct uefi_option ours;

		if (uefi_read_option(paths, number, &bytes, &option) < 0 || !option.is_active)
			continue;
		if (uefi_is_ours(paths, number, &ours))
			return error_set(err, -EOPNOTSUPP, "The firmware's default is Abbot's entry Boot%04X, so there is no way back: put another one first with efibootmgr --bootorder.",
					 (unsigned int)number);
		return 0;
	}
	return error_set(err, -EOPNOTSUPP, "The firmware has no default entry (BootOrder), so it is not known what it would come back to: make one with efibootmgr.");
}

/* 1: in charge; 0: not, said in @err; negative: in charge and not fit. */
static int uefi_open(struct uefi *uefi, bool is_asked_for, struct error *err)
{
	int current = uefi_read_number(&uefi->paths, "BootCurrent"), r;

	if (current == UEFI_OPTION_NONE) {
		(void)error_set(err, -ENODEV, "No UEFI firmware started this system: it left no variable BootCurrent.");
		return 0;
	}
	r = esp_find(&uefi->paths, NULL, &uefi->esp, err);
	if (r < 0 && !is_asked_for)
		return 0;
	if (r < 0)
		return r == -ENOENT ? -EOPNOTSUPP : r;
	if (!is_asked_for && (r = check_started_kernel(uefi, current, err)) == 0)
		return 0;
	r = check_boot_order(&uefi->paths, err);
	if (r == 0)
		r = esp_find_partition(&uefi->paths, &uefi->esp, &uefi->partition, err);
	return r < 0 ? r : 1;
}

static int uefi_probe(const struct boot_paths *paths, struct boot_loader **ret_loader,
		      struct error *err)
{
	_cleanup_(cleanup_uefi) struct uefi *uefi = calloc(1, sizeof(*uefi));
	int r;

	if (!uefi)
		return error_set(err, -ENOMEM, "Out of memory.");
	uefi->base.operations = &boot_loader_uefi;
	uefi->root = *paths->root ? realpath(paths->root, NULL) : text_duplicate("");
	if (!uefi->root)
		/* cppcheck-suppress memleak; the cleanup attribute frees it */
		return error_set_errno(err, -errno, "Cannot find %s", paths->root);
	uefi->paths.root = uefi->root;
	/* Asked for by name, it may also work beside a boot loader that is the default. */
	r = uefi_open(uefi, paths->loader && strcmp(paths->loader, boot_loader_uefi.name) == 0, err);
	if (r <= 0)
		/* cppcheck-suppress memleak; the cleanup attribute frees it */
		return r;
	uefi->kernels_path = path_join(uefi->esp.path, ENTRY_FILES_NAME);
	*ret_loader = &TAKE_PTR(uefi)->base;
	return 1;
}

static int uefi_default_options(struct boot_loader *loader, char **ret_options, struct error *err)
{
	return entry_running_options(uefi_of(loader)->root, ret_options, err);
}

const struct boot_loader_operations boot_loader_uefi = {
	.name = "uefi",
	.probe = uefi_probe,
	.free = uefi_free,
	.install_entry = uefi_install_entry,
	.arm_once = uefi_arm_once,
	.read_armed = uefi_read_armed,
	.disarm = uefi_disarm,
	.remove_entry = uefi_remove_entry,
	.list_entries = uefi_list_entries,
	.default_options = uefi_default_options,
};

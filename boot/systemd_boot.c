// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The systemd-boot backend: is systemd-boot in charge, and can it boot an entry once?
 * Entries are in boot/systemd_boot_entries.c, the one-shot in systemd_boot_one_shot.c,
 * what it boots by default in systemd_boot_default.c.
 */
#include "boot/systemd_boot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boot/efi_variable.h"
#include "boot/entry_files.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

/* EFI_LOADER_FEATURE_ENTRY_ONESHOT of the Boot Loader Interface. */
#define FEATURE_ENTRY_ONE_SHOT (1U << 3)

static void systemd_boot_free(struct boot_loader *loader)
{
	struct systemd_boot *sd = systemd_boot_of(loader);

	free(sd->root);
	esp_done(&sd->esp);
	free(sd->entries_path);
	free(sd->kernels_path);
	free(sd);
}

static void cleanup_systemd_boot(struct systemd_boot **sd)
{
	if (*sd)
		systemd_boot_free(&(*sd)->base);
}

/* 1, or 0 with @err saying what says so. */
static int check_in_charge(const struct boot_paths *paths, struct error *err)
{
	char info[128];
	int r = efi_variable_read_text(paths, "LoaderInfo", EFI_GUID_LOADER, info, sizeof(info));

	if (r < 0) {
		(void)error_set(err, -ENODEV, "systemd-boot did not start this system: it left no UEFI variable LoaderInfo.");
		return 0;
	}
	if (!text_has_prefix(info, "systemd-boot")) {
		(void)error_set(err, -ENODEV, "systemd-boot did not start this system: the UEFI variable LoaderInfo says \"%s\".",
				info);
		return 0;
	}
	return 1;
}

static int check_features(const struct boot_paths *paths, struct error *err)
{
	_cleanup_free_ void *data = NULL;
	size_t size = 0;
	int r = efi_variable_read(paths, "LoaderFeatures", EFI_GUID_LOADER, &data, &size, NULL);

	if (r < 0 || size < 8 || !(*(const unsigned char *)data & FEATURE_ENTRY_ONE_SHOT))
		return error_set(err, -EOPNOTSUPP,
				 "This systemd-boot does not say that it can boot an entry once (LoaderFeatures, bit 3): update it with bootctl update.");
	return 0;
}

static int systemd_boot_probe(const struct boot_paths *paths, struct boot_loader **ret_loader,
			      struct error *err)
{
	_cleanup_(cleanup_systemd_boot) struct systemd_boot *sd = calloc(1, sizeof(*sd));
	int r;

	if (!sd)
		return error_set(err, -ENOMEM, "Out of memory.");
	sd->base.operations = &boot_loader_systemd_boot;
	sd->root = *paths->root ? realpath(paths->root, NULL) : text_duplicate("");
	if (!sd->root)
		/* cppcheck-suppress memleak; the cleanup attribute frees it */
		return error_set_errno(err, -errno, "Cannot find %s", paths->root);
	sd->paths.root = sd->root;
	r = check_in_charge(&sd->paths, err);
	if (r <= 0)
		/* cppcheck-suppress memleak; the cleanup attribute frees it */
		return r;
	r = check_features(&sd->paths, err);
	if (r == 0)
		r = esp_find(&sd->paths, "loader", &sd->esp, err);
	if (r < 0)
		/* cppcheck-suppress memleak; the cleanup attribute frees it */
		return r == -ENOENT ? -EOPNOTSUPP : r;
	sd->entries_path = path_join(sd->esp.path, "loader/entries");
	sd->kernels_path = path_join(sd->esp.path, ENTRY_FILES_NAME);
	r = systemd_boot_check_default(sd, err);
	if (r < 0)
		return r;
	*ret_loader = &TAKE_PTR(sd)->base;
	return 1;
}

const struct boot_loader_operations boot_loader_systemd_boot = {
	.name = "systemd-boot",
	.probe = systemd_boot_probe,
	.free = systemd_boot_free,
	.install_entry = systemd_boot_install_entry,
	.arm_once = systemd_boot_arm_once,
	.read_armed = systemd_boot_read_armed,
	.disarm = systemd_boot_disarm,
	.remove_entry = systemd_boot_remove_entry,
	.list_entries = systemd_boot_list_entries,
	.default_options = systemd_boot_default_options,
};

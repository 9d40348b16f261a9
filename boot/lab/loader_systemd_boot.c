// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's machine with systemd-boot: the loader, its entry and the default kernel on the
 * EFI system partition, which the guest mounts at /boot.
 */
#include "boot/lab/loader.h"

#include <string.h>

#include "boot/lab/disk.h"
#include "boot/lab/esp.h"
#include "boot/lab/firmware.h"
#include "boot/lab/grub.h"
#include "boot/lab/outcome.h"
#include "boot/lab/tools.h"
#include "boot/lab/variables.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

static const char loader_conf[] = "timeout 0\ndefault lab.conf\n";

static const char default_entry[] =
	"title      Debian GNU/Linux\n"
	"linux      /" LAB_DEFAULT_KERNEL "\n"
	"options    root=PARTUUID=" LAB_DISK_ROOT_PARTUUID " ro console=ttyS0 quiet\n";

struct esp_file {
	const char *name;   /* in the run directory */
	const char *text;
	const char *target; /* on the partition */
};

static const struct esp_file esp_files[] = {
	{"loader.conf", loader_conf, "::loader/loader.conf"},
	{"lab.entry", default_entry, "::loader/entries/lab.conf"},
};

static int systemd_boot_fill_esp(const struct lab_options *options, const char *partition,
				 struct error *err)
{
	const char *directories[] = {"mmd", "-i", partition, "::loader", "::loader/entries", NULL};
	int status = lab_tool_run(directories, err);

	for (size_t i = 0; i < ARRAY_SIZE(esp_files) && status == 0; i++) {
		_cleanup_free_ char *path = path_join(options->run_directory, esp_files[i].name);
		const char *text = esp_files[i].text;

		status = file_write_durable(path, text, strlen(text), 0644, err);
		if (status == 0)
			status = lab_esp_copy(partition, path, esp_files[i].target, err);
	}
	if (status == 0)
		status = lab_esp_copy(partition, LAB_SYSTEMD_BOOT, "::EFI/BOOT/BOOTX64.EFI", err);
	if (status == 0)
		status = lab_esp_copy(partition, options->default_image, "::" LAB_DEFAULT_KERNEL, err);
	return status;
}

static int systemd_boot_hash_default(const char *run_directory, char **ret_hash,
				     struct error *err)
{
	static const char *const names[] = {"esp/loader/loader.conf", "esp/loader/entries/lab.conf",
					    "esp/" LAB_DEFAULT_KERNEL,
					    "esp/EFI/BOOT/BOOTX64.EFI", NULL};

	return outcome_hash_files(run_directory, names, ret_hash, err);
}

static int systemd_boot_is_one_shot_empty(const char *run_directory, bool *ret_is_empty,
					  struct error *err)
{
	return variables_lack(run_directory, "LoaderEntryOneShot", ret_is_empty, err);
}

const struct lab_loader lab_loader_systemd_boot = {
	.name = "systemd-boot",
	.fill_esp = systemd_boot_fill_esp,
	.fill_root = lab_esp_mount,
	.fetch = lab_esp_fetch,
	.hash_default = systemd_boot_hash_default,
	.find_leftovers = lab_esp_find_leftovers,
	.is_one_shot_empty = systemd_boot_is_one_shot_empty,
};

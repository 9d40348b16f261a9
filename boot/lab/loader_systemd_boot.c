// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's machine with systemd-boot: the loader, its entry and the default kernel on the
 * EFI system partition, which the guest mounts at /boot.
 */
#include "boot/lab/loader.h"

#include <string.h>

#include "boot/lab/disk.h"
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

/* A mount unit would wait for a device unit, and those are udev's, which the lab has not. */
static const char mount_unit[] =
	"[Unit]\n"
	"Description=The EFI system partition of the lab\n"
	"DefaultDependencies=no\n"
	"After=systemd-remount-fs.service\n"
	"Before=local-fs.target\n"
	"[Service]\n"
	"Type=oneshot\n"
	"RemainAfterExit=yes\n"
	"ExecStart=/bin/mount -t vfat /dev/vda1 /boot\n";

#define MOUNT_UNIT "lab-esp.service"
#define UNITS "/etc/systemd/system"

struct esp_file {
	const char *name;   /* in the run directory */
	const char *text;
	const char *target; /* on the partition */
};

static const struct esp_file esp_files[] = {
	{"loader.conf", loader_conf, "::loader/loader.conf"},
	{"lab.entry", default_entry, "::loader/entries/lab.conf"},
	{MOUNT_UNIT, mount_unit, NULL},
};

static int copy_to_esp(const char *partition, const char *from, const char *to, struct error *err)
{
	const char *argv[] = {"mcopy", "-i", partition, from, to, NULL};

	return lab_tool_run(argv, err);
}

static int systemd_boot_fill_esp(const struct lab_options *options, const char *partition,
				 struct error *err)
{
	const char *directories[] = {"mmd", "-i", partition, "::loader", "::loader/entries", NULL};
	int status = lab_tool_run(directories, err);

	for (size_t i = 0; i < ARRAY_SIZE(esp_files) && status == 0; i++) {
		_cleanup_free_ char *path = path_join(options->run_directory, esp_files[i].name);
		const char *text = esp_files[i].text;

		status = file_write_durable(path, text, strlen(text), 0644, err);
		if (status == 0 && esp_files[i].target)
			status = copy_to_esp(partition, path, esp_files[i].target, err);
	}
	if (status == 0)
		status = copy_to_esp(partition, LAB_SYSTEMD_BOOT, "::EFI/BOOT/BOOTX64.EFI", err);
	if (status == 0)
		status = copy_to_esp(partition, options->default_image, "::" LAB_DEFAULT_KERNEL, err);
	return status;
}

static void systemd_boot_fill_root(const struct lab_options *options, struct inject *inject)
{
	_cleanup_free_ char *unit = path_join(options->run_directory, MOUNT_UNIT);

	inject_file(inject, unit, UNITS, MOUNT_UNIT, 0644);
	inject_directory(inject, UNITS "/local-fs.target.wants");
	inject_link(inject, UNITS "/local-fs.target.wants", MOUNT_UNIT, UNITS "/" MOUNT_UNIT);
}

/* Into RUN/esp. */
static int systemd_boot_fetch(const char *disk, const char *run_directory, struct error *err)
{
	_cleanup_free_ char *esp = path_join(run_directory, "esp");
	_cleanup_free_ char *partition =
		text_format("%s@@%llu", disk, (unsigned long long)LAB_DISK_ESP_OFFSET);
	const char *argv[] = {"mcopy", "-s", "-n", "-i", partition, "::*", esp, NULL};
	int status = file_remove_tree(esp, err);

	if (status == 0)
		status = file_make_directories(esp, 0755, err);
	return status < 0 ? status : lab_tool_run(argv, err);
}

static int systemd_boot_hash_default(const char *run_directory, char **ret_hash,
				     struct error *err)
{
	static const char *const names[] = {"esp/loader/loader.conf", "esp/loader/entries/lab.conf",
					    "esp/" LAB_DEFAULT_KERNEL,
					    "esp/EFI/BOOT/BOOTX64.EFI", NULL};

	return outcome_hash_files(run_directory, names, ret_hash, err);
}

static int systemd_boot_find_leftovers(const char *run_directory, struct lab_names *names,
				       struct error *err)
{
	_cleanup_free_ char *esp = path_join(run_directory, "esp");

	return lab_names_add_files(names, esp, "/boot", err);
}

static int systemd_boot_is_one_shot_empty(const char *run_directory, bool *ret_is_empty,
					  struct error *err)
{
	return variables_lack(run_directory, "LoaderEntryOneShot", ret_is_empty, err);
}

const struct lab_loader lab_loader_systemd_boot = {
	.name = "systemd-boot",
	.fill_esp = systemd_boot_fill_esp,
	.fill_root = systemd_boot_fill_root,
	.fetch = systemd_boot_fetch,
	.hash_default = systemd_boot_hash_default,
	.find_leftovers = systemd_boot_find_leftovers,
	.is_one_shot_empty = systemd_boot_is_one_shot_empty,
};

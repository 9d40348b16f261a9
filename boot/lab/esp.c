// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts files on the lab's EFI system partition, mounts it in the guest, reads it afterwards.
 */
#include "boot/lab/esp.h"

#include <string.h>

#include "boot/lab/disk.h"
#include "boot/lab/tools.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

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

int lab_esp_copy(const char *partition, const char *from, const char *to, struct error *err)
{
	const char *argv[] = {"mcopy", "-i", partition, from, to, NULL};

	return lab_tool_run(argv, err);
}

void lab_esp_mount(const struct lab_options *options, struct inject *inject)
{
	_cleanup_free_ char *unit = path_join(options->run_directory, MOUNT_UNIT);

	if (inject->status == 0)
		inject->status = file_write_durable(unit, mount_unit, strlen(mount_unit), 0644, &inject->error);
	inject_file(inject, unit, UNITS, MOUNT_UNIT, 0644);
	inject_directory(inject, UNITS "/local-fs.target.wants");
	inject_link(inject, UNITS "/local-fs.target.wants", MOUNT_UNIT, UNITS "/" MOUNT_UNIT);
}

int lab_esp_fetch(const char *disk, const char *run_directory, struct error *err)
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

int lab_esp_find_leftovers(const char *run_directory, struct lab_names *names, struct error *err)
{
	_cleanup_free_ char *esp = path_join(run_directory, "esp");

	return lab_names_add_files(names, esp, "/boot", err);
}

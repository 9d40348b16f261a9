// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recipe of the lab's root as data: packages, small files, and the units that a
 * machine which lives for three boots can do without. root.c carries it out.
 */
#include "boot/lab/recipe.h"

#include <string.h>

#include "common/digest.h"

/* Raise when root.c does something else with the same data. */
#define RECIPE_REVISION "1"

static const char *const directories[] = {
	"/boot/grub",
	"/boot/efi",
	"/usr/local/bin",
	"/var/lib/abbot",
	"/etc/abbot",
	"/etc/systemd/journald.conf.d",
	"/etc/systemd/system.conf.d",
	"/etc/systemd/system/abbotd.service.d",
	"/etc/systemd/system/emergency.target.wants",
	"/etc/systemd/system/multi-user.target.wants",
	"/etc/systemd/system/rescue.target.wants",
	"/etc/systemd/system/sysinit.target.wants",
	NULL,
};

static const struct lab_recipe_file files[] = {
	{"/etc/hostname", "abbot-lab\n"},
	{"/etc/hosts", "127.0.0.1 localhost abbot-lab\n"},
	/* Fixed, so that no boot is taken for the first one, which would run presets. */
	{"/etc/machine-id", "ab5007ab00014000800000000000ab01\n"},
	{"/etc/fstab", "LABEL=" LAB_ROOT_LABEL " / ext4 errors=remount-ro 0 0\n"},
	{"/etc/systemd/journald.conf.d/lab.conf",
	 "[Journal]\nStorage=volatile\nRuntimeMaxUse=8M\nRateLimitBurst=0\nAudit=no\n"},
	{"/etc/systemd/system.conf.d/lab.conf",
	 "[Manager]\nShowStatus=no\nDefaultTimeoutStopSec=20s\n"},
	{NULL, NULL},
};

static const char *const masked_units[] = {
	"apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer",
	"e2scrub_all.timer", "e2scrub_reap.service", "fstrim.timer",
	"systemd-tmpfiles-clean.timer", "getty.target", "getty@.service",
	"serial-getty@.service", "console-getty.service", "remote-fs.target",
	"cryptsetup.target", "integritysetup.target", "veritysetup.target",
	"dev-hugepages.mount", "dev-mqueue.mount", "sys-fs-fuse-connections.mount",
	"sys-kernel-config.mount", "sys-kernel-debug.mount", "sys-kernel-tracing.mount",
	"proc-sys-fs-binfmt_misc.automount", "kmod-static-nodes.service",
	"modprobe@.service", "systemd-modules-load.service", "systemd-binfmt.service",
	"systemd-firstboot.service", "systemd-journal-flush.service",
	"systemd-machine-id-commit.service", "systemd-repart.service",
	"systemd-sysusers.service", "systemd-random-seed.service",
	"systemd-networkd.service", "systemd-resolved.service",
	"systemd-timesyncd.service", "systemd-update-utmp.service",
	"systemd-update-utmp-runlevel.service", "systemd-user-sessions.service",
	"systemd-ask-password-console.path", "systemd-ask-password-wall.path",
	"systemd-initctl.socket", "systemd-journald-audit.socket",
	"systemd-pcrphase.service", "systemd-pcrphase-sysinit.service",
	/* devtmpfs makes every node that is needed; asking udev about each doubles the boot. */
	"systemd-udev-trigger.service", "systemd-udevd.service",
	"systemd-udevd-control.socket", "systemd-udevd-kernel.socket",
	NULL,
};

static const char *const removed[] = {
	"/var/cache/apt", "/var/lib/apt/lists", "/usr/share/doc", "/usr/share/man",
	"/usr/share/locale", "/usr/share/info", "/usr/share/zoneinfo", "/var/log/bootstrap.log",
	NULL,
};

const struct lab_recipe lab_recipe = {
	.suite = "bookworm",
	.mirror = "http://deb.debian.org/debian",
	.packages = "systemd,systemd-sysv,dbus,udev,kmod,libgit2-1.5,libjansson4,"
		    "libsqlite3-0,r-mathlib,libssl3,libcurl4,libsystemd0,zlib1g,"
		    /* Only used when a job's kernels have modules: nothing of it runs at boot. */
		    "initramfs-tools,busybox",
	.directories = directories,
	.files = files,
	.masked_units = masked_units,
	.removed = removed,
};

static void add_texts(struct digest *digest, const char *const *texts)
{
	for (; *texts; texts++)
		digest_add_text(digest, *texts);
	digest_add_text(digest, "");
}

void lab_recipe_version(char ret_version[13])
{
	char hex[DIGEST_HEX_SIZE] = "000000000000";
	struct digest *digest = digest_new();

	if (digest) {
		digest_add_text(digest, RECIPE_REVISION);
		digest_add_text(digest, lab_recipe.suite);
		digest_add_text(digest, lab_recipe.packages);
		digest_add(digest, &(int){LAB_ROOT_SIZE_MIB}, sizeof(int));
		add_texts(digest, lab_recipe.directories);
		add_texts(digest, lab_recipe.masked_units);
		add_texts(digest, lab_recipe.removed);
		for (const struct lab_recipe_file *file = lab_recipe.files; file->path; file++) {
			digest_add_text(digest, file->path);
			digest_add_text(digest, file->text);
		}
		digest_finish(digest, hex);
	}
	memcpy(ret_version, hex, 12);
	ret_version[12] = '\0';
}

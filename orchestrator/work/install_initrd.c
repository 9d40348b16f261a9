// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which program makes the initrd, and how each is called so that it only writes one
 * file: mkinitramfs(8), not update-initramfs, which would keep and renew it; dracut(8);
 * mkinitcpio(8). Where it goes afterwards is the boot loader's.
 */
#include "orchestrator/work/install_initrd.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "boot/boot_options.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/work/install_tool.h"

#define MAKE_TIMEOUT_MS (10 * 60 * 1000)
#define INSTALL_CONF_MAX_BYTES 65536
#define INITRD_MIN_BYTES 1024

enum maker {
	MAKER_INITRAMFS_TOOLS,
	MAKER_DRACUT,
	MAKER_MKINITCPIO,
	MAKERS,
};

static const struct {
	const char *program;
	const char *word; /* of initrd_generator= in install.conf, kernel-install(8) */
} makers[MAKERS] = {
	[MAKER_INITRAMFS_TOOLS] = { "mkinitramfs", "initramfs-tools" },
	[MAKER_DRACUT] = { "dracut", "dracut" },
	[MAKER_MKINITCPIO] = { "mkinitcpio", "mkinitcpio" },
};

static bool is_on(const struct kernel_config *config, const char *name)
{
	const char *value = kernel_config_get(config, name);

	return value && strcmp(value, "y") == 0;
}

bool install_initrd_is_needed(const struct kernel_config *config, const char *options,
			      const char **ret_why)
{
	static const char *const names[] = { "UUID=", "LABEL=", "/dev/disk/", "/dev/mapper/",
					     "PARTLABEL=", "ZFS=", "zfs:" };
	char root[256];

	if (!is_on(config, "BLK_DEV_INITRD")) {
		*ret_why = "the kernel cannot unpack one (CONFIG_BLK_DEV_INITRD)";
		return false;
	}
	if (is_on(config, "MODULES")) {
		*ret_why = "the kernel has modules";
		return true;
	}
	for (size_t i = 0; boot_options_get(options, "root", root, sizeof(root)) && i < ARRAY_SIZE(names);
	     i++) {
		if (text_has_prefix(root, names[i])) {
			*ret_why = "root= names what the kernel alone cannot find";
			return true;
		}
	}
	*ret_why = "the kernel has no modules, and finds its root by itself";
	return false;
}

static bool is_installed(const char *root, const char *program)
{
	static const char *const directories[] = { "/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
						   "/usr/bin", "/sbin", "/bin" };

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++) {
		_cleanup_free_ char *path = text_format("%s%s/%s", root, directories[i], program);

		if (file_exists(path))
			return true;
	}
	return false;
}

/* MAKERS when install.conf names none that we know. */
static enum maker maker_named(const char *root)
{
	_cleanup_free_ char *path = text_format("%s/etc/kernel/install.conf", root), *text = NULL;
	char *rest;

	if (file_read(path, INSTALL_CONF_MAX_BYTES, &text, NULL, NULL) < 0)
		return MAKERS;
	rest = text;
	for (char *line; (line = strsep(&rest, "\n"));) {
		line = text_strip(line);
		if (!text_has_prefix(line, "initrd_generator="))
			continue;
		for (int i = 0; i < MAKERS; i++)
			if (strcmp(line + strlen("initrd_generator="), makers[i].word) == 0)
				return (enum maker)i;
	}
	return MAKERS;
}

static int maker_find(const char *root, enum maker *ret_maker, struct error *err)
{
	enum maker named = maker_named(root);

	if (named != MAKERS && is_installed(root, makers[named].program)) {
		*ret_maker = named;
		return 0;
	}
	for (int i = 0; i < MAKERS; i++)
		if (is_installed(root, makers[i].program)) {
			*ret_maker = (enum maker)i;
			return 0;
		}
	return error_set(err, -ENOENT,
			 "this kernel needs an initrd, and neither mkinitramfs, dracut nor mkinitcpio is installed: install one, or build in what the root disk needs and set CONFIG_MODULES=n");
}

int install_initrd_make(const char *root, const char *release, const char *path,
			const char *log_path, struct error *err)
{
	const char *const initramfs_tools[] = { "mkinitramfs", "-o", path, release, NULL };
	const char *const dracut[] = { "dracut", "--force", "--kver", release, path, NULL };
	const char *const mkinitcpio[] = { "mkinitcpio", "-k", release, "-g", path, NULL };
	struct install_tool tool = { .log_path = log_path, .timeout_ms = MAKE_TIMEOUT_MS };
	enum maker maker = MAKERS;
	struct stat status;
	int r = maker_find(root, &maker, err);

	if (r < 0)
		return r;
	switch (maker) {
	case MAKER_INITRAMFS_TOOLS:
		tool.argv = initramfs_tools;
		break;
	case MAKER_DRACUT:
		tool.argv = dracut;
		break;
	case MAKER_MKINITCPIO:
		tool.argv = mkinitcpio;
		break;
	case MAKERS:
		return -ENOENT;
	}
	r = install_tool_run(&tool, err);
	if (r < 0)
		return r;
	if (lstat(path, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size < INITRD_MIN_BYTES)
		return error_set(err, -EPROTO, "%s made no initrd, though it said that it did: see %s",
				 tool.argv[0], log_path);
	return 0;
}

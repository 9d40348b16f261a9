// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the boot loader in charge among the backends. What a loader can do is in
 * each backend's own file.
 */
#include "boot/boot_loader.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

/* In the order in which they are asked: who started this system is plain with the first ones. */
static const struct boot_loader_operations *const boot_loader_backends[] = {
	&boot_loader_systemd_boot,
	&boot_loader_uefi,
	&boot_loader_grub,
};

const char *const boot_loader_names[] = { "auto", "systemd-boot", "uefi", "grub", NULL };

static bool is_asked(const struct boot_paths *paths, const struct boot_loader_operations *backend)
{
	return !paths->loader || strcmp(paths->loader, "auto") == 0 ||
	       strcmp(paths->loader, backend->name) == 0;
}

int boot_loader_find(const struct boot_paths *paths, struct boot_loader **ret_loader,
		     struct error *err)
{
	_cleanup_text_ struct text_buffer reasons = { 0 };
	bool is_known = false;

	for (size_t i = 0; i < ARRAY_SIZE(boot_loader_backends); i++) {
		struct error reason = { 0 };
		int r;

		if (!is_asked(paths, boot_loader_backends[i]))
			continue;
		is_known = true;
		r = boot_loader_backends[i]->probe(paths, ret_loader, &reason);
		if (r < 0)
			return error_set(err, r, "%s", reason.text);
		if (r > 0)
			return 0;
		text_printf(&reasons, " %s", reason.text);
	}
	if (!is_known)
		return error_set(err, -EINVAL, "There is no boot loader '%s': Abbot knows auto, systemd-boot, uefi and grub.",
				 paths->loader);
	return error_set(err, -ENODEV, "No boot loader that Abbot can use is in charge here.%s", reasons.text);
}

json_t *boot_loader_explain(const struct boot_paths *paths)
{
	json_t *lines = json_array();

	for (size_t i = 0; i < ARRAY_SIZE(boot_loader_backends); i++) {
		const struct boot_loader_operations *backend = boot_loader_backends[i];
		struct boot_loader *loader = NULL;
		struct error err = { 0 };
		int r = backend->probe(paths, &loader, &err);
		json_t *line;

		line = json_pack("{s:s, s:s, s:s}", "loader", backend->name, "status",
				 r > 0 ? "in charge" : r < 0 ? "refused" : "not in charge", "text",
				 r > 0 ? "It started this system, and it can boot an entry once." : err.text);
		if (line)
			(void)json_array_append_new(lines, line);
		boot_loader_free(loader);
	}
	return lines;
}

void boot_loader_free(struct boot_loader *loader)
{
	if (loader)
		loader->operations->free(loader);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the boot loader in charge among the backends. What a loader can do is in
 * each backend's own file.
 */
#include "boot/boot_loader.h"

#include <errno.h>

#include "common/cleanup.h"

static const struct boot_loader_operations *const boot_loader_backends[] = {
	&boot_loader_grub,
};

int boot_loader_find(const struct boot_paths *paths, struct boot_loader **ret_loader,
		     struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(boot_loader_backends); i++) {
		int r = boot_loader_backends[i]->probe(paths, ret_loader, err);

		if (r != 0)
			return r < 0 ? r : 0;
	}
	return error_set(err, -ENODEV,
			 "No boot loader that Abbot can use is in charge here: there is no GRUB configuration in %s/boot/grub or %s/boot/grub2; run it on a machine that boots with GRUB.",
			 paths->root, paths->root);
}

void boot_loader_free(struct boot_loader *loader)
{
	if (loader)
		loader->operations->free(loader);
}

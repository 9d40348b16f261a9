// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which entries of ours there are: those of custom.cfg, and directories that an
 * interrupted install left without one.
 */
#include "boot/grub_files.h"

#include "boot/entry_files.h"
#include "common/cleanup.h"

int grub_list_entries(struct boot_loader *loader, char ***ret_ids, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	_cleanup_(entry_ids_done) struct entry_ids ids = { 0 };
	struct grub_loader *grub = grub_loader_of(loader);
	mode_t mode;
	int r;

	r = grub_read_custom(grub, &config, &mode, err);
	for (size_t i = 0; r == 0 && i < config.n_entries; i++)
		r = entry_ids_add(&ids, config.entries[i].id, err);
	if (r == 0)
		r = entry_ids_add_directories(&ids, grub->kernels_path, err);
	if (r < 0)
		return r;
	*ret_ids = entry_ids_take(&ids);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which entries of ours there are: those of custom.cfg, and directories that an
 * interrupted install left without one.
 */
#include "boot/grub_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/text.h"

static void cleanup_dir(DIR **directory)
{
	if (*directory)
		(void)closedir(*directory);
}

static void grub_free_ids(char ***ids)
{
	for (size_t i = 0; *ids && (*ids)[i]; i++)
		free((*ids)[i]);
	free(*ids);
}

static int grub_add_id(char ***ids, size_t *n_ids, const char *id)
{
	char **grown = reallocarray(*ids, *n_ids + 2, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*ids = grown;
	grown[*n_ids] = text_duplicate(id);
	grown[++*n_ids] = NULL;
	return 0;
}

/* Directories that an interrupted install left without an entry are ours to remove, too. */
static int grub_add_leftovers(const struct grub_loader *grub, const struct grub_config *config,
			      char ***ids, size_t *n_ids)
{
	_cleanup_(cleanup_dir) DIR *directory = opendir(grub->kernels_path);
	const struct dirent *item;

	if (!directory)
		return errno == ENOENT ? 0 : -errno;
	while ((item = readdir(directory)))
		if (grub_check_id(item->d_name, NULL) == 0 && !grub_config_has(config, item->d_name) &&
		    grub_add_id(ids, n_ids, item->d_name) < 0)
			return -ENOMEM;
	return 0;
}

int grub_list_entries(struct boot_loader *loader, char ***ret_ids, struct error *err)
{
	_cleanup_(grub_config_done) struct grub_config config = { 0 };
	_cleanup_(grub_free_ids) char **ids = NULL;
	struct grub_loader *grub = grub_loader_of(loader);
	size_t n_ids = 0;
	mode_t mode;
	int r;

	r = grub_read_custom(grub, &config, &mode, err);
	if (r < 0)
		return r;
	ids = calloc(1, sizeof(*ids));
	if (!ids)
		return error_set(err, -ENOMEM, "Out of memory.");
	for (size_t i = 0; i < config.n_entries; i++)
		if (grub_add_id(&ids, &n_ids, config.entries[i].id) < 0)
			return error_set(err, -ENOMEM, "Out of memory.");
	r = grub_add_leftovers(grub, &config, &ids, &n_ids);
	if (r < 0)
		return error_set_errno(err, r, "Cannot list %s", grub->kernels_path);
	*ret_ids = TAKE_PTR(ids);
	return 0;
}

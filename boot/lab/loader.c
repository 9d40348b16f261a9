// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the lab's boot loader by name, and collects names of files that were left behind.
 */
#include "boot/lab/loader.h"

#include <errno.h>
#include <fts.h>
#include <string.h>

#include "boot/boot_loader.h"
#include "common/cleanup.h"
#include "common/text.h"

int lab_loader_find(const char *name, const struct lab_loader **ret_loader, struct error *err)
{
	static const struct lab_loader *const loaders[] = { &lab_loader_grub, &lab_loader_systemd_boot,
							   &lab_loader_uefi };

	for (size_t i = 0; i < ARRAY_SIZE(loaders); i++) {
		if (!name || strcmp(loaders[i]->name, name) == 0) {
			*ret_loader = loaders[i];
			return 0;
		}
	}
	return error_set(err, -EINVAL, "the lab's machine boots with grub, systemd-boot or uefi, not with \"%s\"", name);
}

void lab_names_done(struct lab_names *names)
{
	for (size_t i = 0; i < names->n_names; i++)
		free(names->names[i]);
	free(names->names);
	*names = (struct lab_names){ 0 };
}

void lab_names_add(struct lab_names *names, char *name)
{
	char **larger = realloc(names->names, (names->n_names + 2) * sizeof(*larger));

	if (!larger)
		abort();
	names->names = larger;
	larger[names->n_names++] = name;
	larger[names->n_names] = NULL;
}

static void cleanup_fts(FTS **tree)
{
	if (*tree)
		(void)fts_close(*tree);
}

int lab_names_add_files(struct lab_names *names, const char *directory, const char *shown,
			struct error *err)
{
	_cleanup_free_ char *top = text_duplicate(directory);
	char *paths[] = {top, NULL};
	_cleanup_(cleanup_fts) FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);

	if (!tree)
		return error_set_errno(err, -errno, "cannot read %s", directory);
	for (FTSENT *entry; (entry = fts_read(tree));)
		if (entry->fts_info != FTS_DP && text_has_prefix(entry->fts_name, BOOT_ENTRY_PREFIX))
			lab_names_add(names, text_format("%s%s", shown, entry->fts_path + strlen(directory)));
	return 0;
}

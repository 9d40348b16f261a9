// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the lab's disk after the run: the guest's store, and whether its boot loader
 * is as it was. It only looks: judging is the caller's.
 */
#include "boot/lab/outcome.h"

#include <errno.h>
#include <fts.h>
#include <string.h>

#include "boot/lab/disk.h"
#include "boot/lab/inject.h"
#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/text.h"

#define CONFIG_MAX_BYTES (1 << 20)

struct names {
	char **names;
	size_t n_names;
};

static void names_done(struct names *names)
{
	for (size_t i = 0; i < names->n_names; i++)
		free(names->names[i]);
	free(names->names);
}

static void names_add(struct names *names, char *name)
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

static int add_files(const char *boot, struct names *names, struct error *err)
{
	_cleanup_free_ char *top = text_duplicate(boot);
	char *paths[] = {top, NULL};
	_cleanup_(cleanup_fts) FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);

	if (!tree)
		return error_set_errno(err, -errno, "cannot read %s", boot);
	for (FTSENT *entry; (entry = fts_read(tree));)
		if (entry->fts_info != FTS_DP && text_has_prefix(entry->fts_name, "abbot-"))
			names_add(names, text_format("/boot%s", entry->fts_path + strlen(boot)));
	return 0;
}

/* Entries that custom.cfg still has: each `--id abbot-...` in it. */
static int add_entries(const char *boot, struct names *names, struct error *err)
{
	_cleanup_free_ char *path = path_join(boot, "grub/custom.cfg");
	_cleanup_free_ char *text = NULL;

	if (!file_exists(path))
		return 0;
	int status = file_read(path, CONFIG_MAX_BYTES, &text, NULL, err);

	if (status < 0)
		return status;
	for (char *at = text; (at = strstr(at, "--id ")); at++) {
		char *id = at + strlen("--id ");
		size_t length = strcspn(id, " \t\n{");

		if (*id == '\'' || *id == '"')
			id++, length = strcspn(id, "'\"\n");
		if (text_has_prefix(id, "abbot-"))
			names_add(names, text_format("entry %.*s", (int)length, id));
	}
	return 0;
}

int outcome_find_leftovers(const char *boot, char ***ret_names, struct error *err)
{
	_cleanup_(names_done) struct names names = {calloc(1, sizeof(char *)), 0};
	int status = add_files(boot, &names, err);

	if (status == 0)
		status = add_entries(boot, &names, err);
	if (status < 0)
		return status;
	*ret_names = TAKE_PTR(names.names);
	names.n_names = 0;
	return 0;
}

int outcome_is_one_shot_empty(const char *boot, bool *ret_is_empty, struct error *err)
{
	_cleanup_free_ char *path = path_join(boot, "grub/abbot.env");
	_cleanup_free_ char *block = NULL;
	bool is_empty = true;

	if (!file_exists(path)) {
		*ret_is_empty = true;
		return 0;
	}
	int status = file_read(path, 4096, &block, NULL, err);

	if (status < 0)
		return status;
	char *rest = block;

	for (char *line; (line = strsep(&rest, "\n"));)
		if (text_has_prefix(line, "abbot_next=") && line[strlen("abbot_next=")])
			is_empty = false;
	*ret_is_empty = is_empty;
	return 0;
}

char *outcome_hash_default(const void *config, size_t config_size, const void *environment,
			   size_t environment_size)
{
	char hex[DIGEST_HEX_SIZE] = "";
	struct digest *digest = digest_new();

	if (digest) {
		digest_add(digest, config, config_size);
		digest_add(digest, "", 1);
		digest_add(digest, environment, environment_size);
		digest_finish(digest, hex);
	}
	return text_duplicate(hex);
}

static int hash_default(const char *boot, char **ret_hash, struct error *err)
{
	_cleanup_free_ char *config_path = path_join(boot, "grub/grub.cfg");
	_cleanup_free_ char *environment_path = path_join(boot, "grub/grubenv");
	_cleanup_free_ char *config = NULL;
	_cleanup_free_ char *environment = NULL;
	size_t config_size = 0;
	size_t environment_size = 0;
	int status = file_read(config_path, CONFIG_MAX_BYTES, &config, &config_size, err);

	if (status == 0)
		status = file_read(environment_path, CONFIG_MAX_BYTES, &environment,
				   &environment_size, err);
	if (status == 0)
		*ret_hash = outcome_hash_default(config, config_size, environment,
						 environment_size);
	return status;
}

static int fetch_store(const char *disk, const char *run_directory, char **ret_path,
		       struct error *err)
{
	_cleanup_free_ char *store = path_join(run_directory, "abbot.sqlite");
	_cleanup_free_ char *log = path_join(run_directory, "abbot.sqlite-wal");
	int status = inject_extract(disk, LAB_DISK_ROOT_OFFSET, "/var/lib/abbot/abbot.sqlite", store,
				    err);

	if (status == 1)
		return error_set(err, -ENOENT, "the lab's guest left no store; see its serial log in %s",
				 run_directory);
	if (status == 0)
		status = inject_extract(disk, LAB_DISK_ROOT_OFFSET,
					"/var/lib/abbot/abbot.sqlite-wal", log, err);
	if (status < 0)
		return status;
	*ret_path = TAKE_PTR(store);
	return 0;
}

int outcome_fetch(const char *disk, const char *run_directory, struct lab_outcome *outcome,
		  struct error *err)
{
	_cleanup_free_ char *boot = path_join(run_directory, "boot");
	int status = lab_disk_repair(disk, err);

	if (status == 0)
		status = fetch_store(disk, run_directory, &outcome->store_path, err);
	if (status == 0)
		status = file_remove_tree(boot, err);
	if (status == 0)
		status = inject_extract_tree(disk, LAB_DISK_ROOT_OFFSET, "/boot", run_directory, err);
	if (status == 0)
		status = hash_default(boot, &outcome->default_entry_after, err);
	if (status == 0)
		status = outcome_find_leftovers(boot, &outcome->leftover_files, err);
	if (status == 0)
		status = outcome_is_one_shot_empty(boot, &outcome->is_one_shot_empty, err);
	return status;
}

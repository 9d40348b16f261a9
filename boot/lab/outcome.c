// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the lab's disk after the run: the guest's store and kept logs, and whether its boot loader
 * is as it was. It only looks: judging is the caller's.
 */
#include "boot/lab/outcome.h"

#include <errno.h>
#include <string.h>

#include "boot/lab/disk.h"
#include "boot/lab/inject.h"
#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/text.h"

#define FILE_MAX_BYTES (64UL << 20)

int outcome_hash_files(const char *directory, const char *const *names, char **ret_hash,
		       struct error *err)
{
	char hex[DIGEST_HEX_SIZE] = "";
	struct digest *digest = digest_new();
	int status = 0;

	if (!digest)
		return error_set(err, -ENOMEM, "out of memory");
	for (; *names && status == 0; names++) {
		_cleanup_free_ char *path = path_join(directory, *names), *data = NULL;
		size_t size = 0;

		status = file_read(path, FILE_MAX_BYTES, &data, &size, err);
		if (status == 0) {
			digest_add(digest, &size, sizeof(size));
			digest_add(digest, data, size);
		}
	}
	digest_finish(digest, hex);
	if (status == 0)
		*ret_hash = text_duplicate(hex);
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

/* Into RUN/jobs; a job that ended early has left none. */
static int fetch_evidence(const char *disk, const char *run_directory, struct error *err)
{
	_cleanup_free_ char *before = path_join(run_directory, "jobs");
	struct error why = { 0 };
	int status = file_remove_tree(before, err);

	if (status == 0)
		status = inject_extract_tree(disk, LAB_DISK_ROOT_OFFSET, "/var/lib/abbot/jobs",
					     run_directory, &why);
	if (status < 0 && !strstr(why.text, "File not found"))
		return error_set(err, status, "%s", why.text);
	return 0;
}

int outcome_fetch(const struct lab_loader *loader, const char *disk, const char *run_directory,
		  struct lab_outcome *outcome, struct error *err)
{
	_cleanup_(lab_names_done) struct lab_names names = {calloc(1, sizeof(char *)), 0};
	int status = lab_disk_repair(disk, err);

	if (status == 0)
		status = fetch_store(disk, run_directory, &outcome->store_path, err);
	if (status == 0)
		status = fetch_evidence(disk, run_directory, err);
	if (status == 0)
		status = loader->fetch(disk, run_directory, err);
	if (status == 0)
		status = loader->hash_default(run_directory, &outcome->default_entry_after, err);
	if (status == 0)
		status = loader->find_leftovers(run_directory, &names, err);
	if (status == 0)
		status = loader->is_one_shot_empty(run_directory, &outcome->is_one_shot_empty, err);
	if (status == 0) {
		outcome->leftover_files = TAKE_PTR(names.names);
		names.n_names = 0;
	}
	return status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's machine with GRUB: GRUB's EFI image on the EFI system partition, the rest in
 * /boot/grub of the root file system. The files themselves are grub.c's.
 */
#include "boot/lab/loader.h"

#include <string.h>

#include "boot/lab/disk.h"
#include "boot/lab/grub.h"
#include "boot/lab/outcome.h"
#include "boot/lab/tools.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define CONFIG_MAX_BYTES (1 << 20)

static int grub_fill_esp(const struct lab_options *options, const char *partition,
			 struct error *err)
{
	_cleanup_free_ char *grub = path_join(options->run_directory, "BOOTX64.EFI");
	_cleanup_free_ char *config_path = path_join(options->run_directory, "grub.cfg");
	_cleanup_free_ char *environment_path = path_join(options->run_directory, "grubenv");
	_cleanup_free_ char *config = lab_grub_config();
	char environment[LAB_GRUB_ENVIRONMENT_SIZE + 1];
	const char *copy[] = {"mcopy", "-i", partition, grub, "::EFI/BOOT/BOOTX64.EFI", NULL};
	int status = lab_grub_make_image(options->run_directory, grub, err);

	if (status == 0)
		status = lab_tool_run(copy, err);
	lab_grub_environment(environment);
	if (status == 0)
		status = file_write_durable(config_path, config, strlen(config), 0644, err);
	if (status == 0)
		status = file_write_durable(environment_path, environment, LAB_GRUB_ENVIRONMENT_SIZE,
					    0644, err);
	return status;
}

static void grub_fill_root(const struct lab_options *options, struct inject *inject)
{
	_cleanup_free_ char *config = path_join(options->run_directory, "grub.cfg");
	_cleanup_free_ char *environment = path_join(options->run_directory, "grubenv");

	inject_file(inject, options->default_image, "/boot", LAB_DEFAULT_KERNEL, 0644);
	inject_file(inject, config, "/boot/grub", "grub.cfg", 0644);
	inject_file(inject, environment, "/boot/grub", "grubenv", 0644);
}

/* Into RUN/boot. */
static int grub_fetch(const char *disk, const char *run_directory, struct error *err)
{
	_cleanup_free_ char *boot = path_join(run_directory, "boot");
	int status = file_remove_tree(boot, err);

	return status < 0 ? status :
	       inject_extract_tree(disk, LAB_DISK_ROOT_OFFSET, "/boot", run_directory, err);
}

static int grub_hash_default(const char *run_directory, char **ret_hash, struct error *err)
{
	static const char *const names[] = {"boot/grub/grub.cfg", "boot/grub/grubenv", NULL};

	return outcome_hash_files(run_directory, names, ret_hash, err);
}

/* Entries that custom.cfg still has: each `--id abbot-...` in it. */
static int add_entries(const char *path, struct lab_names *names, struct error *err)
{
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
			lab_names_add(names, text_format("entry %.*s", (int)length, id));
	}
	return 0;
}

static int grub_find_leftovers(const char *run_directory, struct lab_names *names,
			       struct error *err)
{
	_cleanup_free_ char *boot = path_join(run_directory, "boot");
	_cleanup_free_ char *custom = path_join(boot, "grub/custom.cfg");
	int status = lab_names_add_files(names, boot, "/boot", err);

	return status < 0 ? status : add_entries(custom, names, err);
}

/* Nothing armed in our environment block; true when there is no block. */
static int grub_is_one_shot_empty(const char *run_directory, bool *ret_is_empty,
				  struct error *err)
{
	_cleanup_free_ char *path = path_join(run_directory, "boot/grub/abbot.env");
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

const struct lab_loader lab_loader_grub = {
	.name = "grub",
	.fill_esp = grub_fill_esp,
	.fill_root = grub_fill_root,
	.fetch = grub_fetch,
	.hash_default = grub_hash_default,
	.find_leftovers = grub_find_leftovers,
	.is_one_shot_empty = grub_is_one_shot_empty,
};

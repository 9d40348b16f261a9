// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What systemd-boot boots by default must not change because one more entry is in its menu.
 * Without a default set it boots the first of its list: entries with a sort-key before those
 * without, these by id, the greatest first (config_entry_compare() in systemd's boot.c).
 * Ours have no sort-key, so anything that has one, or a greater id, comes before them.
 */
#include "boot/systemd_boot.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "boot/bls_entry.h"
#include "boot/efi_variable.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define LOADER_MAX_BYTES (64UL * 1024)
#define OUR_GREATEST_ID BOOT_ENTRY_PREFIX "\x7f.conf"

struct menu {
	const char *pattern;      /* of the default; "" when none is set */
	bool is_default_found;    /* an entry of others matches it */
	bool is_other_first;      /* an entry of others comes before ours in any case */
};

static bool matches(const char *pattern, const char *id)
{
	return *pattern && fnmatch(pattern, id, FNM_CASEFOLD) == 0;
}

static void menu_add(struct menu *menu, const char *path, const char *name)
{
	_cleanup_free_ char *full = path_join(path, name), *data = NULL, *key = NULL;
	_cleanup_free_ char *id = text_duplicate(name);
	char *counter = strrchr(id, '+');
	size_t size = 0;

	if (text_has_prefix(name, BOOT_ENTRY_PREFIX) || file_read(full, LOADER_MAX_BYTES, &data, &size, NULL) < 0)
		return;
	if (counter && text_has_prefix(counter, "+0"))
		return; /* no tries left: comes after everything */
	if (counter)
		strcpy(counter, ".conf"); /* "+3-1.conf" is longer: the loader's id has no counter */
	menu->is_default_found |= matches(menu->pattern, id) || matches(menu->pattern, name);
	menu->is_other_first |= bls_entry_get(data, size, "sort-key", &key) ||
				strverscmp(id, OUR_GREATEST_ID) > 0;
}

/* @suffix: ".conf" in loader/entries, ".efi" in EFI/Linux, whose sort-key is the system's name. */
static void menu_add_directory(struct menu *menu, const char *path, const char *suffix)
{
	_cleanup_dir_ DIR *directory = opendir(path);
	const struct dirent *item;

	while (directory && (item = readdir(directory))) {
		if (!text_has_suffix(item->d_name, suffix))
			continue;
		if (strcmp(suffix, ".conf") == 0) {
			menu_add(menu, path, item->d_name);
		} else {
			menu->is_default_found |= matches(menu->pattern, item->d_name);
			menu->is_other_first = true;
		}
	}
}

/* "@saved" stands for what was last booted from the menu, by hand or by default. */
static char *resolve_saved(const struct systemd_boot *sd, char *pattern)
{
	char text[512] = "";

	if (strcmp(pattern, "@saved") != 0)
		return pattern;
	free(pattern);
	(void)efi_variable_read_text(&sd->paths, "LoaderEntryLastBooted", EFI_GUID_LOADER, text, sizeof(text));
	return text_duplicate(text);
}

/* The pattern of the default entry: a UEFI variable, else loader.conf. "" when none is set. */
static char *read_pattern(const struct systemd_boot *sd, const char *config, size_t size)
{
	char text[512] = "";
	char *value = NULL;

	if (efi_variable_read_text(&sd->paths, "LoaderEntryDefault", EFI_GUID_LOADER, text, sizeof(text)) == 0 &&
	    *text)
		return resolve_saved(sd, text_duplicate(text));
	return bls_entry_get(config, size, "default", &value) ? resolve_saved(sd, value) : text_duplicate("");
}

static bool waits_for_ever(const struct systemd_boot *sd, const char *config, size_t size)
{
	_cleanup_free_ char *value = NULL;
	char text[64] = "";

	if (efi_variable_read_text(&sd->paths, "LoaderConfigTimeout", EFI_GUID_LOADER, text, sizeof(text)) == 0 &&
	    *text)
		return strcmp(text, "menu-force") == 0;
	return bls_entry_get(config, size, "timeout", &value) && strcmp(value, "menu-force") == 0;
}

int systemd_boot_check_default(const struct systemd_boot *sd, struct error *err)
{
	_cleanup_free_ char *config_path = path_join(sd->esp.path, "loader/loader.conf"), *config = NULL;
	_cleanup_free_ char *images = path_join(sd->esp.path, "EFI/Linux"), *pattern = NULL;
	struct menu menu = { 0 };
	size_t size = 0;

	if (file_read(config_path, LOADER_MAX_BYTES, &config, &size, NULL) < 0)
		size = 0; /* without it everything is at its default */
	pattern = read_pattern(sd, config ? config : "", size);
	if (waits_for_ever(sd, config ? config : "", size))
		return error_set(err, -EOPNOTSUPP, "systemd-boot waits for a key for ever (timeout menu-force): set a timeout of a few seconds in %s or with bootctl set-timeout.",
				 config_path);
	if (text_has_prefix(pattern, BOOT_ENTRY_PREFIX))
		return error_set(err, -EOPNOTSUPP, "systemd-boot's default is an entry of Abbot (%s), so there is no way back: run bootctl set-default with an entry of the distribution.",
				 pattern);
	menu.pattern = pattern;
	menu_add_directory(&menu, sd->entries_path, ".conf");
	menu_add_directory(&menu, images, ".efi");
	if ((menu.is_default_found && !matches(pattern, BOOT_ENTRY_PREFIX "1-x.conf")) ||
	    menu.is_other_first)
		return 0;
	return error_set(err, -EOPNOTSUPP, "systemd-boot has no default entry set, and one of Abbot's would come first in its menu: run bootctl set-default with an entry of the distribution.");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`, the boot loader: is it fit, is the default entry not ours, is nothing
 * else pending, would the firmware start our kernels?
 */
#include "boot/preflight_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "boot/grub_loader.h"
#include "boot/grub_scan.h"
#include "boot/grubenv.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define EFIVARS "/sys/firmware/efi/efivars/"
#define EFI_GLOBAL "-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define EFI_LOADER "-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

/* Why this loader and no other: for who asks with --verbose. */
static void explain_loaders(struct preflight *preflight)
{
	_cleanup_json_ json_t *all = boot_loader_explain(preflight->paths);
	const json_t *line;
	size_t i;

	json_array_foreach(all, i, line)
		preflight_add(preflight, "boot-loaders", PREFLIGHT_SKIPPED, "", "%s: %s. %s",
			      json_string_value(json_object_get(line, "loader")),
			      json_string_value(json_object_get(line, "status")),
			      json_string_value(json_object_get(line, "text")));
}

void preflight_check_loader(struct preflight *preflight)
{
	struct boot_one_shot one_shot;
	struct error err = { 0 };

	explain_loaders(preflight);
	if (boot_loader_find(preflight->paths, &preflight->loader, &err) < 0) {
		preflight->loader = NULL;
		preflight_add(preflight, "boot-loader", PREFLIGHT_REFUSAL,
			      "", "%s", err.text);
		return;
	}
	preflight_add(preflight, "boot-loader", PREFLIGHT_OK, "",
		      "The boot loader is %s, and it can boot an entry once.",
		      preflight->loader->operations->name);
	if (preflight->loader->operations->read_armed(preflight->loader, &one_shot, &err) < 0)
		preflight_add(preflight, "one-shot", PREFLIGHT_REFUSAL, "", "%s", err.text);
	else if ((preflight->is_armed = one_shot.is_armed))
		preflight_add(preflight, "one-shot", PREFLIGHT_REFUSAL,
			      "Wait for the job that set it (abbot status), or cancel that job.",
			      "The next boot is already set to Abbot's entry %s.", one_shot.entry);
	else
		preflight_add(preflight, "one-shot", PREFLIGHT_OK, "", "No entry of Abbot is set for the next boot.");
}

/* What GRUB's own environment block, as opposed to ours, would make it do. */
static void preflight_check_environment(struct preflight *preflight, const char *path,
					const struct grub_scan *scan, const char *data, size_t size)
{
	_cleanup_free_ char *unset = text_format("Run %s - unset boot_counter.", preflight->commands.grub_editenv);
	_cleanup_free_ char *shorten = text_format("Set GRUB_RECORDFAIL_TIMEOUT=5 in /etc/default/grub and run %s.",
						   preflight->commands.make_grub_config);
	_cleanup_free_ char *unpend = text_format("Run %s - unset next_entry, or reboot once.",
						  preflight->commands.grub_editenv);
	char value[256] = "";

	if (grubenv_get(data, size, "next_entry", value, sizeof(value)) != -ENOENT && *value)
		preflight_add(preflight, "pending-entry", PREFLIGHT_REFUSAL,
			      unpend,
			      "%s sets next_entry=%s for the next boot.", path, value);
	else
		preflight_add(preflight, "pending-entry", PREFLIGHT_OK, "", "GRUB has no next_entry set.");
	value[0] = '\0';
	if (scan->has_recordfail && grubenv_get(data, size, "recordfail", value, sizeof(value)) == 0 &&
	    strcmp(value, "1") == 0)
		preflight_add(preflight, "recordfail", PREFLIGHT_WARNING, shorten,
			      "The last boot was recorded as failed: GRUB's menu may wait longer.");
	value[0] = '\0';
	/* 08_fallback_counting: each boot takes one off, and at 0 the second entry is the default. */
	if (scan->has_boot_counter && grubenv_get(data, size, "boot_counter", value, sizeof(value)) == 0 && *value)
		preflight_add(preflight, "boot-counter", PREFLIGHT_REFUSAL, unset,
			      "%s counts boots (boot_counter=%s): after as many the default would be another entry.",
			      path, value);
	else if (scan->has_boot_counter)
		preflight_add(preflight, "boot-counter", PREFLIGHT_OK, "", "GRUB is not counting boots.");
}

/* Fedora has had it on the ESP, with a link in /boot/grub2 that can be left behind. */
static void preflight_check_link(struct preflight *preflight, const char *path)
{
	_cleanup_free_ char *remedy = text_format("Remove the link and run %s %s create.",
						  preflight->commands.grub_editenv, path);
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
		preflight_add(preflight, "grubenv", PREFLIGHT_WARNING, remedy,
			      "%s is a link to nothing: GRUB keeps no saved entry (Abbot's one-shot has a file of its own).",
			      path);
}

static void preflight_check_default(struct preflight *preflight, const struct grub_scan *scan,
				    const char *data, size_t size)
{
	char value[256] = "";
	_cleanup_free_ char *remedy = text_format("Choose a distribution kernel with %s.",
						  preflight->commands.grub_set_default);
	bool is_ours = scan->default_is_ours;

	if (grubenv_get(data, size, "saved_entry", value, sizeof(value)) == 0)
		is_ours |= text_has_prefix(value, BOOT_ENTRY_PREFIX);
	if (is_ours)
		preflight_add(preflight, "default-entry", PREFLIGHT_REFUSAL,
			      remedy,
			      "GRUB's default is an entry of Abbot, so there is no way back.");
	else
		preflight_add(preflight, "default-entry", PREFLIGHT_OK, "", "GRUB's default is no entry of Abbot.");
}

void preflight_check_grub(struct preflight *preflight)
{
	_cleanup_free_ char *config_path = NULL, *config = NULL, *env_path = NULL, *env = NULL;
	size_t config_size = 0, env_size = 0;
	const struct grub_loader *grub;
	struct grub_scan scan;

	if (preflight->loader && preflight->loader->operations == &boot_loader_systemd_boot) {
		/* The probe refuses one whose default would be, or could become, an entry of ours. */
		preflight_add(preflight, "default-entry", PREFLIGHT_OK, "",
			      "systemd-boot's default is no entry of Abbot, and stays what it is with one in the menu.");
		return;
	}
	if (preflight->loader && preflight->loader->operations == &boot_loader_uefi) {
		preflight_add(preflight, "default-entry", PREFLIGHT_OK, "",
			      "The firmware's default (BootOrder) is no entry of Abbot.");
		return;
	}
	if (!preflight->loader || preflight->loader->operations != &boot_loader_grub) {
		preflight_add(preflight, "default-entry", PREFLIGHT_SKIPPED, "",
			      "The default entry cannot be looked at without a boot loader that can be used.");
		return;
	}
	grub = grub_loader_of(preflight->loader);
	config_path = path_join(grub->directory, "grub.cfg");
	env_path = path_join(grub->directory, "grubenv");
	if (file_read(config_path, GRUB_SCAN_MAX_BYTES, &config, &config_size, NULL) < 0)
		return; /* the probe has read it: it went away just now */
	scan = grub_scan_config(config, config_size);
	if (file_read(env_path, GRUBENV_MAX_BYTES, &env, &env_size, NULL) < 0) {
		env_size = 0;
		preflight_check_link(preflight, env_path);
	}
	preflight_check_environment(preflight, env_path, &scan, env ? env : "", env_size);
	preflight_check_default(preflight, &scan, env ? env : "", env_size);
}

/* The one-shot @variable is set, and not by us through its backend @owner. */
static bool is_pending(struct preflight *preflight, const struct boot_loader_operations *owner,
		       const char *variable)
{
	bool is_ours = preflight->is_armed && preflight->loader->operations == owner;

	return !is_ours && preflight_exists(preflight, variable);
}

void preflight_check_firmware(struct preflight *preflight)
{
	_cleanup_free_ char *secure = NULL;
	size_t size = 0;

	if (!preflight_exists(preflight, "/sys/firmware/efi")) {
		preflight_add(preflight, "secure-boot", PREFLIGHT_SKIPPED, "",
			      "This machine was not started by UEFI, so there is no Secure Boot.");
		return;
	}
	if (is_pending(preflight, &boot_loader_uefi, EFIVARS "BootNext" EFI_GLOBAL) ||
	    is_pending(preflight, &boot_loader_systemd_boot, EFIVARS "LoaderEntryOneShot" EFI_LOADER))
		preflight_add(preflight, "firmware-one-shot", PREFLIGHT_REFUSAL,
			      "Run efibootmgr --delete-bootnext or bootctl set-oneshot '', or reboot once.",
			      "The firmware or systemd-boot has another entry set for the next boot.");
	secure = preflight_read(preflight, EFIVARS "SecureBoot" EFI_GLOBAL, &size);
	if (!secure || size < 5) /* 4 bytes of attributes, then the value */
		preflight_add(preflight, "secure-boot", PREFLIGHT_SKIPPED, "",
			      "The firmware does not say whether Secure Boot is on.");
	else if (secure[4] == 1)
		preflight_add(preflight, "secure-boot", PREFLIGHT_REFUSAL,
			      "Turn Secure Boot off in the firmware's setup.",
			      "Secure Boot is on, and test kernels are not signed.");
	else
		preflight_add(preflight, "secure-boot", PREFLIGHT_OK, "", "Secure Boot is off.");
}

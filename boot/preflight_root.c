// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`, the root disk: does somebody have to type a passphrase, and would the kernels
 * under test find it?
 */
#include "boot/preflight_internal.h"

#include <stdio.h>
#include <string.h>

#include "boot/root_device.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define CONFIG_MAX_BYTES (4UL * 1024 * 1024)

/*
 * Does a line of crypttab(5) name a key file, or a token that unlocks by itself? "none", "-" or
 * no third field: it asks. What initrd's crypttab holds is made from this file.
 */
static bool crypttab_asks(const char *text)
{
	bool has_volume = false;

	for (const char *line = text; line && *line;) {
		char volume[128] = "", device[256] = "", key[256] = "", options[512] = "";
		const char *next = strchr(line, '\n');
		_cleanup_free_ char *copy = text_format("%.*s", (int)(next ? next - line : (long)strlen(line)), line);
		int n = sscanf(copy, "%127s %255s %255s %511s", volume, device, key, options);

		line = next ? next + 1 : NULL;
		if (n < 2 || volume[0] == '#')
			continue;
		has_volume = true;
		if ((n < 3 || strcmp(key, "none") == 0 || strcmp(key, "-") == 0) &&
		    !strstr(options, "tpm2-device=") && !strstr(options, "fido2-device="))
			return true;
	}
	return !has_volume;
}

static void check_passphrase(struct preflight *preflight, const struct root_device *device)
{
	_cleanup_free_ char *crypttab = NULL;

	if (!device->is_encrypted) {
		preflight_add(preflight, "passphrase", PREFLIGHT_OK, "", "The root filesystem is not encrypted.");
		return;
	}
	crypttab = preflight_read(preflight, "/etc/crypttab", NULL);
	if (crypttab_asks(crypttab))
		preflight_add(preflight, "passphrase", PREFLIGHT_REFUSAL,
			      "Have it unlocked by the TPM (systemd-cryptenroll) or by a key file.",
			      "The root filesystem is encrypted, and somebody has to type its passphrase at every boot.");
	else
		preflight_add(preflight, "passphrase", PREFLIGHT_OK, "",
			      "The root filesystem is encrypted, and /etc/crypttab unlocks it without a passphrase.");
}

static void check_symbols(struct preflight *preflight, const struct root_device *device,
			  const char *config, size_t size)
{
	_cleanup_text_ struct text_buffer missing = { 0 }, modules = { 0 }, unknown = { 0 };

	for (size_t i = 0; i < device->n_drivers; i++) {
		const char *symbol = root_driver_symbol(device->drivers[i].name);
		char value = symbol ? root_config_value(config, size, symbol) : '?';

		if (value == '?')
			text_printf(&unknown, " %s", device->drivers[i].name);
		else if (value != 'y')
			text_printf(value == 'm' ? &modules : &missing, " CONFIG_%s", symbol);
	}
	if (missing.size > 0)
		preflight_add(preflight, "root-drivers", PREFLIGHT_REFUSAL, "Set them to y.",
			      "%s lacks what the root disk needs:%s.", preflight->request->config_path,
			      missing.text);
	else if (modules.size > 0 && root_config_value(config, size, "BLK_DEV_INITRD") != 'y')
		preflight_add(preflight, "root-drivers", PREFLIGHT_REFUSAL,
			      "Set them to y, or CONFIG_BLK_DEV_INITRD=y.",
			      "In %s these are modules, which only an initrd could load, and it knows of no initrd:%s.",
			      preflight->request->config_path, modules.text);
	else if (modules.size > 0)
		preflight_add(preflight, "root-drivers", PREFLIGHT_WARNING, "Set them to y to be sure.",
			      "In %s these are modules, so the kernel needs an initrd that holds them:%s.",
			      preflight->request->config_path, modules.text);
	else
		preflight_add(preflight, "root-drivers", PREFLIGHT_OK, "", "%s has what the root disk needs.",
			      preflight->request->config_path);
	if (unknown.size > 0)
		preflight_add(preflight, "root-drivers", PREFLIGHT_SKIPPED, "",
			      "Which options make these drivers of the root disk is not known here:%s.",
			      unknown.text);
}

static void check_config(struct preflight *preflight, const struct root_device *device)
{
	_cleanup_free_ char *config = NULL;
	struct error err = { 0 };
	size_t size = 0;

	if (!preflight->request->config_path)
		preflight_add(preflight, "root-drivers", PREFLIGHT_SKIPPED, "",
			      "Whether a kernel has the root disk's drivers is looked up with --config FILE.");
	else if (file_read_regular(preflight->request->config_path, CONFIG_MAX_BYTES, &config, &size, &err) < 0)
		preflight_add(preflight, "root-drivers", PREFLIGHT_REFUSAL, "Name a readable .config.", "%s", err.text);
	else
		check_symbols(preflight, device, config, size);
}

void preflight_check_root(struct preflight *preflight)
{
	struct root_device device;
	struct error err = { 0 };

	if (root_device_find(preflight->paths, &device, &err) < 0) {
		preflight_add(preflight, "passphrase", PREFLIGHT_SKIPPED, "", "%s", err.text);
		return;
	}
	check_passphrase(preflight, &device);
	check_config(preflight, &device);
}

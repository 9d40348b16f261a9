// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`, drivers that a kernel built from a plain tree does not have, and a default
 * kernel that is not what it was. Flags: Documentation/admin-guide/tainted-kernels.rst.
 */
#include "boot/preflight_internal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "boot/root_device.h"
#include "common/cleanup.h"
#include "common/text.h"

/* Machine check, bad page, died, warned, soft lockup: it is not healthy any more. */
#define TAINT_UNHEALTHY ((1 << 4) | (1 << 5) | (1 << 7) | (1 << 9) | (1 << 14))

static void check_taint(struct preflight *preflight)
{
	char text[32];
	int64_t taint;

	preflight_read_line(preflight, "/proc/sys/kernel/tainted", text, sizeof(text));
	if (text_parse_i64(text, 0, INT64_MAX, &taint) < 0)
		preflight_add(preflight, "taint", PREFLIGHT_SKIPPED, "", "/proc/sys/kernel/tainted cannot be read.");
	else if (taint & TAINT_UNHEALTHY)
		preflight_add(preflight, "taint", PREFLIGHT_WARNING, "Look at dmesg; a reboot clears it.",
			      "The default kernel has warned, died or met a hardware error since it booted (taint %lld).",
			      (long long)taint);
	else
		preflight_add(preflight, "taint", PREFLIGHT_OK, "",
			      "The default kernel has met no fault since it booted (taint %lld).", (long long)taint);
}

/* O: built out of the tree; P: proprietary. */
static bool is_foreign(const struct preflight *preflight, const char *module)
{
	_cleanup_free_ char *path = text_format("/sys/module/%s/taint", module);
	char taint[32] = "";

	preflight_read_line(preflight, path, taint, sizeof(taint));
	return strchr(taint, 'O') || strchr(taint, 'P');
}

static void add_foreign(const struct preflight *preflight, struct text_buffer *text,
			const char *module, const char *what)
{
	if (*module && is_foreign(preflight, module))
		text_printf(text, "%s%s (%s)", text->size ? ", " : "", module, what);
}

/* Every network interface that a device is behind; "lo" and bridges have none. */
static void add_network(const struct preflight *preflight, struct text_buffer *text)
{
	_cleanup_free_ char *path = text_format("%s/sys/class/net", preflight->paths->root);
	_cleanup_dir_ DIR *directory = opendir(path);
	const struct dirent *item;

	while (directory && (item = readdir(directory))) {
		_cleanup_free_ char *link = text_format("%s/%s/device/driver/module", path, item->d_name);
		_cleanup_free_ char *real = item->d_name[0] == '.' ? NULL : realpath(link, NULL);

		if (real && strrchr(real, '/'))
			add_foreign(preflight, text, strrchr(real, '/') + 1, item->d_name);
	}
}

static void check_foreign(struct preflight *preflight)
{
	_cleanup_text_ struct text_buffer root = { 0 }, network = { 0 };
	struct root_device device;

	if (root_device_find(preflight->paths, &device, NULL) == 0)
		for (size_t i = 0; i < device.n_drivers; i++)
			add_foreign(preflight, &root, device.drivers[i].module, "root disk");
	add_network(preflight, &network);
	if (root.size > 0)
		preflight_add(preflight, "foreign-drivers", PREFLIGHT_REFUSAL,
			      "Put the root filesystem on a disk with a driver of the kernel tree.",
			      "The root disk needs a driver that a kernel built here does not have: %s.", root.text);
	if (network.size > 0)
		preflight_add(preflight, "foreign-drivers", PREFLIGHT_WARNING,
			      "Expect no network there until the machine is back.",
			      "Test kernels will not have these network drivers: %s.", network.text);
	if (root.size == 0 && network.size == 0)
		preflight_add(preflight, "foreign-drivers", PREFLIGHT_OK, "",
			      "Root disk and network need no driver from outside the kernel tree.");
}

void preflight_check_drivers(struct preflight *preflight)
{
	check_taint(preflight);
	check_foreign(preflight);
}

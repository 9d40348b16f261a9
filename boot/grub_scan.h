// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a generated grub.cfg does, as far as an unattended reboot cares. Reads words
 * line by line, which is enough for what grub-mkconfig writes; takes any bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define GRUB_SCAN_MAX_BYTES (4UL * 1024 * 1024)

struct grub_scan {
	bool sources_custom;       /* `source .../custom.cfg`, as the stock 41_custom does */
	bool sets_default_after;   /* `set default=` after that: ours would be overridden */
	bool waits_for_ever;       /* `set timeout=-1` anywhere */
	bool has_recordfail;       /* Ubuntu's: a failed boot makes the menu wait */
	bool has_boot_counter;     /* Fedora's */
	bool default_is_ours;      /* `set default=abbot-...` */
};

/* Of the text of a grub.cfg; looks at nothing else. */
struct grub_scan grub_scan_config(const char *data, size_t size);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The initrd of a kernel under test, made by the distribution's own program and put into
 * a file of ours: nothing is registered with the distribution.
 */
#pragma once

#include <stdbool.h>

#include "common/error.h"
#include "configs/kernel_config.h"

/*
 * Does a kernel need one here? It does when its config has modules, or when it can unpack
 * one and root= names what only an initrd can find (UUID=, LABEL=, /dev/mapper). *ret_why
 * is a sentence's half, static.
 */
bool install_initrd_is_needed(const struct kernel_config *config, const char *options,
			      const char **ret_why);

/*
 * Makes @path for @release, whose modules are in place. mkinitramfs, dracut or mkinitcpio:
 * the one that /etc/kernel/install.conf below @root names (initrd_generator=), else the
 * first of them that is installed. -ENOENT: none is. Blocks, for some 10 minutes at most.
 */
int install_initrd_make(const char *root, const char *release, const char *path,
			const char *log_path, struct error *err);

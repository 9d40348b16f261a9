// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which compiler and binutils build here: for the kernel key and the report.
 */
#pragma once

#include <stdbool.h>

#include "common/digest.h"
#include "common/error.h"

struct toolchain {
	char *compiler; /* first line of gcc --version */
	char *binutils; /* first line of ld --version */
	char *machine;  /* gcc -dumpmachine */
	char identity[DIGEST_HEX_SIZE]; /* over these and the content of cc1, as and ld */
	bool has_ccache;
};

/* -ENOENT names the missing programs and the packages that hold them. Blocks, well below a second. */
int toolchain_identify(struct toolchain *ret_toolchain, struct error *err);
void toolchain_done(struct toolchain *toolchain);

#define TOOLCHAIN_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

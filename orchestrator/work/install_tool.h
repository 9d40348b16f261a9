// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The distribution's own programs that an installation needs (depmod, the maker of the
 * initrd): run with a time limit, their output kept. For install_*.c only.
 */
#pragma once

#include <stdint.h>

#include "common/error.h"

struct install_tool {
	const char *const *argv; /* argv[0] is looked for in PATH and the sbin directories */
	const char *log_path;    /* appended to */
	uint64_t timeout_ms;
};

/* Blocks. -EPROTO: it failed or did not end; @err has its last line and where the log is. */
int install_tool_run(const struct install_tool *tool, struct error *err);

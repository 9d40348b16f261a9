// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of `abbotd`.
 */
#pragma once

#include <stdbool.h>

#include "common/error.h"

enum when_idle {
	WHEN_IDLE_WAIT,
	WHEN_IDLE_POWEROFF, /* the lab's guest: off when its job has ended */
	WHEN_IDLE_EXIT,
};

struct daemon_options {
	const char *state_directory;
	const char *socket_path;
	const char *boot_loader; /* of struct boot_paths */
	enum when_idle when_idle;
	bool wants_help;
	bool wants_version;
};

/* Strings are borrowed from @argv. -EINVAL with a sentence. */
int daemon_options_parse(int argc, char **argv, struct daemon_options *ret_options,
			 struct error *err);
/* The text of --help. */
const char *daemon_options_help(void);

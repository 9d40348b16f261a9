// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asking another machine's Abbot where it is, through the user's own ssh or a program that
 * stands for it. No shell on this side.
 */
#pragma once

#include <stddef.h>

#include "common/error.h"
#include "orchestrator/cli/watch_state.h"

/* What one look gave. */
struct watch_look {
	bool is_heard;
	struct watch_answer answer; /* when it is heard */
	int64_t ask_again_s;        /* not before then, or it is disturbed; 0: any time */
	char why[256];              /* one line: where the job is, or why nothing was heard */
};

/* -EINVAL with a sentence for a name that ssh would take for an option, or no name. */
int watch_host_check(const char *host, struct error *err);

/*
 * Runs @connect HOST (NULL: ssh HOST abbot status --json) and reads what it prints. Exit
 * status 255, which is ssh's for "no connection", and no end within a minute are silence;
 * any other end is an answer. Negative, with a sentence, only when the program itself
 * cannot be run. Blocks.
 */
int watch_host_ask(const char *connect, const char *host, struct watch_look *ret_look,
		   struct error *err);

/* What `abbot status --json` printed; any bytes. False: that is no status. */
bool watch_host_parse(const char *data, size_t size, struct watch_look *look);

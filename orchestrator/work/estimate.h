// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long things take here: means of what the events of past jobs show, else an
 * assumption. Pure arithmetic over events; where they come from is the caller's.
 */
#pragma once

#include <stdbool.h>

#include "queue/event.h"

#define ESTIMATE_CONFIGURE_S 30
#define ESTIMATE_INSTALL_S 5

struct estimate {
	double seconds;
	int n; /* how many were seen; 0: assumed */
};

struct estimates {
	struct estimate build;   /* of a job's first kernel that had to be built */
	struct estimate rebuild; /* of its further ones */
	struct estimate boot;    /* from the reboot call to the verified kernel */
	struct estimate process; /* one process of the workload */
};

/* The assumptions. */
void estimates_init(struct estimates *estimates);
/* Fills in from one job's events what is only assumed so far. */
void estimates_learn(struct estimates *estimates, const struct event_list *events);
bool estimates_are_complete(const struct estimates *estimates);

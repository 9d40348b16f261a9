// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine that can be killed anywhere: fake ports over a world in shared memory that
 * outlives the process. Before and after every side effect it asks whether the daemon
 * dies here, or the power goes. For faults that the real thing cannot be made to have.
 */
#pragma once

#include <stdbool.h>

#include "orchestrator/work/ports.h"

#define FAKE_ENTRIES_MAX 4
#define FAKE_COMMITS_MAX 64
#define FAKE_EXIT_KILLED 77 /* exit status of a process that died at its crash point */
#define FAKE_EXIT_REBOOTED 78

enum fake_crash {
	FAKE_CRASH_NONE,
	FAKE_CRASH_KILL,  /* only the daemon dies */
	FAKE_CRASH_POWER, /* the machine goes, and comes back by what is armed */
};

struct fake_world {
	/* The crash to come: at the crash_at-th place, counted from 0. */
	enum fake_crash crash;
	int crash_at;
	enum fake_crash second_crash; /* another one later, at second_crash_at */
	int second_crash_at;
	int places; /* seen so far */
	/* Somebody who does something at a place of an act: asks for a pause, say. */
	int visit_at; /* or at the next one of an act; -1: nobody */
	void (*visit)(struct fake_world *world);
	/* The machine. */
	int boots;
	char running_build_id[41];
	char running_token[33];
	bool is_going_down;
	bool is_deadline_stopped; /* in this boot */
	char armed_entry[64];
	char armed_token[33];
	char entries[FAKE_ENTRIES_MAX][64]; /* installed boot entries */
	char entry_build_ids[FAKE_ENTRIES_MAX][41];
	char governor[16];
	/* What was done, for the invariants. */
	int builds;
	int diagnoses;
	int evidences;      /* boots whose evidence was asked for */
	bool has_crash_record; /* a kernel died, and pstore says so */
	char crash_file[33]; /* the token of the boot whose crash was written down */
	int processes;      /* benchmark processes run to their end */
	int unrestored;     /* reboots asked for with the profile still in force; stays 0 */
	int under_deadline; /* processes begun while the time limit still ran; stays 0 */
	int power_cuts;     /* those that happened */
	double child_pct;   /* how much slower the child is: 25 */
	double noise_pct;   /* of each boot, of either sign, from its number alone */
	bool child_panics;  /* the child's kernel never comes up */
	int dead_from_boot; /* from this boot on no test kernel comes up; 0: each does */
	bool child_panics_measuring; /* it comes up, and dies in its second process */
	bool never_returns; /* a loader that boots the test kernel again and again */
	bool is_profile_unreadable;
	bool is_held;
	/* A bisection: commits 0..bisect_commits, from the culprit on bisect_pct slower; 0: no such. */
	int bisect_commits;
	int bisect_culprit;
	double bisect_pct;
	int bisect_unbuildable;
	int bisect_unconfigurable;
	int bisect_panics;        /* never comes up */
	int bisect_dies;          /* comes up, and goes down in its second process */
	int bisect_fails;         /* its benchmark fails */
	int bisect_twin;          /* its code is that of the commit before */
	int boots_of[FAKE_COMMITS_MAX]; /* measured processes of each commit */
	bool is_refused;    /* the machine is not fit for a job */
};

/* A fresh world in memory shared with forked children; never NULL. */
struct fake_world *fake_world_new(void);
void fake_world_free(struct fake_world *world);

/* Ports over @world, by value; the world must outlive them. */
struct ports fake_world_ports(struct fake_world *world);

/* The machine goes down and comes up in whatever is armed, else in its default. */
void fake_world_boot(struct fake_world *world);

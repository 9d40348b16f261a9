// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What disturbed a process while it was timed: switches, faults, migrations, interrupts
 * of its CPU. Recorded, judged by nobody here.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct noise_reading {
	uint64_t at_ns;
	int cpu;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	uint64_t minor_faults;
	uint64_t major_faults;
	bool has_migrations;
	uint64_t migrations;   /* of this task since it was made */
	bool has_interrupts;
	uint64_t interrupts;   /* of @cpu since boot, all lines of /proc/interrupts */
};

/*
 * Just before and just after timing. Both read files; the figures of this process itself
 * are taken on the timed side of that, so that reading does not count as noise.
 */
void noise_begin(struct noise_reading *ret_reading);
void noise_end(struct noise_reading *ret_reading);

/* The sum of the column of @cpu. 0; -ENOENT when it has none; -EBADMSG for other text. */
int noise_parse_interrupts(const char *text, size_t size, int cpu, uint64_t *ret_interrupts);

/* Differences from @before to @after; what could not be read is null. */
json_t *noise_to_json(const struct noise_reading *before, const struct noise_reading *after);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Readings of getrusage(2), /proc/self/sched and /proc/interrupts, and their differences.
 */
#include "bench/noise.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/clock.h"
#include "bench/proc_file.h"
#include "common/cleanup.h"

#define INTERRUPTS_MAX_BYTES (16U << 20)

/* Which column (from 0) is headed "CPU<cpu>"; -1: none. */
static int column_of(const char *line, const char *end, int cpu)
{
	int column = 0;

	for (const char *place = line; place < end; column++) {
		while (place < end && isspace((unsigned char)*place))
			place++;
		if (end - place < 4 || strncmp(place, "CPU", 3) != 0)
			return -1;

		char *after;
		long number = strtol(place + 3, &after, 10);

		if (after == place + 3)
			return -1;
		if (number == cpu)
			return column;
		place = after;
	}
	return -1;
}

/* The number in that column of "  NN:   12   0   name"; 0 where the line is shorter ("ERR: 0"). */
static uint64_t number_in(const char *line, int column)
{
	const char *place = strchr(line, ':');

	if (!place)
		return 0;
	place++;
	for (int i = 0;; i++) {
		char *after;

		place += strspn(place, " \t");
		if (!isdigit((unsigned char)*place))
			return 0;
		unsigned long long value = strtoull(place, &after, 10);

		if (i == column)
			return value;
		place = after;
	}
}

int noise_parse_interrupts(const char *text, size_t size, int cpu, uint64_t *ret_interrupts)
{
	_cleanup_free_ char *copy = malloc(size + 1);
	uint64_t sum = 0;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, size);
	copy[size] = '\0';

	char *newline = strchr(copy, '\n');

	if (!newline)
		return -EBADMSG;
	int column = column_of(copy, newline, cpu);

	if (column < 0)
		return -ENOENT;
	for (char *line = newline + 1; *line;) {
		char *end = strchr(line, '\n');

		if (end)
			*end = '\0';
		sum += number_in(line, column);
		if (!end)
			break;
		line = end + 1;
	}
	*ret_interrupts = sum;
	return 0;
}

static void read_own(struct noise_reading *reading)
{
	struct rusage usage;

	(void)getrusage(RUSAGE_SELF, &usage);
	reading->voluntary_switches = (uint64_t)usage.ru_nvcsw;
	reading->involuntary_switches = (uint64_t)usage.ru_nivcsw;
	reading->minor_faults = (uint64_t)usage.ru_minflt;
	reading->major_faults = (uint64_t)usage.ru_majflt;
}

static void read_files(struct noise_reading *reading)
{
	size_t size = 0;
	_cleanup_free_ char *sched = proc_file_read("/proc/self/sched", 65536, NULL);
	_cleanup_free_ char *interrupts =
		proc_file_read("/proc/interrupts", INTERRUPTS_MAX_BYTES, &size);

	if (sched)
		reading->has_migrations = proc_file_find_number(sched, "se.nr_migrations",
								&reading->migrations) == 0;
	if (interrupts)
		reading->has_interrupts = noise_parse_interrupts(interrupts, size, reading->cpu,
								 &reading->interrupts) == 0;
}

void noise_begin(struct noise_reading *ret_reading)
{
	struct noise_reading reading = { .cpu = sched_getcpu() };

	read_files(&reading);
	read_own(&reading);
	reading.at_ns = clock_now_ns();
	*ret_reading = reading;
}

void noise_end(struct noise_reading *ret_reading)
{
	struct noise_reading reading = { .at_ns = clock_now_ns(), .cpu = sched_getcpu() };

	read_own(&reading);
	read_files(&reading);
	*ret_reading = reading;
}

static json_t *difference(uint64_t before, uint64_t after, bool is_known)
{
	return is_known ? json_integer((json_int_t)(after - before)) : json_null();
}

json_t *noise_to_json(const struct noise_reading *before, const struct noise_reading *after)
{
	return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:f}",
		"cpu_before", before->cpu, "cpu_after", after->cpu,
		"migrations", difference(before->migrations, after->migrations,
					 before->has_migrations && after->has_migrations),
		"voluntary_switches", difference(before->voluntary_switches,
						 after->voluntary_switches, true),
		"involuntary_switches", difference(before->involuntary_switches,
						   after->involuntary_switches, true),
		"minor_faults", difference(before->minor_faults, after->minor_faults, true),
		"major_faults", difference(before->major_faults, after->major_faults, true),
		/* Two CPUs' counts have no difference. */
		"interrupts", difference(before->interrupts, after->interrupts,
					 before->has_interrupts && after->has_interrupts &&
						 before->cpu == after->cpu),
		"elapsed_s", (double)(after->at_ns - before->at_ns) / 1e9);
}

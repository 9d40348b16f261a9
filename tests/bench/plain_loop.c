// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The simplest programs that measure what mprotect-toggle and mprotect-regions measure, with nothing
 * of theirs in them: what bench-fidelity, and the lab's case fidelity, hold those against.
 * Prints the mean, its standard error, and the instructions a unit where perf_event_open
 * grants them, else 0, as lines that abbot-bench exec reads too.
 *
 * plain_loop toggle|regions SIZE_BYTES ITERATIONS WARMUP_ITERATIONS CPU
 */
#include <linux/perf_event.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ALIGNMENT (2UL << 20)

struct plain {
	unsigned char *start;
	size_t size_bytes;
	size_t page_bytes;
	long iterations;
	double units;        /* pages or calls an iteration */
	double sum;
	double squares;
};

static double now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void protect(const struct plain *plain, int protection)
{
	if (mprotect(plain->start, plain->size_bytes, protection) != 0) {
		perror("mprotect");
		exit(1);
	}
}

static void add(struct plain *plain, double elapsed_ns)
{
	double value = elapsed_ns / plain->units;

	plain->sum += value;
	plain->squares += value * value;
}

static void toggle(struct plain *plain, long iterations)
{
	for (long i = 0; i < iterations; i++) {
		uint64_t sum = 0;
		uint64_t n = 0;
		double start_ns = now_ns();

		protect(plain, PROT_READ);
		protect(plain, PROT_READ | PROT_WRITE);
		for (size_t at = 0; at < plain->size_bytes; at += plain->page_bytes) {
			plain->start[at]++;
			sum += plain->start[at];
			n++;
		}
		add(plain, now_ns() - start_ns);
		if (sum != n * plain->start[0])
			exit(1);
	}
}

static void regions(struct plain *plain, long iterations)
{
	for (long i = 0; i < iterations; i++) {
		double start_ns = now_ns();

		protect(plain, PROT_NONE);
		protect(plain, PROT_READ | PROT_WRITE);
		add(plain, now_ns() - start_ns);
	}
}

static int open_instructions(void)
{
	struct perf_event_attr attributes = { .size = sizeof(attributes),
					      .type = PERF_TYPE_HARDWARE,
					      .config = PERF_COUNT_HW_INSTRUCTIONS,
					      .disabled = 1 };

	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0UL);
}

int main(int argc, char **argv)
{
	if (argc != 6)
		return 2;

	int is_toggle = strcmp(argv[1], "toggle") == 0;
	void (*loop)(struct plain *, long) = is_toggle ? toggle : regions;
	struct plain plain = { .size_bytes = strtoul(argv[2], NULL, 10),
			       .page_bytes = (size_t)sysconf(_SC_PAGESIZE),
			       .iterations = strtol(argv[3], NULL, 10) };
	int instructions = open_instructions();
	uint64_t count = 0;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(strtoul(argv[5], NULL, 10), &cpus);
	(void)sched_setaffinity(0, sizeof(cpus), &cpus);

	size_t n_pages = plain.size_bytes / plain.page_bytes;

	plain.units = is_toggle ? (double)n_pages : 2;
	/* Or chance would decide whether 400 KiB need one page table or two: 1.6 % of a call. */
	size_t spare_bytes = is_toggle ? 0 : ALIGNMENT;

	plain.start = mmap(NULL, plain.size_bytes + spare_bytes, PROT_READ | PROT_WRITE,
			   MAP_ANONYMOUS | (is_toggle ? MAP_SHARED : MAP_PRIVATE), -1, 0);
	if (plain.start == MAP_FAILED)
		return 1;
	if (spare_bytes)
		plain.start += spare_bytes - (uintptr_t)plain.start % spare_bytes;
	if (!is_toggle)
		(void)madvise(plain.start, plain.size_bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < plain.size_bytes; at += plain.page_bytes)
		plain.start[at] = 0x5a;
	loop(&plain, strtol(argv[4], NULL, 10));
	plain.sum = plain.squares = 0;
	(void)ioctl(instructions, PERF_EVENT_IOC_ENABLE, 0);
	loop(&plain, plain.iterations);
	(void)ioctl(instructions, PERF_EVENT_IOC_DISABLE, 0);
	if (instructions < 0 || read(instructions, &count, sizeof(count)) != sizeof(count))
		count = 0;

	double n = (double)plain.iterations;
	double mean = plain.sum / n;

	(void)printf("mean=%.9g\nerror=%.9g\ninstructions=%.9g\n", mean, sqrt((plain.squares / n - mean * mean) / (n - 1)),
		     (double)count / n / plain.units);
	return 0;
}

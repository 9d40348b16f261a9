// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pinning by sched_setaffinity, read back; memory by set_mempolicy. Which CPU is a good
 * one is the caller's choice.
 */
#include "bench/placement.h"

#include <dirent.h>
#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/proc_file.h"
#include "common/cleanup.h"

#define CPUS_MAX 16384
#define NODES_MAX 1024
#define WORD_BITS (8 * sizeof(unsigned long))

/* Larger than cpu_set_t: the kernel refuses a mask that is smaller than its own. */
struct cpu_mask {
	unsigned long words[CPUS_MAX / WORD_BITS];
};

static bool mask_has(const struct cpu_mask *mask, long cpu)
{
	return (mask->words[(size_t)cpu / WORD_BITS] >> ((size_t)cpu % WORD_BITS)) & 1UL;
}

static int mask_read(struct cpu_mask *ret_mask)
{
	memset(ret_mask, 0, sizeof(*ret_mask));
	if (sched_getaffinity(0, sizeof(*ret_mask), (cpu_set_t *)ret_mask) != 0)
		return -errno;
	return 0;
}

/* The node is a directory entry "nodeN" of the CPU. */
static int node_of(long cpu, int *ret_n_nodes)
{
	char path[64];
	int node = -1;
	struct dirent *entry;

	(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld", cpu);

	DIR *directory = opendir(path);

	while (directory && (entry = readdir(directory))) {
		int consumed = 0;
		int number;

		if (sscanf(entry->d_name, "node%4d%n", &number, &consumed) == 1 &&
		    entry->d_name[consumed] == '\0' && number >= 0 && number < NODES_MAX)
			node = number;
	}
	if (directory)
		(void)closedir(directory);

	_cleanup_free_ char *online = proc_file_read_line("/sys/devices/system/node/online");

	*ret_n_nodes = online && strpbrk(online, ",-") ? 2 : 1;
	return node;
}

static bool bind_memory(int node)
{
	unsigned long words[NODES_MAX / WORD_BITS] = { 0 };

	words[(size_t)node / WORD_BITS] = 1UL << ((size_t)node % WORD_BITS);
	return syscall(SYS_set_mempolicy, MPOL_BIND, words, (unsigned long)NODES_MAX) == 0;
}

static int refuse_cpu(long cpu, int code, struct error *err)
{
	char path[64];
	_cleanup_free_ char *online = proc_file_read_line("/sys/devices/system/cpu/online");

	(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/online", cpu);
	_cleanup_free_ char *state = proc_file_read_line(path);

	if (state && strcmp(state, "0") == 0)
		return error_set(err, -EINVAL, "CPU %ld is offline; use one of %s", cpu,
				 online ? online : "the online ones");
	return error_set(err, -EINVAL, "CPU %ld cannot be used (%s); online are %s", cpu,
			 strerror(-code), online ? online : "unknown");
}

int placement_apply(long cpu, struct placement *ret_placement, struct error *err)
{
	struct cpu_mask allowed;
	struct cpu_mask wanted = { { 0 } };
	int n_nodes = 1;
	int code = mask_read(&allowed);

	if (code < 0)
		return error_set_errno(err, code, "cannot read the CPUs that may be used");
	if (cpu < 0) {
		cpu = CPUS_MAX - 1;
		while (cpu > 0 && !mask_has(&allowed, cpu))
			cpu--;
	}
	if (cpu >= CPUS_MAX)
		return refuse_cpu(cpu, -EINVAL, err);
	wanted.words[(size_t)cpu / WORD_BITS] = 1UL << ((size_t)cpu % WORD_BITS);
	if (sched_setaffinity(0, sizeof(wanted), (const cpu_set_t *)&wanted) != 0)
		return refuse_cpu(cpu, -errno, err);

	struct placement placement = { .cpu = (int)cpu };

	if (!placement_holds(&placement))
		return refuse_cpu(cpu, -EPERM, err);
	placement.node = node_of(cpu, &n_nodes);
	if (placement.node >= 0 && n_nodes > 1)
		placement.is_memory_bound = bind_memory(placement.node);
	*ret_placement = placement;
	return 0;
}

bool placement_holds(const struct placement *placement)
{
	struct cpu_mask mask;

	if (mask_read(&mask) < 0 || sched_getcpu() != placement->cpu)
		return false;
	for (size_t i = 0; i < sizeof(mask.words) / sizeof(mask.words[0]); i++) {
		bool is_here = i == (size_t)placement->cpu / WORD_BITS;
		unsigned long only = 1UL << ((size_t)placement->cpu % WORD_BITS);

		if (mask.words[i] != (is_here ? only : 0))
			return false;
	}
	return true;
}

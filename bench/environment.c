// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The environment record. Nothing here is checked; a value that is not there is null.
 */
#include "bench/environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench/proc_file.h"
#include "common/cleanup.h"

#define CPUINFO_MAX_BYTES (4U << 20)

static json_t *line_of(const char *path)
{
	_cleanup_free_ char *line = proc_file_read_line(path);

	return line ? json_string(line) : json_null();
}

/* "model name : ..." of the first CPU; other architectures have other keys, or none. */
static json_t *cpu_model(void)
{
	_cleanup_free_ char *text = proc_file_read("/proc/cpuinfo", CPUINFO_MAX_BYTES, NULL);
	char *place = text ? strstr(text, "model name") : NULL;

	place = place ? strchr(place, ':') : NULL;
	if (!place)
		return json_null();
	place++;
	place += strspn(place, " \t");
	place[strcspn(place, "\n")] = '\0';

	json_t *model = json_string(place);

	return model ? model : json_null();
}

json_t *environment_to_json(const struct placement *placement)
{
	struct utsname name = { 0 };

	(void)uname(&name);
	return json_pack("{s:s, s:s, s:s, s:o, s:i, s:o, s:b, s:o, s:i, s:o, s:o}",
			 "release", name.release, "version", name.version,
			 "machine", name.machine, "cpu_model", cpu_model(),
			 "cpu", placement->cpu,
			 "node", placement->node < 0 ? json_null() : json_integer(placement->node),
			 "memory_bound", placement->is_memory_bound,
			 "online_cpus", line_of("/sys/devices/system/cpu/online"),
			 "page_size_bytes", (int)sysconf(_SC_PAGESIZE),
			 "thp_enabled", line_of("/sys/kernel/mm/transparent_hugepage/enabled"),
			 "thp_shmem_enabled",
			 line_of("/sys/kernel/mm/transparent_hugepage/shmem_enabled"));
}

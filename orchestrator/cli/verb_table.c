// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All verbs of `abbot`, in the order of the help text. What each one does and which
 * options it takes is said in its own file.
 */
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/cli/verb.h"

const struct verb *const verb_table[] = {
	&verb_check,  &verb_queue,   &verb_plan,   &verb_lab,   &verb_list,   &verb_status,
	&verb_log,    &verb_report,  &verb_bundle,  &verb_compare,
	&verb_analyze, &verb_simulate,
	&verb_cancel, &verb_pause,   &verb_resume, &verb_kernels, &verb_watch,
	NULL,
};

const struct verb *verb_find(const char *name)
{
	for (size_t i = 0; verb_table[i]; i++)
		if (strcmp(verb_table[i]->name, name) == 0)
			return verb_table[i];
	return NULL;
}

const char *verb_nearest(const char *name)
{
	const char *names[ARRAY_SIZE(verb_table) + 1];
	size_t n = 0;

	for (; verb_table[n]; n++)
		names[n] = verb_table[n]->name;
	names[n++] = "help";
	names[n] = NULL;
	return text_nearest(name, names);
}

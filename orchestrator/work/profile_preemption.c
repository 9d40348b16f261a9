// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The preemption model: only debugfs knows for sure, and it is often not there. The version
 * string does not tell the models of a dynamic kernel apart; its config and command line do.
 */
#include "orchestrator/work/profile_preemption.h"

#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "configs/kernel_config.h"
#include "orchestrator/work/profile_files.h"

#define NOT_KNOWN "not known"

/* A real-time kernel has one of the others set as well. */
static const struct {
	const char *symbol;
	const char *word;
	bool is_choice;      /* a word of preempt= */
} models[] = {
	{ "PREEMPT_RT", "rt", false },
	{ "PREEMPT_NONE", "none", true },
	{ "PREEMPT_VOLUNTARY", "voluntary", true },
	{ "PREEMPT_LAZY", "lazy", true },
	{ "PREEMPT", "full", true },
};

static bool has(const struct kernel_config *config, const char *symbol)
{
	const char *value = kernel_config_get(config, symbol);

	return value && strcmp(value, "y") == 0;
}

static const char *built_model(const struct kernel_config *config)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (has(config, models[i].symbol))
			return models[i].word;
	return NOT_KNOWN;
}

/* The last preempt= whose word the kernel knows: it ignores any other. NULL: there is none. */
static const char *chosen_model(const char *cmdline)
{
	const char *chosen = NULL;

	for (const char *place = cmdline; place && *place; place += strspn(place, " ")) {
		size_t size = strcspn(place, " ");

		for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
			_cleanup_free_ char *option = text_format("preempt=%s", models[i].word);

			if (models[i].is_choice && strlen(option) == size &&
			    strncmp(place, option, size) == 0)
				chosen = models[i].word;
		}
		place += size;
	}
	return chosen;
}

static char *read_config(const char *root, const char *config_path)
{
	_cleanup_(kernel_config_done) struct kernel_config config = { 0 };
	_cleanup_free_ char *cmdline = profile_file_read(root, "proc/cmdline");
	_cleanup_free_ char *text = NULL;
	const char *chosen = chosen_model(cmdline);
	size_t size = 0;

	if (!config_path ||
	    file_read(config_path, KERNEL_CONFIG_MAX_BYTES, &text, &size, NULL) < 0 ||
	    kernel_config_parse(text, size, config_path, &config, NULL) < 0)
		return text_duplicate(NOT_KNOWN);
	return text_duplicate(chosen && has(&config, "PREEMPT_DYNAMIC") ? chosen
									: built_model(&config));
}

char *profile_preemption_read(const char *root, const char *config_path)
{
	char *running = profile_file_read_selected(root, "sys/kernel/debug/sched/preempt");

	return running ? running : read_config(root, config_path);
}

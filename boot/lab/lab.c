// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One lab run: disk made, guest's files put in, machine run, results read. The parts
 * are in root.c, disk.c, loader*.c, inject.c, power.c, machine.c and outcome.c.
 */
#include "boot/lab/lab.h"

#include <errno.h>
#include <string.h>

#include "boot/lab/disk.h"
#include "boot/lab/firmware.h"
#include "boot/lab/inject.h"
#include "boot/lab/loader.h"
#include "boot/lab/machine.h"
#include "boot/lab/outcome.h"
#include "boot/lab/power.h"
#include "boot/lab/variables.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define UNITS_DIRECTORY "/etc/systemd/system"
#define DAEMON_UNIT "abbotd.service"

/* What systemctl enable makes of the units' [Install] sections. */
static const struct {
	const char *target;
	const char *unit;
} enabled_units[] = {
	{"multi-user.target", DAEMON_UNIT},
	{"sysinit.target", "abbot-deadline.timer"},
	{"emergency.target", "abbot-emergency-reboot.service"},
	{"rescue.target", "abbot-emergency-reboot.service"},
};

/* The daemon as on any machine, but for where it is, what it says where, and its end. */
static const char daemon_drop_in[] =
	"[Service]\n"
	"ExecStart=\n"
	"ExecStart=/usr/local/bin/abbotd --when-idle=poweroff\n"
	"StandardOutput=journal+console\n"
	"StandardError=journal+console\n";

struct run_files {
	char *disk;
	char *variables;
	char *tpm;
	char *serial;
	char *drop_in;
	char *script;
};

static void run_files_done(struct run_files *files)
{
	free(files->disk);
	free(files->variables);
	free(files->tpm);
	free(files->serial);
	free(files->drop_in);
	free(files->script);
}

static void run_files_init(struct run_files *files, const char *directory)
{
	files->disk = path_join(directory, "disk.img");
	files->variables = path_join(directory, VARIABLES_NAME);
	files->tpm = path_join(directory, "tpm");
	files->serial = path_join(directory, "serial.log");
	files->drop_in = path_join(directory, "lab.conf");
	files->script = path_join(directory, "debugfs.script");
}

static int fill_disk(const struct lab_loader *loader, const struct lab_options *options,
		     const struct run_files *files, struct error *err)
{
	_cleanup_free_ char *daemon = path_join(options->binaries, "abbotd");
	_cleanup_free_ char *program = path_join(options->binaries, "abbot");
	_cleanup_free_ char *bench = path_join(options->binaries, "abbot-bench");
	struct inject inject;

	inject_start(&inject, files->disk, LAB_DISK_ROOT_OFFSET);
	loader->fill_root(options, &inject);
	inject_file(&inject, daemon, "/usr/local/bin", "abbotd", 0755);
	inject_file(&inject, program, "/usr/local/bin", "abbot", 0755);
	inject_file(&inject, bench, "/usr/local/bin", "abbot-bench", 0755);
	inject_tree(&inject, options->units, UNITS_DIRECTORY);
	if (options->more_units)
		inject_tree(&inject, options->more_units, UNITS_DIRECTORY);
	inject_file(&inject, files->drop_in, UNITS_DIRECTORY "/" DAEMON_UNIT ".d", "lab.conf", 0644);
	for (size_t i = 0; i < ARRAY_SIZE(enabled_units); i++) {
		_cleanup_free_ char *wants = text_format(UNITS_DIRECTORY "/%s.wants", enabled_units[i].target);
		_cleanup_free_ char *unit = path_join(UNITS_DIRECTORY, enabled_units[i].unit);

		inject_link(&inject, wants, enabled_units[i].unit, unit);
	}
	inject_tree(&inject, options->guest_state_directory, "/var/lib/abbot");
	return inject_finish(&inject, files->script, err);
}

static int make_machine(const struct lab_loader *loader, const struct lab_options *options,
			const struct run_files *files, struct lab_outcome *outcome,
			struct error *err)
{
	_cleanup_free_ char *root = NULL;
	int status = file_make_directories(options->run_directory, 0750, err);

	if (status == 0)
		status = lab_prepare_root(options->state_directory, options->shows_progress, &root,
					  err);
	if (status == 0)
		status = lab_disk_make(loader, options, files->disk, root, err);
	if (status == 0)
		status = file_write_durable(files->drop_in, daemon_drop_in, strlen(daemon_drop_in),
					    0644, err);
	if (status == 0)
		status = fill_disk(loader, options, files, err);
	if (status == 0)
		status = file_copy_durable(LAB_FIRMWARE_VARIABLES, files->variables, 0600, err);
	if (status == 0 && loader->fill_variables)
		status = loader->fill_variables(files->variables, err);
	if (status == 0)
		status = loader->fetch(files->disk, options->run_directory, err);
	if (status == 0)
		status = loader->hash_default(options->run_directory,
					      &outcome->default_entry_before, err);
	if (status == 0)
		status = machine_write_tpm(files->tpm, err);
	if (status == 0 && unlink(files->serial) < 0 && errno != ENOENT)
		status = error_set_errno(err, -errno, "cannot replace %s", files->serial);
	return status;
}

int lab_run(const struct lab_options *options, struct lab_outcome *ret_outcome,
	    struct error *err)
{
	_cleanup_(lab_outcome_done) struct lab_outcome outcome = {0};
	_cleanup_(run_files_done) struct run_files files = {0};

	const struct lab_loader *loader = NULL;

	run_files_init(&files, options->run_directory);
	struct machine machine = {
		.disk = files.disk,
		.variables = files.variables,
		.tpm = files.tpm,
		.serial = files.serial,
		.counts_instructions = options->counts_instructions,
		.expected_s = options->expected_s,
		.shows_progress = options->shows_progress,
	};

	outcome.serial_path = text_duplicate(files.serial);
	int status = lab_check_tools(err);

	if (status == 0)
		status = lab_loader_find(options->boot_loader, &loader, err);
	if (status == 0)
		status = make_machine(loader, options, &files, &outcome, err);
	if (status == 0)
		status = power_run(&machine, options, &outcome, err);
	if (status == 0)
		status = outcome_fetch(loader, files.disk, options->run_directory, &outcome, err);
	if (!options->keeps_disk)
		(void)unlink(files.disk);
	if (status < 0)
		return status;
	*ret_outcome = outcome;
	outcome = (struct lab_outcome){0};
	return 0;
}

void lab_outcome_done(struct lab_outcome *outcome)
{
	free(outcome->store_path);
	free(outcome->serial_path);
	free(outcome->default_entry_before);
	free(outcome->default_entry_after);
	for (char **name = outcome->leftover_files; name && *name; name++)
		free(*name);
	free(outcome->leftover_files);
	*outcome = (struct lab_outcome){0};
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the lab's machine: UEFI, one disk, one serial port, a watchdog, and nothing
 * else. The guest reboots by itself in the same process and ends it by powering off.
 */
#include "boot/lab/machine.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "boot/lab/firmware.h"
#include "boot/lab/serial.h"
#include "boot/lab/tools.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/progress.h"
#include "common/subprocess.h"
#include "common/text.h"

struct follower {
	const struct machine *machine;
	off_t serial_size;
	uint64_t heard_ms; /* when the console last said something */
	bool is_silent;
	struct progress progress;
	struct serial_reader reader;
};

static void listen(struct follower *follower, uint64_t elapsed_ms)
{
	const struct machine *machine = follower->machine;
	struct stat status;

	if (stat(machine->serial, &status) == 0 && status.st_size != follower->serial_size) {
		follower->serial_size = status.st_size;
		follower->heard_ms = elapsed_ms;
	}
	follower->is_silent = machine->silence_ms > 0 &&
			      elapsed_ms - follower->heard_ms >= (uint64_t)machine->silence_ms;
}

static bool is_silent(void *context)
{
	const struct follower *follower = context;

	return follower->is_silent;
}

static void follow(void *context, uint64_t elapsed_ms)
{
	struct follower *follower = context;
	double fraction = -1;

	listen(follower, elapsed_ms);
	if (!follower->machine->shows_progress)
		return;
	serial_reader_poll(&follower->reader);
	if (follower->machine->expected_s > 0)
		fraction = (double)elapsed_ms / 1000.0 / follower->machine->expected_s;
	if (fraction > 0.99)
		fraction = 0.99;
	progress_update(&follower->progress, fraction,
			*follower->reader.note ? follower->reader.note : NULL);
}

/* How the run ended, for somebody who watches. */
static const char *end_words(const struct machine *machine, const struct follower *follower,
			     int status, const struct subprocess_result *result)
{
	if (status == 0 && follower->is_silent)
		return "console silent, power switched off";
	if (status == 0 && result->timed_out)
		return machine->is_timeout_wanted ? "power cut" : "time is up";
	return status == 0 && result->exit_status == 0 ? "done" : "failed";
}

static int start_qemu(const char *const *argv, const struct machine *machine,
		      struct subprocess_result *ret_result, bool *ret_was_silent,
		      struct error *err)
{
	struct follower follower = { .machine = machine };
	struct subprocess_options options = {
		.argv = argv,
		.merge_stderr = true,
		.timeout_ms = (uint64_t)machine->timeout_ms,
		.tick = follow,
		.tick_context = &follower,
		.is_enough = is_silent,
	};

	serial_reader_init(&follower.reader, machine->serial);
	if (machine->shows_progress)
		progress_start(&follower.progress, "running the lab", machine->expected_s);
	int status = subprocess_run(&options, ret_result, err);

	if (machine->shows_progress)
		progress_finish(&follower.progress,
				end_words(machine, &follower, status, ret_result));
	serial_reader_done(&follower.reader);
	*ret_was_silent = follower.is_silent;
	return status;
}

static int judge_end(const struct subprocess_result *result, const struct machine *machine,
		     struct error *err)
{
	const char *output = result->output ? result->output : "";

	/* Asked to end it ends with status 0, as if the guest had powered off. */
	if (strstr(output, "terminating on signal"))
		return error_set(err, -EINTR,
				 "QEMU was ended from outside before the guest powered off (%.200s); rehearse the job again",
				 text_strip(result->output));
	if (result->timed_out || result->exit_status == 0)
		return 0;
	if (result->signal)
		return error_set(err, -EPROTO, "QEMU was ended by signal %d before the guest powered off; the serial log is %s",
				 result->signal, machine->serial);
	return error_set(err, -EPROTO, "QEMU ended with status %d: %.300s", result->exit_status,
			 output);
}

int machine_write_tpm(const char *path, struct error *err)
{
	/*
	 * QEMU writes its 10-byte question over the zeros and reads what follows: a TPM 2.0
	 * response header (tag TPM_ST_NO_SESSIONS, size 10, TPM_RC_FAILURE), then the end.
	 */
	static const unsigned char chip[20] = { [10] = 0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x01, 0x01 };

	return file_write_durable(path, chip, sizeof(chip), 0600, err);
}

/*
 * The disk as one argument. The host's own cache outlives QEMU, and the machine is thrown
 * away with its disk: waiting for the host's disk would only cost time, and under load
 * minutes.
 */
static char *disk_option(const struct machine *machine)
{
	if (!machine->write_log)
		return text_format("driver=raw,node-name=disk,cache.no-flush=on,"
				   "file.driver=file,file.filename=%s", machine->disk);
	return text_format("driver=blklogwrites,node-name=disk,log-append=%s,"
			   "log.driver=file,log.filename=%s,file.driver=raw,"
			   "file.file.driver=file,file.file.filename=%s",
			   machine->continues_write_log ? "on" : "off", machine->write_log,
			   machine->disk);
}

static int check_paths(const struct machine *machine, struct error *err)
{
	const char *const paths[] = { machine->disk, machine->variables, machine->serial,
				      machine->write_log };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (paths[i] && strchr(paths[i], ','))
			return error_set(err, -EINVAL,
					 "the lab cannot run with %s: QEMU takes no comma in a path",
					 paths[i]);
	return 0;
}

int machine_run(const struct machine *machine, double *ret_wall_s, enum machine_end *ret_end,
		struct error *err)
{
	_cleanup_free_ char *program = lab_tool_find("qemu-system-x86_64");
	_cleanup_free_ char *disk = disk_option(machine);
	_cleanup_free_ char *variables =
		text_format("file=%s,if=pflash,unit=1,format=raw", machine->variables);
	_cleanup_free_ char *serial =
		text_format("file,id=serial,append=on,path=%s", machine->serial);
	_cleanup_free_ char *tpm =
		text_format("passthrough,id=tpm,path=%s,cancel-path=/dev/null", machine->tpm);
	struct subprocess_result result = {0};
	bool was_silent = false;
	/*
	 * A small translation buffer: after a reset the firmware otherwise takes twice the
	 * time to get past the pages that still hold the old kernel's translated code.
	 */
	const char *argv[] = {
		program, "-nodefaults", "-no-user-config", "-display", "none",
		"-name", "abbot-lab", "-machine", "q35", "-accel", "tcg,tb-size=64", "-m", "1024", "-smp", "1",
		"-cpu", "qemu64,+ssse3,+sse4.1,+sse4.2,+rdrand",
		"-drive", "if=pflash,unit=0,format=raw,readonly=on,file=" LAB_FIRMWARE_CODE,
		"-drive", variables, "-blockdev", disk, "-device", "virtio-blk-pci,drive=disk,bootindex=0",
		"-chardev", serial, "-serial", "chardev:serial", "-net", "none",
		"-action", "watchdog=reset",
		"-tpmdev", tpm, "-device", "tpm-tis,tpmdev=tpm",
		"-rtc", "base=utc,clock=vm",
		/*
		 * While a process runs, guest time is a function of the instructions alone. Idle, it
		 * follows real time: with sleep=off it would leap from timer to timer whenever a busy
		 * host is slow with the disk, and the guest's watchdogs would fire.
		 */
		NULL, NULL, NULL, NULL, NULL,
	};
	size_t n = ARRAY_SIZE(argv) - 5;

	if (!program)
		return error_set(err, -ENOENT, "qemu-system-x86_64 is not installed");
	if (machine->counts_instructions) {
		argv[n++] = "-icount";
		argv[n++] = "shift=0,sleep=on";
	}
	if (!machine->has_no_watchdog) {
		argv[n++] = "-device";
		argv[n++] = "i6300esb";
	}
	int status = check_paths(machine, err);

	if (status == 0)
		status = start_qemu(argv, machine, &result, &was_silent, err);

	if (status == 0)
		status = judge_end(&result, machine, err);
	if (status == 0) {
		*ret_wall_s = (double)result.wall_time_ms / 1000.0;
		*ret_end = !result.timed_out ? MACHINE_OFF :
			   was_silent	    ? MACHINE_SILENT :
					      MACHINE_TIMED_OUT;
	}
	subprocess_result_done(&result);
	return status;
}

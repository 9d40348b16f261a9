// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot check`, the running system: kernel identity, panic, logind, the clock.
 * Hangs, drivers, units and people are in files of their own.
 */
#include "boot/preflight_internal.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "boot/boot_options.h"
#include "boot/kernel_id.h"
#include "boot/system_bus.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define PREFLIGHT_BUS_TIMEOUT_US (5 * 1000000ULL)

static void cleanup_message(sd_bus_message **message)
{
	sd_bus_message_unref(*message);
}

static void check_build_id(struct preflight *preflight)
{
	_cleanup_free_ char *notes = NULL;
	char id[KERNEL_BUILD_ID_SIZE];
	struct error err = { 0 };
	size_t size = 0;

	notes = preflight_read(preflight, "/sys/kernel/notes", &size);
	if (notes && kernel_id_from_notes(notes, size, id, &err) == 0)
		preflight_add(preflight, "build-id", PREFLIGHT_OK, "", "The default kernel has the build id %s.", id);
	else
		preflight_add(preflight, "build-id", PREFLIGHT_REFUSAL,
			      "Boot a default kernel that was linked with --build-id=sha1.",
			      "The running kernel has no build id in /sys/kernel/notes, so it cannot be told from a test kernel.");
}

/* One of the programs that make a test kernel's initrd. */
static bool has_initrd_maker(const struct preflight *preflight)
{
	static const char *const directories[] = { "/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
						   "/usr/bin", "/sbin", "/bin" };
	static const char *const programs[] = { "mkinitramfs", "dracut", "mkinitcpio" };

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++)
		for (size_t j = 0; j < ARRAY_SIZE(programs); j++) {
			_cleanup_free_ char *path = path_join(directories[i], programs[j]);

			if (preflight_exists(preflight, path))
				return true;
		}
	return false;
}

static void check_root_device(struct preflight *preflight, const char *cmdline)
{
	char root[256] = "";

	if (!boot_options_get(cmdline, "root", root, sizeof(root)))
		preflight_add(preflight, "root-device", PREFLIGHT_REFUSAL,
			      "Boot with root= on the default entry's command line.",
			      "The kernel command line names no root device for test kernels to mount.");
	else if (!text_has_prefix(root, "UUID=") && !text_has_prefix(root, "LABEL=") &&
		 !text_has_prefix(root, "/dev/mapper/"))
		preflight_add(preflight, "root-device", PREFLIGHT_OK, "",
			      "A kernel can mount root=%s by itself, if its drivers are built in.", root);
	else if (has_initrd_maker(preflight))
		preflight_add(preflight, "root-device", PREFLIGHT_OK, "",
			      "root=%s is found by an initrd: test kernels whose config has BLK_DEV_INITRD get one.",
			      root);
	else
		preflight_add(preflight, "root-device", PREFLIGHT_WARNING,
			      "Install initramfs-tools, dracut or mkinitcpio; or put root=PARTUUID=... into the job's cmdline, and have the root's drivers built in.",
			      "root=%s needs an initrd, and nothing here can make one for test kernels.", root);
}

static void check_cmdline(struct preflight *preflight)
{
	_cleanup_free_ char *cmdline = preflight_read(preflight, "/proc/cmdline", NULL);

	if (!cmdline) {
		preflight_add(preflight, "command-line", PREFLIGHT_REFUSAL, "Mount /proc.",
			      "/proc/cmdline cannot be read.");
		return;
	}
	if (boot_options_has(cmdline, "abbot.token"))
		preflight_add(preflight, "command-line", PREFLIGHT_REFUSAL, "Reboot into the default kernel.",
			      "A test kernel of Abbot is running.");
	if (boot_options_has(cmdline, "abbot.hold"))
		preflight_add(preflight, "command-line", PREFLIGHT_REFUSAL, "Reboot without abbot.hold.",
			      "abbot.hold on the kernel command line stops the daemon from doing anything.");
	check_root_device(preflight, cmdline);
}

/* Where a kernel that panicked leaves its last words: Documentation/admin-guide/pstore-blk.rst. */
static void check_pstore(struct preflight *preflight)
{
	char backend[64];

	preflight_read_line(preflight, "/sys/module/pstore/parameters/backend", backend, sizeof(backend));
	if (*backend && strcmp(backend, "(null)") != 0)
		preflight_add(preflight, "pstore", PREFLIGHT_OK, "", "A panic's last messages are kept by %s.", backend);
	else
		preflight_add(preflight, "pstore", PREFLIGHT_WARNING,
			      "Load efi-pstore, or reserve memory for ramoops, if you want to know why a test kernel died.",
			      "There is no pstore backend: a panic's messages are lost with the reboot.");
}

void preflight_check_kernel(struct preflight *preflight)
{
	_cleanup_free_ char *panic = NULL;

	check_build_id(preflight);
	check_cmdline(preflight);
	panic = preflight_read(preflight, "/proc/sys/kernel/panic", NULL);
	if (!panic)
		preflight_add(preflight, "panic", PREFLIGHT_SKIPPED, "", "/proc/sys/kernel/panic cannot be read.");
	else if (strcmp(text_strip(panic), "0") == 0)
		preflight_add(preflight, "panic", PREFLIGHT_WARNING, "Set kernel.panic = 10 in /etc/sysctl.d.",
			      "The default kernel would stay where it panics (test kernels reboot by themselves).");
	else
		preflight_add(preflight, "panic", PREFLIGHT_OK, "", "The default kernel reboots after a panic.");
	check_pstore(preflight);
}

static void check_logind(struct preflight *preflight, sd_bus *bus)
{
	_cleanup_(cleanup_message) sd_bus_message *reply = NULL;
	const char *answer = NULL;

	if (sd_bus_call_method(bus, "org.freedesktop.login1", "/org/freedesktop/login1",
			       "org.freedesktop.login1.Manager", "CanReboot", NULL, &reply, "") < 0 ||
	    sd_bus_message_read(reply, "s", &answer) < 0)
		preflight_add(preflight, "logind", PREFLIGHT_WARNING, "Install and start systemd-logind.",
			      "logind does not answer: the reboot will be asked of systemd itself.");
	else if (strcmp(answer, "yes") != 0)
		preflight_add(preflight, "logind", PREFLIGHT_WARNING,
			      "Look at loginctl and systemd-inhibit --list.",
			      "logind says '%s' to a reboot.", answer);
	else
		preflight_add(preflight, "logind", PREFLIGHT_OK, "", "logind will reboot this machine when asked.");
}

static void check_clock(struct preflight *preflight)
{
	struct stat st;

	/* A clock before the program was made is wrong; deadlines and reports depend on it. */
	if (stat("/proc/self/exe", &st) == 0 && time(NULL) < st.st_mtime - 86400)
		preflight_add(preflight, "clock", PREFLIGHT_REFUSAL, "Set the clock, and the hardware clock with hwclock -w.",
			      "The clock is earlier than this program's own date.");
	else if (!preflight_exists(preflight, "/sys/class/rtc/rtc0"))
		preflight_add(preflight, "clock", PREFLIGHT_WARNING, "Have the time set from the network at boot.",
			      "There is no hardware clock: after a reboot the time may be wrong.");
	else
		preflight_add(preflight, "clock", PREFLIGHT_OK, "", "The clock is plausible and a hardware clock keeps it.");
}

void preflight_check_services(struct preflight *preflight)
{
	_cleanup_free_ char *init = preflight_read(preflight, "/proc/1/comm", NULL);
	_cleanup_(system_bus_close) sd_bus *bus = NULL;

	check_clock(preflight);
	if (!init || strcmp(text_strip(init), "systemd") != 0 ||
	    !preflight_exists(preflight, "/run/systemd/system")) {
		preflight_add(preflight, "systemd", PREFLIGHT_REFUSAL, "Run it on a machine that boots with systemd.",
			      "systemd is not the first process here, so nothing would start abbotd after a reboot.");
		preflight_add(preflight, "logind", PREFLIGHT_SKIPPED, "", "logind cannot be asked without systemd.");
		preflight_add(preflight, "unit", PREFLIGHT_SKIPPED, "", "Units cannot be looked at without systemd.");
		preflight_add(preflight, "users", PREFLIGHT_SKIPPED, "", "Who is logged in cannot be asked without logind.");
		return;
	}
	preflight_add(preflight, "systemd", PREFLIGHT_OK, "", "systemd is the first process.");
	if (system_bus_open(PREFLIGHT_BUS_TIMEOUT_US, &bus) < 0) {
		preflight_add(preflight, "logind", PREFLIGHT_WARNING, "Install and start dbus.",
			      "The system bus does not answer: the reboot will be asked of the kernel itself.");
		preflight_add(preflight, "unit", PREFLIGHT_SKIPPED, "", "Units cannot be looked at without the system bus.");
		preflight_add(preflight, "users", PREFLIGHT_SKIPPED, "", "Who is logged in cannot be asked without the system bus.");
		return;
	}
	check_logind(preflight, bus);
	preflight_check_units(preflight, bus);
	preflight_check_people(preflight, bus);
}

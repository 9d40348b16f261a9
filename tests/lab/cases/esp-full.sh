#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody fills the EFI system partition while kernels are installed there: the job says so,
# the machine is never rebooted, and nothing half-installed is left.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --boot-loader systemd-boot --units "$root/tests/lab/faults/esp-full"
ok 'the fault happened' grep -aq 'fault: ESP full, 0 bytes left' "$run/serial.log"
ok 'abbot lab says that the job did not succeed' test "$status" = 1
holds 'the job failed, and says that there is no room' \
	'.status == "FAILED" and (.reason | test("/boot.*(MiB free|No space left)"))'
ok 'nothing was ever armed' test "$(store_value "SELECT count(*) FROM event
	WHERE job = $rehearsal AND kind = 'arm'")" = 0
ok 'the machine was not rebooted' test "$(power_ons)" = 1
check_clean
finish

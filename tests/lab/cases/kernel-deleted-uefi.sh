#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody deletes the child's kernel when the firmware is about to start it: it goes on with
# BootOrder, the default.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --boot-loader uefi --units "$root/tests/lab/faults/kernel-deleted-uefi"
ok 'the fault happened' grep -aq 'fault: kernel deleted' "$run/serial.log"
ok 'abbot lab says that the job did not succeed' test "$status" = 1
ok 'the boot of the child fell back' test "$(store_value "SELECT
	json_extract(data, '\$.verdict') FROM event
	WHERE job = $rehearsal AND kind = 'verify' AND boot = 1")" = fell-back
holds 'the job failed for the kernel' '.status == "FAILED" and (.reason | test("child/kernel"))'
holds 'only the parent was measured' '[.boots[] | select(.values | length > 0) | .point] == ["parent"]'
check_clean
finish

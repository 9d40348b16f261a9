#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# UEFI variables can no longer be written: nothing can be armed, the job says so, and the
# machine goes back to its default.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --boot-loader systemd-boot --units "$root/tests/lab/faults/efivar-refused"
ok 'the fault happened' grep -aq 'fault: UEFI variables read-only' "$run/serial.log"
ok 'abbot lab says that the job did not succeed' test "$status" = 1
holds 'the job failed for the variable' \
	'.status == "FAILED" and (.reason | test("LoaderEntryOneShot.*read-only"))'
holds 'only the parent was measured' '[.boots[] | select(.values | length > 0) | .point] == ["parent"]'
ok 'three boots: default, parent, default' test "$(power_ons)" = 3
check_clean
finish

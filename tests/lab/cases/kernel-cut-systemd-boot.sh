#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody cuts the child's kernel off when systemd-boot is about to boot it: that loader gives
# the machine back to the firmware, which waits in its shell, and the power switch ends it. The
# next boot is the default's, and a kernel in that state is not armed again.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --boot-loader systemd-boot --power-switch 60 \
	--units "$root/tests/lab/faults/kernel-cut-systemd-boot"
ok 'the fault happened' grep -aq 'fault: kernel cut' "$run/serial.log"
ok 'the loader could not load it' grep -aq 'Error loading .abbot.abbot-1-child.kernel' "$run/serial.log"
ok 'abbot lab says that the job did not succeed' test "$status" = 1
# shellcheck disable=SC2016 # jq has $variables too
holds 'the power switch was needed once' '$outcome[0].power_switched == 1'
holds 'it was not armed again, and the job says why' \
	'.status == "FAILED" and (.reason | test("child/kernel is cut off"))'
holds 'only the parent was measured' '[.boots[] | select(.values | length > 0) | .point] == ["parent"]'
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The daemon is killed again and again, at moments that differ from boot to boot.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --units "$root/tests/lab/faults/daemon-killed"
ok 'the daemon was killed at least five times' \
	test "$(grep -ac 'fault: abbotd killed' "$run/serial.log")" -ge 5
ok 'abbot lab succeeds' test "$status" = 0
holds 'the job is done' '.status == "DONE"'
check_figures
check_clean
finish

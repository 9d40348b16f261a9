#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The child ends in emergency mode: nobody is there to log in, so the machine goes back.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/emergency-test-boot"
ok 'the fault happened, at each attempt' test "$(grep -ac 'fault: nothing to mount' "$run/serial.log")" = 2
holds 'the job failed for the child' '.status == "FAILED" and (.reason | test("child"))'
check_clean
finish

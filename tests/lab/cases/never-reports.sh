#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The child comes up and never gets as far as abbotd: its time limit brings the machine back.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/never-reports"
ok 'the fault happened, at each attempt' test "$(grep -ac 'fault: waiting for ever' "$run/serial.log")" = 2
holds 'the job failed for the child' '.status == "FAILED" and (.reason | test("child"))'
holds 'the parent was measured' '.boots[0].values | length == 3'
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The environment block cannot be written: nothing can be armed, and the job says so.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/env-readonly"
ok 'the fault happened' grep -aq 'fault: block read-only' "$run/serial.log"
ok 'abbot lab says that the job did not succeed' test "$status" = 1
holds 'the job failed for the block' '.status == "FAILED" and (.reason | test("abbot.env"))'
holds 'nothing was measured after it' '.boots | length == 1 or (.[1].values | length == 0)'
check_clean
finish

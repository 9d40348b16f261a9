#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The same hang as hang-late on a machine without a watchdog: only the power switch ends it,
# as `abbot check` predicts.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse hangs-late --no-icount --no-watchdog --power-switch 40
ok 'abbot lab says that the job did not succeed' test "$status" = 1
ok 'it hung' grep -aq 'abbot demo: hangs late' "$run/serial.log"
# shellcheck disable=SC2016 # jq has $variables too
holds 'the power switch was needed' '$outcome[0].power_switched >= 1'
holds 'the job failed' '.status == "FAILED" and (.reason | test("child"))'
ok 'abbot check predicts it' grep -q 'hangs without a panic stays hung' \
	<<<"$("$build/abbot" --state "$state" check 2>&1)"
check_clean
finish

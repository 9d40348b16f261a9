#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A child that hangs before the first process starts: no software can end that. The lab's
# power switch does, and the machine comes back to its default each time.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse hangs --no-icount --power-switch 40
ok 'abbot lab says that the job did not succeed' test "$status" = 1
ok 'it hung' grep -aq 'abbot demo: hangs' "$run/serial.log"
# shellcheck disable=SC2016 # jq has $variables too
holds 'the power switch was needed, once for each hang' '$outcome[0].power_switched == '"$(
	grep -ac 'abbot demo: hangs' "$run/serial.log")"
holds 'the job failed' '.status == "FAILED" and (.reason | test("child"))'
ok 'abbot lab says so' grep -q '^running the lab: console silent, power switched off' \
	"$state/case-$name.err"
ok 'abbot check predicts it' grep -q 'no software can end that' \
	<<<"$("$build/abbot" --state "$state" check 2>&1)"
check_clean
finish

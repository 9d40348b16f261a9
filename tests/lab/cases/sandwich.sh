#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a user gets who asks for no order: seven boots, parent and child in turn, and with a
# machine that does not scatter the verdict after them. All five formats of its report.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

LAB_JOB_OPTIONS+=(--warmups 1 --processes 2)
lab_queue() {
	lab_queue_points "$@"
}
rehearse main
ok 'abbot lab succeeds' test "$status" = 0
holds 'the job is done' '.status == "DONE"'
holds 'seven boots, parent and child in turn' '[.boots[].point] ==
	[range(7) | if . % 2 == 0 then "parent" else "child" end]'
holds 'the verdict is a regression' '.verdict == "REGRESSION"'
holds 'its interval is narrow, and holds 32 %' '.estimates.interval.ci95_pct |
	.[0] > 31 and .[1] < 33'
check_formats
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Parent, child, and a probe that takes the child's change back: it recovers all of the gap.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

lab_queue() {
	lab_queue_points --design ladder main~1 main restored
}
rehearse ladder
ok 'abbot lab succeeds' test "$status" = 0
holds 'up to the probe and back' '[.boots[].point] ==
	["parent", "child", "probe-1", "child", "parent"]'
holds 'the child is slower by 30 to 34 %' '.ladder.original_pct | . >= 30 and . <= 34'
holds 'the probe recovers 98 to 102 % of it' \
	'.ladder.rungs[2].recovered_pct | . >= 98 and . <= 102'
check_formats
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Parent, child, and two probes: the first does the child's work for every second page, the
# second none of it, so that nothing of the gap is left.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

lab_queue() {
	lab_queue_points --design ladder main~1 main half restored
}
rehearse ladder
ok 'abbot lab succeeds' test "$status" = 0
holds 'up to the last probe and back' '[.boots[].point] ==
	["parent", "child", "probe-1", "probe-2", "probe-1", "child", "parent"]'
holds 'the child is slower by 30 to 34 %' '.ladder.original_pct | . >= 30 and . <= 34'
holds 'the first probe recovers a third to two thirds of it' \
	'.ladder.rungs[2].recovered_pct | . >= 33 and . <= 67'
holds 'both recover 98 to 102 %' '.ladder.combined_pct | . >= 98 and . <= 102'
check_formats
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Three kernels twice, the third with the first one's tree: compared with the first.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

lab_queue() {
	lab_queue_points --rounds 2 main~1 main restored
}
rehearse sweep
ok 'abbot lab succeeds' test "$status" = 0
holds 'six boots, each second round reversed' '[.boots[].point] ==
	["main-1", "main", "restored", "restored", "main", "main-1"]'
holds 'the second kernel is slower by 30 to 34 %' \
	'.sweep.kernels[1].delta_pct | . >= 30 and . <= 34'
holds 'the third is as fast as the first' '.sweep.kernels[2].delta_pct | . >= -0.5 and . <= 0.5'
ok 'the report has the table of a sweep' grep -q 'restored' "$said"
check_formats --to linux-mm@kvack.org # of a sweep no one commit is to blame
check_clean
finish

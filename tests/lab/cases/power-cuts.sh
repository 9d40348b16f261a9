#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Twenty-five power cuts at random moments, five to a job. POWER_CUT_SEED repeats them.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

seed=${POWER_CUT_SEED:-$RANDOM}
RANDOM=$seed
echo "$name: POWER_CUT_SEED=$seed"
for round in 1 2 3 4 5; do
	cuts=()
	for _ in 1 2 3 4 5; do
		ms=$((3000 + (RANDOM * 32768 + RANDOM) % 35000))
		cuts+=(--power-cut "$((ms / 1000)).$(printf %03d $((ms % 1000)))")
	done
	echo "$name: job $round: ${cuts[*]}"
	rehearse main --no-icount "${cuts[@]}"
	holds "job $round is done, or has failed for a stated reason" \
		'.status == "DONE" or (.status == "FAILED" and (.reason | length > 10))'
	jq -r '"'"$name"': \(.status) \(.reason // "")"' "$report"
	ok "job $round: no process has two results" test "$(store_value "SELECT count(*) FROM (
		SELECT 1 FROM event e WHERE job = $rehearsal AND kind = 'measure' AND phase = 'result'
		GROUP BY boot_id, boot, process HAVING count(*) > 1)")" = 0
	[ "$(jq -r .status "$report")" != DONE ] ||
		holds "job $round: three processes in each boot" 'all(.boots[]; .values | length == 3)'
	check_clean
done
finish

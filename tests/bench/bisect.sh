#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Does the bisection name the commit, and what does it cost? A thousand fresh worlds a row
# (SEEDS and SEED choose others), beside the plain bisection in the same worlds; then the
# time that one decision takes.
set -euo pipefail

build=${BUILD:-build}
seeds=${SEEDS:-1000}
seed=${SEED:-$(date +%s)}
missed=0

simulate() {
	nice -n 19 "$build/abbot" simulate bisect --seeds "$seeds" --seed "$seed" --json "$@" 2>/dev/null
}

# row NAME DEMAND OPTION...: DEMAND is a condition in jq.
row() {
	local name=$1 demand=$2 json verdict=met

	shift 2
	json=$(simulate "$@")
	if ! jq -e "$demand" <<<"$json" >/dev/null; then
		verdict=MISSED
		missed=$((missed + 1))
	fi
	jq -r --arg name "$name" --arg verdict "$verdict: $demand" '
		def pad(n): tostring | .[0:n] | . + " " * (n - length);
		def cells: "\(.exact | pad(6)) \(.single_commit | pad(6)) \(.wrong | pad(6)) \(.inconclusive | pad(6)) \(.none | pad(6)) \(.boots_median | floor | pad(5)) \(.boots_p95 | floor | pad(5)) \(.builds_median | floor | pad(4)) \(.builds_p95 | floor | pad(4))";
		"\($name | pad(26)) \(cells)  \($verdict)",
		"  plain                    \(.plain | cells)",
		"  plain, median of 3       \(.plain_median_of_3 | cells)"' <<<"$json"
}

echo "seed $seed, $seeds worlds a row; varied: each commit changes the level by itself, SD 0.2 %"
printf '%-26s %-6s %-6s %-6s %-6s %-6s %-11s %s\n' 'commits / step / boot SD' exact single wrong \
	inconc none 'boots  p95' 'builds p95'
row '1024 / 5 / 1' '.exact >= .99 and .wrong <= .005 and .boots_p95 <= 50 and .builds_p95 <= 18' \
	--commits 1024 --step 5 --boot-sd 1
row '1024 / -5 / 1' '.exact >= .99 and .wrong <= .005 and .boots_p95 <= 50 and .builds_p95 <= 18' \
	--commits 1024 --step=-5 --boot-sd 1
row '1024 / 2 / 1' '.exact >= .98' --commits 1024 --step 2 --boot-sd 1
row '1024 / 5 / 3' '.exact >= .97 and .wrong <= .01' --commits 1024 --step 5 --boot-sd 3
row '8192 / 5 / 1' '.exact >= .99 and .boots_median <= 40' --commits 8192 --step 5 --boot-sd 1
row '1024 / 0 / 1' '.wrong <= .005' --commits 1024 --step 0 --boot-sd 1
row '1024 / 0 / 0.5' '.wrong <= .005' --commits 1024 --step 0 --boot-sd 0.5
row '1024 / 5 / 1, 20 % broken' '.exact >= .99' --commits 1024 --step 5 --boot-sd 1 --unbuildable 20
row '1024 / 5 / 1, varied' '.exact >= .99' --commits 1024 --step 5 --boot-sd 1 --commit-sd 0.2
row '1024 / 2 / 1, varied' '.exact >= .98' --commits 1024 --step 2 --boot-sd 1 --commit-sd 0.2
row '1024 / 5 / 3, varied' '.exact >= .97 and .wrong <= .01' --commits 1024 --step 5 --boot-sd 3 --commit-sd 0.2
row '1024 / 0 / 1, varied' '.wrong <= .005' --commits 1024 --step 0 --boot-sd 1 --commit-sd 0.2
"$build/tests/bench/bisect_step"
((missed == 0)) || echo "$missed demands missed"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The demands on the verdict with fresh seeds, 10000 simulated jobs each: at most 5 % false
# verdicts at any scatter between boots, and real changes found within 12 boots.
# $1: the seed, to repeat a run.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
abbot=$(realpath "${BUILD:-$here/../../build}/abbot")
seed=${1:-$((SRANDOM >> 1))}
runs=10000
failed=0

# name, awk condition on regression, improvement (percent) and boots, options
demand() {
	local name=$1 condition=$2
	shift 2
	"$abbot" simulate verdict --runs "$runs" --seed "$seed" --threshold 1 "$@" |
		awk -v name="$name" '
			$1 == "REGRESSION" { regression = $2 }
			$1 == "IMPROVEMENT" { improvement = $2 }
			$1 == "mean" { boots = $2 }
			END {
				met = '"$condition"'
				printf "verdict, %s: %.2f %% regression, %.2f %% improvement, %.1f boots: %s\n",
					name, regression, improvement, boots, met ? "met" : "missed"
				exit !met
			}' || failed=1
}

echo "verdict: seed $seed"
for outliers in 0 2; do
	for boot_sd in 0 0.3 0.7 1.5 3 8; do
		demand "no change, boot SD $boot_sd %, $outliers % outliers" \
			'regression + improvement <= 5' \
			--change 0 --boot-sd "$boot_sd" --outliers "$outliers"
	done
	demand "change 2 %, boot SD 0.7 %, $outliers % outliers" 'regression >= 99 && boots <= 12' \
		--change 2 --boot-sd 0.7 --outliers "$outliers"
	demand "change 1.5 %, boot SD 0.7 %, $outliers % outliers" 'regression >= 93' \
		--change 1.5 --boot-sd 0.7 --outliers "$outliers"
done
exit "$failed"

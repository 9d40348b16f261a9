#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One million samples, analysed and rendered in each format: seconds of CPU time (goal 1)
# within 200 MB of address space.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
abbot=$(realpath "${BUILD:-$here/../../build}/abbot")
limit_kib=$((200 * 1000 * 1000 / 1024))
goal_s=1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/abbot-analyze.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

awk 'BEGIN {
	srand(7)
	print "boot\tpoint\tvalue"
	for (i = 0; i < 1000000; i++) {
		boot = int(i / 1000000 * 7)
		printf "%d\t%s\t%.3f\n", boot + 1, boot % 2 ? "child" : "parent", 100 + 3 * (boot % 2) + 2 * rand()
	}
}' >"$scratch/points.tsv"

analyze() { # format
	(ulimit -v "$limit_kib" && "$abbot" analyze --format "$1" "$scratch/points.tsv" \
		>"$scratch/report") 2>"$scratch/errors"
}

failed=0
TIMEFORMAT='%U %S %R'
for format in text json tsv html; do
	if ! times=$({ time analyze "$format"; } 2>&1); then
		echo "a million samples as $format: $(cat "$scratch/errors")"
		failed=1
		continue
	fi
	awk -v times="$times" -v format="$format" -v goal="$goal_s" 'BEGIN {
		split(times, t, " ")
		if (t[3] == "")
			exit 1
		met = t[1] + t[2] <= goal
		printf "a million samples as %s: %.2f s of CPU time, %.2f s in all, within 200 MB; goal %d s: %s\n",
			format, t[1] + t[2], t[3], goal, met ? "met" : "missed"
		exit !met
	}' || failed=1
done
exit "$failed"

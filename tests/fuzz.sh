#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs fuzz targets, one after the other, for $1 seconds each. What libFuzzer finds
# interesting is kept in BUILD/corpus/NAME for the next run, what breaks a target beside
# it: such an input belongs into FOLDER/tests/corpus/NAME, with the mending.
set -u
cd "$(dirname "$0")/.." || exit 1

seconds=${1:?usage: tests/fuzz.sh SECONDS PROGRAM...}
shift
passed=0 failed=0
for program in "$@"; do
	name=${program##*/fuzz_}
	folder=$(dirname "${program#"$BUILD"/}")
	seeds=$folder/corpus/$name
	found=$BUILD/corpus/$name
	mkdir -p "$found" || exit 1
	if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
		-print_final_stats=1 -artifact_prefix="$found-" "$found" "$seeds" \
		>"$found.log" 2>&1 </dev/null; then
		printf 'ok      %-16s %9d runs\n' "$name" \
			"$(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log")"
		passed=$((passed + 1))
	else
		tail -n 40 "$found.log"
		echo "FAILED  $name: see $found.log"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
((failed == 0))

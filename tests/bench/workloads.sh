#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rows of README's table of workloads, from real runs: each the least disturbed of five.
# What this machine cannot offer says so instead.
set -uo pipefail

build=$(realpath -m "${BUILD:-build}")

figures='def words: if . < 1 then . * 100 | round | . / 100 else . * 10 | round | . / 10 end;
	map(.metrics | map_values(.mean)) | min_by(add) | del(.iteration) |
	to_entries | map("\(.key) \(.value | words)") | join(", ")'

row() { # workload option...
	local runs

	if runs=$(for _ in 1 2 3 4 5; do "$build/abbot-bench" "$@" || exit; done 2>&1); then
		echo "| \`$1\` | $(jq -rs "$figures" <<<"$runs") |"
	else
		echo "| \`$1\` | ${runs##*abbot-bench: } |"
	fi
}

row mprotect-toggle
row mprotect-single
row mprotect-regions --size 400K
row mprotect-populated
row mprotect-pmd
row mprotect-large-folio
row write-fault

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How much of the first kernel's build time does the next one cost? Read from what the
# builds of the demo recorded in the kernel store of LAB_STATE; builds nothing itself.
set -euo pipefail

state=${LAB_STATE:-/var/cache/abbot-lab}
goal=5

# meta.json is written with one member a line.
member() {
	sed -n 's/^ *"'"$2"'": "\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$1"
}

built_how() {
	[ -f "$1" ] || return 0
	echo "$(member "$1" status) $(member "$1" is_incremental)"
}

first=
for meta in "$state"/kernels/*/meta.json; do
	[ "$(built_how "$meta")" = "built false" ] || continue
	seconds=$(member "$meta" cpu_time_s)
	first=$(awk -v a="${first:-0}" -v b="$seconds" 'BEGIN { print (b > a) ? b : a }')
done
if [ -z "$first" ]; then
	echo "build ratio: skipped, $state holds no first build (run make demo)"
	exit 0
fi
for meta in "$state"/kernels/*/meta.json; do
	[ "$(built_how "$meta")" = "built true" ] || continue
	awk -v first="$first" -v next_one="$(member "$meta" cpu_time_s)" -v goal="$goal" \
		-v release="$(member "$meta" release)" 'BEGIN {
		printf "build ratio: %s took %.1f s of CPU time, %.2f %% of the first build (%.1f s); goal %d %%: %s\n",
			release, next_one, 100 * next_one / first, first, goal,
			100 * next_one / first <= goal ? "met" : "missed"
	}'
done

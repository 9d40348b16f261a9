#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Resolving a range of 15,000 commits in a history of a million: time beside git's own
# rev-list --first-parent, in turns and without a commit-graph, and memory. The history,
# 250 MB, is made once (half a minute) and kept in BENCH_CACHE.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath "${BUILD:-$here/../../build}")
cache=${BENCH_CACHE:-$build/bench-cache}
total=1000000 range=15000 rounds=15
goal_ratio=1.5 goal_kib=$((100 * 1000 * 1000 / 1024))
repository=$cache/history-$total.git

# A main line of merges, each of a branch of 14 commits.
history_stream() {
	awk -v total="$total" '
	function commit(parents, message) {
		mark++
		printf "commit refs/heads/main\nmark :%d\nauthor A Person <person@example.org> %d +0000\ncommitter A Person <person@example.org> %d +0000\ndata %d\n%s\n%s",
			mark, start + 60 * mark, start + 60 * mark, length(message), message, parents
	}
	BEGIN {
		start = 1000000000
		body = "\n\nWhat the change does, and in the second place why it was needed\nhere and now.\n\nSigned-off-by: A Person <person@example.org>\n"
		commit("", "root\n")
		printf "M 100644 inline Makefile\ndata 2\nx\n\n"
		for (line = mark; mark < total; line = mark) {
			for (i = tip = 0; i < 14; i++) {
				commit("from :" (tip ? tip : line) "\n", "mm: change number " mark body)
				tip = mark
			}
			commit("from :" line "\nmerge :" tip "\n", "Merge branch " mark " of the memory tree" body)
		}
	}'
}

if [ ! -e "$repository/made" ]; then
	rm -rf "$repository"
	mkdir -p "$cache"
	git init -q --bare "$repository"
	history_stream | git --git-dir="$repository" fast-import --quiet --depth=1
	touch "$repository/made"
fi

bad=$(git --git-dir="$repository" rev-parse main)
good=$(git --git-dir="$repository" rev-parse "main~$range")
now_us() { # bash writes the point of the locale
	local now=${EPOCHREALTIME/[.,]/}
	echo "$now"
}

rev_list() { # option
	git -c core.commitGraph=false --git-dir="$repository" rev-list --first-parent "$@" "$good..$bad"
}

commits=$(rev_list --count)
ours=() gits=()
kib=0
for ((i = 0; i < rounds; i++)); do
	started=$(now_us)
	answer=$("$build/tests/bench/range_resolve" "$repository" "$good" "$bad")
	ours+=($(($(now_us) - started)))
	started=$(now_us)
	rev_list >/dev/null
	gits+=($(($(now_us) - started)))
	read -r _ now n <<<"$answer"
	((now <= kib)) || kib=$now
	((n == commits && n == range)) || {
		echo "resolved $n commits, git $commits, expected $range"
		exit 1
	}
done

median() {
	printf '%s\n' "$@" | sort -n | sed -n "$((rounds / 2 + 1))p"
}
awk -v a="$(median "${ours[@]}")" -v b="$(median "${gits[@]}")" -v kib="$kib" -v n="$range" -v total="$total" \
	-v goal="$goal_ratio" -v goal_kib="$goal_kib" 'BEGIN {
	met = a <= goal * b && kib <= goal_kib
	printf "%d commits of %d resolved in %.0f ms, git rev-list %.0f ms, ratio %.2f, %.0f MB resident; goals %.1f and 100 MB: %s\n",
		n, total, a / 1000, b / 1000, a / b, kib * 1024 / 1e6, goal, met ? "met" : "missed"
	exit !met
}'

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs cases of the lab, two at a time, and keeps their results, a line each.
# Usage: check-lab.sh [--tier check|full] [--again] [CASE...]
#   check   what `make check` runs: the few that must always hold, and one more, in turn
#   full    all; a case that has passed for this very commit is left out, but for --again
# LAB_RESULTS is the file of results: commit, date, case, outcome, seconds.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lab/lab.sh
source "$here/lab.sh"

always=(demo broken panic-boot systemd-boot clean-build)
tier=check
again=
cases=()
while [ $# -gt 0 ]; do
	case $1 in
	--tier) tier=${2:?--tier check or --tier full} && shift ;;
	--again) again=yes ;;
	-*) echo "check-lab: what is $1?" >&2; exit 2 ;;
	*) cases+=("$1") ;;
	esac
	shift
done

all_cases() {
	basename -s .sh -a "$here"/cases/*.sh
}

# Which of the others has its turn: another one each day, and for each commit of a day.
rotating_case() {
	local -a others
	local turn

	mapfile -t others < <(all_cases | grep -vxF "$(printf '%s\n' "${always[@]}")")
	turn=$(($(git -C "$root" rev-list --count HEAD 2>/dev/null || echo 0) + $(date +%s) / 86400))
	echo "${others[turn % ${#others[@]}]}"
}

# The last commit that changed more than the results; "-dirty": those of no commit.
commit_of_tree() {
	local -a but_results=(-- . ':!tests/lab/results.txt')

	commit=$(git -C "$root" log -1 --format=%h "${but_results[@]}" 2>/dev/null)
	[ -n "$commit" ] || { commit=unknown-dirty; return; }
	[ -z "$(git -C "$root" status --porcelain "${but_results[@]}")" ] || commit+=-dirty
}

has_passed() { # case
	[ -z "$again" ] && [[ $commit != *-dirty ]] &&
		awk -v commit="$commit" -v name="$1" '$1 == commit && $3 == name && $4 == "passed" \
			{ found = 1 } END { exit !found }' "$results" 2>/dev/null
}

run_case() { # case
	local start=$SECONDS outcome=passed

	"$here/cases/$1.sh" >"$logs/$1" 2>&1 </dev/null || outcome=FAILED
	printf '%-14s %s  %-16s %-7s %5d\n' "$commit" "$(date -u +%Y-%m-%dT%H:%M)" "$1" \
		"$outcome" $((SECONDS - start)) >>"$results"
	echo "=== $1: $outcome, $((SECONDS - start)) s"
	cat "$logs/$1"
}

# Sums up the "N passed, M failed" of the logs; a case without such a line has failed.
sum_up() {
	local passed=0 failed=0 name line

	for name in "$@"; do
		line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$logs/$name" | tail -n 1)
		[ -n "$line" ] || { echo "$name ended without a result"; line='0 passed, 1 failed'; }
		passed=$((passed + ${line%% *}))
		line=${line#*, }
		failed=$((failed + ${line%% *}))
	done
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
}

case $tier in
check) results=${LAB_RESULTS:-$state/results.txt} again=yes ;;
full) results=${LAB_RESULTS:-$here/results.txt} ;;
*) echo "check-lab: --tier is check or full" >&2; exit 2 ;;
esac
if ! lab_prepare || ! "$here/demo-branches.sh" "$state/linux"; then
	echo '0 passed, 1 failed'
	exit 1
fi
commit_of_tree
if [ ${#cases[@]} = 0 ] && [ "$tier" = check ]; then
	cases=("${always[@]}" "$(rotating_case)")
	echo "lab: this time also the case ${cases[-1]}"
elif [ ${#cases[@]} = 0 ]; then
	mapfile -t cases < <(printf '%s\n' demo; all_cases | grep -vx demo)
fi
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
run=()
for name in "${cases[@]}"; do
	if has_passed "$name"; then
		echo "=== $name: passed already for $commit"
		continue
	fi
	while (($(jobs -rp | wc -l) >= 2)); do
		wait -n
	done
	run+=("$name")
	run_case "$name" &
	# The first to need kernels builds them; the rest find them.
	[ "$name" != demo ] || compgen -G "$state/kernels/*/bzImage" >/dev/null || wait
done
wait
[ ${#run[@]} -gt 0 ] || { echo "${#cases[@]} passed, 0 failed"; exit; }
sum_up "${run[@]}"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make check`: the dependencies, then every check, then the sum of their
# "N passed, N failed" lines. A check that ends without such a line has failed.
set -u
cd "$(dirname "$0")/.." || exit 1

log=$(mktemp "${TMPDIR:-/tmp}/abbot-check.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT
passed=0 failed=0 summary=

make --no-print-directory deps || exit 1
for check in check-unit check-fuzz check-layers check-crash check-lab check-mutants; do
	start=$SECONDS
	echo "=== make $check"
	make --no-print-directory "$check" LAB_TIER=check 2>&1 </dev/null | tee "$log"
	status=${PIPESTATUS[0]}
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
	if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
		good=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
	else
		good=0 bad=0
	fi
	if ((status != 0 && bad == 0)) || ((good + bad == 0)); then
		bad=$((bad + 1))
	fi
	passed=$((passed + good)) failed=$((failed + bad))
	summary+=$(printf '%-14s %4d passed, %d failed, %d s' "$check" "$good" "$bad" \
		$((SECONDS - start)))$'\n'
done
echo "=== all checks"
printf '%s' "$summary"
echo "$passed passed, $failed failed"
((failed == 0))

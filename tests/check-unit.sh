#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs cmocka programs, as many at a time as there are processors, prints one
# line for each, the whole output of those that failed, and the sum of their cases.
set -u

limit_s=${TEST_LIMIT_S:-300}
logs=$(mktemp -d "${TMPDIR:-/tmp}/abbot-unit.XXXXXX") || exit 1
trap 'rm -rf "$logs"' EXIT

run_program() { # number, program
	local start=$EPOCHREALTIME
	# TEST_RUNNER: an emulator, for programs of another architecture.
	timeout -k 5 "$limit_s" ${TEST_RUNNER:+"$TEST_RUNNER"} "$2" >"$logs/$1.out" 2>&1 </dev/null
	echo "$? $(( (${EPOCHREALTIME/./} - ${start/./}) / 1000 ))" >"$logs/$1.end"
}

# The figures of all lines "[  WORD  ] N test(s)" of a log, added up.
sum_of() { # word, file
	sed -n "s/^\[ *$1 *\] \([0-9]*\) test(s).*/\1/p" "$2" | awk '{ n += $1 } END { print n + 0 }'
}

passed=0 failed=0 skipped=0
for ((i = 1; i <= $#; i++)); do
	while (($(jobs -rp | wc -l) >= $(nproc))); do
		wait -n
	done
	run_program "$i" "${!i}" &
done
wait
for ((i = 1; i <= $#; i++)); do
	out=$logs/$i.out
	read -r status took_ms <"$logs/$i.end" || { status=1 took_ms=0; }
	ok=$(grep -c '^\[ *OK *\]' "$out")
	bad=$(sum_of FAILED "$out")
	left=$(sum_of SKIPPED "$out")
	note=
	if ((status == 124 || status == 137)); then
		note=" (no end within $limit_s s)"
	fi
	# A crash has no summary; a program without a case checks nothing.
	if ((bad == 0 && status != 0)); then
		bad=1 note=${note:- (exit status $status)}
	elif ((ok + bad + left == 0)); then
		bad=1 note=" (ran no test)"
	fi
	passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + left))
	((bad == 0)) || sed 's/^/    /' "$out"
	printf '%-44s %3d passed, %d failed%s, %d.%03d s%s\n' "${!i#"${BUILD:-build}/"}" "$ok" "$bad" \
		"$( ((left)) && echo ", $left skipped")" $((took_ms / 1000)) $((took_ms % 1000)) "$note"
done
if (($# == 0)); then
	echo "no test program was given" >&2
	failed=1
fi
if ((skipped)); then
	echo "$passed passed, $failed failed, $skipped skipped"
else
	echo "$passed passed, $failed failed"
fi
((failed == 0))

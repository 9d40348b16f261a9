#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# README's table "What can go wrong", and that of the benchmark's gates: every test that they
# name is there. A name is a case of the lab, a mutant, a test program (test_x, fuzz_x,
# crash_x), or one function of a program (test_x/test_y). Prints a case for each row in
# cmocka's words.
set -u
cd "$(dirname "$0")/.." || exit 1

sources=$(find bench boot common configs orchestrator queue reports tests -name '*.c' -path '*tests*')

exists() { # name
	local file
	case $1 in
	test_*/test_*)
		file=$(grep "/${1%%/*}\.c\$" <<<"$sources") &&
			grep -q "^static void ${1#*/}(void" "$file"
		;;
	test_* | fuzz_* | crash_*) grep -q "/$1\.c\$" <<<"$sources" ;;
	*) [ -e "tests/lab/cases/$1.sh" ] || [ -e "tests/mutants/$1.patch" ] ;;
	esac
}

failed=0

# The table below HEADING of FILE, of MINIMUM rows at least.
check_table() { # file heading minimum
	local rows=0 wrong names name found missing
	while IFS='|' read -r _ wrong _ names _; do
		rows=$((rows + 1))
		missing=
		found=0
		while read -r name; do
			[ -n "$name" ] || continue
			found=$((found + 1))
			exists "$name" || missing+=" $name"
		done < <(tr -s '` ' '\n' <<<"$names")
		if ((found == 0)) || [ -n "$missing" ]; then
			echo "$1 names no test that is there:${missing:- (none)}"
			echo "[  FAILED  ]$wrong"
			failed=$((failed + 1))
		else
			echo "[       OK ]$wrong"
		fi
	done < <(sed -n "/^#* *$2/,/^## /p" "$1" | grep '^|' | tail -n +3)
	if ((rows < $3)); then
		echo "$1: only $rows rows in its table of tests"
		failed=$((failed + 1))
	fi
}

check_table README.md 'What can go wrong' 20
check_table bench/tests/GATES.md 'The gates of' 20
((failed == 0)) && exit 0
echo "[  FAILED  ] $failed test(s)."
exit 1

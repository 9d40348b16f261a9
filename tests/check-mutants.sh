#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Breaks the code on purpose: applies each tests/mutants/*.patch to a copy of the
# tracked tree and demands that the test of its "Test:" line, which passes without
# the patch, turns red. The line may name several programs: one red is enough.
# Arguments: the patches to try, all unless said.
set -u
cd "$(dirname "$0")/.." || exit 1

limit_s=${TEST_LIMIT_S:-120}
copy=$(mktemp -d "${TMPDIR:-/tmp}/abbot-mutants.XXXXXX") || exit 1
trap 'rm -rf "$copy"' EXIT
patches=$PWD/tests/mutants
build=$copy/build
passed=0 failed=0
declare -A baseline

git ls-files -z --cached | while IFS= read -r -d '' file; do
	[ -e "$file" ] && printf '%s\0' "$file"
done | xargs -0 cp --parents -t "$copy" || exit 1
export ABBOT_DATA=$copy/configs GIT_CEILING_DIRECTORIES=$copy

build_test() { # test
	make -C "$copy" --no-print-directory -s -j "$(nproc)" BUILD="$build" "$build/$1" \
		>"$copy/log" 2>&1
}

run_test() { # test
	(cd "$copy" && timeout -k 5 "$limit_s" "$build/$1") >"$copy/log" 2>&1 </dev/null
}

bad() { # patch, why
	echo "FAILED  $1: $2"
	failed=$((failed + 1))
}

check_mutant() { # patch
	local name red='' outcome='' test tests
	name=$(basename "$1")
	read -ra tests <<<"$(sed -n 's/^Test: *//p' "$1" | sed 's/\.c\b//g' | head -n 1)"
	if ((${#tests[@]} == 0)); then
		bad "$name" "it has no \"Test:\" line"
		return
	fi
	for test in "${tests[@]}"; do
		if [ -z "${baseline[$test]:-}" ]; then
			baseline[$test]=red
			build_test "$test" && run_test "$test" && baseline[$test]=green
			[ "${baseline[$test]}" = green ] || tail -n 20 "$copy/log"
		fi
		if [ "${baseline[$test]}" = red ]; then
			bad "$name" "$test fails without it"
			return
		fi
	done
	if ! (cd "$copy" && git apply "$1"); then
		bad "$name" "it does not apply; make it anew"
		return
	fi
	for test in "${tests[@]}"; do
		if ! build_test "$test"; then
			tail -n 20 "$copy/log"
			outcome="$test does not build with it"
			break
		elif ! run_test "$test"; then
			red=$test
			break
		fi
	done
	if [ -n "$red" ]; then
		echo "ok      $name: $red turned red"
		passed=$((passed + 1))
	else
		bad "$name" "${outcome:-${tests[*]} stayed green}"
	fi
	(cd "$copy" && git apply -R "$1") || exit 1
}

(($#)) || set -- "$patches"/*.patch
for patch in "$@"; do
	if [ ! -e "$patch" ]; then
		bad "tests/mutants" "there is no patch in it"
		break
	fi
	check_mutant "$(realpath "$patch")"
done
echo "$passed passed, $failed failed"
((failed == 0))

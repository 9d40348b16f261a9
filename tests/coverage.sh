#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make coverage`: how many lines of the modules without side effects the unit tests run,
# file by file. Non-zero when less than 95 % of all of them. Argument: the build directory,
# made with --coverage.
set -u
build=$(realpath "$1") || exit 1
cd "$(dirname "$0")/.." || exit 1
required=95

find "$build" -name '*.gcda' -delete
BUILD=$build tests/check-unit.sh "${@:2}" || exit 1

for file in queue/plan*.c queue/run_state*.c queue/design*.c reports/statistics/*.c \
		configs/*.c boot/verify*.c; do
	# "Lines executed:97.10% of 69" follows "File 'NAME'"; headers have their own.
	gcov --no-output --object-file "$build/${file%.c}.o" "$file" 2>/dev/null |
		awk -v name="File '$file'" '$0 == name { is_it = 1; next }
			is_it && /^Lines/ { sub(/.*:/, ""); print; exit }' |
		sed "s|\$| $file|"
done | awk -v required=$required '
	{
		run += $1 * $3 / 100; lines += $3
		printf "%7s  %4d lines  %s\n", $1, $3, $4
	}
	END {
		share = lines ? 100 * run / lines : 0
		printf "%6.2f%%  %4d lines  in all, %d %% required\n", share, lines, required
		exit share < required
	}'

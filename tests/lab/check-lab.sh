#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Whole jobs on the lab's machine, judged from outside: the JSON report, the store, the
# serial log and the disk. Usage: check-lab.sh --tier check|full
#   check  the demo's job (counting instructions), and a commit that does not build
#   full   also a child whose kernel panics while it boots
# shellcheck disable=SC2016 # jq has $variables too
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lab/lab.sh
source "$here/lab.sh"

tier=check
[ "${1:-}" = --tier ] && tier=${2:?--tier check or --tier full}
passed=0
failed=0

# ok DESCRIPTION COMMAND...: the command must succeed.
ok() {
	local what=$1

	shift
	if "$@" >/dev/null 2>&1; then
		passed=$((passed + 1))
		echo "ok: $what"
	else
		failed=$((failed + 1))
		echo "NOT OK: $what ($*)"
	fi
}

# holds DESCRIPTION JQ-EXPRESSION: true of the report (and of $outcome, the machine's end).
holds() {
	ok "$1" jq -e --slurpfile outcome "$run/outcome.json" "$2" "$report"
}

finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit
}

# The titles of the entries that GRUB chose, one a line.
grub_choices() {
	tr -d '\r' <"$run/serial.log" | grep -ao "Booting \`[^']*'" | sed "s/^Booting \`//; s/'\$//"
}

store_value() {
	sqlite3 -readonly "$state/abbot.sqlite" "$1"
}

# Queues and rehearses REV; sets $rehearsal, $run, $report and $status (of `abbot lab`).
rehearse() {
	lab_queue "$@" || finish
	lab_abbot lab "$job" >"$state/check-lab.out"
	status=$?
	lab_last_run
	report=$state/check-lab.json
	lab_abbot report --format json "$rehearsal" >"$report"
	[ -e "$run/outcome.json" ] || { mkdir -p "$run" && echo '{}' >"$run/outcome.json"; }
}

# However a job ends, the machine is as it was.
check_clean() {
	holds "$1: the default entry is what it was" '$outcome[0] |
		(.default_entry_before | length == 64) and .default_entry_before == .default_entry_after'
	holds "$1: no abbot entry or file is left" '$outcome[0].leftovers == []'
	holds "$1: the one-shot is empty" '$outcome[0].one_shot_empty == true'
	holds "$1: the machine went off by itself" '$outcome[0].timed_out == false'
	ok "$1: the first and the last boot are the default's" \
		test "$(grub_choices | sed -n '1p;$p' | sort -u)" = 'Debian GNU/Linux'
}

check_demo() {
	local choices first

	rehearse main
	choices=$(grub_choices)
	first=$(head -1 "$state/check-lab.out")

	ok 'demo: abbot lab succeeds' test "$status" = 0
	ok 'demo: the first line says that the figures are emulated' grep -qi emulated <<<"$first"
	holds 'demo: the job is done' '.status == "DONE"'
	holds 'demo: three boots, parent, child, parent' \
		'[.boots[].point] == ["parent", "child", "parent"]'
	holds 'demo: three different boot ids' \
		'[.boots[].boot_id | select(length == 36)] | unique | length == 3'
	holds 'demo: each boot ran the expected build id' '. as $all | all(.boots[]; . as $boot |
		($boot.build_id | length == 40) and
		$boot.build_id == ($all.points[] | select(.name == $boot.point).build_id))'
	holds 'demo: parent and child have different build ids' \
		'[.points[].build_id] | unique | length == 2'
	ok 'demo: one machine, five power cycles' \
		test "$(grep -ac 'BdsDxe: loading' "$run/serial.log")" = 5
	ok 'demo: GRUB says five choices' test "$(wc -l <<<"$choices")" = 5
	ok 'demo: the second and the fourth are the same entry of ours' \
		test "$(sed -n 2p <<<"$choices")" = "$(sed -n 4p <<<"$choices")"
	ok 'demo: the second is the parent' grep -qi 'abbot.*parent' <<<"$(sed -n 2p <<<"$choices")"
	ok 'demo: the third is the child' grep -qi 'abbot.*child' <<<"$(sed -n 3p <<<"$choices")"
	holds 'demo: three measured processes in each boot' 'all(.boots[]; .values | length == 3)'
	holds 'demo: drift is within 0.5 %' '.estimates.mean.drift_pct | . != null and . >= -0.5 and . <= 0.5'
	holds 'demo: delta is at least +5 %' '.estimates.mean.delta_pct | . != null and . >= 5'
	holds 'demo: it lies in protect and restore, not in touch' '
		def change(phase): ((.boots[0].phases[phase] + .boots[2].phases[phase]) / 2) as $parent |
			(.boots[1].phases[phase] / $parent - 1) * 100;
		change("protect") >= 5 and change("restore") >= 5 and
		(change("touch") | . >= -2 and . <= 2)'
	ok 'demo: the store says emulated, and of which job' \
		test "$(store_value "SELECT machine, rehearses FROM job WHERE id = $rehearsal")" = "counted|$job"
	check_clean demo
}

# A job that ends on the host: no machine is started for it.
check_build_failure() {
	lab_say 'a child that does not build'
	rehearse broken
	ok 'broken: abbot lab says that the job did not succeed' test "$status" = 1
	holds 'broken: the job failed' '.status == "FAILED"'
	holds 'broken: the compiler is quoted' '[.. | strings] | any(test("no_such_function"))'
	ok 'broken: no machine was started' test ! -e "$run/serial.log"
}

check_panic() {
	lab_say 'a child that panics while it boots'
	rehearse panics
	ok 'panic: abbot lab says that the job did not succeed' test "$status" = 1
	ok 'panic: it panicked' grep -aq 'Kernel panic.*abbot demo' "$run/serial.log"
	holds 'panic: the job failed' '.status == "FAILED"'
	check_clean panic
}

lab_prepare || finish
"$here/demo-branches.sh" "$state/linux" || finish
check_demo
check_build_failure
[ "$tier" = full ] && check_panic
finish

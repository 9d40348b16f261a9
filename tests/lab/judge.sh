# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2016 # jq has $variables too
# What a case of the lab uses to judge a whole job from outside: the JSON report, the
# store, the serial log and the disk. For sourcing by cases/NAME.sh; the case ends with
# finish. A fault is a directory of systemd units that the machine gets besides its own.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/lab/lab.sh
source "$root/tests/lab/lab.sh"

name=$(basename "$0" .sh)
passed=0
failed=0

# Waits as long as another case has the store: they run two at a time.
lab_abbot() {
	local errors code

	errors=$(mktemp)
	while code=0; "$build/abbot" --state "$state" "$@" 2>"$errors" || code=$?
		grep -q 'another abbotd or abbot uses' "$errors"; do
		flock "$state/lock" true
	done
	cat "$errors" >&2
	rm -f "$errors"
	return "$code"
}

# ok DESCRIPTION COMMAND...: the command must succeed.
ok() {
	local what=$1

	shift
	if "$@" >/dev/null 2>&1; then
		passed=$((passed + 1))
		echo "ok: $name: $what"
	else
		failed=$((failed + 1))
		echo "NOT OK: $name: $what ($*)"
	fi
}

# holds DESCRIPTION JQ-EXPRESSION: true of the report (and of $outcome, the machine's end).
holds() {
	# shellcheck disable=SC2154 # $run and $report are rehearse's
	ok "$1" jq -e --slurpfile outcome "$run/outcome.json" "$2" "$report"
}

# check_formats [MAIL-OPTION...]: the report in all five formats, kept beside the JSON one; each
# says the same, and the mail goes to whom the tree's own script names unless options do.
check_formats() {
	local format file said_first

	for format in text mail tsv html; do
		file=$state/case-$name.$format
		lab_abbot report --format "$format" "$@" "$rehearsal" >"$file" ||
			ok "there is a report as $format" false
	done
	said_first=$(jq -r '.headline | split(" ")[0:6] | join(" ")' "$report")
	ok 'the text says it first, after the warning' \
		grep -qF "$said_first" <<<"$(sed -n 2p "$state/case-$name.text")"
	ok 'the mail says that it is emulated' \
		grep -q '^Subject: \[EMULATED\] mm/mprotect: ' "$state/case-$name.mail"
	ok 'the mail goes to the list of the file that was changed' \
		grep -q '^[TC][oc]: .*linux-mm@kvack.org\|^ linux-mm@kvack.org' "$state/case-$name.mail"
	ok 'the table has a line for each boot' test "$(jq '.boots | length' "$report")" = \
		"$(($(wc -l <"$state/case-$name.tsv") - 1))"
	ok 'the table is of the same order when it is read again' \
		test "$(lab_abbot analyze --format json "$state/case-$name.tsv" | jq -r .job.order)" = \
		"$(jq -r .job.order "$report")"
	ok 'the page is whole and loads nothing' sh -c 'tail -n 1 "$1" | grep -q "</html>" &&
		! grep -q -e "src=" -e "url(" -e "<script" -e "<link" "$1"' sh "$state/case-$name.html"
}

finish() {
	if [ "$failed" != 0 ] && [ -n "${report:-}" ]; then
		jq -r '"the job ended \(.status): \(.reason // "no reason")"' "$report"
		echo "its serial log: $run/serial.log"
	fi
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

# rehearse REVISION [LAB-OPTION...]: queues it and runs the lab; sets $rehearsal, $run,
# $report, $said (the lab's standard output) and $status (its exit status).
rehearse() {
	local revision=$1

	shift
	lab_queue "$revision" || { ok 'the job is queued' false; finish; }
	said=$state/case-$name.out
	report=$state/case-$name.json
	lab_abbot lab "$@" "$job" >"$said" 2>"$state/case-$name.err"
	status=$?
	grep -v '^running the lab: .* %' "$state/case-$name.err" >&2
	lab_run_of "$state/case-$name.err"
	lab_abbot report --format json "$rehearsal" >"$report"
	[ -e "$run/outcome.json" ] || { mkdir -p "$run" && echo '{}' >"$run/outcome.json"; }
}

# How often the firmware began a boot.
power_ons() {
	grep -ac 'BdsDxe: loading' "$run/serial.log"
}

# However a job ends, the machine is as it was, and nothing in it hung. The first and the last
# boot are the default's where GRUB says what it boots; elsewhere the daemon, which ends a job
# only there, is believed.
check_clean() {
	holds 'the default entry is what it was' '$outcome[0] |
		(.default_entry_before | length == 64) and .default_entry_before == .default_entry_after'
	holds 'no abbot entry or file is left' '$outcome[0].leftovers == []'
	holds 'the one-shot is empty' '$outcome[0].one_shot_empty == true'
	holds 'the machine went off by itself' '$outcome[0].timed_out == false'
	[ -z "$(grub_choices)" ] || ok 'the first and the last boot are the default'"'"'s' \
		test "$(grub_choices | sed -n '1p;$p' | sort -u)" = 'Debian GNU/Linux'
	ok 'no kernel saw a task hang' test "$(grep -ac 'blocked for more than' "$run/serial.log")" = 0
}

# The figures are those of the undisturbed job.
check_figures() {
	holds 'three boots, parent, child, parent' \
		'[.boots[].point] == ["parent", "child", "parent"]'
	holds 'three measured processes in each boot' 'all(.boots[]; .values | length == 3)'
	holds 'drift is within 0.5 %' \
		'.estimates.mean.drift_pct | . != null and . >= -0.5 and . <= 0.5'
	holds 'delta is the demo'"'"'s, 30 to 34 %' \
		'.estimates.mean.delta_pct | . != null and . >= 30 and . <= 34'
}

# The whole job of an undisturbed machine, whatever starts it.
check_whole_job() {
	ok 'abbot lab succeeds' test "$status" = 0
	holds 'the job is done' '.status == "DONE"'
	ok 'five boots: default, three kernels under test, default' test "$(power_ons)" = 5
	ok 'it was armed three times, each with a token of its own' test "$(store_value "SELECT
		count(DISTINCT json_extract(data, '\$.token')) FROM event
		WHERE job = $rehearsal AND kind = 'arm' AND phase = 'result'")" = 3
	check_figures
	check_clean
}

# The child's kernel was taken away when it was the next to boot: no loader waits at a menu.
check_kernel_deleted() {
	ok 'the fault happened' grep -aq 'fault: kernel deleted' "$run/serial.log"
	ok 'abbot lab says that the job did not succeed' test "$status" = 1
	ok 'the boot of the child fell back' test "$(store_value "SELECT
		json_extract(data, '\$.verdict') FROM event
		WHERE job = $rehearsal AND kind = 'verify' AND boot = 1")" = fell-back
	holds 'the job failed for the kernel' '.status == "FAILED" and (.reason | test("child/kernel"))'
	holds 'only the parent was measured' '[.boots[] | select(.values | length > 0) | .point] == ["parent"]'
	check_clean
}

# Done with the right figures, or failed for a reason that says why; never silent.
check_done_or_reason() {
	ok 'the exit status says how the job ended' \
		test "$status" = "$(jq 'if .status == "DONE" then 0 else 1 end' "$report")"
	holds 'the job is done, or has failed for a stated reason' \
		'.status == "DONE" or (.status == "FAILED" and (.reason | length > 10))'
	jq -r '"'"$name"': \(.status) \(.reason // "")"' "$report"
	[ "$(jq -r .status "$report")" != DONE ] || check_figures
}

# No module, config or initrd of a test kernel is left on the disk (of a run with --keep),
# which then goes.
check_no_modules() {
	local disk="$run/disk.img?offset=$((64 << 20))" left

	left=$(debugfs -R 'ls -p /usr/lib/modules' "$disk" 2>/dev/null
		debugfs -R 'ls -p /boot' "$disk" 2>/dev/null)
	ok 'the disk can be read' grep -q '/grub/' <<<"$left"
	ok 'no modules, config or initrd of a test kernel is left' \
		test "$(grep -c -e '-ab[0-9a-f]\{12\}' -e '/abbot' <<<"$left")" = 0
	rm -f "$run/disk.img"
}

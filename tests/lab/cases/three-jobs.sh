#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Three jobs in a row on one machine, with nobody there: parent against child, child against
# parent, and a ladder. After each of them the machine is as it was before.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

# The guest's own store: there the events of the three jobs are in one order.
guest_value() {
	sqlite3 -readonly "$run/abbot.sqlite" "$1"
}

jobs=()
lab_queue main && jobs+=("$job")
lab_queue_points --exactly PCP main main~1 && jobs+=("$job")
lab_queue_points --design ladder main~1 main restored && jobs+=("$job")
ok 'three jobs are queued' test "${#jobs[@]}" = 3
said=$state/case-$name.out
lab_abbot lab "${jobs[@]}" >"$said" 2>"$state/case-$name.err"
status=$?
grep -v '^running the lab: .* %' "$state/case-$name.err" >&2
lab_run_of "$state/case-$name.err"
mapfile -t rehearsals <<<"$rehearsal"
run=$state/lab/job-${rehearsals[0]}
[ -e "$run/outcome.json" ] || { mkdir -p "$run" && echo '{}' >"$run/outcome.json"; }
report_of() { # which of them, from 0
	report=$state/case-$name-$1.json
	lab_abbot report --format json "${rehearsals[$1]}" >"$report"
}

ok 'abbot lab succeeds' test "$status" = 0
ok 'a report of each is printed' test "$(grep -ci '^emulated' "$said")" = 3
report_of 0
holds 'the first job is done' '.status == "DONE"'
check_figures
report_of 1
holds 'the second job is done' '.status == "DONE"'
ok 'the second measured child, parent, child' test "$(guest_value "SELECT count(*)
	FROM boot a JOIN boot b ON a.job = 1 AND b.job = 2 AND a.boot = b.boot
	WHERE a.build_id <> b.build_id
	AND a.build_id IN (SELECT build_id FROM boot WHERE job = 2)")" = 3
holds 'there the parent is faster by 23 to 26 %' \
	'.estimates.mean.delta_pct | . != null and . >= -26 and . <= -23'
report_of 2
holds 'the third job is done' '.status == "DONE"'
holds 'the ladder went up to the probe and back' '[.boots[].point] ==
	["parent", "child", "probe-1", "child", "parent"]'
holds 'the probe recovers 98 to 102 % of the gap' \
	'.ladder.rungs[2].recovered_pct | . >= 98 and . <= 102'

ok 'the jobs ran one after the other' test "$(guest_value "SELECT group_concat(job) FROM
	(SELECT job FROM event WHERE kind IN ('begin', 'end') ORDER BY sequence)")" = 1,1,2,2,3,3
ok 'each job ended on the kernel that the first began on' test "$(guest_value "SELECT count(*)
	FROM event e WHERE kind = 'end' AND boot_id NOT IN (SELECT json_extract(data, '\$.boot_id')
	FROM event WHERE kind = 'verify') AND (SELECT count(DISTINCT json_extract(data, '\$.build_id'))
	FROM event WHERE kind = 'begin') = 1")" = 3
ok 'each took its entries away before the next began' test "$(guest_value "SELECT count(*)
	FROM event r WHERE kind = 'remove' AND phase = 'result'
	AND json_array_length(data, '\$.removed') = CASE job WHEN 3 THEN 3 ELSE 2 END
	AND sequence < (SELECT sequence FROM event WHERE kind = 'end' AND job = r.job)")" = 3
ok 'nothing was measured twice, and nothing is lost' test "$(guest_value "SELECT
	count(*) || ' ' || count(DISTINCT job || ',' || boot || ',' || process)
	FROM event WHERE kind = 'measure' AND phase = 'result'")" = '55 55'
ok 'no boot needed a second try' test "$(guest_value "SELECT group_concat(n) FROM
	(SELECT count(*) AS n FROM boot WHERE attempt = 1 GROUP BY job)")" = 3,3,5
ok 'the command line of each boot is kept, with its token' test "$(guest_value "SELECT count(*)
	FROM boot b JOIN event h ON h.kind = 'hop' AND h.job = b.job AND h.boot = b.boot
	WHERE instr(b.cmdline, 'abbot.token=' || json_extract(h.data, '\$.token')) > 0")" = 11
ok 'GRUB booted each once, and the default before, between and after' test "$(grub_choices |
	sed 's/^Debian.*/D/; s/^Abbot.*/t/' | tr -d '\n')" = DtttDtttDtttttD
check_clean
finish

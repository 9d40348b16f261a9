#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Another kernel comes up than the one asked for: the job waits for somebody to look.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/hand-chosen"
ok 'the fault happened' grep -aq 'fault: another entry chosen' "$run/serial.log"
ok 'the job was paused, and says why' test "$(store_value "SELECT count(*) FROM event
	WHERE job = $rehearsal AND kind = 'pause'
	AND json_extract(data, '\$.reason') LIKE '%another kernel%'")" = 1
holds 'its end says that it was paused' '.reason | test("^it was paused in the lab.*another kernel")'
holds 'the wrong kernel was not measured' '.boots[1].values | length == 0'
# shellcheck disable=SC2016 # jq has $variables too
holds 'the default entry is what it was' '$outcome[0] |
	(.default_entry_before | length == 64) and .default_entry_before == .default_entry_after'
# shellcheck disable=SC2016 # jq has $variables too
holds 'the one-shot is empty' '$outcome[0].one_shot_empty == true'
ok 'the last boot is the default'"'"'s' test "$(grub_choices | tail -n 1)" = 'Debian GNU/Linux'
finish

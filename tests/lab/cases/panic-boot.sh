#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A child whose kernel panics while it boots.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse panics --no-icount
ok 'abbot lab says that the job did not succeed' test "$status" = 1
ok 'it panicked' grep -aq 'Kernel panic.*abbot demo' "$run/serial.log"
holds 'the job failed' '.status == "FAILED" and (.reason | test("child"))'
holds 'and says what the kernel panicked of' \
	'.reason | test("2 times: it panicked: Kernel panic - not syncing: abbot demo$")'
holds 'of both attempts' \
	'any(.warnings[]; test("boot 2 .child.; boot 2 .child., attempt 2: its kernel left in pstore: .*abbot demo$"))'
lab_abbot log --boot 2 "$rehearsal" >"$said"
ok 'its last words are kept, each attempt'"'"'s own' \
	test "$(grep -c '^Panic#[0-9]* Part1$' "$said")" = 2
lab_abbot log --boot 1 "$rehearsal" >"$said"
ok 'and so is the log of the boot before' grep -q 'Command line: .*abbot.token=' "$said"
check_clean
finish

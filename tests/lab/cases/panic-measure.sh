#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A child whose kernel boots well and panics while the benchmark runs.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse panics-late --no-icount
ok 'abbot lab says that the job did not succeed' test "$status" = 1
ok 'it panicked' grep -aq 'Kernel panic.*abbot demo: late' "$run/serial.log"
ok 'it had booted well' grep -aq 'boot 2 of 3 (child).*machine profile applied' "$run/serial.log"
holds 'the job failed' '.status == "FAILED" and (.reason | test("child"))'
holds 'and says what the kernel panicked of' \
	'.reason | test("it panicked: Kernel panic - not syncing: abbot demo: late")'
check_clean
finish

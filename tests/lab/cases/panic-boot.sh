#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A child whose kernel panics while it boots.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse panics --no-icount
ok 'abbot lab says that the job did not succeed' test "$status" = 1
ok 'it panicked' grep -aq 'Kernel panic.*abbot demo' "$run/serial.log"
holds 'the job failed' '.status == "FAILED" and (.reason | test("child"))'
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A child that hangs with interrupts off while the benchmark runs: the watchdog, which
# systemd opened, ends that without anybody at the machine.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse hangs-late --no-icount
ok 'abbot lab says that the job did not succeed' test "$status" = 1
ok 'it hung' grep -aq 'abbot demo: hangs late' "$run/serial.log"
ok 'it had booted well' grep -aq 'boot 2 of 3 (child).*machine profile applied' "$run/serial.log"
# shellcheck disable=SC2016 # jq has $variables too
holds 'nobody touched the power switch' '$outcome[0].power_switched == 0'
holds 'the job failed' '.status == "FAILED" and (.reason | test("child"))'
check_clean
finish

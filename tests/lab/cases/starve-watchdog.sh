#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# abbot check --starve-watchdog resets the machine, the next boot knows that the watchdog is
# proved, and a job runs afterwards as if nothing had been.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/starve-watchdog"
ok 'the watchdog was starved' grep -aq 'The watchdog is not fed from now on' "$run/serial.log"
ok 'and reset the machine' test "$(grep -ac 'fault: the machine was not reset' "$run/serial.log")" = 0
ok 'one power cycle more than the job needs' test "$(power_ons)" = 6
ok 'the next boot says that it was proved, and of which watchdog' \
	grep -aq 'fault: ok: The watchdog was proved on .* with i6300ESB' "$run/serial.log"
ok 'abbot lab succeeds' test "$status" = 0
holds 'the job is done, or says that its figures cannot tell' \
	'.status == "DONE" or .status == "INCONCLUSIVE"'
holds 'three measured processes in each boot' 'all(.boots[]; .values | length == 3)'
check_clean
finish

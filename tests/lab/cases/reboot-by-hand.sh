#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody says `systemctl reboot` in the middle of the child's measurement, once.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --units "$root/tests/lab/faults/reboot-by-hand"
ok 'the fault happened, once' test "$(grep -ac 'fault: rebooting' "$run/serial.log")" = 1
check_done_or_reason
check_clean
finish

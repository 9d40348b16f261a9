#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Emergency mode of the default kernel is as ever: the shell is reached, nothing reboots.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/emergency-default"
ok 'the emergency shell is there, and stays' grep -aq 'fault: the emergency shell is there' "$run/serial.log"
ok 'nothing rebooted' test "$(power_ons)" = 1
ok 'abbot lab says that the job did not succeed' test "$status" != 0
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody deletes the child's kernel from /boot when the machine is about to boot it.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/kernel-deleted"
ok 'the fault happened' grep -aq 'fault: kernel deleted' "$run/serial.log"
check_done_or_reason
check_clean
finish

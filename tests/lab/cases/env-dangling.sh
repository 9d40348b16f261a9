#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The environment block is a dangling link: it is replaced by a block before anything is armed.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/env-dangling"
ok 'the fault happened' grep -aq 'fault: block dangling' "$run/serial.log"
holds 'the job is done all the same' '.status == "DONE"'
check_clean
finish

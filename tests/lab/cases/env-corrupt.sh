#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Garbage in the environment block: GRUB boots the default, and the boot is tried again.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/env-corrupt"
ok 'the fault happened' grep -aq 'fault: block corrupt' "$run/serial.log"
holds 'the job is done all the same' '.status == "DONE"'
holds 'the child was tried twice' '.boots[1].attempt == 2'
check_clean
finish

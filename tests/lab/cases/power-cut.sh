#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The power goes at a random moment and comes back. POWER_CUT_SEED repeats one.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

seed=${POWER_CUT_SEED:-$RANDOM}
RANDOM=$seed
ms=$((8000 + (RANDOM * 32768 + RANDOM) % 55000))
seconds=$((ms / 1000)).$(printf %03d $((ms % 1000)))
echo "$name: POWER_CUT_SEED=$seed cuts after $seconds s"
rehearse main --power-cut "$seconds"
ok 'the serial log goes on after the cut' test "$(grep -ac 'BdsDxe: loading' "$run/serial.log")" -ge 5
ok 'abbot lab calls the cut a cut' grep -q '^running the lab: power cut' "$state/case-$name.err"
check_done_or_reason
check_clean
finish

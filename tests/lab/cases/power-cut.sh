#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The power goes at a random moment and comes back. POWER_CUT_SEED repeats one.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

seed=${POWER_CUT_SEED:-$(date +%Y%m%d%H%M%S)}
seconds=$(awk -v seed="$seed" 'BEGIN { srand(seed); printf "%.2f", 8 + rand() * 55 }')
echo "$name: POWER_CUT_SEED=$seed cuts after $seconds s"
rehearse main --power-cut "$seconds"
ok 'the serial log goes on after the cut' test "$(grep -ac 'BdsDxe: loading' "$run/serial.log")" -ge 5
check_done_or_reason
check_clean
finish

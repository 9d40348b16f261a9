#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The finest power cut: every write of the machine's disk is recorded, and around the first two
# armings the disk is made as it was after each of them. Each time GRUB's own code reads our
# environment, menu and kernel from it; what it sees must be whole, and be what is there after
# the journal is replayed too: else a consumed one-shot would come back. Five of those disks are
# booted. RECORDED_WRITES_SEED repeats their choice.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"
# shellcheck source=tests/lab/writes.sh
source "$root/tests/lab/writes.sh"

seed=${RECORDED_WRITES_SEED:-$RANDOM}
RANDOM=$seed
echo "$name: RECORDED_WRITES_SEED=$seed"
record_writes
ok 'abbot lab succeeds' test "$status" = 0
check_clean
find_window
ok 'the log has the first arming, its end by GRUB, and the second' test -n "$last"
[ -n "$last" ] || finish
scan_writes
echo "$name: $n_scanned prefixes read, $n_armed of them armed"
ok 'every one was read' test "$n_scanned" = $((last - first + 1))
ok 'some are armed, and most are not' test "$n_armed" -gt 0 -a "$n_armed" -lt $((n_scanned / 2))
ok 'GRUB never reads a damaged environment' test "$n_damaged" = 0
ok 'where it is armed, entry and kernel are whole' test "$n_torn" = 0
ok 'what GRUB reads is what the journal leaves' test "$n_stale" = 0
for i in 1 2 3 4 5; do
	boot_prefix $((first + (RANDOM * 32768 + RANDOM) % (last - first + 1)))
done
rm -rf "$writes"
finish

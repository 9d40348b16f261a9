#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Can the case recorded-writes fail? The programs are built with a one-shot that is written to
# a new file which replaces the old one (tests/mutants/armed-by-rename.patch): the same look at
# every write must then find a disk where GRUB reads something else than the journal leaves.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"
# shellcheck source=tests/lab/writes.sh
source "$root/tests/lab/writes.sh"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
(cd "$root" && git ls-files -z --cached | xargs -0 cp --parents -t "$copy")
ok 'the patch applies' patch -s -d "$copy" -p1 -i "$root/tests/mutants/armed-by-rename.patch"
ok 'it builds' make -C "$copy" -s -j "$(nproc)" BUILD="$copy/build" all
build=$copy/build
record_writes
ok 'the job itself goes well: no power was cut' test "$status" = 0
find_window
scan_writes
echo "$name: $n_scanned prefixes read, $n_stale of them with an environment that the journal would change"
ok 'what the journal still holds is noticed' test "$n_stale" -gt 0
rm -rf "$writes"
finish

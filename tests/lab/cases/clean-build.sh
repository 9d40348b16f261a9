#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The demo's child, built incrementally, is the very bytes of a clean build.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

commit=$(git -C "$state/linux" rev-parse main)
key=
for meta in "$state"/kernels/*/meta.json; do
	[ "$(jq -r '"\(.status) \(.is_incremental) \(.commit)"' "$meta")" = "built true $commit" ] &&
		key=$(jq -r .key "$meta")
done
ok 'the store has the child, built incrementally' test -n "$key"
[ -n "$key" ] && ok 'vmlinux is bit-identical to a clean build of it' \
	"$root/tests/lab/clean-build.sh" "$key"
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Is an incrementally built kernel the very bytes of a clean build? Builds one kernel of
# the store again, from nothing, elsewhere, without ccache, with make alone, and compares.
# Usage: clean-build.sh [KEY]   (default: the incremental ones in LAB_STATE's store)
set -euo pipefail

state=${LAB_STATE:-/var/cache/abbot-lab}
repository=${REPOSITORY:-$state/linux}
passed=0 failed=0

member() {
	sed -n 's/^ *"'"$2"'": "\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' "$1"
}

# Nothing of the caller's environment, and never as root.
clean() {
	local -a as=()
	if [ "$(id -u)" = 0 ]; then
		as=(setpriv --reuid abbot-build --regid "$(id -g abbot-build)" --clear-groups)
	fi
	"${as[@]}" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME="$work/obj" LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=0 nice "$@"
}

check() {
	local key=$1 directory=$state/kernels/$1 commit found expected
	local meta=$directory/meta.json
	commit=$(member "$meta" commit)
	expected=$(member "$meta" vmlinux_sha256)
	rm -rf "$work/src" "$work/obj"
	mkdir -p "$work/src" "$work/obj"
	git -C "$repository" -c safe.directory='*' archive "$commit" | tar -x -C "$work/src"
	cp "$directory/config" "$work/obj/.config"
	[ "$(id -u)" != 0 ] || chown -R abbot-build "$work/obj"
	echo "clean build of $(member "$meta" release) ($commit), log in $work/log"
	if ! clean make -C "$work/src" O="$work/obj" -j"$(nproc)" CC=gcc \
		LOCALVERSION="$(member "$meta" local_version)" KCFLAGS="$(member "$meta" kcflags)" \
		KBUILD_BUILD_TIMESTAMP="Thu Jan  1 00:00:00 UTC 1970" KBUILD_BUILD_USER=abbot \
		KBUILD_BUILD_HOST=abbot KBUILD_BUILD_VERSION=1 vmlinux >"$work/log" 2>&1; then
		tail -n 5 "$work/log"
		echo "FAILED: $key does not build cleanly"
		return 1
	fi
	found=$(sha256sum "$work/obj/vmlinux" | cut -d' ' -f1)
	if [ "$found" != "$expected" ]; then
		echo "FAILED: vmlinux is $found from nothing, $expected incrementally"
		return 1
	fi
	echo "identical: vmlinux $found"
}

work=$(mktemp -d "${TMPDIR:-/var/tmp}/abbot-clean-build-XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT

keys=("$@")
if [ ${#keys[@]} -eq 0 ]; then
	for meta in "$state"/kernels/*/meta.json; do
		[ -f "$meta" ] || continue
		[ "$(member "$meta" status) $(member "$meta" is_incremental)" = "built true" ] || continue
		keys+=("$(member "$meta" key)")
	done
fi
for key in "${keys[@]}"; do
	if check "$key"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the git repository that the demo and the lab tests measure: the distribution's
# kernel source as one commit, and a child of ours that makes mprotect() slower.
# Identity and dates are fixed, so the same source package gives the same commit ids.
# Usage: demo-repository.sh DIRECTORY   (nothing is done when it is complete already)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=${1:?usage: demo-repository.sh DIRECTORY}
source=${LAB_LINUX_SOURCE:-/usr/src/linux-source-6.12.tar.xz}
patch=$here/slower-mprotect.patch
stamp=$target/.git/abbot-demo
want=$(stat -c '%s %Y' "$source" 2>/dev/null && sha256sum <"$patch") || {
	echo "demo-repository: $source is missing; apt-get install linux-source-6.12" >&2
	exit 2
}

if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then
	exit 0
fi

export GIT_AUTHOR_NAME='Abbot Demo' GIT_AUTHOR_EMAIL=demo@abbot.invalid
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_AUTHOR_DATE='2025-01-01T00:00:00Z' GIT_COMMITTER_DATE='2025-01-01T00:00:00Z'
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null

say() {
	echo "demo repository: $*" >&2
}

rm -rf "$target.partial"
mkdir -p "$target.partial"
say "unpacking $(basename "$source") (about 20 s)"
tar -C "$target.partial" --strip-components=1 --no-same-owner -xf "$source"
cd "$target.partial"
git init -q -b main
# The content as it is: no line-end conversion, and nothing ignored.
git config core.autocrlf false
git config gc.auto 0
say "committing $(find . -path ./.git -prune -o -type f -print | wc -l) files (about 40 s)"
git add --all --force
git commit -q -m "Linux $(make -s kernelversion), as the distribution ships it"

git apply --index "$patch"
export GIT_AUTHOR_DATE='2025-01-02T00:00:00Z' GIT_COMMITTER_DATE='2025-01-02T00:00:00Z'
git commit -q -F - <<'MESSAGE'
mm/mprotect: look up the page before changing a PTE

Callers want the page's state to be looked at before its protection is
changed. Look it up for every present PTE, and read its flags.
MESSAGE

printf '%s\n' "$want" >.git/abbot-demo
cd /
rm -rf "$target"
mv "$target.partial" "$target"
say "ready: $target, commit $(git -C "$target" rev-parse --short=12 HEAD)"

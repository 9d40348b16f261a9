#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The libraries that abbot-bench and its tests need, for arm64, unpacked in the directory
# $1. Debian's own packages, checked by apt against Debian's keys, with lists of their own: the
# system learns of no other architecture, and no privilege is needed.
set -euo pipefail

directory=$(realpath -m "${1:?usage: tests/arm64-sysroot.sh DIRECTORY}")
packages=(libjansson4 libjansson-dev libcmocka0 libcmocka-dev)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

[ ! -e "$directory/.complete" ] || exit 0
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
work=$directory/apt
mkdir -p "$work"/{lists/partial,archives/partial}
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" \
	>"$work/sources.list"
cat >"$work/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures "arm64";
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
Dir::State "$work";
Dir::State::lists "$work/lists";
Dir::State::status "/dev/null";
Dir::Cache "$work";
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "-";
END
export APT_CONFIG=$work/apt.conf
apt-get update -q
cd "$work/archives"
apt-get download -q "${packages[@]}"
for package in *.deb; do
	dpkg-deb -x "$package" "$directory"
done
rm -rf "$work"
touch "$directory/.complete"

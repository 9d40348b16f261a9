#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs the packages named as arguments where they are missing (Debian, as
# root), and with --user NAME makes that system user. Quick when nothing is missing.
set -u

user=
if [ "${1:-}" = --user ]; then
	user=$2
	shift 2
fi

missing=()
for package in "$@"; do
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
		missing+=("$package")
done

if ((${#missing[@]})); then
	if [ "$(id -u)" != 0 ]; then
		echo "Missing packages; as root: apt-get install ${missing[*]}" >&2
		exit 1
	fi
	export DEBIAN_FRONTEND=noninteractive
	echo "Installing ${#missing[@]} packages: ${missing[*]}"
	# A dead third-party source must not stop us: the installation itself decides.
	apt-get update -q || echo "apt-get update failed; trying with the lists at hand" >&2
	apt-get install -q -y --no-install-recommends "${missing[@]}" </dev/null || exit 1
fi

if [ -n "$user" ] && ! getent passwd "$user" >/dev/null; then
	if [ "$(id -u)" != 0 ]; then
		echo "No user $user; as root: useradd --system --user-group $user" >&2
		exit 1
	fi
	useradd --system --user-group --no-create-home --home-dir /nonexistent \
		--shell /usr/sbin/nologin "$user" || exit 1
fi

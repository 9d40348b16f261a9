#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody deletes the child's kernel when systemd-boot is about to boot it: that loader leaves
# out an entry whose kernel is missing, and boots the default.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --boot-loader systemd-boot \
	--units "$root/tests/lab/faults/kernel-deleted-systemd-boot"
check_kernel_deleted
finish

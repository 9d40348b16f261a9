#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody deletes the child's kernel when the firmware is about to start it: it goes on with
# BootOrder, the default.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --boot-loader uefi --units "$root/tests/lab/faults/kernel-deleted-uefi"
check_kernel_deleted
finish

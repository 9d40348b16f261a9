#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels as a distribution builds them: what the root disk needs is a module, and comes
# out of an initrd that Debian's own initramfs-tools makes in the machine.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

LAB_JOB_OPTIONS+=(--fragment "$root/configs/fragments/lab-modules.config")
rehearse main --no-icount --keep --units "$root/tests/lab/faults/modules-initrd"
seen() {
	tr -d '\r' <"$run/serial.log" | grep -ao 'seen: .*'
}
holds 'the job is done' '.status == "DONE"'
holds 'three boots, parent, child, parent' '[.boots[].point] == ["parent", "child", "parent"]'
holds 'three measured processes in each boot' 'all(.boots[]; .values | length == 3)'
ok 'three boots had an initrd and loaded what the root disk needs' \
	test "$(seen | grep -c -- '-ab[0-9a-f]\{12\}: initrd yes, modules .*ext4.*virtio_blk.*virtio_pci')" = 3
ok 'the default kernel had neither' \
	test "$(seen | grep -c -- '-ab0000default0: initrd no, modules none')" = 2
check_clean
check_no_modules
finish

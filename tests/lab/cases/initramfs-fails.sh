#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The child's initramfs does not find the root disk: panic= makes initramfs-tools reboot
# where it would open a shell, and the machine is back in its default kernel.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

LAB_JOB_OPTIONS+=(--fragment "$root/configs/fragments/lab-modules.config")
rehearse main --no-icount --keep --units "$root/tests/lab/faults/initramfs-fails"
ok 'the fault happened' grep -aq 'fault: the child has no root disk' "$run/serial.log"
ok 'the initramfs gave up' grep -aq 'ALERT!.*does not exist' "$run/serial.log"
ok 'abbot lab says that the job did not succeed' test "$status" = 1
holds 'the job failed, and says why' '.status == "FAILED" and (.reason | test("child"))'
check_clean
check_no_modules
finish

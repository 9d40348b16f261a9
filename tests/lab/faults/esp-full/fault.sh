#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# When the first entry is being installed: the EFI system partition is filled to the last
# cluster. The daemon stands still meanwhile, so that the second cannot be installed first.

until [ -d /boot/abbot/abbot-1-parent ]; do
	sleep 0.01
done
systemctl kill --kill-whom=main --signal=STOP abbotd.service
for size in 64K 512; do
	dd if=/dev/zero of=/boot/filler bs=$size oflag=append conv=notrunc 2>/dev/null
done
sync
echo "fault: ESP full, $(($(df --output=avail -B1 /boot | tail -n 1))) bytes left"
systemctl kill --kill-whom=main --signal=CONT abbotd.service

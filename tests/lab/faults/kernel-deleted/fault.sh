#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Deletes the child's kernel as soon as its entry is the next to boot.

until grep -aqs '^abbot_next=abbot-.*child' /boot/grub/abbot.env; do
	sleep 0.05
done
rm -f /boot/abbot/abbot-*-child/kernel && echo "fault: kernel deleted"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# When the child is armed: as if somebody chose the parent's entry at the menu instead.

block=/boot/grub/abbot.env
until grep -aqs '^abbot_next=abbot-1-child' $block; do
	sleep 0.05
done
sed 's/abbot-1-child/abbot-1-parent/' $block | head -c 1024 >/var/lib/block
cat /var/lib/block >$block && sync && echo "fault: another entry chosen"

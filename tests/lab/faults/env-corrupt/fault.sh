#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Once, when the child is armed: the environment block is no block any more.

[ ! -e /var/lib/fault-happened ] || exit 0
until grep -aqs '^abbot_next=abbot-.*child' /boot/grub/abbot.env; do
	sleep 0.05
done
touch /var/lib/fault-happened
head -c 1024 /dev/urandom >/boot/grub/abbot.env && sync && echo "fault: block corrupt"

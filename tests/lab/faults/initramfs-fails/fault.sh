#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Gives the child a root disk that is not there, as soon as its entry is the next to boot.

custom=/boot/grub/custom.cfg
until grep -aqs '^abbot_next=abbot-.*child' /boot/grub/abbot.env; do
	sleep 0.05
done
grep -q 'PARTUUID=00000000-' "$custom" && exit
sed -i '/--id .*child/,/^}/ s/root=PARTUUID=[^ ]*/root=PARTUUID=00000000-0000-4000-8000-000000000000 rootdelay=2/' \
	"$custom"
sync
grep -q 'PARTUUID=00000000-' "$custom" && echo 'fault: the child has no root disk'

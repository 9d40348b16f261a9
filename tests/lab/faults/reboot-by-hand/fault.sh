#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Reboots the machine while the child is being measured, the first time only.

mark=/var/lib/abbot/fault-done
[ -e "$mark" ] && exit
grep -q 'abbot.*child' /proc/cmdline || exit 0
until compgen -G '/proc/[0-9]*/comm' >/dev/null && grep -qx abbot-bench /proc/[0-9]*/comm 2>/dev/null; do
	sleep 0.05
done
touch "$mark"
sync
echo 'fault: rebooting'
systemctl reboot

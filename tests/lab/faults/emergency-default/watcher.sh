#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Twice the time after which a kernel under test would have gone.

until systemctl is-active -q emergency.service; do
	sleep 0.5
done
sleep 15
systemctl is-active -q emergency.service &&
	[ "$(systemctl show --value -p MainPID emergency.service)" != 0 ] &&
	echo 'fault: the emergency shell is there'
systemctl --force poweroff

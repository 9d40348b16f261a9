#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Kills the daemon twice in each boot, later in each boot than in the one before.

count=/var/lib/abbot/fault-count
boot=$(($(cat "$count" 2>/dev/null || echo 0) + 1))
echo "$boot" >"$count"
for _ in 1 2; do
	until pid=$(systemctl show --property MainPID --value abbotd.service) && [ "$pid" != 0 ]; do
		sleep 0.05
	done
	sleep "0.$((boot * 17 % 10))"
	kill -KILL "$pid" && echo "fault: abbotd killed in boot $boot"
	sleep 0.5
done

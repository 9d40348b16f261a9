#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No fault: the lab's Debian does not mount tracefs by itself.

if [ -d /sys/kernel/tracing ]; then
	mount -t tracefs tracefs /sys/kernel/tracing && echo 'fault: tracefs mounted'
fi

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Once, with a state directory in which no job waits; in later boots only says what is known.

state=/var/lib/abbot-proof
if [ ! -e "$state/watchdog.json" ]; then
	/usr/local/bin/abbot --state "$state" check --starve-watchdog --yes
	echo "fault: the machine was not reset"
fi
/usr/local/bin/abbot --state "$state" check --verbose | sed -n 's/^\([a-z]*\) *watchdog-proof */fault: \1: /p'

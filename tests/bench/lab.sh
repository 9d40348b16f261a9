#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the lab and the daemon cost: wall seconds of a boot with and without instruction
# counting, the daemon's memory and wake-ups while a process runs, and the seconds that a
# measured boot loses before its first and after its last process.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lab/lab.sh
source "$here/../lab/lab.sh"

# Each serial line with the host's time before it, as long as the machine runs.
follow() {
	tail -n +1 -F --pid "$2" "$1" 2>/dev/null |
		while IFS= read -r line; do printf '%s %s\n' "$EPOCHREALTIME" "$line"; done
}

# Median seconds from the firmware's start of GRUB to the daemon's first line.
boot_seconds() {
	tr -d '\r' <"$1" | awk '/BdsDxe: starting/ { at = $1 }
		/abbotd: / && at { print $1 - at; at = 0 }' |
		sort -n | awk '{ v[NR] = $1 } END { if (NR) printf "%.1f", v[int((NR + 1) / 2)] }'
}

# run_lab NAME OPTION...: rehearses the demo's job and says how long its boots took.
run_lab() {
	local name=$1 next

	shift
	next=$(($(lab_newest) + 1))
	lab_abbot lab "$@" "$job" >/dev/null 2>&1 &
	local pid=$!
	follow "$state/lab/job-$next/serial.log" "$pid" >"$state/bench-serial.txt"
	wait "$pid"
	rehearsal=$next
	echo "lab boot, $name: $(boot_seconds "$state/bench-serial.txt") s from GRUB to the daemon (median of a job's boots)"
}

query() {
	sqlite3 -readonly "$state/abbot.sqlite" "$1"
}

# The longest gap, in seconds, between two moments of each measured boot. A moment is
# KIND PHASE first|last.
gap() { # moment, moment
	local from to
	read -ra from <<<"$1"
	read -ra to <<<"$2"
	local -A pick=([first]=min [last]=max)

	query "SELECT printf('%.2f', max(t.at - f.at) / 1e9) FROM
		(SELECT boot_id, ${pick[${from[2]}]}(at_ns) AS at FROM event WHERE job = $rehearsal
			AND kind IN (${from[0]}) AND phase = '${from[1]}' GROUP BY boot_id) f
		JOIN (SELECT boot_id, ${pick[${to[2]}]}(at_ns) AS at FROM event WHERE job = $rehearsal
			AND kind IN (${to[0]}) AND phase = '${to[1]}' GROUP BY boot_id) t USING (boot_id)"
}

lab_prepare
lab_queue main
run_lab 'counting instructions'
run_lab 'without' --no-icount
echo "daemon: $(query "SELECT max(json_extract(data, '\$.daemon.rss_anon_kib')) FROM event
	WHERE job = $rehearsal AND kind = 'measure'") KiB RssAnon at most (goal 10240)"
echo "daemon: $(query "SELECT max(json_extract(data, '\$.daemon.wakeups')) FROM event
	WHERE job = $rehearsal AND kind = 'measure'") wake-ups during a process at most (goal 0)"
echo "measured boot: $(gap "'verify' result last" "'measure' intent first") s from verified to the first process (goal 2)"
echo "measured boot: $(gap "'measure' result last" "'reboot','return' intent first") s from the last sample to the reboot call (goal 2)"

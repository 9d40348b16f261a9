#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the lab and the daemon cost, with the goal beside each figure: wall seconds of a
# boot with and without instruction counting, the daemon's memory and wake-ups while a
# process runs, and the seconds that a measured boot loses before its first process and
# after its last.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lab/lab.sh
source "$here/../lab/lab.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# say WHAT VALUE UNIT [GOAL]: the goal is the most that VALUE may be.
say() {
	awk -v what="$1" -v value="$2" -v unit="$3" -v goal="${4:-}" 'BEGIN {
		judged = goal == "" ? "" : ", goal " goal ": " (value == "" ? "no figure" : value + 0 <= goal ? "met" : "missed")
		printf "%-58s %8s %s%s\n", what, value == "" ? "-" : value, unit, judged }'
}

# Each serial line with the host's time before it, as long as the machine runs.
follow() { # file, process
	local line

	until [ -e "$1" ] || ! kill -0 "$2" 2>/dev/null; do sleep 0.05; done
	echo "$EPOCHREALTIME POWER ON"
	tail -n +1 -f --pid "$2" "$1" 2>/dev/null |
		while IFS= read -r line; do printf '%s %s\n' "$EPOCHREALTIME" "$line"; done
}

# Median seconds from power-on, or the kernel's reset, to the daemon's first line.
boot_seconds() {
	tr -d '\r' <"$1" | awk '/ POWER ON$/ || /reboot: Restarting system/ { at = $1 }
		/abbotd: version/ && at { print $1 - at; at = 0 }' |
		sort -n | awk '{ v[NR] = $1 } END { if (NR) printf "%.1f", v[int((NR + 1) / 2)] }'
}

# run_lab NAME GOAL OPTION...: rehearses the demo's job and says how long its boots took.
run_lab() {
	local what=$1 goal=$2 pid

	shift 2
	lab_abbot lab "$@" "$job" >"$scratch/out" 2>"$scratch/err" &
	pid=$!
	until grep -q '^rehearsing' "$scratch/err" || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
	lab_run_of "$scratch/err"
	# shellcheck disable=SC2154 # $run is lab_run_of's
	follow "$run/serial.log" "$pid" >"$scratch/serial"
	wait "$pid" || { tail -n 3 "$scratch/err" >&2; exit 1; }
	say "lab boot to the daemon, $what" "$(boot_seconds "$scratch/serial")" s "$goal"
}

query() {
	sqlite3 -readonly "$state/abbot.sqlite" "$1"
}

# The most that the daemon recorded of itself in the last run: MEMBER
of_daemon() {
	query "SELECT max(json_extract(data, '\$.daemon.$1')) FROM event
		WHERE job = $rehearsal AND kind = 'measure'"
}

# gap FROM-KIND FROM-PHASE TO-KIND TO-PHASE: the longest, in seconds, of the measured
# boots. After a result, to the first intent; a boot's last sample is its last result.
gap() {
	query "SELECT printf('%.2f', max(t.at - f.at) / 1e9) FROM
		(SELECT boot_id, max(at_ns) AS at FROM event WHERE job = $rehearsal
			AND kind = '$1' AND phase = '$2' GROUP BY boot_id) f
		JOIN (SELECT boot_id, min(at_ns) AS at FROM event WHERE job = $rehearsal
			AND kind IN ($3) AND phase = '$4' GROUP BY boot_id) t USING (boot_id)"
}

lab_prepare
lab_queue main --settle 0s # the goals are without the settle time
# The goals of the first two are the first trials' figures.
run_lab 'counting instructions' 91
run_lab 'clock follows real time' 40 --no-icount
say "daemon: most RssAnon while a process ran" "$(of_daemon rss_anon_kib)" KiB 10240
say "daemon: most wake-ups while a process ran" "$(of_daemon wakeups)" "" 0
say "measured boot: verified to the first process" "$(gap verify result "'measure'" intent)" s 2
say "measured boot: last sample to the reboot call" \
	"$(gap measure result "'reboot', 'return'" intent)" s 2

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# noisy.sh SEED: a measurement for `abbot-bench exec` on a machine that scatters. The plain
# loop's figure, which counted instructions make exact, times noise that the seed, the number
# of the boot and the number of the process in it decide: SD 9 % between boots, 1 % in one.
set -eu

boots=${NOISY_BOOTS:-/var/tmp/noisy-boots} # the boot id of each process so far
loop=${NOISY_LOOP:-/etc/systemd/system/plain_loop toggle 8388608 300 10 0}

cat /proc/sys/kernel/random/boot_id >>"$boots"
# shellcheck disable=SC2086 # words
$loop | awk -v seed="${1:?usage: noisy.sh SEED}" -v boots="$boots" '
	# Park and Miller, Random Number Generators: Good Ones Are Hard to Find, 1988.
	function uniform() {
		state = state * 16807 % 2147483647
		return state / 2147483647
	}
	# Mean 0, SD 1: twelve uniform ones.
	function normal(number, i, sum) {
		state = number % 2147483646 + 1
		for (i = 0; i < 20; i++)
			uniform()
		for (i = 0; i < 12; i++)
			sum += uniform()
		return sum - 6
	}
	BEGIN {
		while ((getline id <boots) > 0) {
			if (id != last) {
				boot++
				process = 0
			}
			last = id
			process++
		}
		if (!boot)
			exit 1
		FS = "="
	}
	$1 == "mean" {
		noise = 0.09 * normal(seed * 1000 + boot)
		noise += 0.01 * normal(seed * 1000000 + boot * 1000 + process)
		print "mean=" $2 * exp(noise)
	}'

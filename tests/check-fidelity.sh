#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# abbot-bench against plain loops: by time on this machine; where that cannot be judged, by the
# instructions that the lab counts (root, some minutes, a kernel build the first time).
# Usage: check-fidelity.sh [PAIRS]. Exit status: 0 the ratios hold, 1 they do not.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath -m "${BUILD:-$root/build}")

"$build/tests/bench/fidelity" "$build/abbot-bench" "$build/tests/bench/plain_loop" "$@"
status=$?
if [ "$status" = 3 ]; then
	echo 'fidelity: time on this machine cannot decide; the lab counts the instructions instead'
	"$root/tests/lab/check-lab.sh" --tier check fidelity
	status=$?
	what='by instructions counted in the lab'
fi
if [ "$status" = 0 ]; then
	echo "fidelity: the ratios hold, ${what:-on this machine}"
else
	echo "fidelity: the ratios do not hold, or could not be measured, ${what:-on this machine}" >&2
	status=1
fi
exit "$status"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine that scatters: seven boots do not tell, so the daemon boots four more and then
# knows. The lab counts instructions and does not scatter: what is measured adds noise from a seed
# with which this is so (of 60 seeds, 19 are). All five formats of such a report.
# shellcheck disable=SC2016,SC2154 # jq has $variables too; rehearse sets ours
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

seed=36
units=$(mktemp -d)
trap 'rm -rf "$units"' EXIT
# Started as nobody, and without the libraries of this machine.
install -m 0755 "$build/tests/bench/plain_loop" "$root/tests/lab/faults/adaptive/noisy.sh" "$units"
chmod 0755 "$units"
LAB_JOB_OPTIONS=(
	--config tinyconfig
	--fragment "$root/configs/fragments/lab.config"
	--settle 8s
	--warmups 1
	--processes 2
	--governor keep
	--turbo keep
	--workload exec --metric headline --bench-arg -- --bench-arg /etc/systemd/system/noisy.sh --bench-arg "$seed"
)

lab_queue() {
	lab_queue_points "$@"
}
rehearse main --units "$units"
ok 'abbot lab succeeds' test "$status" = 0
holds 'the job is done' '.status == "DONE"'
holds 'eleven boots, parent and child in turn' '[.boots[].point] ==
	[range(11) | if . % 2 == 0 then "parent" else "child" end]'
holds 'the verdict is the true one' '.verdict == "REGRESSION"'
holds 'its interval holds the demo'"'"'s change, 32 %' \
	'.estimates.interval.ci99_pct | .[0] > 0 and .[0] < 32 and .[1] > 32'
holds 'boots scatter' '.estimates.interval.sd_between_boots > 4'
# The first seven alone.
lab_abbot report --format tsv "$rehearsal" | head -n 8 >"$state/case-$name-seven.tsv"
ok 'the first seven boots are inconclusive' \
	grep -q '^INCONCLUSIVE' <<<"$(lab_abbot analyze "$state/case-$name-seven.tsv")"
check_formats
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Does abbot-bench cost what a plain loop costs? Here every instruction is counted, so one
# run decides what a noisy machine cannot: the same work within 1 %, no wider scatter. What
# the kernel does besides is counted too, a few times a second as on any machine: hence as many
# iterations as natively, and in each boot the least disturbed process.
# shellcheck disable=SC2016,SC2154 # jq has $variables too; rehearse sets ours
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

units=$(mktemp -d)
trap 'rm -rf "$units"' EXIT
# Started as nobody, and without the libraries of this machine.
install -m 0755 "$build/tests/bench/plain_loop" "$units/plain_loop"
chmod 0755 "$units"
in_guest=/etc/systemd/system/plain_loop

# What follows --workload exec: the plain loop KIND, SIZE-BYTES, ITERATIONS, WARM-UPS, CPU.
plain() {
	printf -- '--workload\nexec\n--bench-arg\n--metric=mean\n--bench-arg\n--\n'
	printf -- '--bench-arg\n%s\n' "$in_guest" "$@" 0
}

mapfile -t plain_toggle < <(plain toggle 8388608 1000 10)
mapfile -t plain_regions < <(plain regions 409600 5000 50)
LAB_JOB_OPTIONS=(
	--config tinyconfig
	--fragment "$root/configs/fragments/lab.config"
	--settle 8s
	--warmups 0
	--processes 3
	--governor keep
	--turbo keep
	--workload mprotect-toggle --bench-arg --size=8M --bench-arg --iterations=1000
	--bench-arg --warmup-iterations=10
	"${plain_toggle[@]}"
	--workload mprotect-regions --metric call --bench-arg --size=400K
	--bench-arg --iterations=5000 --bench-arg --warmup-iterations=50
	"${plain_regions[@]}"
)

# ratios OURS PLAIN: of the means, one a boot, by its least disturbed process.
ratios='def mean(name): [.workloads[] | select(.name == name) | .boots[].min];
	def ratios(ours; plain): [mean(ours), mean(plain)] | transpose | map(.[0] / .[1]);'

# Of one measured process: median over processes of what the SQL expression EXPRESSION gives.
median_of() { # workload expression
	store_value "SELECT v FROM (SELECT v, row_number() OVER (ORDER BY v) r, count(*) OVER () n
		FROM (SELECT $2 AS v FROM event WHERE job = $rehearsal AND kind = 'measure'
		AND phase = 'result' AND json_extract(data, '\$.workload') = '$1'
		AND json_extract(data, '\$.is_warmup') = 0)) WHERE r = (n + 1) / 2"
}

rehearse main --units "$units"
ok 'abbot lab succeeds' test "$status" = 0
holds 'the job is done' '.status == "DONE"'
for pair in 'mprotect-toggle exec iteration' 'mprotect-regions exec-2 call'; do
	read -r ours plain metric <<<"$pair"
	jq -r "$ratios \"fidelity: $ours: ratio of the means, a boot each: \" +
		(ratios(\"$ours\"; \"$plain\") | map(tostring) | join(\", \"))" "$report"
	holds "$ours costs what the plain loop costs, within 1 %" "$ratios
		ratios(\"$ours\"; \"$plain\") | length == 3 and all(.[]; . > 0.99 and . < 1.01)"
	holds "$ours: the runs of one kernel agree within 0.1 %" \
		"$ratios mean(\"$ours\")[0] / mean(\"$ours\")[2] | . > 0.999 and . < 1.001"
	error=$(median_of "$ours" "json_extract(data, '\$.bench.metrics.$metric.sd') /
		sqrt(json_extract(data, '\$.bench.metrics.$metric.n'))")
	plain_error=$(median_of "$plain" "json_extract(data, '\$.bench.metrics.error.mean')")
	echo "fidelity: $ours: standard error $error, of the plain loop $plain_error"
	# All that scatters here is what else the kernel ran.
	ok "$ours scatters no more than 1.25 times as much" jq -en "$error <= 1.25 * $plain_error"
done
# Seconds of the run beside those that are timed; of 64 MiB it would be a smaller part yet.
outside=$(median_of mprotect-toggle "json_extract(data, '\$.wall_time_s') -
	json_extract(data, '\$.value') * 2048 * 1000 / 1e9")
timed=$(median_of mprotect-toggle "json_extract(data, '\$.value') * 2048 * 1000 / 1e9")
echo "fidelity: mprotect-toggle: $outside s are not timed, beside $timed s that are"
ok 'under 10 % of a run is not timed' \
	jq -en "$outside / ($outside + $timed) < 0.1"
check_clean
finish

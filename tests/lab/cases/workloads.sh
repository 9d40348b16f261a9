#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every workload of abbot-bench in one sandwich: each boot runs them all, in turns, and each
# gets a verdict of its own. The child makes mprotect() dearer and nothing else.
# shellcheck disable=SC2016,SC2154 # jq has $variables too; rehearse sets ours
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

small=(--bench-arg --size=2M --bench-arg --iterations=10)
LAB_JOB_OPTIONS=(
	--config tinyconfig
	--fragment "$root/configs/fragments/lab.config"
	--settle 8s
	--warmups 1
	--processes 2
	--governor keep
	--turbo keep
	--diagnose functions=mprotect_fixup
	--workload mprotect-toggle "${small[@]}"
	--workload mprotect-single "${small[@]}"
	--workload mprotect-regions --bench-arg --size=400K --bench-arg --iterations=1000
	--metric call
	--workload mprotect-populated "${small[@]}"
	--workload mprotect-pmd --bench-arg --size=8M --bench-arg --iterations=10
	--workload mprotect-large-folio "${small[@]}"
	--workload write-fault "${small[@]}"
	--workload exec --bench-arg -- --bench-arg /bin/echo --bench-arg cost=12.5
)

# verdict WORKLOAD WORD: of the report.
verdict() {
	holds "$1: $2" ".workloads[] | select(.name == \"$1\") | .verdict == \"$2\""
}

ok 'abbot-bench knows the workloads of this case and no other' \
	diff <("$build/abbot-bench" list | awk '{ print $1 }' | sort) \
	<(printf '%s\n' "${LAB_JOB_OPTIONS[@]}" | grep -A1 -x -e --workload |
		grep -v -e '^--' | sort)
rehearse main
ok 'abbot lab succeeds' test "$status" = 0
holds 'the job is done' '.status == "DONE"'
holds 'eight workloads, two measured processes of each in each boot' \
	'(.workloads | length == 8) and all(.workloads[]; .boots | length == 3 and
		all(.[]; (.values | length == 2) and .complete))'
for workload in mprotect-toggle mprotect-single mprotect-regions mprotect-populated; do
	verdict "$workload" REGRESSION
done
verdict mprotect-pmd 'NO CHANGE' # the child's extra work is on page tables
# Of two processes a boot; where the kernel finds pages differs from boot to boot.
holds 'write-fault: nothing of note' '.workloads[] | select(.name == "write-fault") |
	(.verdict | IN("NO CHANGE", "INCONCLUSIVE")) and (.estimates.mean.delta_pct | fabs < 2)'
verdict exec 'NO CHANGE'
holds 'a kernel without tracing has no counts, and says why' \
	'all(.boots[]; .diagnosis["no counts"] | test("^there is no tracefs"))'
holds 'the preemption model is known without debugfs, by the config' \
	'.held_equal.preemption == "none"'
ok 'the order is another in each boot' test 3 = "$(store_value \
	"SELECT count(DISTINCT workload) FROM sample WHERE job = $rehearsal AND process = 0")"
ok 'a table is of one workload' grep -q '^3	' \
	<<<"$(lab_abbot report --format tsv --workload write-fault "$rehearsal")"
ok 'without its name it is refused' \
	grep -q -e --workload <<<"$(lab_abbot report --format tsv "$rehearsal" 2>&1)"
sed -n '/^workload /,/^$/p' "$said"
check_clean
finish

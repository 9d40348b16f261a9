#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls of kernel functions, counted by real kernels after the measured processes: by kprobes,
# and the same in every boot of a kernel. (A kernel without tracing says why not: the case workloads.)
# shellcheck disable=SC2016,SC2154 # jq has $variables too; rehearse sets ours
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

fragments=$root/configs/fragments
functions=mprotect_fixup,no_such_function
LAB_JOB_OPTIONS=(
	--config tinyconfig
	--fragment "$fragments/lab.config" --fragment "$fragments/lab-tracing.config"
	--settle 8s --warmups 0 --processes 1 --governor keep --turbo keep
	--bench-arg --size=2M --bench-arg --iterations=1000
	--diagnose "functions=$functions"
)

# 1,000 iterations and 10 to warm up, two calls each; what else the machine calls is little.
calls='def calls(name): [.boots[].diagnosis["calls of " + name] | tonumber];'

rehearse main --no-icount --units "$root/tests/lab/faults/tracing"
ok 'abbot lab succeeds' test "$status" = 0
holds 'kprobes counted, in all three boots' \
	'[.boots[].diagnosis["counted by"]] == ["kprobes", "kprobes", "kprobes"]'
jq -r "$calls \"diagnose: calls of mprotect_fixup: \(calls(\"mprotect_fixup\"))\"" "$report"
holds 'mprotect_fixup is called twice an iteration' \
	"$calls calls(\"mprotect_fixup\") | all(.[]; . >= 2020 and . < 2320)"
holds 'two boots of the parent differ by 40 at most' \
	"$calls calls(\"mprotect_fixup\") | (.[0] - .[2] | fabs) <= 40"
holds 'a function that the kernel does not have has no count' \
	'all(.boots[]; .diagnosis["calls of no_such_function"] | test("cannot be counted"))'
check_clean
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Huge pages are forced on: there is no number of small pages, and the report says why. Of
# several workloads the others keep theirs.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount --units "$root/tests/lab/faults/thp-forced"
ok 'the fault happened' grep -aq 'fault: huge pages forced' "$run/serial.log"
ok 'abbot lab says that the job did not succeed' test "$status" = 1
holds 'the job is invalid, for the huge pages' \
	'.status == "INVALID" and (.reason | test("ShmemPmdMapped"))'
holds 'no delta is given' '.estimates == null and .verdict == null'
holds 'the setting is recorded' '.held_equal.thp_shmem_enabled == "always"'
check_clean

LAB_JOB_OPTIONS=(
	--config tinyconfig
	--fragment "$root/configs/fragments/lab.config"
	--settle 8s --warmups 0 --processes 2 --governor keep --turbo keep
	--workload mprotect-toggle --bench-arg --size=8M --bench-arg --iterations=20
	--workload exec --bench-arg -- --bench-arg /bin/echo --bench-arg cost=12.5
)
rehearse main --no-icount --units "$root/tests/lab/faults/thp-forced"
ok 'of two workloads one is left, and the job is done' test "$status" = 0
holds 'the first has no number, for the huge pages' '.workloads[0] |
	.name == "mprotect-toggle" and .status == "INVALID" and .estimates == null and
	(.reason | test("ShmemPmdMapped"))'
holds 'the other has its verdict' '.workloads[1] |
	.name == "exec" and .status == "DONE" and .verdict == "NO CHANGE"'
ok 'the first screen says which has no number' \
	grep -q '^INVALID: mprotect-toggle has no number, the other workloads do' "$said"
check_clean
finish

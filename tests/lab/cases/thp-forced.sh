#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Huge pages are forced on: there is no number of small pages, and the report says why.
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
finish

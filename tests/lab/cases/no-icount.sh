#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest's clock follows real time: the figures are noise, the job's course is not.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --no-icount
ok 'abbot lab succeeds' test "$status" = 0
holds 'the job is done, or says that its figures cannot tell' \
	'.status == "DONE" or .status == "INCONCLUSIVE"'
holds 'three different boot ids' \
	'[.boots[].boot_id | select(length == 36)] | unique | length == 3'
holds 'three measured processes in each boot' 'all(.boots[]; .values | length == 3)'
ok 'the store says that its clock was not counted' \
	test "$(store_value "SELECT machine FROM job WHERE id = $rehearsal")" = emulated
check_clean
finish

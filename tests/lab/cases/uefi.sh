#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The whole job on a machine whose firmware starts kernels itself, by BootNext: same figures,
# same cleanliness.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --boot-loader uefi
ok 'abbot lab succeeds' test "$status" = 0
holds 'the job is done' '.status == "DONE"'
ok 'five boots: default, three kernels under test, default' test "$(power_ons)" = 5
ok 'it was armed three times, each with a token of its own' test "$(store_value "SELECT
	count(DISTINCT json_extract(data, '$.token')) FROM event
	WHERE job = $rehearsal AND kind = 'arm' AND phase = 'result'")" = 3
check_figures
check_clean
finish

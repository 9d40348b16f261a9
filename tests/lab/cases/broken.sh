#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A child that does not build: the job ends on the host, no machine is started for it.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse broken
ok 'abbot lab says that the job did not succeed' test "$status" = 1
holds 'the job failed' '.status == "FAILED"'
holds 'the compiler is quoted' '[.. | strings] | any(test("no_such_function"))'
ok 'no machine was started' test ! -e "$run/serial.log"
finish

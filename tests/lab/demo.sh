#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The demo: queues one commit of the demo repository against its parent and rehearses
# that job in the lab. Everything made on the way is kept in LAB_STATE for the next time.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lab/lab.sh
source "$here/lab.sh"

lab_prepare
lab_queue main
lab_say "job $job: $(lab_abbot list | awk -v job="$job" '$1 == job')"
lab_abbot plan "$job"
lab_abbot lab "$job"

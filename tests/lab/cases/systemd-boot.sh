#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The whole job on a machine that boots with systemd-boot: same figures, same cleanliness.
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main --boot-loader systemd-boot
check_whole_job
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No fault: says which kernel runs, with which modules, and whether it had an initrd.

modules=$(cut -d' ' -f1 /proc/modules 2>/dev/null | sort | tr '\n' ' ')
[ -d /run/initramfs ] && initrd=yes || initrd=no
echo "seen: $(uname -r): initrd $initrd, modules ${modules:-none}"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The administrator wants huge pages in shared memory, always.

echo always >/sys/kernel/mm/transparent_hugepage/shmem_enabled && echo 'fault: huge pages forced'

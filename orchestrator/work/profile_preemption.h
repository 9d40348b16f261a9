// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which preemption model is in force.
 */
#pragma once

/*
 * "none", "voluntary", "full", "lazy", "rt", or "not known"; the caller's. What debugfs says
 * (sched/preempt), else what the config at @config_path (of the kernel that runs; NULL: none) was
 * built for, or the kernel command line chose where that config leaves it to the boot
 * (Documentation/admin-guide/kernel-parameters.txt, preempt=). @root stands for /, but not of @config_path.
 */
char *profile_preemption_read(const char *root, const char *config_path);

// SPDX-License-Identifier: GPL-2.0-or-later
/* Can this machine make a sandbox? In a chroot or a container it may not. */
#pragma once

#include <stdio.h>
#include <unistd.h>

#include "orchestrator/work/sandbox.h"

/* False, and the reason is printed: what needs one is skipped. */
static inline bool test_has_sandbox(void)
{
	const struct subprocess_options as = { .change_user = geteuid() == 0, .uid = 65534, .gid = 65534 };
	struct error why = { 0 };

	if (sandbox_check(&as, &why) == 0)
		return true;
	printf("skipped: %s\n", why.text);
	return false;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a function in which a memory access may fault, and says whether one did: a write
 * to read-only memory must, and a kernel under test may make others fault.
 */
#pragma once

#include <stdbool.h>

struct fault_guard {
	bool has_faulted;
	int signal;            /* SIGSEGV or SIGBUS */
	int code;              /* si_code: SEGV_ACCERR for a protection fault */
	const void *address;
};

/* Not reentrant, for single-threaded programs. @function must hold no lock and no allocation. */
void fault_guard_call(void (*function)(void *context), void *context,
		      struct fault_guard *ret_guard);

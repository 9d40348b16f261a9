// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SIGSEGV and SIGBUS turned into a result. The handlers are in place only while the
 * function runs; nothing is done for each access, so a timed loop may run inside.
 */
#include "bench/fault_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

/* The one mutable global of the program: a signal handler can be reached in no other way. */
static struct {
	sigjmp_buf place;
	volatile int signal;
	volatile int code;
	void *volatile address;
} guarded;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	guarded.signal = number;
	guarded.code = info->si_code;
	guarded.address = info->si_addr;
	siglongjmp(guarded.place, 1);
}

/* Apart from the caller, so that no local variable lives across the jump. */
static __attribute__((noinline)) bool has_completed(void (*function)(void *context), void *context)
{
	if (sigsetjmp(guarded.place, 1) != 0)
		return false;
	function(context);
	return true;
}

void fault_guard_call(void (*function)(void *context), void *context,
		      struct fault_guard *ret_guard)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	struct sigaction old_segv;
	struct sigaction old_bus;

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGSEGV, &action, &old_segv);
	(void)sigaction(SIGBUS, &action, &old_bus);

	bool completed = has_completed(function, context);

	(void)sigaction(SIGSEGV, &old_segv, NULL);
	(void)sigaction(SIGBUS, &old_bus, NULL);
	*ret_guard = (struct fault_guard){ .has_faulted = !completed };
	if (!completed) {
		ret_guard->signal = guarded.signal;
		ret_guard->code = guarded.code;
		ret_guard->address = guarded.address;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which design a job asks for: the one place that knows them all. */
#include "queue/design.h"

#include <stddef.h>

const struct design *design_of(const struct job *job)
{
	switch (job->design) {
	case JOB_DESIGN_SANDWICH:
		return &design_sandwich;
	}
	return NULL;
}

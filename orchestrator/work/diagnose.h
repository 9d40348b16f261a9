// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * After the measured processes of a boot, and in no figure: one more process of the first
 * workload for each diagnosis that the job asks for.
 */
#pragma once

#include <jansson.h>

#include "common/error.h"
#include "queue/job.h"

/*
 * {"perf": {"file", "text"} or {"note"}, "functions": {"by", "counts": {NAME: calls or null}} or
 * {"note"}}, each where the job asks for it. A note is the sentence why there is nothing;
 * so this fails only for lack of memory. Files go to @directory, which is made. @root
 * stands for / where tracefs is looked for. Blocks until all processes have ended, at most
 * about twice measure.timeout_s.
 */
int diagnose_run(const char *root, const char *directory, const struct job *job,
		 json_t **ret_result, struct error *err);

/*
 * diagnose_functions.c: how often the machine calls the functions of @list ("A,B") while one
 * process of the workload runs. By the kernel's function profiler, else by kprobes; null is a function that
 * neither can watch. What is in use by somebody else is left alone; tracefs is left as it was.
 * Negative with a sentence where nothing was counted.
 */
int diagnose_functions(const char *root, const struct job *job, const char *list,
		       json_t **ret_result, struct error *err);

/* One process of the first workload, to its end; its output is of no interest. */
int diagnose_run_process(const struct job *job, const char *const *before, struct error *err);

/*
 * diagnose_kprobes.c: the second way. @counts holds a null for each function, which is replaced where
 * it could be counted. @tracing is tracefs' directory.
 */
int diagnose_kprobes(const char *tracing, const struct job *job, json_t *counts,
		     struct error *err);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the guest's state directory on the host, through the same store functions as
 * the guest's daemon will use. Putting it on the disk is boot/lab's work.
 */
#include "orchestrator/cli/lab_guest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/now.h"
#include "common/text.h"
#include "orchestrator/work/kernel_store.h"
#include "orchestrator/work/module_tree.h"
#include "queue/store.h"

static int copy_kernel_file(const char *state_directory, const char *key, const char *to,
			    const char *name, struct error *err)
{
	_cleanup_free_ char *source = kernel_store_path(state_directory, key, name);
	_cleanup_free_ char *target = path_join(to, name);

	if (!source)
		return error_set(err, -EINVAL, "%.70s is no kernel's key", key);
	return file_copy_durable(source, target, 0644, err);
}

static int copy_modules(const char *state_directory, const char *key, const char *to,
			struct error *err)
{
	_cleanup_free_ char *from = kernel_store_path(state_directory, key, KERNEL_STORE_MODULES);
	_cleanup_free_ char *target = path_join(to, KERNEL_STORE_MODULES);
	const struct module_tree_source source = { .directory = from };
	struct module_tree tree;

	return file_exists(from) ? module_tree_copy(&source, target, &tree, err) : 0;
}

static int copy_kernel(const char *state_directory, const char *key, const char *directory,
		       struct error *err)
{
	static const char *const names[] = { "bzImage", "config", "meta.json" };
	_cleanup_free_ char *to = text_format("%s/kernels/%s", directory, key);
	int r;

	if (file_exists(to)) /* two points with one kernel */
		return 0;
	r = file_make_directories(to, 0755, err);
	for (size_t i = 0; i < ARRAY_SIZE(names) && r == 0; i++)
		r = copy_kernel_file(state_directory, key, to, names[i], err);
	return r < 0 ? r : copy_modules(state_directory, key, to, err);
}

/* A copy of the job whose points are kernels of the store. */
static int make_job(const struct run_state *state, struct job *ret_job, struct error *err)
{
	_cleanup_json_ json_t *json = job_to_json(&state->job);
	int r = job_from_json(json, ret_job, err);

	if (r < 0)
		return error_prefix(err, r, "the guest's job");
	/* Whoever started the lab can switch its machine off, and a rehearsal is now. */
	ret_job->boot.accepts_hang_risk = true;
	ret_job->boot.not_before_s = 0;
	for (size_t i = 0; i < ret_job->n_points; i++)
		(void)snprintf(ret_job->points[i].kernel, sizeof(ret_job->points[i].kernel), "%s",
			       state->points[i].kernel_key);
	return 0;
}

static int add_job(const char *directory, const struct job *job, int64_t number, struct error *err)
{
	struct store *store = NULL;
	int64_t id = 0;
	int r = store_open(directory, true, &store, err);

	if (r < 0)
		return r;
	/* Not marked emulated: the guest runs it for real, it knows of no lab. */
	r = store_add_job(store, job, STORE_MACHINE_REAL, 0, now_realtime_ns(), &id, err);
	store_close(store);
	if (r == 0 && id != number)
		return error_set(err, -EBADMSG, "the guest's job got the number %lld", (long long)id);
	return r;
}

static int add_state(const struct run_state *state, const char *state_directory,
		     const char *directory, int64_t number, struct error *err)
{
	struct job job;
	int r = 0;

	for (size_t i = 0; i < state->job.n_points && r == 0; i++)
		r = copy_kernel(state_directory, state->points[i].kernel_key, directory, err);
	if (r < 0)
		return r;
	r = make_job(state, &job, err);
	if (r < 0)
		return r;
	r = add_job(directory, &job, number, err);
	job_done(&job);
	return r;
}

int lab_guest_make_state(const struct run_state *states, size_t n_states,
			 const char *state_directory, const char *directory, struct error *err)
{
	int r = file_remove_tree(directory, err);

	if (r == 0)
		r = file_make_directories(directory, 0755, err);
	for (size_t i = 0; i < n_states && r == 0; i++)
		r = add_state(&states[i], state_directory, directory, LAB_GUEST_JOB + (int64_t)i, err);
	return r;
}

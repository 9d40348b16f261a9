// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads from every job's events which kernels it needs, and from the boot loader and
 * /lib/modules what is installed. Only kernel_orphans.c takes anything away.
 */
#include "orchestrator/work/kernel_use.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boot/boot_loader.h"
#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/install_modules.h"
#include "orchestrator/work/ports_machine.h"

static void cleanup_loader(struct boot_loader **loader)
{
	boot_loader_free(*loader);
}

void kernel_use_done(struct kernel_use *use)
{
	free(use->needed);
	free(use->known);
	free(use->open_jobs);
	install_names_done(&use->entries);
	install_names_done(&use->releases);
	*use = (struct kernel_use){ 0 };
}

static int row_add(struct kernel_use_row **rows, size_t *n_rows, int64_t job, const char *key)
{
	struct kernel_use_row *larger = reallocarray(*rows, *n_rows + 1, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	*rows = larger;
	larger += (*n_rows)++;
	*larger = (struct kernel_use_row){ .job = job };
	memcpy(larger->key, key, sizeof(larger->key));
	return 0;
}

static int open_job_add(struct kernel_use *use, int64_t job)
{
	int64_t *jobs = reallocarray(use->open_jobs, use->n_open_jobs + 1, sizeof(*jobs));

	if (!jobs)
		return -ENOMEM;
	use->open_jobs = jobs;
	jobs[use->n_open_jobs++] = job;
	return 0;
}

/* A rehearsal is on no machine of ours, but its kernels are being copied. */
static int job_add(struct kernel_use *use, const struct service_job *job)
{
	const struct run_state *state = &job->state;
	bool is_open = !run_state_is_ended(state), is_ours = !job->row.is_emulated;
	int r = is_open && is_ours ? open_job_add(use, job->row.id) : 0;

	for (size_t i = 0; i < state->job.n_points && r == 0; i++) {
		const char *key = state->points[i].kernel_key;

		if (is_open && is_ours && state->has_begun && state->points[i].phase == POINT_RESOLVED)
			use->building_job = job->row.id;
		if (*key && is_open)
			r = row_add(&use->needed, &use->n_needed, job->row.id, key);
		if (r == 0 && *key && is_ours)
			r = row_add(&use->known, &use->n_known, job->row.id, key);
	}
	return r;
}

static int jobs_load(const struct service *service, struct kernel_use *use, struct error *err)
{
	_cleanup_(store_job_list_done) struct store_job_list list = { 0 };
	int r = store_list_jobs(service->store, &list, err);

	for (size_t i = 0; i < list.n_jobs && r == 0; i++) {
		_cleanup_service_job_ struct service_job job = { 0 };
		_cleanup_json_ json_t *request = json_pack("{s:I}", "job", (json_int_t)list.jobs[i].id);

		r = service_job_load(service, request, &job, err);
		if (r == 0 && job_add(use, &job) < 0)
			r = error_set(err, -ENOMEM, "out of memory");
	}
	return r;
}

static int machine_load(const struct service *service, struct kernel_use *use, struct error *err)
{
	const struct boot_paths paths = { .root = service->root };
	_cleanup_(cleanup_loader) struct boot_loader *loader = NULL;
	int r = install_modules_list(service->root, &use->releases, err);

	if (r < 0)
		return r;
	r = boot_loader_find(&paths, &loader, NULL);
	/* One that is refused cannot have been given an entry. */
	return r < 0 ? 0 : loader->operations->list_entries(loader, &use->entries, err);
}

int kernel_use_load(const struct service *service, struct kernel_use *ret_use, struct error *err)
{
	_cleanup_(kernel_use_done) struct kernel_use use = { 0 };
	int r = jobs_load(service, &use, err);

	if (r == 0 && service->root)
		r = machine_load(service, &use, err);
	if (r < 0)
		return r;
	*ret_use = use;
	use = (struct kernel_use){ 0 };
	return 0;
}

int64_t kernel_use_needed_by(const struct kernel_use *use, const char *key)
{
	for (size_t i = 0; i < use->n_needed; i++)
		if (strcmp(use->needed[i].key, key) == 0)
			return use->needed[i].job;
	return 0;
}

static bool has_entry(const struct kernel_use *use, int64_t job)
{
	for (size_t i = 0; use->entries && use->entries[i]; i++)
		if (ports_machine_entry_job(use->entries[i]) == job)
			return true;
	return false;
}

bool kernel_use_is_installed(const struct service *service, const struct kernel_use *use,
			     const char *key)
{
	for (size_t i = 0; i < use->n_known; i++)
		if (strcmp(use->known[i].key, key) == 0 && has_entry(use, use->known[i].job))
			return true;
	for (size_t i = 0; use->releases && use->releases[i]; i++) {
		_cleanup_(install_mark_done) struct install_mark mark = { 0 };

		if (install_mark_read(service->root, use->releases[i], &mark, NULL) > 0 &&
		    strcmp(mark.key, key) == 0)
			return true;
	}
	return false;
}

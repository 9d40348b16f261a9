// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Could this job run: what its values must be together, beyond each key's own
 * range, which queue/job_key.c checks. Looks at nothing but the job: whether
 * commits and files exist is found when they are resolved.
 */
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/design.h"
#include "queue/job.h"
#include "queue/job_key.h"
#include "queue/job_validate.h"

#define ORDER_MAX_BOOTS 99
#define NAME_MAX_BYTES 64
#define NAME_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+"
/* x86 and arm64 allow 2048 bytes in all; the default entry's own parameters need room too. */
#define CMDLINE_MAX_BYTES 1024

/* The texts of @object, whose keys are those of one named section, or (NULL) of all others. */
static int validate_texts(const void *object, const char *section, struct error *err)
{
	for (const struct job_key *key = job_keys; key->section; key++) {
		const void *member = (const char *)object + key->offset;
		const char *one[2] = { NULL, NULL };
		const char *const *texts = one;

		if (section ? strcmp(key->section, section) != 0
			    : job_section_is_named(key->section))
			continue;
		if (key->type == JOB_KEY_TEXT)
			one[0] = *(const char *const *)member;
		else if (key->type == JOB_KEY_LIST)
			texts = *(const char *const *const *)member;
		for (size_t i = 0; texts && texts[i]; i++) {
			int r = job_key_check_text(key, texts[i], err);

			if (r < 0)
				return r;
			if (!text_is_utf8(texts[i]))
				return error_set(err, -EILSEQ, "%s.%s is not valid UTF-8",
						 key->section, key->name);
		}
	}
	return 0;
}

static int validate_numbers(const struct job *job, struct error *err)
{
	for (const struct job_key *key = job_keys; key->section; key++) {
		const void *member = (const char *)job + key->offset;
		int r = 0;

		if (job_section_is_named(key->section))
			continue;
		if (key->type == JOB_KEY_INTEGER || key->type == JOB_KEY_DURATION || key->type == JOB_KEY_TIME)
			r = job_key_check_integer(key, *(const int64_t *)member, err);
		else if (key->type == JOB_KEY_PERCENT)
			r = job_key_check_percent(key, *(const double *)member, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int job_validate_name(const char *what, const char *name, struct error *err)
{
	size_t length = name ? strlen(name) : 0;

	/* It becomes part of file names and boot entry titles. */
	if (length == 0 || length > NAME_MAX_BYTES || strspn(name, NAME_BYTES) != length ||
	    name[0] == '-' || name[0] == '.')
		return error_set(err, -EINVAL,
				 "the %s name \"%.100s\" must be 1 to %d letters, digits or ._-+, and not begin with . or -",
				 what, name ? name : "", NAME_MAX_BYTES);
	return 0;
}

static bool is_object_id(const char *id)
{
	size_t length = strlen(id);

	return (length == 40 || length == 64) && strspn(id, "0123456789abcdef") == length;
}

static int validate_revision(const struct job_point *point, struct error *err)
{
	const char *revision = point->revision ? point->revision : "";
	const struct job_key *key = job_key_find("point", "commit");
	int r;

	if (revision[0] == '\0' && !point->kernel[0])
		return error_set(err, -EINVAL, "point \"%s\" has no commit", point->name);
	if (revision[0] == '-')
		return error_set(err, -EINVAL, "point \"%s\": a commit cannot begin with \"-\"",
				 point->name);
	r = job_key_check_text(key, revision, err);
	if (r < 0)
		return error_prefix(err, r, "point \"%s\"", point->name);
	if (!text_is_utf8(revision))
		return error_set(err, -EILSEQ, "point \"%s\": the commit is not valid UTF-8",
				 point->name);
	return 0;
}

/*
 * What would take away what ends a test boot that went wrong: systemd with its watchdog and the
 * deadline, or the way back.
 */
static const char *const cmdline_reserved[] = {
	"abbot.", "init=", "rdinit=", "systemd.unit=", "systemd.mask=abbot", "reboot=", NULL,
};

/* The token and the hold are Abbot's own; a job that set them could fake a boot. */
static int validate_cmdline(const char *key, const char *cmdline, struct error *err)
{
	int n_quotes = 0;

	if (strlen(cmdline) > CMDLINE_MAX_BYTES)
		return error_set(err, -E2BIG, "%s is longer than %d bytes", key, CMDLINE_MAX_BYTES);
	for (const char *c = cmdline; *c; c++) {
		n_quotes += *c == '"';
		if (c != cmdline && c[-1] != ' ' && c[-1] != '\t' && c[-1] != '"')
			continue;
		for (size_t i = 0; cmdline_reserved[i]; i++)
			if (text_has_prefix(c, cmdline_reserved[i]))
				return error_set(err, -EINVAL,
						 "%s sets %s, which could keep a test boot from coming back: that is reserved",
						 key, cmdline_reserved[i]);
	}
	/* It would swallow what is added after it: panic=, and all that makes a dead kernel reboot. */
	if (n_quotes % 2)
		return error_set(err, -EINVAL, "%s has a double quote without its partner", key);
	return 0;
}

static int validate_change(const struct job_change *change, bool must_be_resolved,
			   struct error *err)
{
	const struct job_key *key = job_key_find("point", job_change_name(change->kind));
	int r = change->what ? job_key_check_text(key, change->what, err) : 0;

	if (r == 0)
		r = job_change_validate(change, must_be_resolved, err);
	if (r == 0 && (!text_is_utf8(change->what) || (change->title && !text_is_utf8(change->title))))
		r = error_set(err, -EILSEQ, "point.%s is not valid UTF-8", key->name);
	if (r == 0 && change->kind == JOB_CHANGE_CMDLINE)
		r = validate_cmdline("point.cmdline", change->what, err);
	return r;
}

static int validate_point(const struct job_point *point, bool must_be_resolved,
			  struct error *err)
{
	int r = job_validate_name("point", point->name, err);

	if (r == 0)
		r = validate_revision(point, err);
	if (r < 0)
		return r;
	if (point->commit[0] && !is_object_id(point->commit))
		return error_set(err, -EINVAL, "point \"%s\": \"%s\" is not a full commit id",
				 point->name, point->commit);
	if (point->tree[0] && !is_object_id(point->tree))
		return error_set(err, -EINVAL, "point \"%s\": \"%s\" is not a full tree id",
				 point->name, point->tree);
	for (size_t i = 0; i < point->changes.n; i++) {
		r = validate_change(&point->changes.items[i], must_be_resolved && !point->kernel[0],
				    err);
		if (r < 0)
			return error_prefix(err, r, "point \"%s\"", point->name);
	}
	if (point->kernel[0] && strlen(point->kernel) != JOB_KERNEL_KEY_SIZE - 1)
		return error_set(err, -EINVAL, "point \"%s\": the kernel key is damaged",
				 point->name);
	if (!must_be_resolved || point->kernel[0])
		return 0;
	if (!point->commit[0] || !point->tree[0])
		return error_set(err, -EINVAL, "point \"%s\": \"%s\" was not resolved to a commit",
				 point->name, point->revision);
	return 0;
}

static int validate_points(const struct job *job, bool must_be_resolved, struct error *err)
{
	for (size_t i = 0; i < job->n_points; i++) {
		int r = validate_point(&job->points[i], must_be_resolved, err);

		if (r < 0)
			return r;
		if (must_be_resolved && !job->repository && !job->points[i].kernel[0])
			return error_set(err, -EINVAL,
					 "the job names no repository, add job.repository");
		for (size_t k = 0; k < i; k++)
			if (strcmp(job->points[i].name, job->points[k].name) == 0)
				return error_set(err, -EEXIST, "there are two points named \"%s\"",
						 job->points[i].name);
	}
	return 0;
}

static int validate_sandwich(const struct job *job, struct error *err)
{
	const char *order = job->order ? job->order : "";
	size_t length = strlen(order);

	if (job->n_points != 2)
		return error_set(err, -EINVAL,
				 "a sandwich needs two points, parent and child, and the job has %zu",
				 job->n_points);
	if (strcmp(order, "auto") == 0 && !job->is_exact)
		return 0;
	for (size_t i = 0; i < length; i++)
		if (order[i] != (i % 2 == 0 ? 'P' : 'C'))
			length = 0;
	if (length < 3 || length % 2 == 0 || length > ORDER_MAX_BOOTS)
		return error_set(err, -EINVAL,
				 "job.order is \"%.100s\", it must alternate P and C and begin and end with P, as PCP or PCPCP%s",
				 order, job->is_exact ? "" : ", or be auto");
	return 0;
}

static int validate_boots(const struct job *job, struct error *err)
{
	int n_boots = design_first_boots(job);

	if (n_boots > RUN_STATE_BOOTS_MAX)
		return error_set(err, -E2BIG, "the job has %d boots, at most %d are possible", n_boots,
				 RUN_STATE_BOOTS_MAX);
	if (job->boot.max_reboots < n_boots)
		return error_set(err, -ERANGE, "boot.max-reboots is %lld, but the job needs %d boots",
				 (long long)job->boot.max_reboots, n_boots);
	return 0;
}

static int validate_sweep(const struct job *job, struct error *err)
{
	if (job->is_exact)
		return error_set(err, -EINVAL, "job.exactly is of a sandwich: a sweep's boots follow from its points and job.rounds");
	if (job->n_points < 2)
		return error_set(err, -EINVAL, "a sweep needs two points at least, and the job has %zu",
				 job->n_points);
	return 0;
}

static int validate_ladder(const struct job *job, struct error *err)
{
	if (job->is_exact)
		return error_set(err, -EINVAL, "job.exactly is of a sandwich: a ladder's boots follow from its points");
	if (job->n_points < 3)
		return error_set(err, -EINVAL,
				 "a ladder needs three points at least (parent, child, probes), and the job has %zu",
				 job->n_points);
	return 0;
}

static int validate_config(const char *config, struct error *err)
{
	if (strcmp(config, "running") == 0)
		return 0;
	if (strchr(config, '/'))
		return 0;
	if (text_has_suffix(config, "config") && config[0] != '-' &&
	    strspn(config, "abcdefghijklmnopqrstuvwxyz0123456789_.-") == strlen(config))
		return 0;
	return error_set(err, -EINVAL,
			 "build.config is \"%.100s\", write running, a path with a / in it (./%.100s), or a make target such as defconfig",
			 config, config);
}

int job_validate(const struct job *job, bool must_be_resolved, struct error *err)
{
	int r = job_validate_name("job", job->name, err);

	if (r == 0)
		r = job_validate_benches(job, err);
	if (r == 0)
		r = validate_texts(job, NULL, err);
	for (size_t i = 0; r == 0 && i < job->n_benches; i++)
		r = validate_texts(&job->benches[i], "bench", err);
	if (r == 0)
		r = validate_numbers(job, err);
	if (r == 0)
		r = validate_points(job, must_be_resolved, err);
	if (r == 0)
		r = validate_cmdline("boot.cmdline", job->boot.cmdline ? job->boot.cmdline : "", err);
	if (r == 0)
		r = validate_config(job->build.config ? job->build.config : "", err);
	if (r == 0)
		r = job_validate_diagnoses(job, err);
	if (r < 0)
		return r;
	if (job->design != JOB_DESIGN_BISECT && job->paths && job->paths[0])
		return error_set(err, -EINVAL, "job.path is for a bisection, and the design is %s",
				 job_design_name(job->design));
	switch (job->design) {
	case JOB_DESIGN_SANDWICH:
		r = validate_sandwich(job, err);
		break;
	case JOB_DESIGN_SWEEP:
		r = validate_sweep(job, err);
		break;
	case JOB_DESIGN_LADDER:
		r = validate_ladder(job, err);
		break;
	case JOB_DESIGN_BISECT:
		r = job_validate_bisect(job, err);
		break;
	}
	return r < 0 ? r : validate_boots(job, err);
}

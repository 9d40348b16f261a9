// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pins a job's points to commits. The reading happens in a child process, which
 * answers in JSON; revisions are source_revision.c's, work trees checkout.c's.
 */
#include "orchestrator/work/source.h"

#include <errno.h>
#include <string.h>

#include "common/text.h"
#include "orchestrator/work/source_revision.h"

/* The daemon answers nobody meanwhile, and its watchdog waits 3 minutes. */
#define RESOLVE_CPU_LIMIT_S 70

/* JSON is UTF-8, old commits need not be. */
static json_t *title_to_json(const git_commit *commit)
{
	/* The summary is cached inside the commit, hence libgit2's non-const parameter. */
	const char *summary = git_commit_summary((git_commit *)(uintptr_t)commit);
	_cleanup_free_ char *clean = text_duplicate(summary ? summary : "");
	json_t *title = json_string(clean);

	if (title)
		return title;
	for (char *byte = clean; *byte; byte++) {
		if ((unsigned char)*byte >= 0x80)
			*byte = '?';
	}
	return json_string(clean);
}

static bool has_line(const char *text, size_t size, const char *prefix)
{
	size_t prefix_size = strlen(prefix);

	for (const char *at = text; size >= prefix_size;) {
		const char *end = memchr(at, '\n', size);

		if (!memcmp(at, prefix, prefix_size))
			return true;
		if (!end)
			break;
		size -= (size_t)(end + 1 - at);
		at = end + 1;
	}
	return false;
}

/* A kernel's Makefile begins with its version, and kconfig needs Kconfig. */
static int kernel_tree_check(git_repository *repository, const git_tree *tree,
			     const char *revision, struct error *err)
{
	const git_tree_entry *entry = git_tree_entry_byname(tree, "Makefile");
	git_blob *blob = NULL;
	bool is_kernel = false;
	int r;

	if (entry && git_tree_entry_type(entry) == GIT_OBJECT_BLOB) {
		r = git_blob_lookup(&blob, repository, git_tree_entry_id(entry));
		if (r < 0)
			return error_set(err, source_git_errno(r),
					 "the Makefile of '%s' cannot be read (damaged, or a partial clone?): %s",
					 revision, source_git_message());
		is_kernel = has_line(git_blob_rawcontent(blob), git_blob_rawsize(blob), "VERSION =") &&
			    has_line(git_blob_rawcontent(blob), git_blob_rawsize(blob), "PATCHLEVEL =");
		git_blob_free(blob);
	}
	if (is_kernel && git_tree_entry_byname(tree, "Kconfig"))
		return 0;
	return error_set(err, -EINVAL,
			 "'%s' is not a kernel tree (no Makefile with VERSION and PATCHLEVEL, or no Kconfig)",
			 revision);
}

static int point_append(git_repository *repository, json_t *points, const char *name,
			const char *revision, const git_commit *commit, struct error *err)
{
	_cleanup_(cleanup_git_tree) git_tree *tree = NULL;
	char commit_hex[GIT_OID_HEXSZ + 1], tree_hex[GIT_OID_HEXSZ + 1];
	int r = git_commit_tree(&tree, commit);

	if (r < 0)
		return error_set(err, source_git_errno(r),
				 "the tree of '%s' cannot be read (damaged, or a partial clone?): %s",
				 revision, source_git_message());
	r = kernel_tree_check(repository, tree, revision, err);
	if (r < 0)
		return r;
	git_oid_tostr(commit_hex, sizeof(commit_hex), git_commit_id(commit));
	git_oid_tostr(tree_hex, sizeof(tree_hex), git_tree_id(tree));
	(void)json_array_append_new(points,
				    json_pack("{s:s,s:s,s:s,s:s,s:o}", "name", name, "revision", revision,
					      "commit", commit_hex, "tree", tree_hex, "title",
					      title_to_json(commit)));
	return 0;
}

static int points_resolve(git_repository *repository, const struct job *job, json_t *points,
			  struct error *err)
{
	int r = 0;

	for (size_t i = 0; i < job->n_points && r == 0; i++) {
		const struct job_point *point = &job->points[i];
		_cleanup_(cleanup_git_commit) git_commit *commit = NULL;

		if (point->kernel[0]) {
			(void)json_array_append_new(points, json_null());
			continue;
		}
		if (strstr(point->revision, ".."))
			return error_set(err, -EINVAL, "'%s' is a range: a range stands alone, as in: abbot queue A..B",
					 point->revision);
		r = source_revision_find(repository, job->repository, point->revision, &commit, err);
		if (r == 0)
			r = point_append(repository, points, point->name, point->revision, commit, err);
	}
	return r;
}

static int pair_resolve(git_repository *repository, const struct job *job, json_t *points,
			struct error *err)
{
	_cleanup_(source_pair_done) struct source_pair pair = { 0 };
	int r = source_revision_pair(repository, job->repository, job->points[0].revision, &pair, err);

	if (r == 0)
		r = point_append(repository, points, "parent", pair.parent_revision, pair.parent, err);
	if (r == 0)
		r = point_append(repository, points, "child", pair.child_revision, pair.child, err);
	return r;
}

/*
 * A probe of a ladder is the child and something more, which may be changes instead of
 * commits. @points as points_resolve() left them.
 */
static int ladder_check(git_repository *repository, const struct job *job, const json_t *points,
			struct error *err)
{
	git_oid child;
	json_t *point;
	size_t i;

	json_array_foreach(points, i, point) {
		const char *commit = json_string_value(json_object_get(point, "commit"));
		git_oid probe;
		int r;

		if (i == 0 || !commit)
			continue;
		if (git_oid_fromstr(i == 1 ? &child : &probe, commit) < 0)
			return error_set(err, -EBADMSG, "'%s' is no commit id", commit);
		if (i == 1 || (git_oid_equal(&child, &probe) &&
			       (job->points[1].changes.n || job->points[i].changes.n)))
			continue;
		r = git_graph_descendant_of(repository, &probe, &child);
		if (r < 0)
			return error_set(err, source_git_errno(r), "the history of %.12s cannot be read: %s",
					 commit, source_git_message());
		if (r == 0)
			return error_set(err, -EINVAL,
					 "%s (%.12s) does not come after the child: a probe of a ladder is a commit on top of it that undoes a part",
					 json_string_value(json_object_get(point, "name")), commit);
	}
	return 0;
}

/* Runs in the child process. */
static int resolve_in_child(void *context, struct json_t **ret_result, struct error *err)
{
	const struct job *job = context;
	_cleanup_(cleanup_git_repository) git_repository *repository = NULL;
	_cleanup_json_ json_t *result = json_pack("{s:[]}", "points");
	_cleanup_free_ char *note = NULL;
	json_t *points = json_object_get(result, "points");
	int r = source_git_start(err);

	if (r == 0)
		r = source_git_open(job->repository, &repository, err);
	if (r < 0)
		return r;
	if (job->n_points == 1)
		r = pair_resolve(repository, job, points, err);
	else
		r = points_resolve(repository, job, points, err);
	if (r == 0 && job->design == JOB_DESIGN_LADDER)
		r = ladder_check(repository, job, points, err);
	if (r < 0)
		return r;
	note = source_git_dirty_note(repository, job->repository);
	if (note)
		(void)json_object_set_new(result, "note", json_string(note));
	*ret_result = TAKE_PTR(result);
	return 0;
}

static void point_replace(char **text, const json_t *point, const char *key)
{
	free(*text);
	*text = text_duplicate(json_string_value(json_object_get(point, key)));
}

static int points_fill(struct job *job, const json_t *points, struct error *err)
{
	size_t i;
	const json_t *point;

	json_array_foreach(points, i, point) {
		if (i >= job->n_points) {
			int r = job_add_point(job, json_string_value(json_object_get(point, "name")),
					      json_string_value(json_object_get(point, "revision")), err);

			if (r < 0)
				return r;
		}
		if (!json_is_object(point))
			continue;
		point_replace(&job->points[i].name, point, "name");
		point_replace(&job->points[i].revision, point, "revision");
		point_replace(&job->points[i].title, point, "title");
		(void)snprintf(job->points[i].commit, sizeof(job->points[i].commit), "%s",
			       json_string_value(json_object_get(point, "commit")));
		(void)snprintf(job->points[i].tree, sizeof(job->points[i].tree), "%s",
			       json_string_value(json_object_get(point, "tree")));
	}
	return 0;
}

int source_resolve(struct job *job, char **ret_note, struct error *err)
{
	_cleanup_json_ json_t *result = NULL;
	bool needs_source = false;
	int r;

	for (size_t i = 0; i < job->n_points; i++)
		needs_source |= !job->points[i].kernel[0];
	if (needs_source && !job->repository)
		return error_set(err, -EINVAL, "the job names no repository: give the path of a kernel clone with --repository");
	if (job->n_points == 1 && job->points[0].changes.n)
		return error_set(err, -EINVAL, "the job has one point with changes and nothing to compare it with");
	if (needs_source) {
		r = source_git_call(resolve_in_child, job, job->repository, RESOLVE_CPU_LIMIT_S, &result,
				    err);
		if (r == 0)
			r = points_fill(job, json_object_get(result, "points"), err);
		if (r < 0)
			return r;
	}
	*ret_note = text_duplicate(json_string_value(json_object_get(result, "note")));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Applies a job's changes point by point, in a child process that answers in JSON. Each kind
 * is one function; diffs are patch.c's, git's objects change_tree.c's.
 */
#include "orchestrator/work/change.h"

#include <errno.h>
#include <string.h>

#include "common/base64.h"
#include "common/file.h"
#include "common/printable.h"
#include "common/text.h"
#include "orchestrator/work/build_site.h"
#include "orchestrator/work/change_tree.h"
#include "orchestrator/work/patch.h"
#include "orchestrator/work/source_revision.h"

/* The daemon answers nobody meanwhile, and its watchdog waits 3 minutes. */
#define APPLY_CPU_LIMIT_S 40

struct application {
	const struct job *job;
	const char *objects;     /* NULL: a trial */
	const json_t *contents;
};

/* One point on its way. */
struct work {
	const struct application *application;
	git_repository *repository;
	const char *revision;    /* the point's, for sentences */
	struct overlay overlay;
};

static int content_take(const struct work *work, const struct job_change *change,
			struct text_buffer *bytes, struct error *err)
{
	const char *text =
		json_string_value(json_object_get(work->application->contents, change->content));

	text_append(bytes, "");
	if (!text || base64_decode(text, strlen(text), bytes) < 0)
		return error_set(err, -ENOENT, "its content is missing");
	return 0;
}

static int apply_patch(struct work *work, const struct job_change *change, struct error *err)
{
	_cleanup_text_ struct text_buffer bytes = { 0 };
	int r = content_take(work, change, &bytes, err);

	return r < 0 ? r : patch_apply_text(&work->overlay, bytes.text, bytes.size, "its diff", err);
}

static int tree_of(const git_commit *commit, git_tree **ret_tree, struct error *err)
{
	int r = git_commit_tree(ret_tree, commit);

	return r < 0 ? error_set(err, source_git_errno(r), "its tree cannot be read: %s",
				 source_git_message())
		     : 0;
}

/* A file that the point's tree has not would be built into nothing: surely a mistake. */
static int override_put(struct work *work, const char *path, struct overlay_file *from,
			struct error *err)
{
	const struct overlay_file *old;
	int r = overlay_get(&work->overlay, path, &old, err);

	if (r < 0)
		return r;
	if (!old->is_there)
		return error_set(err, -ENOENT, "%s has no %s to be overridden", work->revision, path);
	if (old->size == from->size && memcmp(old->data, from->data, old->size) == 0)
		return error_set(err, -EINVAL, "it changes nothing, %s is the same there", path);
	r = overlay_put(&work->overlay, path, old->mode, from->data, from->size, err);
	if (r == 0)
		from->data = NULL;
	return r;
}

static int override_from_commit(struct work *work, const char *path, const char *revision,
				struct overlay_file *from, git_oid *ret_id, struct error *err)
{
	_cleanup_(cleanup_git_commit) git_commit *commit = NULL;
	_cleanup_(cleanup_git_tree) git_tree *tree = NULL;
	int r = source_revision_find(work->repository, work->application->job->repository, revision,
				     &commit, err);

	if (r == 0)
		r = tree_of(commit, &tree, err);
	if (r == 0)
		r = change_tree_file(work->repository, tree, path, from, err);
	if (r == 0 && !from->is_there)
		r = error_set(err, -ENOENT, "%s has no file %s", revision, path);
	if (r == 0)
		*ret_id = *git_commit_id(commit);
	return r;
}

static int apply_override(struct work *work, const struct job_change *change, git_oid *ret_id,
			  struct error *err)
{
	_cleanup_free_ char *path = NULL;
	struct overlay_file from = { 0 };
	const char *source;
	int r = job_change_split_override(change->what, &path, &source, err);

	if (r < 0)
		return r;
	from.path = path;
	if (change->content[0]) {
		struct text_buffer bytes = { 0 };

		r = content_take(work, change, &bytes, err);
		from.size = bytes.size;
		from.data = text_buffer_take(&bytes);
	} else if (job_change_is_file(source)) {
		r = error_set(err, -ENOENT, "its content is missing");
	} else {
		r = override_from_commit(work, path, source, &from, ret_id, err);
	}
	if (r == 0)
		r = override_put(work, path, &from, err);
	free(from.data);
	return r;
}

/* The commit's own diff, backwards. */
static int revert_diff(struct work *work, const git_commit *commit, struct error *err)
{
	_cleanup_(cleanup_git_commit) git_commit *parent = NULL;
	_cleanup_(cleanup_git_tree) git_tree *before = NULL, *after = NULL;
	git_diff_options options;
	git_diff *diff = NULL;
	int r;

	if (git_commit_parentcount(commit) != 1)
		return error_set(err, -EINVAL, "it is a %s, which has no single change to be reverted",
				 git_commit_parentcount(commit) ? "merge" : "root commit");
	r = git_commit_parent(&parent, commit, 0);
	if (r < 0)
		return error_set(err, source_git_errno(r), "its parent is missing (a shallow clone?): %s",
				 source_git_message());
	r = tree_of(parent, &before, err);
	if (r == 0)
		r = tree_of(commit, &after, err);
	if (r < 0)
		return r;
	if (git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) < 0 ||
	    git_diff_tree_to_tree(&diff, work->repository, after, before, &options) < 0)
		return error_set(err, -EIO, "its diff cannot be made: %s", source_git_message());
	r = patch_apply_diff(&work->overlay, diff, "backwards", err);
	git_diff_free(diff);
	return r;
}

static int apply_revert(struct work *work, const struct job_change *change, git_oid *ret_id,
			char **ret_title, struct error *err)
{
	_cleanup_(cleanup_git_commit) git_commit *commit = NULL;
	const char *summary;
	int r = source_revision_find(work->repository, work->application->job->repository,
				     change->what, &commit, err);

	if (r == 0)
		r = revert_diff(work, commit, err);
	if (r < 0)
		return r;
	*ret_id = *git_commit_id(commit);
	summary = git_commit_summary(commit);
	*ret_title = text_duplicate(summary ? summary : "");
	return 0;
}

/* {"id", "title"} of one change into @answers. */
static int change_apply(struct work *work, const struct job_change *change, json_t *answers,
			struct error *err)
{
	char hex[GIT_OID_HEXSZ + 1] = "";
	_cleanup_free_ char *title = NULL;
	git_oid id = { 0 };
	int r = 0;

	switch (change->kind) {
	case JOB_CHANGE_PATCH:
		r = apply_patch(work, change, err);
		break;
	case JOB_CHANGE_OVERRIDE:
		r = apply_override(work, change, &id, err);
		break;
	case JOB_CHANGE_REVERT:
		r = apply_revert(work, change, &id, &title, err);
		break;
	case JOB_CHANGE_CONFIG:
	case JOB_CHANGE_CMDLINE:
		break;
	}
	if (r < 0)
		return r;
	if (!git_oid_is_zero(&id))
		git_oid_tostr(hex, sizeof(hex), &id);
	/* A title that is not UTF-8 becomes none. */
	(void)json_array_append_new(answers, json_pack("{s:s, s:o*}", "id", hex, "title",
						       title ? json_string(title) : NULL));
	return 0;
}

static int point_apply(const struct application *application, git_repository *repository,
		       const struct job_point *point, json_t *points, struct error *err)
{
	_cleanup_json_ json_t *answers = json_array();
	_cleanup_(cleanup_git_tree) git_tree *tree = NULL;
	struct change_base base = { .repository = repository };
	struct work work = { .application = application, .repository = repository,
			     .revision = point->revision,
			     .overlay = { .read = change_tree_read, .context = &base } };
	char hex[GIT_OID_HEXSZ + 1];
	git_oid id;
	int r = git_oid_fromstr(&id, point->tree);

	if (r == 0)
		r = git_tree_lookup(&tree, repository, &id);
	if (r < 0)
		return error_set(err, source_git_errno(r), "the tree of %s cannot be read: %s",
				 point->revision, source_git_message());
	base.tree = tree;
	for (size_t i = 0; i < point->changes.n && r == 0; i++) {
		const struct job_change *change = &point->changes.items[i];

		r = change_apply(&work, change, answers, err);
		if (r < 0)
			r = error_prefix(err, r, "%s %.300s does not go onto %.100s",
					 job_change_name(change->kind), change->what, point->revision);
	}
	if (r == 0)
		r = change_tree_write(&base, &work.overlay, &id, err);
	overlay_done(&work.overlay);
	if (r < 0)
		return r;
	if (git_oid_equal(&id, git_tree_id(tree)))
		return error_set(err, -EINVAL, "point \"%s\": its changes undo each other, the tree is that of %s",
				 point->name, point->revision);
	git_oid_tostr(hex, sizeof(hex), &id);
	(void)json_array_append_new(points, json_pack("{s:s, s:O}", "tree", hex, "changes", answers));
	return 0;
}

static bool needs_tree(const struct job_point *point)
{
	return !point->kernel[0] && job_changes_has_tree(&point->changes);
}

static int apply_in_child(void *context, struct json_t **ret_result, struct error *err)
{
	const struct application *application = context;
	_cleanup_(cleanup_git_repository) git_repository *repository = NULL;
	_cleanup_json_ json_t *points = json_array();
	int r = source_git_start(err);

	if (r == 0)
		r = source_git_open(application->job->repository, &repository, err);
	if (r == 0)
		r = change_tree_divert(repository, application->objects, err);
	for (size_t i = 0; r == 0 && i < application->job->n_points; i++) {
		const struct job_point *point = &application->job->points[i];

		if (needs_tree(point))
			r = point_apply(application, repository, point, points, err);
		else
			(void)json_array_append_new(points, json_null());
	}
	if (r == 0)
		*ret_result = json_pack("{s:O}", "points", points);
	return r;
}

/* "Linux 7.1.3 + mm: batch PTEs", "Linux 7.1.3 + 4 changes". */
static void title_complete(struct job_point *point)
{
	_cleanup_free_ char *old = point->title;
	const struct job_changes *changes = &point->changes;
	_cleanup_free_ char *one = NULL;

	if (changes->n == 1)
		one = changes->items[0].title && changes->items[0].kind == JOB_CHANGE_PATCH
			      ? text_duplicate(changes->items[0].title)
			      : text_format("%s %s", job_change_name(changes->items[0].kind),
					    changes->items[0].what);
	else
		one = text_format("%zu changes", changes->n);
	point->title = text_format("%.300s + %.300s", old ? old : point->revision, one);
	/* Cut within a character it would be no text. */
	printable_clean(point->title, false);
}

static void point_fill(struct job_point *point, const json_t *answer)
{
	const json_t *changes = json_object_get(answer, "changes");

	if (json_is_object(answer))
		(void)snprintf(point->tree, sizeof(point->tree), "%s",
			       json_string_value(json_object_get(answer, "tree")));
	for (size_t i = 0; i < json_array_size(changes) && i < point->changes.n; i++) {
		struct job_change *change = &point->changes.items[i];
		const json_t *title = json_object_get(json_array_get(changes, i), "title");

		(void)snprintf(change->id, sizeof(change->id), "%s",
			       json_string_value(json_object_get(json_array_get(changes, i), "id")));
		if (title) {
			free(change->title);
			change->title = text_duplicate(json_string_value(title));
		}
	}
	if (point->changes.n)
		title_complete(point);
}

/* Where source_checkout() keeps its objects; it makes the rest of that repository. */
static int objects_make(const char *state_directory, const char *repository, char **ret_objects,
			struct error *err)
{
	_cleanup_free_ char *directory = NULL;
	int r = file_make_directories(state_directory, 0755, err);

	if (r < 0)
		return r;
	directory = build_site_directory(state_directory, repository);
	if (!directory)
		return error_set(err, -ENOENT, "there is no repository at %s", repository);
	*ret_objects = path_join(directory, "git/objects");
	return file_make_directories(*ret_objects, 0755, err);
}

int change_points_apply(struct job *job, const char *state_directory, const json_t *contents,
			struct error *err)
{
	_cleanup_free_ char *objects = NULL;
	struct application application = { .job = job, .contents = contents };
	_cleanup_json_ json_t *result = NULL;
	bool is_needed = false;
	int r = 0;

	for (size_t i = 0; i < job->n_points; i++)
		is_needed |= needs_tree(&job->points[i]);
	if (is_needed && state_directory)
		r = objects_make(state_directory, job->repository, &objects, err);
	application.objects = objects;
	if (is_needed && r == 0)
		r = source_git_call(apply_in_child, &application, job->repository, APPLY_CPU_LIMIT_S, &result,
				    err);
	for (size_t i = 0; r == 0 && i < job->n_points; i++)
		if (!job->points[i].kernel[0])
			point_fill(&job->points[i], json_array_get(json_object_get(result, "points"), i));
	return r;
}

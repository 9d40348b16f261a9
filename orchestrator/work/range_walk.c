// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line of commits from bad back to good: first parents here, and what
 * range_descendants.c chooses at merges.
 */
#include "orchestrator/work/range_walk.h"

#include <errno.h>
#include <string.h>

#include "common/printable.h"
#include "orchestrator/work/range.h"

/* Clocks of committers differ, but not over so many commits in a row. */
#define OLDER_IN_A_ROW_MAX 5000

void range_line_done(struct range_line *line)
{
	free(line->entries);
	text_buffer_done(&line->titles);
	*line = (struct range_line){ 0 };
}

static int line_append(struct range_line *line, const git_oid *id, const struct range_raw_commit *commit)
{
	char title[RANGE_TITLE_MAX_BYTES + 1];

	if ((line->n_entries & (line->n_entries - 1)) == 0) {
		size_t capacity = line->n_entries ? 2 * line->n_entries : 1;
		struct range_entry *entries =
			reallocarray(line->entries, capacity, sizeof(*entries));

		if (!entries)
			return -ENOMEM;
		line->entries = entries;
	}
	line->entries[line->n_entries++] = (struct range_entry){
		.id = *id,
		.tree = commit->tree,
		.author_time_s = commit->author_time_s,
		.title = line->titles.size,
		.is_merge = commit->n_parents > 1,
	};
	memcpy(title, commit->title, commit->title_size);
	title[commit->title_size] = '\0';
	printable_clean(title, false);
	text_append_bytes(&line->titles, title, commit->title_size + 1);
	return 0;
}

int range_refuse_missing(const struct range_ends *ends, const git_oid *id, struct error *err)
{
	char short_id[SOURCE_SHORT_ID_SIZE];

	source_git_short(id, short_id);
	if (git_repository_is_shallow(ends->repository))
		return error_set(err, -EINVAL,
				 "the history of '%s' ends before '%s' is reached (%s is not there), since %s is a shallow clone: run git -C %s fetch --unshallow",
				 ends->bad, ends->good, short_id, ends->path, ends->path);
	return error_set(err, RANGE_WALK_AGAIN,
			 "commit %s cannot be read in %s (was it pruned meanwhile, or is it damaged? try git -C %s fsck): %s",
			 short_id, ends->path, ends->path, source_git_message());
}

static int refuse_long(const struct range_ends *ends, struct error *err)
{
	return error_set(err, -E2BIG,
			 "the range %s..%s holds more than %d commits: name ends that are nearer to each other",
			 ends->good, ends->bad, RANGE_COMMITS_MAX);
}

static bool choose_first(const void *context, const struct range_raw_commit *commit, git_oid *ret_parent)
{
	(void)context;
	if (commit->n_parents > 0)
		*ret_parent = commit->parents[0];
	return commit->n_parents > 0;
}

int range_walk_line(const struct range_ends *ends, git_odb *odb, range_choose_function choose,
		    const void *context, struct range_line *line, struct error *err)
{
	struct range_raw_commit good = { 0 };
	git_odb_object *object = NULL;
	git_oid id = ends->bad_id;
	size_t older = 0;

	if (range_commit_read(odb, &ends->good_id, &object, &good) < 0)
		return range_refuse_missing(ends, &ends->good_id, err);
	git_odb_object_free(object);
	for (;;) {
		struct range_raw_commit commit;
		git_oid parent;
		bool is_end;

		if (range_commit_read(odb, &id, &object, &commit) < 0)
			return range_refuse_missing(ends, &id, err);
		if (line_append(line, &id, &commit) < 0) {
			git_odb_object_free(object);
			return error_set(err, -ENOMEM, "out of memory");
		}
		is_end = !choose(context, &commit, &parent);
		git_odb_object_free(object);
		if (git_oid_equal(&id, &ends->good_id))
			return 0;
		older = commit.committer_time_s < good.committer_time_s ? older + 1 : 0;
		if (is_end || (!context && older > OLDER_IN_A_ROW_MAX))
			return RANGE_WALK_APART;
		if (line->n_entries > RANGE_COMMITS_MAX)
			return refuse_long(ends, err);
		id = parent;
	}
}

int range_odb_open(const struct range_ends *ends, git_odb **ret_odb, struct error *err)
{
	if (git_repository_odb(ret_odb, ends->repository) < 0)
		return error_set(err, RANGE_WALK_AGAIN, "the objects of %s cannot be opened: %s",
				 ends->path, source_git_message());
	return 0;
}

int range_walk_first_parents(const struct range_ends *ends, struct range_line *ret_line,
			     struct error *err)
{
	_cleanup_(range_line_done) struct range_line line = { 0 };
	git_odb *odb = NULL;
	int r = range_odb_open(ends, &odb, err);

	if (r == 0)
		r = range_walk_line(ends, odb, choose_first, NULL, &line, err);
	git_odb_free(odb);
	if (r != 0)
		return r;
	*ret_line = line;
	line = (struct range_line){ 0 };
	return 0;
}

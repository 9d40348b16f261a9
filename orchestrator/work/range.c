// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A range in words becomes a line of commits. The child process answers through memory
 * that both share: as JSON the commits would cost a fifth of the walk itself.
 */
#include "orchestrator/work/range.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "common/text.h"
#include "orchestrator/work/range_weight.h"
#include "orchestrator/work/source_revision.h"

/* As for the points of a job: the daemon answers nobody meanwhile. */
#define RANGE_CPU_LIMIT_S 70
/* Packs are mapped in pieces, so that a long history does not become resident as a whole. */
#define PACK_WINDOW_BYTES ((size_t)8 << 20)
#define PACK_MAPPED_MAX_BYTES ((size_t)32 << 20)

_Static_assert(RANGE_ID_SIZE == GIT_OID_HEXSZ + 1, "ids are SHA-1");

struct range_record {
	git_oid id;
	int64_t author_time_s;
	bool is_merge;
	bool touches_paths;
	char title[RANGE_TITLE_MAX_BYTES + 1];
};

#define RECORDS_BYTES ((RANGE_COMMITS_MAX + 1) * sizeof(struct range_record))

struct range_call {
	const struct range_request *request;
	struct range_record *records; /* shared with the child, good first */
};

int range_split(const char *revision, char **ret_good, char **ret_bad, struct error *err)
{
	const char *dots = strstr(revision, "..");

	if (!dots)
		return error_set(err, -EINVAL, "'%s' is no range: write GOOD..BAD", revision);
	if (dots[2] == '.' || strstr(dots + 2, ".."))
		return error_set(err, -EINVAL, "'%s' has too many dots: a range is written GOOD..BAD", revision);
	*ret_good = dots == revision ? text_duplicate("HEAD") :
				       text_format("%.*s", (int)(dots - revision), revision);
	*ret_bad = text_duplicate(dots[2] ? dots + 2 : "HEAD");
	return 0;
}

static int refuse_apart(const struct range_ends *ends, struct error *err)
{
	char short_id[SOURCE_SHORT_ID_SIZE];
	git_oid base;
	int r = git_merge_base(&base, ends->repository, &ends->good_id, &ends->bad_id);

	if (r == GIT_ENOTFOUND)
		return error_set(err, -EINVAL,
				 "'%s' and '%s' have no commit in common (a root of %s lies between them): name two commits of one history",
				 ends->good, ends->bad, ends->path);
	if (r < 0)
		return range_refuse_missing(ends, &ends->bad_id, err);
	if (git_oid_equal(&base, &ends->good_id))
		return 0;
	if (git_oid_equal(&base, &ends->bad_id))
		return error_set(err, -EINVAL,
				 "'%s' comes after '%s', so the range holds no commit: write %s..%s, which finds a commit that made it faster just as well",
				 ends->good, ends->bad, ends->bad, ends->good);
	source_git_short(&base, short_id);
	return error_set(err, -EINVAL,
			 "'%s' is no ancestor of '%s', so there is no line of commits between them: their last common commit is %s; if that one is good, write %s..%s",
			 ends->good, ends->bad, short_id, short_id, ends->bad);
}

static int line_find(const struct range_ends *ends, struct range_line *line, bool *ret_is_first_parents,
		     struct error *err)
{
	char short_id[SOURCE_SHORT_ID_SIZE];
	int r;

	if (git_oid_equal(&ends->good_id, &ends->bad_id))
		return error_set(err, -EINVAL,
				 "'%s' and '%s' are the same commit %s: a range needs a good commit and a later, bad one",
				 ends->good, ends->bad, source_git_short(&ends->good_id, short_id));
	r = range_walk_first_parents(ends, line, err);
	*ret_is_first_parents = r == 0;
	if (r != RANGE_WALK_APART)
		return r;
	/* Not on the line of first parents; it may still be an ancestor. */
	r = refuse_apart(ends, err);
	return r < 0 ? r : range_walk_descendants(ends, line, err);
}

static void records_write(const struct range_line *line, const bool *touches, struct range_record *records)
{
	for (size_t i = 0; i < line->n_entries; i++) {
		const struct range_entry *entry = &line->entries[line->n_entries - 1 - i];
		struct range_record *record = &records[i];

		record->id = entry->id;
		record->author_time_s = entry->author_time_s;
		record->is_merge = entry->is_merge;
		record->touches_paths = touches[i];
		(void)stpncpy(record->title, line->titles.text + entry->title, RANGE_TITLE_MAX_BYTES);
	}
}

static int ends_find(const struct range_request *request, struct range_ends *ends, struct error *err)
{
	_cleanup_(cleanup_git_commit) git_commit *good = NULL;
	_cleanup_(cleanup_git_commit) git_commit *bad = NULL;
	int r = source_revision_find(ends->repository, ends->path, request->good, &good, err);

	if (r == 0)
		r = source_revision_find(ends->repository, ends->path, request->bad, &bad, err);
	if (r < 0)
		return r;
	ends->good_id = *git_commit_id(good);
	ends->bad_id = *git_commit_id(bad);
	return 0;
}

/* @pins: the ends as the first attempt found them, so that a second one means the same. */
static int range_attempt(const struct range_call *call, struct range_ends *pins, json_t **ret_result,
			 struct error *err)
{
	_cleanup_(cleanup_git_repository) git_repository *repository = NULL;
	_cleanup_(range_line_done) struct range_line line = { 0 };
	_cleanup_free_ bool *touches = NULL;
	bool is_first_parents = false;
	int r = source_git_open(call->request->repository, &repository, err);

	if (r < 0)
		return r;
	pins->repository = repository;
	r = git_oid_is_zero(&pins->bad_id) ? ends_find(call->request, pins, err) : 0;
	if (r == 0)
		r = line_find(pins, &line, &is_first_parents, err);
	if (r < 0)
		return r;
	touches = calloc(line.n_entries, sizeof(*touches));
	if (!touches)
		return error_set(err, -ENOMEM, "out of memory");
	r = range_weight_mark(pins, &line, call->request->paths, touches, err);
	if (r < 0)
		return r;
	records_write(&line, touches, call->records);
	*ret_result = json_pack("{s:I,s:b}", "commits", (json_int_t)line.n_entries, "first_parents",
				is_first_parents);
	return 0;
}

static int range_in_child(void *context, struct json_t **ret_result, struct error *err)
{
	const struct range_call *call = context;
	struct range_ends pins = { .path = call->request->repository, .good = call->request->good,
				   .bad = call->request->bad };
	int r = source_git_start(err);

	if (r < 0)
		return r;
	/* Each commit is read once, and zlib has its own sum; what is built is verified again. */
	(void)git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	(void)git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	(void)git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, PACK_WINDOW_BYTES);
	(void)git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, PACK_MAPPED_MAX_BYTES);
	r = range_attempt(call, &pins, ret_result, err);
	/* -EIO: an end was not found where it should be. */
	if (r == RANGE_WALK_AGAIN || r == -EIO)
		r = range_attempt(call, &pins, ret_result, err);
	return r;
}

static int range_from_records(const struct range_record *records, size_t n, struct range *ret_range,
			      struct error *err)
{
	_cleanup_text_ struct text_buffer titles = { 0 };
	struct range_commit *commits = calloc(n, sizeof(*commits));
	const char *title;

	if (!commits)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		text_append_bytes(&titles, records[i].title, strlen(records[i].title) + 1);
	title = titles.text;
	for (size_t i = 0; i < n; i++) {
		git_oid_tostr(commits[i].id, sizeof(commits[i].id), &records[i].id);
		commits[i].title = title;
		commits[i].author_time_s = records[i].author_time_s;
		commits[i].is_merge = records[i].is_merge;
		commits[i].weight = records[i].touches_paths ? RANGE_PATH_WEIGHT : 1;
		title += strlen(title) + 1;
	}
	*ret_range = (struct range){ .n = n - 1, .commits = commits, .titles = text_buffer_take(&titles) };
	return 0;
}

void range_done(struct range *range)
{
	free(range->commits);
	free(range->titles);
	*range = (struct range){ 0 };
}

int range_resolve(const struct range_request *request, struct range *ret_range, struct error *err)
{
	_cleanup_json_ json_t *answer = NULL;
	struct range_call call = { .request = request };
	json_int_t n;
	int r;

	/* Only the pages that are written ever exist. */
	call.records = mmap(NULL, RECORDS_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (call.records == MAP_FAILED)
		return error_set_errno(err, -errno, "no memory for the commits of %s..%s", request->good,
				       request->bad);
	r = source_git_call(range_in_child, &call, request->repository, RANGE_CPU_LIMIT_S, &answer, err);
	n = json_integer_value(json_object_get(answer, "commits"));
	if (r == 0 && (n < 2 || n > RANGE_COMMITS_MAX + 1))
		r = error_set(err, -EIO, "a helper process gave no line of commits");
	if (r == 0)
		r = range_from_records(call.records, (size_t)n, ret_range, err);
	if (r == 0)
		ret_range->is_first_parents = json_is_true(json_object_get(answer, "first_parents"));
	(void)munmap(call.records, RECORDS_BYTES);
	return r;
}

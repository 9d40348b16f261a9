// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Revisions of a user's repository, and a sentence for each way in which one can
 * be useless here: unknown, ambiguous, no commit, merge, root, shallow, a long range.
 */
#include "orchestrator/work/source_revision.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/text.h"

/* Counting further tells the user nothing, and a whole kernel history takes a while. */
#define RANGE_COUNT_MAX 100000
#define CANDIDATES_SHOWN 4
#define ABBREVIATION_MIN 4

void source_pair_done(struct source_pair *pair)
{
	git_commit_free(pair->parent);
	git_commit_free(pair->child);
	free(pair->parent_revision);
	free(pair->child_revision);
	*pair = (struct source_pair){ 0 };
}

struct candidates {
	git_repository *repository;
	const char *prefix;
	size_t prefix_size;
	git_oid commit;   /* the last one found */
	size_t n_commits;
	struct text_buffer text;
};

/* Objects may come from several packs: the same id twice is one candidate. */
static int candidate_add(const git_oid *id, void *context)
{
	struct candidates *candidates = context;
	git_commit *commit = NULL;
	char hex[GIT_OID_HEXSZ + 1], short_id[SOURCE_SHORT_ID_SIZE];

	git_oid_tostr(hex, sizeof(hex), id);
	if (strncasecmp(hex, candidates->prefix, candidates->prefix_size) != 0)
		return 0;
	if (candidates->n_commits > 0 && git_oid_equal(id, &candidates->commit))
		return 0;
	if (git_commit_lookup(&commit, candidates->repository, id) < 0)
		return 0; /* A tree or blob that begins alike cannot be meant. */
	candidates->commit = *id;
	if (candidates->n_commits++ < CANDIDATES_SHOWN)
		text_printf(&candidates->text, "%s%s", candidates->n_commits > 1 ? ", " : "",
			    source_git_short(id, short_id));
	git_commit_free(commit);
	return 0;
}

/* As git does: among objects that begin alike, one single commit is what was meant. */
static int ambiguous_find(git_repository *repository, const char *path, const char *revision,
			  git_commit **ret_commit, struct error *err)
{
	struct candidates candidates = { .repository = repository, .prefix = revision };
	_cleanup_free_ char *list = NULL;
	git_odb *odb = NULL;

	while (isxdigit((unsigned char)revision[candidates.prefix_size]))
		candidates.prefix_size++;
	if (revision[candidates.prefix_size] == '\0' &&
	    git_repository_odb(&odb, repository) == 0) {
		(void)git_odb_foreach(odb, candidate_add, &candidates);
		git_odb_free(odb);
	}
	list = text_buffer_take(&candidates.text);
	if (candidates.n_commits == 1 &&
	    git_commit_lookup(ret_commit, repository, &candidates.commit) == 0)
		return 0;
	if (candidates.n_commits == 0)
		return error_set(err, -EINVAL, "'%s' is ambiguous in %s: write more digits of the commit id",
				 revision, path);
	return error_set(err, -EINVAL, "'%s' is ambiguous in %s: it may be %s%s; write more digits", revision,
			 path, list, candidates.n_commits > CANDIDATES_SHOWN ? ", ..." : "");
}

static bool is_reference(git_repository *repository, const char *revision)
{
	git_reference *reference = NULL;
	bool is_there = git_reference_dwim(&reference, repository, revision) == 0;

	git_reference_free(reference);
	return is_there;
}

/* libgit2 takes one digit for a commit's id; git, and everybody, four at least. */
static bool is_too_short(git_repository *repository, const char *revision)
{
	size_t size = strspn(revision, "0123456789abcdefABCDEF");

	return !revision[size] && size > 0 && size < ABBREVIATION_MIN &&
	       !is_reference(repository, revision);
}

static int refuse_unknown(git_repository *repository, const char *path, const char *revision,
			  struct error *err)
{
	if (is_reference(repository, revision))
		return error_set(err, -EINVAL,
				 "'%s' names a commit that is not in %s (damaged? try git -C %s fsck)",
				 revision, path, path);
	return error_set(err, -ENOENT,
			 "%s has no revision '%s': check the spelling, or fetch it into that repository%s",
			 path, revision,
			 git_repository_is_shallow(repository) ? " (it is a shallow clone)" : "");
}

int source_revision_find(git_repository *repository, const char *path, const char *revision,
			 git_commit **ret_commit, struct error *err)
{
	_cleanup_(cleanup_git_object) git_object *object = NULL;
	git_object *peeled = NULL;
	int r;

	if (is_too_short(repository, revision))
		return error_set(err, -EINVAL,
				 "%s has no revision '%s', and a commit's id needs %d digits at least",
				 path, revision, ABBREVIATION_MIN);
	r = git_revparse_single(&object, repository, revision);
	if (r == GIT_EAMBIGUOUS)
		return ambiguous_find(repository, path, revision, ret_commit, err);
	if (r == GIT_ENOTFOUND)
		return refuse_unknown(repository, path, revision, err);
	if (r == GIT_EINVALIDSPEC || (r < 0 && *revision == '\0'))
		return error_set(err, -EINVAL, "'%s' is not a way to name a commit", revision);
	if (r < 0)
		return error_set(err, source_git_errno(r), "'%s' cannot be read in %s (damaged? try git -C %s fsck): %s",
				 revision, path, path, source_git_message());
	r = git_object_peel(&peeled, object, GIT_OBJECT_COMMIT);
	if (r == GIT_EPEEL || r == GIT_EINVALIDSPEC)
		return error_set(err, -EINVAL, "'%s' names a %s, not a commit", revision,
				 git_object_type2string(git_object_type(object)));
	if (r < 0)
		return error_set(err, source_git_errno(r), "'%s' points at a commit that %s lacks: %s", revision,
				 path, source_git_message());
	*ret_commit = (git_commit *)peeled;
	return 0;
}

static int refuse_merge(const git_commit *commit, const char *revision, struct error *err)
{
	_cleanup_text_ struct text_buffer parents = { 0 };
	char short_id[SOURCE_SHORT_ID_SIZE], first[SOURCE_SHORT_ID_SIZE];
	unsigned n = git_commit_parentcount(commit);

	source_git_short(git_commit_parent_id(commit, 0), first);
	for (unsigned i = 0; i < n && i < 8; i++)
		text_printf(&parents, "%s%s", i ? ", " : "",
			    source_git_short(git_commit_parent_id(commit, i), short_id));
	return error_set(err, -EINVAL,
			 "'%s' is a merge of %u parents (%s%s): name the one to compare with, as in: abbot queue %s %s",
			 revision, n, parents.text, n > 8 ? ", ..." : "", first,
			 source_git_short(git_commit_id(commit), short_id));
}

static int only_parent_find(git_repository *repository, const char *path, const git_commit *commit,
			    const char *revision, git_commit **ret_parent, struct error *err)
{
	char short_id[SOURCE_SHORT_ID_SIZE];
	unsigned n = git_commit_parentcount(commit);
	int r;

	if (n > 1)
		return refuse_merge(commit, revision, err);
	if (n == 0)
		return error_set(err, -EINVAL,
				 "'%s' is a root commit: it has no parent to compare with; queue two commits instead",
				 revision);
	r = git_commit_parent(ret_parent, commit, 0);
	if (r == 0)
		return 0;
	source_git_short(git_commit_parent_id(commit, 0), short_id);
	if (git_repository_is_shallow(repository))
		return error_set(err, -ENOENT,
				 "the parent %s of '%s' is missing, since %s is a shallow clone: run git -C %s fetch --unshallow",
				 short_id, revision, path, path);
	return error_set(err, source_git_errno(r),
			 "the parent %s of '%s' cannot be read in %s (damaged? try git -C %s fsck): %s",
			 short_id, revision, path, path, source_git_message());
}

/* How many commits A..B holds, at most RANGE_COUNT_MAX; negative when it cannot be walked. */
static int range_count(git_repository *repository, const git_oid *a, const git_oid *b)
{
	git_revwalk *walk = NULL;
	git_oid id;
	int n = 0;

	if (git_revwalk_new(&walk, repository) < 0)
		return -1;
	if (git_revwalk_push(walk, b) < 0 || git_revwalk_hide(walk, a) < 0)
		n = -1;
	while (n >= 0 && n < RANGE_COUNT_MAX) {
		int r = git_revwalk_next(&id, walk);

		if (r == GIT_ITEROVER)
			break;
		n = r < 0 ? -1 : n + 1;
	}
	git_revwalk_free(walk);
	return n;
}

static int range_check(git_repository *repository, const char *revision,
		       const struct source_pair *pair, struct error *err)
{
	const git_oid *a = git_commit_id(pair->parent), *b = git_commit_id(pair->child);
	int n;

	if (git_commit_parentcount(pair->child) == 1 &&
	    git_oid_equal(git_commit_parent_id(pair->child, 0), a))
		return 0;
	n = range_count(repository, a, b);
	if (n == 0)
		return error_set(err, -EINVAL,
				 "the range %s holds no commit: its end is the start or comes before it",
				 revision);
	if (n < 0)
		return error_set(err, -EINVAL,
				 "the range %s cannot be walked: queue one commit, or a pair of commits (abbot queue %s %s)",
				 revision, pair->parent_revision, pair->child_revision);
	return error_set(err, -EINVAL,
			 "the range %s holds %s%d commit%s, and this design compares one commit with its parent: search the range (--design bisect), or queue a pair of commits (abbot queue %s %s)",
			 revision, n >= RANGE_COUNT_MAX ? "more than " : "", n, n == 1 ? "" : "s",
			 pair->parent_revision, pair->child_revision);
}

static int range_find(git_repository *repository, const char *path, const char *revision,
		      const char *dots, struct source_pair *pair, struct error *err)
{
	int r;

	if (dots[2] == '.')
		return error_set(err, -EINVAL, "'%s' has three dots: a range is written A..B", revision);
	pair->parent_revision = strndup(revision, (size_t)(dots - revision));
	/* An absent end is HEAD, as in git. */
	pair->child_revision = text_duplicate(dots[2] ? dots + 2 : "HEAD");
	if (!pair->parent_revision)
		return error_set(err, -ENOMEM, "out of memory");
	if (!*pair->parent_revision) {
		free(pair->parent_revision);
		pair->parent_revision = text_duplicate("HEAD");
	}
	r = source_revision_find(repository, path, pair->parent_revision, &pair->parent, err);
	if (r < 0)
		return r;
	r = source_revision_find(repository, path, pair->child_revision, &pair->child, err);
	if (r < 0)
		return r;
	return range_check(repository, revision, pair, err);
}

int source_revision_pair(git_repository *repository, const char *path, const char *revision,
			 struct source_pair *ret_pair, struct error *err)
{
	_cleanup_(source_pair_done) struct source_pair pair = { 0 };
	const char *dots = strstr(revision, "..");
	int r;

	if (dots) {
		r = range_find(repository, path, revision, dots, &pair, err);
	} else {
		r = source_revision_find(repository, path, revision, &pair.child, err);
		if (r == 0)
			r = only_parent_find(repository, path, pair.child, revision, &pair.parent, err);
		pair.parent_revision = text_format("%s^", revision);
		pair.child_revision = text_duplicate(revision);
	}
	if (r < 0)
		return r;
	*ret_pair = pair;
	pair = (struct source_pair){ 0 };
	return 0;
}

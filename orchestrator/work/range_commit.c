// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A commit object, read and parsed: "tree", "parent"s, "author", "committer", other
 * headers, an empty line, the message (git's Documentation/gitformat-commit).
 */
#include "orchestrator/work/range_commit.h"

#include <string.h>

#include "common/text.h"

/* "NAME <ADDRESS> SECONDS ZONE"; 0 for what is no time. */
static int64_t person_time(const char *line, size_t size)
{
	const char *mark = memrchr(line, '>', size);
	char digits[24] = { 0 };
	int64_t seconds = 0;
	size_t n = 0;

	if (!mark)
		return 0;
	mark++;
	while (mark < line + size && *mark == ' ')
		mark++;
	while (mark < line + size && *mark != ' ' && n < sizeof(digits) - 1)
		digits[n++] = *mark++;
	(void)text_parse_i64(digits, INT64_MIN, INT64_MAX, &seconds);
	return seconds;
}

static void header_parse(const char *line, size_t size, struct range_raw_commit *commit)
{
	static const size_t tree_size = sizeof("tree ") - 1, parent_size = sizeof("parent ") - 1;
	static const size_t author_size = sizeof("author ") - 1, committer_size = sizeof("committer ") - 1;

	if (size == tree_size + GIT_OID_HEXSZ && !memcmp(line, "tree ", tree_size))
		(void)git_oid_fromstrn(&commit->tree, line + tree_size, GIT_OID_HEXSZ);
	else if (size == parent_size + GIT_OID_HEXSZ && !memcmp(line, "parent ", parent_size) &&
		 commit->n_parents < RANGE_PARENTS_READ_MAX)
		(void)git_oid_fromstrn(&commit->parents[commit->n_parents++], line + parent_size,
				       GIT_OID_HEXSZ);
	else if (size > author_size && !memcmp(line, "author ", author_size))
		commit->author_time_s = person_time(line, size);
	else if (size > committer_size && !memcmp(line, "committer ", committer_size))
		commit->committer_time_s = person_time(line, size);
}

static void commit_parse(const char *data, size_t size, struct range_raw_commit *ret_commit)
{
	const char *end = data + size, *at = data;

	ret_commit->n_parents = 0;
	ret_commit->author_time_s = ret_commit->committer_time_s = 0;
	while (at < end && *at != '\n') {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		header_parse(at, (size_t)((line_end ? line_end : end) - at), ret_commit);
		at = line_end ? line_end + 1 : end;
	}
	while (at < end && *at == '\n')
		at++;
	ret_commit->title = at;
	while (at < end && *at != '\n' && at - ret_commit->title < RANGE_TITLE_MAX_BYTES)
		at++;
	ret_commit->title_size = (size_t)(at - ret_commit->title);
}

int range_commit_read(git_odb *odb, const git_oid *id, git_odb_object **ret_object,
		       struct range_raw_commit *ret_commit)
{
	git_odb_object *object = NULL;

	if (git_odb_read(&object, odb, id) < 0)
		return RANGE_WALK_AGAIN;
	if (git_odb_object_type(object) != GIT_OBJECT_COMMIT) {
		git_odb_object_free(object);
		return RANGE_WALK_AGAIN;
	}
	commit_parse(git_odb_object_data(object), git_odb_object_size(object), ret_commit);
	*ret_object = object;
	return 0;
}

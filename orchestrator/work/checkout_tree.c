// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees are objects that anybody can write: names are judged before a file is. Objects
 * that are missing are found by the checkout itself.
 */
#include "orchestrator/work/checkout_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ENTRIES_MAX 2000000 /* a kernel has a hundred thousand */
#define DEPTH_MAX 128

struct judge {
	git_repository *repository;
	size_t n_entries;
	int depth;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_good_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	       strcasecmp(name, ".git") != 0;
}

static int names_check(const git_tree *tree, struct error *err)
{
	size_t n = git_tree_entrycount(tree);
	_cleanup_free_ const char **names = calloc(n + 1, sizeof(*names));

	if (!names)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		names[i] = git_tree_entry_name(git_tree_entry_byindex(tree, i));
		if (!is_good_name(names[i]))
			return error_set(err, -EINVAL, "it holds the name '%.100s'", names[i]);
	}
	qsort(names, n, sizeof(*names), compare_names);
	for (size_t i = 1; i < n; i++)
		if (strcmp(names[i - 1], names[i]) == 0)
			return error_set(err, -EINVAL, "it holds '%.100s' twice", names[i]);
	return 0;
}

static int tree_judge(struct judge *judge, const git_tree *tree, struct error *err);

static int subtree_judge(struct judge *judge, const git_oid *id, struct error *err)
{
	_cleanup_(cleanup_git_tree) git_tree *tree = NULL;

	if (git_tree_lookup(&tree, judge->repository, id) < 0)
		return 0; /* missing, damaged, or no tree: for the checkout to say */
	return tree_judge(judge, tree, err);
}

static int tree_judge(struct judge *judge, const git_tree *tree, struct error *err)
{
	size_t n = git_tree_entrycount(tree);
	int r = names_check(tree, err);

	judge->n_entries += n;
	if (r == 0 && judge->n_entries > ENTRIES_MAX)
		r = error_set(err, -EINVAL, "it holds more than %d files", ENTRIES_MAX);
	if (r == 0 && ++judge->depth > DEPTH_MAX)
		r = error_set(err, -EINVAL, "it is more than %d directories deep", DEPTH_MAX);
	for (size_t i = 0; i < n && r == 0; i++) {
		const git_tree_entry *entry = git_tree_entry_byindex(tree, i);

		if (git_tree_entry_filemode(entry) == GIT_FILEMODE_TREE)
			r = subtree_judge(judge, git_tree_entry_id(entry), err);
	}
	judge->depth--;
	return r;
}

int checkout_tree_check(git_repository *repository, const git_tree *tree, struct error *err)
{
	struct judge judge = { .repository = repository };
	int r = tree_judge(&judge, tree, err);

	if (r == -EINVAL)
		return error_prefix(err, r, "tree %s is none that git would make",
				    git_oid_tostr_s(git_tree_id(tree)));
	return r;
}

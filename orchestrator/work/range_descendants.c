// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line from bad to good where good lies on no first parent: each step goes to a parent
 * that descends from good, the first such one. All of good..bad is read for that.
 */
#include "orchestrator/work/range_walk.h"

#include <errno.h>
#include <string.h>

/* Commits of good..bad that descend from good, found oldest first. Open addressing. */
struct descendants {
	git_oid *slots;
	size_t n_slots; /* a power of two */
	size_t n;
	git_oid good;
};

static git_oid *slot_find(const git_oid *slots, size_t n_slots, const git_oid *id)
{
	size_t at;

	memcpy(&at, id->id, sizeof(at));
	for (at &= n_slots - 1;; at = (at + 1) & (n_slots - 1))
		if (git_oid_is_zero(&slots[at]) || git_oid_equal(&slots[at], id))
			return (git_oid *)(uintptr_t)&slots[at];
}

static bool descendants_has(const struct descendants *set, const git_oid *id)
{
	return git_oid_equal(id, &set->good) ||
	       (set->n_slots > 0 && git_oid_equal(slot_find(set->slots, set->n_slots, id), id));
}

static int descendants_add(struct descendants *set, const git_oid *id)
{
	if (2 * (set->n + 1) > set->n_slots) {
		size_t n_slots = set->n_slots ? 2 * set->n_slots : 1024;
		git_oid *slots = calloc(n_slots, sizeof(*slots));

		if (!slots)
			return -ENOMEM;
		for (size_t i = 0; i < set->n_slots; i++)
			if (!git_oid_is_zero(&set->slots[i]))
				*slot_find(slots, n_slots, &set->slots[i]) = set->slots[i];
		free(set->slots);
		set->slots = slots;
		set->n_slots = n_slots;
	}
	*slot_find(set->slots, set->n_slots, id) = *id;
	set->n++;
	return 0;
}

static bool choose_descendant(const void *context, const struct range_raw_commit *commit, git_oid *ret_parent)
{
	for (size_t i = 0; i < commit->n_parents; i++)
		if (descendants_has(context, &commit->parents[i])) {
			*ret_parent = commit->parents[i];
			return true;
		}
	return false;
}

static int descendants_fill(const struct range_ends *ends, git_odb *odb, git_revwalk *walk,
			    struct descendants *set, struct error *err)
{
	git_oid id, parent;
	int r;

	while ((r = git_revwalk_next(&id, walk)) == 0) {
		git_odb_object *object = NULL;
		struct range_raw_commit commit;
		bool is_descendant;

		if (range_commit_read(odb, &id, &object, &commit) < 0)
			return range_refuse_missing(ends, &id, err);
		is_descendant = choose_descendant(set, &commit, &parent);
		git_odb_object_free(object);
		if (is_descendant && descendants_add(set, &id) < 0)
			return error_set(err, -ENOMEM, "out of memory");
	}
	return r == GIT_ITEROVER ? 0 : range_refuse_missing(ends, &ends->bad_id, err);
}

int range_walk_descendants(const struct range_ends *ends, struct range_line *ret_line,
			   struct error *err)
{
	_cleanup_(range_line_done) struct range_line line = { 0 };
	struct descendants set = { .good = ends->good_id };
	git_revwalk *walk = NULL;
	git_odb *odb = NULL;
	int r = range_odb_open(ends, &odb, err);

	if (r == 0 &&
	    (git_revwalk_new(&walk, ends->repository) < 0 ||
	     git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE) < 0 ||
	     git_revwalk_push(walk, &ends->bad_id) < 0 || git_revwalk_hide(walk, &ends->good_id) < 0))
		r = range_refuse_missing(ends, &ends->bad_id, err);
	if (r == 0)
		r = descendants_fill(ends, odb, walk, &set, err);
	if (r == 0)
		r = range_walk_line(ends, odb, choose_descendant, &set, &line, err);
	git_revwalk_free(walk);
	git_odb_free(odb);
	free(set.slots);
	if (r != 0)
		return r;
	*ret_line = line;
	line = (struct range_line){ 0 };
	return 0;
}

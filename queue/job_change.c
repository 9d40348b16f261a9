// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of a point's changes: adding, judging each alone, words for people. The stored
 * form is queue/job_change_json.c's.
 */
#include "queue/job_change.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cleanup.h"
#include "common/text.h"

static const char *const kind_names[] = {
	[JOB_CHANGE_PATCH] = "patch",       [JOB_CHANGE_OVERRIDE] = "override",
	[JOB_CHANGE_REVERT] = "revert",     [JOB_CHANGE_CONFIG] = "config-set",
	[JOB_CHANGE_CMDLINE] = "cmdline",
};

const char *job_change_name(enum job_change_kind kind)
{
	return (size_t)kind < ARRAY_SIZE(kind_names) ? kind_names[kind] : "unknown";
}

int job_change_from_name(const char *name, enum job_change_kind *ret_kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(kind_names); i++) {
		if (strcmp(kind_names[i], name) == 0) {
			*ret_kind = (enum job_change_kind)i;
			return 0;
		}
	}
	return -EINVAL;
}

int job_changes_add(struct job_changes *changes, enum job_change_kind kind, const char *what,
		    struct job_change **ret_change, struct error *err)
{
	struct job_change *grown;

	if (changes->n >= JOB_CHANGES_MAX)
		return error_set(err, -E2BIG, "a point has at most %d changes", JOB_CHANGES_MAX);
	grown = reallocarray(changes->items, changes->n + 1, sizeof(*grown));
	if (!grown)
		abort();
	changes->items = grown;
	grown += changes->n++;
	*grown = (struct job_change){ .kind = kind, .what = text_duplicate(what) };
	if (ret_change)
		*ret_change = grown;
	return 0;
}

int job_changes_copy(struct job_changes *changes, const struct job_changes *from,
		     struct error *err)
{
	for (size_t i = 0; i < from->n; i++) {
		struct job_change *change;
		int r = job_changes_add(changes, from->items[i].kind, from->items[i].what, &change,
					err);

		if (r < 0)
			return r;
		change->title = text_duplicate(from->items[i].title);
		memcpy(change->id, from->items[i].id, sizeof(change->id));
		memcpy(change->content, from->items[i].content, sizeof(change->content));
	}
	return 0;
}

void job_changes_done(struct job_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		free(changes->items[i].what);
		free(changes->items[i].title);
	}
	free(changes->items);
	*changes = (struct job_changes){ 0 };
}

bool job_changes_has_tree(const struct job_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		if (changes->items[i].kind == JOB_CHANGE_PATCH ||
		    changes->items[i].kind == JOB_CHANGE_OVERRIDE ||
		    changes->items[i].kind == JOB_CHANGE_REVERT)
			return true;
	return false;
}

bool job_changes_has_config(const struct job_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		if (changes->items[i].kind == JOB_CHANGE_CONFIG)
			return true;
	return false;
}

bool job_change_is_file(const char *source)
{
	return source[0] == '/' || source[0] == '.';
}

static bool is_component(const char *name, size_t size)
{
	if (size == 0 || (size == 1 && name[0] == '.') || (size == 2 && memcmp(name, "..", 2) == 0))
		return false;
	return size != strlen(".git") || strncasecmp(name, ".git", size) != 0;
}

bool job_change_is_path(const char *path)
{
	for (const char *c = path; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f || *c == '\\')
			return false;
	for (;;) {
		size_t size = strcspn(path, "/");

		if (!is_component(path, size))
			return false;
		if (!path[size])
			return true;
		path += size + 1;
	}
}

int job_change_split_override(const char *what, char **ret_path, const char **ret_source,
			      struct error *err)
{
	/* A file's name may hold an '@', a kernel's path does not: the first one parts. */
	const char *at = strchr(what, '@');
	_cleanup_free_ char *path = at ? strndup(what, (size_t)(at - what)) : NULL;

	if (!path || !path[0] || !at[1])
		return error_set(err, -EINVAL,
				 "override \"%.200s\": write PATH@COMMIT, or PATH@./FILE for a file of your own",
				 what);
	if (!job_change_is_path(path))
		return error_set(err, -EINVAL,
				 "override \"%.200s\": \"%.200s\" is no path within a kernel tree, as mm/mprotect.c is",
				 what, path);
	*ret_path = TAKE_PTR(path);
	*ret_source = at + 1;
	return 0;
}

static int validate_config(const char *what, struct error *err)
{
	const char *name = what + strlen("CONFIG_");
	size_t size = 0;
	const char *value;

	if (text_has_prefix(what, "CONFIG_"))
		while (isalnum((unsigned char)name[size]) || name[size] == '_')
			size++;
	value = size && name[size] == '=' ? name + size + 1 : "";
	if (!value[0] || strchr(value, '\n'))
		return error_set(err, -EINVAL,
				 "config-set \"%.200s\": write CONFIG_NAME=VALUE, with y, m, n, a number or \"a text\"",
				 what);
	return 0;
}

static int validate_words(const struct job_change *change, struct error *err)
{
	_cleanup_free_ char *path = NULL;
	const char *source;

	switch (change->kind) {
	case JOB_CHANGE_OVERRIDE:
		return job_change_split_override(change->what, &path, &source, err);
	case JOB_CHANGE_REVERT:
		if (change->what[0] == '-')
			return error_set(err, -EINVAL, "revert: a commit cannot begin with \"-\"");
		return 0;
	case JOB_CHANGE_CONFIG:
		return validate_config(change->what, err);
	case JOB_CHANGE_PATCH:
	case JOB_CHANGE_CMDLINE:
		return 0;
	}
	return -EINVAL;
}

static bool is_hex(const char *text, size_t minimum)
{
	return strlen(text) >= minimum && strspn(text, "0123456789abcdef") == strlen(text);
}

int job_change_validate(const struct job_change *change, bool must_be_resolved,
			struct error *err)
{
	bool is_pinned = true;
	int r;

	if (!change->what || !change->what[0])
		return error_set(err, -EINVAL, "%s is empty", job_change_name(change->kind));
	r = validate_words(change, err);
	if (r < 0)
		return r;
	if ((change->id[0] && !is_hex(change->id, 40)) ||
	    (change->content[0] && !is_hex(change->content, 64)))
		return error_set(err, -EINVAL, "%s %.200s: its id is damaged",
				 job_change_name(change->kind), change->what);
	switch (change->kind) {
	case JOB_CHANGE_PATCH:
		is_pinned = change->content[0];
		break;
	case JOB_CHANGE_OVERRIDE:
		is_pinned = change->content[0] || change->id[0];
		break;
	case JOB_CHANGE_REVERT:
		is_pinned = change->id[0];
		break;
	case JOB_CHANGE_CONFIG:
	case JOB_CHANGE_CMDLINE:
		break;
	}
	if (must_be_resolved && !is_pinned)
		return error_set(err, -EINVAL, "%s %.200s was not resolved",
				 job_change_name(change->kind), change->what);
	return 0;
}

char *job_change_describe(const struct job_change *change)
{
	const char *id = change->id[0] ? change->id : change->content;

	return text_format("%s %s%s%.12s%s%s%s", job_change_name(change->kind), change->what,
			   id[0] ? " (" : "", id, id[0] ? ")" : "", change->title ? ": " : "",
			   change->title ? change->title : "");
}

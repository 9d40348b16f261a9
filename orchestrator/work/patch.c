// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A diff, file by file: what it may touch, then its hunks (patch_hunks.c), then new, renamed
 * and deleted files. libgit2 parses it.
 */
#include "orchestrator/work/patch.h"

#include <errno.h>
#include <string.h>

#include "orchestrator/work/patch_hunks.h"
#include "queue/job_change.h"

static void cleanup_diff(git_diff **diff)
{
	git_diff_free(*diff);
}

static void cleanup_patch(git_patch **patch)
{
	git_patch_free(*patch);
}

static bool is_plain(unsigned mode)
{
	/* 0: the patch says nothing of it. 0100664 is how some old patches write it. */
	return mode == 0 || mode == OVERLAY_MODE_FILE || mode == OVERLAY_MODE_EXECUTABLE ||
	       mode == 0100664;
}

static int refuse_delta(const git_diff_delta *delta, struct error *err)
{
	const char *old_path = delta->old_file.path, *new_path = delta->new_file.path;
	const char *path = new_path ? new_path : old_path ? old_path : "";

	if ((old_path && !job_change_is_path(old_path)) || (new_path && !job_change_is_path(new_path)) || !path[0])
		return error_set(err, -EPERM, "it changes \"%.200s\", which is no file within a kernel tree",
				 new_path && !job_change_is_path(new_path) ? new_path : old_path ? old_path : "");
	if (!is_plain(delta->old_file.mode) || !is_plain(delta->new_file.mode))
		return error_set(err, -EPERM, "%s: it makes or changes a link or a submodule (mode %o)", path,
				 (unsigned)(is_plain(delta->new_file.mode) ? delta->old_file.mode : delta->new_file.mode));
	if (delta->flags & GIT_DIFF_FLAG_BINARY)
		return error_set(err, -EPERM, "%s: binary patches are not applied", path);
	return 0;
}

/* An absent mode keeps the one that was. */
static unsigned mode_after(const git_diff_delta *delta, unsigned before)
{
	if (delta->new_file.mode == 0)
		return before ? before : OVERLAY_MODE_FILE;
	return delta->new_file.mode == OVERLAY_MODE_EXECUTABLE ? OVERLAY_MODE_EXECUTABLE : OVERLAY_MODE_FILE;
}

static int file_write(struct overlay *overlay, const git_diff_delta *delta, const char *from,
		      unsigned mode, struct text_buffer *after, struct error *err)
{
	const char *to = delta->new_file.path;
	const struct overlay_file *target;
	size_t size = after->size;
	char *data;
	int r = overlay_get(overlay, to, &target, err);

	if (r < 0)
		return r;
	if (target->is_there && (delta->status == GIT_DELTA_ADDED || strcmp(from, to) != 0))
		return error_set(err, -EEXIST, "%s: it makes this file, which is there already", to);
	data = text_buffer_take(after);
	r = overlay_put(overlay, to, mode, data, size, err);
	if (r < 0)
		free(data);
	if (r == 0 && delta->status == GIT_DELTA_RENAMED && strcmp(from, to) != 0)
		r = overlay_remove(overlay, from, err);
	return r;
}

static int delta_apply(struct overlay *overlay, const git_diff_delta *delta, git_patch *patch,
		       struct error *err)
{
	_cleanup_text_ struct text_buffer after = { 0 };
	const struct overlay_file *before = NULL;
	const char *from = delta->old_file.path ? delta->old_file.path : delta->new_file.path;
	unsigned mode = 0;
	int r = 0;

	if (delta->status != GIT_DELTA_ADDED) {
		r = overlay_get(overlay, from, &before, err);
		if (r == 0 && !before->is_there)
			r = error_set(err, -ENOENT, "%s: this tree has no such file", from);
		if (r < 0)
			return r;
		mode = before->mode;
	}
	r = patch_hunks_apply(patch, from, before ? before->data : "", before ? before->size : 0, &after, err);
	if (r < 0)
		return r;
	if (delta->status != GIT_DELTA_DELETED)
		return file_write(overlay, delta, from, mode_after(delta, mode), &after, err);
	if (after.size)
		return error_set(err, -EINVAL, "%s: it deletes the file, which holds more than it should", from);
	return overlay_remove(overlay, from, err);
}

int patch_apply_diff(struct overlay *overlay, git_diff *diff, const char *name, struct error *err)
{
	size_t n = git_diff_num_deltas(diff);

	if (n == 0)
		return error_set(err, -EINVAL, "%s changes nothing", name);
	for (size_t i = 0; i < n; i++) {
		_cleanup_(cleanup_patch) git_patch *patch = NULL;
		int r = git_patch_from_diff(&patch, diff, i);

		if (r < 0)
			return error_set(err, -EINVAL, "%s cannot be read: %s", name, source_git_message());
		/* Loading it may find that a file is binary. */
		r = refuse_delta(patch ? git_patch_get_delta(patch) : git_diff_get_delta(diff, i), err);
		if (r == 0)
			r = delta_apply(overlay, git_patch_get_delta(patch), patch, err);
		if (r < 0)
			return error_prefix(err, r, "%s", name);
	}
	return 0;
}

/* The words of a mail before the diff may look like anything, even like a hunk. */
static const char *diff_start(const char *text)
{
	const char *at = text;

	while (at && !text_has_prefix(at, "diff --git ")) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return at;
}

int patch_apply_text(struct overlay *overlay, const char *text, size_t size, const char *name,
		     struct error *err)
{
	_cleanup_(cleanup_diff) git_diff *diff = NULL;
	_cleanup_text_ struct text_buffer ended = { 0 };
	const char *start;

	if (memchr(text, '\0', size))
		return error_set(err, -EINVAL, "%s is no text: it holds a NUL byte", name);
	start = diff_start(text);
	if (!start)
		return error_set(err, -EINVAL,
				 "%s is no git diff (no line begins with \"diff --git\"): make it with git diff or git format-patch",
				 name);
	/* libgit2 takes an empty file's header for unfinished, unless a mail's signature follows. */
	text_append_bytes(&ended, start, size - (size_t)(start - text));
	text_append(&ended, ended.text[ended.size - 1] == '\n' ? "-- \n" : "\n-- \n");
	if (git_diff_from_buffer(&diff, ended.text, ended.size) < 0)
		return error_set(err, -EINVAL, "%s is damaged: %s", name, source_git_message());
	return patch_apply_diff(overlay, diff, name, err);
}

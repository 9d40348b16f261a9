// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which mails of an mbox, maybe a whole thread with its discussion, are the patches of one
 * series, in order. Pure.
 */
#pragma once

#include "orchestrator/work/mbox.h"

struct mbox_patch {
	char *title;    /* the subject without its brackets */
	char *text;     /* the mail's body, decoded */
	size_t size;
};

struct mbox_series {
	struct mbox_patch *patches;
	size_t n_patches;
	char *note;     /* which of several revisions this is, or NULL */
};

struct mbox_subject {
	bool is_reply;
	int version;       /* 1 where none is said */
	int number;        /* of N/M; 0: none */
	int total;
	const char *title; /* points into the subject */
};

/* "Re: [PATCH v3 2/5] mm: x". Never fails. */
struct mbox_subject mbox_subject_parse(const char *subject);

/* Holds the text a diff, rather than words or a quoted one? */
bool mbox_has_diff(const char *text);

/*
 * The newest revision, or that of the mail @message_id (NULL: none named). Numbered patches
 * are sorted and must be complete; others are taken as they come, as git am does. Replies are
 * left out. -ENOENT, -EINVAL with a sentence beginning with @name.
 */
int mbox_series_select(const struct mbox *mbox, const char *name, const char *message_id,
		       struct mbox_series *ret_series, struct error *err);
void mbox_series_done(struct mbox_series *series);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A mail to the people who can act: headers, the answer, the table, the figures, what they
 * rest on, how to reproduce. Sender and date are left to the mail program. The body is
 * render_mail_body.c's, whether it may be sent mail_lint.c's.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/mail_lint.h"
#include "reports/render/render_internal.h"

#define HEADER_COLUMNS 76

/* "mm/mprotect" of "mm/mprotect: look up the page": letters, digits and what paths hold. */
static char *prefix_of_title(const char *title)
{
	const char *colon = title ? strstr(title, ": ") : NULL;

	if (!colon || colon == title)
		return NULL;
	for (const char *c = title; c < colon; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("/_-.,+ ", *c))
			return NULL;
	}
	return strndup(title, (size_t)(colon - title));
}

/* Of a point with changes the title is "BASE's + CHANGE's": the change is what the mail is about. */
static const char *own_title(const struct result_point *point)
{
	const char *plus = point->changes.n && point->title ? strstr(point->title, " + ") : NULL;

	return plus ? plus + strlen(" + ") : point->title;
}

static char *prefix_of(const struct result *result)
{
	if (result->mail.subject_prefix)
		return render_clean(result->mail.subject_prefix, false);
	return prefix_of_title(result->n_points > 1 ? own_title(&result->points[1]) : NULL);
}

bool render_mail_is_regression(const struct result *result)
{
	/* What a patch of somebody's own does is no news to a maintainer's tree. */
	for (size_t i = 0; i < result->n_points; i++)
		if (result->points[i].changes.n)
			return false;
	/* An emulated machine gives no evidence that a maintainer should act on. */
	return result->estimates.is_present && !result->is_emulated &&
	       result->estimates.verdict.verdict == VERDICT_REGRESSION;
}

/* "mprotect-toggle +39.77 % ns/page since cac1db8c3aad" */
static char *subject_words(const struct result *result)
{
	const struct result_estimates *estimates = &result->estimates;
	const char *what = result->workload ? result->workload : "benchmark";
	const struct result_point *child = &result->points[result->n_points > 1];
	char pct[RENDER_PCT_SIZE];

	if (estimates->has_ladder)
		return text_format("%s, where the %s come from", what,
				   render_pct(estimates->ladder.original_pct, pct));
	if (estimates->has_sweep)
		return text_format("%s %s from %s to %s", what,
				   render_pct(estimates->sweep.window_contrast.estimate_pct, pct),
				   result->points[estimates->sweep.window].name,
				   result->points[estimates->sweep.window + 1].name);
	if (estimates->verdict.verdict == VERDICT_INCONCLUSIVE)
		return text_format("%s, no answer yet about %.12s", what,
				   child->commit ? child->commit : child->name);
	return text_format("%s %s%s%s %s %.12s", what,
			   render_pct(render_delta_pct(result), pct), result->unit ? " " : "",
			   result->unit ? result->unit : "",
			   child->changes.n ? "by changes on" : "since",
			   child->commit ? child->commit : child->name);
}

static void append_subject(const struct result *result, struct text_buffer *text)
{
	_cleanup_free_ char *prefix = prefix_of(result);
	_cleanup_free_ char *words = subject_words(result);
	_cleanup_free_ char *subject = text_format("%s%s%s%s",
		render_mail_is_regression(result) ? "[REGRESSION] "
		: result->is_emulated		  ? "[EMULATED] "
						  : "",
		prefix ? prefix : "", prefix ? ": " : "", words);
	_cleanup_free_ char *clean = render_clean(subject, false);

	/* Header words are ASCII: names of kernels may not be. */
	for (char *c = clean; *c; c++) {
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	}
	render_fill(text, HEADER_COLUMNS, "Subject: ", 1, clean);
}

static void append_recipients(struct text_buffer *text, const char *name,
			      const struct result_texts *recipients, bool is_regression)
{
	bool is_begun = false;

	for (size_t i = 0; i < recipients->n; i++) {
		_cleanup_free_ char *clean = render_clean(recipients->items[i], false);

		text_printf(text, "%s%s", is_begun ? ",\n " : name, clean);
		is_begun = true;
	}
	if (is_regression)
		text_printf(text, "%s%s", is_begun ? ",\n " : name, MAIL_REGRESSIONS_LIST);
	text_append(text, is_begun || is_regression ? "\n" : "");
}

static int append_reply(const struct result *result, struct text_buffer *text, struct error *err)
{
	const char *id = result->mail.reply_to;
	size_t size;

	if (!id)
		return 0;
	id += *id == '<';
	size = strcspn(id, ">");
	if (!memchr(id, '@', size) || strcspn(id, " \t\r\n<,") < size ||
	    (id[size] && strcmp(id + size, ">") != 0))
		return error_set(err, -EINVAL,
				 "'%.80s' is no message id; it looks like 20260101.1234@host and stands in the mail's Message-ID header",
				 result->mail.reply_to);
	text_printf(text, "In-Reply-To: <%.*s>\nReferences: <%.*s>\n", (int)size, id, (int)size, id);
	return 0;
}

/* Why the tree itself names nobody. */
static int append_note(const char *note, int code, struct error *err)
{
	_cleanup_free_ char *complaint = text_duplicate(err ? err->text : "");

	return error_set(err, code, "%s; %s: name them with --to", complaint, note);
}

int render_mail(const struct result *result, struct text_buffer *text, struct error *err)
{
	int r;

	if (!render_has_estimates(result))
		return error_set(err, -EINVAL,
				 "there is no result to mail: the job is %s; --format text says more",
				 result_status_name(result->status));
	append_subject(result, text);
	append_recipients(text, "To: ", &result->mail.to, false);
	append_recipients(text, "Cc: ", &result->mail.cc, render_mail_is_regression(result));
	r = append_reply(result, text, err);
	if (r < 0)
		return r;
	text_append(text, "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
			  "Content-Transfer-Encoding: 8bit\n\n");
	render_mail_body(result, text);
	r = mail_lint(text->text, err);
	if (r < 0 && result->mail.note && !result->mail.to.n && !result->mail.cc.n)
		return append_note(result->mail.note, r, err);
	return r;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Mails that anybody may have sent to a list. */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "orchestrator/work/mbox_series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = fuzz_text(data, size);
	_cleanup_free_ char *words = mbox_decode_words(text);
	_cleanup_(mbox_done) struct mbox mbox = { 0 };
	_cleanup_(mbox_series_done) struct mbox_series series = { 0 };
	struct error err = { .text = "" };

	(void)mbox_is_mail(text, size);
	(void)mbox_subject_parse(text);
	if (mbox_parse(text, size, "t.mbox", &mbox, &err) < 0 ||
	    mbox_series_select(&mbox, "t.mbox", NULL, &series, &err) < 0) {
		FUZZ_REQUIRE(err.text[0] && !strchr(err.text, '\n'));
		return 0;
	}
	FUZZ_REQUIRE(series.n_patches > 0);
	for (size_t i = 0; i < series.n_patches; i++)
		FUZZ_REQUIRE(strlen(series.patches[i].text) == series.patches[i].size &&
			     mbox_has_diff(series.patches[i].text) && !strpbrk(series.patches[i].title, "\n\033"));
	return 0;
}

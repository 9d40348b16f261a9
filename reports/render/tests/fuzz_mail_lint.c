// SPDX-License-Identifier: GPL-2.0-or-later
/* Mails: refused with a sentence, or fit to be sent. */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "reports/render/mail_lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = fuzz_text(data, size);
	struct error err = { .text = "" };

	if (mail_lint(text, &err) < 0)
		FUZZ_REQUIRE(err.text[0]);
	return 0;
}

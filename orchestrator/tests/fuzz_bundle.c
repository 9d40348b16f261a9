// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stranger's archive, after decompression: what is accepted has good names, is sorted and
 * within the limits; checking it ends in a verdict or a sentence.
 */
#include "common/cleanup.h"
#include "common/tests/fuzz.h"
#include "orchestrator/work/bundle_make.h"
#include "orchestrator/work/bundle_verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(bundle_check_done) struct bundle_check check = { 0 };
	_cleanup_bundle_ struct bundle bundle = { 0 };
	struct error err = { .text = "" };

	if (bundle_tar_parse((const char *)data, size, &bundle, &err) < 0) {
		FUZZ_REQUIRE(err.text[0]);
		return 0;
	}
	for (size_t i = 0; i < bundle.n_files; i++) {
		FUZZ_REQUIRE(bundle_name_is_good(bundle.files[i].name));
		FUZZ_REQUIRE(i == 0 || strcmp(bundle.files[i - 1].name, bundle.files[i].name) < 0);
	}
	err.text[0] = '\0';
	if (bundle_verify(&bundle, &check, &err) < 0)
		FUZZ_REQUIRE(err.text[0]);
	return 0;
}

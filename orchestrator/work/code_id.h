// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Are two kernels the same code? SHA-256 of vmlinux without what always differs.
 */
#pragma once

#include "common/digest.h"
#include "common/error.h"

/*
 * Every occurrence of the build id (@build_id_hex, 40 digits) and of @local_version is
 * replaced by zero bytes before hashing; both have fixed lengths, so nothing else
 * moves. *ret_sha256 is of the file as it is. Blocks; the file may not change meanwhile.
 */
int code_id_compute(const char *vmlinux, const char *build_id_hex, const char *local_version,
		    char ret_code_id[DIGEST_HEX_SIZE], char ret_sha256[DIGEST_HEX_SIZE],
		    struct error *err);

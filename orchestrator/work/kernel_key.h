// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What makes a kernel the kernel it is, and the key over it: same key, same kernel.
 */
#pragma once

#include "common/digest.h"

/* Fixed Kbuild metadata, so that builds are reproducible (Documentation/kbuild/reproducible-builds.rst). */
#define KERNEL_KEY_TIMESTAMP "Thu Jan  1 00:00:00 UTC 1970"
#define KERNEL_KEY_USER "abbot"
#define KERNEL_KEY_HOST "abbot"
#define KERNEL_KEY_VERSION "1"
/* Code layout differs less between builds when functions start on cache lines. */
#define KERNEL_KEY_KCFLAGS "-falign-functions=64"

#define KERNEL_KEY_LOCAL_VERSION_SIZE 64

struct kernel_key_inputs {
	const char *tree;
	const char *config_sha256;      /* canonical */
	const char *toolchain_identity;
	const char *architecture;       /* of uname(2) */
	const char *local_version_override; /* or NULL */
};

/* SHA-256 in hex over all the inputs: equal keys are the same kernel. */
void kernel_key_compute(const struct kernel_key_inputs *inputs, char ret_key[DIGEST_HEX_SIZE]);
/* "-ab" and the key's first 12 digits, or the override. */
void kernel_key_local_version(const char *key, const char *override,
			      char ret_text[KERNEL_KEY_LOCAL_VERSION_SIZE]);

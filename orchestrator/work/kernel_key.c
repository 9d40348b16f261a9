// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel key and the local version made from it. Collecting the inputs is
 * build.c's and toolchain.c's.
 */
#include "orchestrator/work/kernel_key.h"

#include <stdio.h>

void kernel_key_compute(const struct kernel_key_inputs *inputs, char ret_key[DIGEST_HEX_SIZE])
{
	struct digest *digest = digest_new();
	const char *parts[] = {
		"abbot kernel key 1", /* changes when the build rules do */
		inputs->tree,
		inputs->config_sha256,
		inputs->toolchain_identity,
		inputs->architecture,
		KERNEL_KEY_KCFLAGS,
		KERNEL_KEY_TIMESTAMP,
		KERNEL_KEY_USER,
		KERNEL_KEY_HOST,
		KERNEL_KEY_VERSION,
		inputs->local_version_override ? inputs->local_version_override : "",
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		digest_add_text(digest, parts[i]);
	digest_finish(digest, ret_key);
}

void kernel_key_local_version(const char *key, const char *override,
			      char ret_text[KERNEL_KEY_LOCAL_VERSION_SIZE])
{
	if (override)
		(void)snprintf(ret_text, KERNEL_KEY_LOCAL_VERSION_SIZE, "%s", override);
	else
		(void)snprintf(ret_text, KERNEL_KEY_LOCAL_VERSION_SIZE, "-ab%.12s", key);
}

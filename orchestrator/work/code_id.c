// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code id by masking bytes: no ELF parsing, so nothing to get wrong in it. The
 * pages that hold masked bytes are private copies; the rest is read in place.
 */
#include "orchestrator/work/code_id.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "common/cleanup.h"

#define VMLINUX_MAX_BYTES ((off_t)4 << 30)
#define BUILD_ID_BYTES 20

static int hex_decode(const char *hex, unsigned char bytes[BUILD_ID_BYTES])
{
	if (strlen(hex) != (size_t)2 * BUILD_ID_BYTES)
		return -EINVAL;
	for (size_t i = 0; i < BUILD_ID_BYTES; i++) {
		unsigned value;

		if (sscanf(hex + 2 * i, "%2x", &value) != 1)
			return -EINVAL;
		bytes[i] = (unsigned char)value;
	}
	return 0;
}

static void mask(unsigned char *data, size_t size, const void *pattern, size_t pattern_size)
{
	unsigned char *at = data;

	if (pattern_size == 0)
		return;
	while ((at = memmem(at, size - (size_t)(at - data), pattern, pattern_size))) {
		memset(at, 0, pattern_size);
		at += pattern_size;
	}
}

int code_id_compute(const char *vmlinux, const char *build_id_hex, const char *local_version,
		    char ret_code_id[DIGEST_HEX_SIZE], char ret_sha256[DIGEST_HEX_SIZE],
		    struct error *err)
{
	_cleanup_close_ int fd = open(vmlinux, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	unsigned char build_id[BUILD_ID_BYTES];
	struct stat status;
	unsigned char *data;
	size_t size;

	if (hex_decode(build_id_hex, build_id) < 0)
		return error_set(err, -EINVAL, "'%s' is not a build id of 40 hex digits", build_id_hex);
	if (fd < 0 || fstat(fd, &status) < 0)
		return error_set_errno(err, -errno, "%s cannot be read", vmlinux);
	if (!S_ISREG(status.st_mode) || status.st_size <= 0 || status.st_size > VMLINUX_MAX_BYTES)
		return error_set(err, -EINVAL, "%s is not a kernel (empty, too large, or no file)", vmlinux);
	size = (size_t)status.st_size;
	data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return error_set_errno(err, -errno, "%s cannot be mapped", vmlinux);
	digest_bytes(data, size, ret_sha256);
	mask(data, size, build_id, sizeof(build_id));
	mask(data, size, local_version, strlen(local_version));
	digest_bytes(data, size, ret_code_id);
	(void)munmap(data, size);
	return 0;
}

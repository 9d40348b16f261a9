// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF files that a hostile build may leave. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "boot/kernel_id.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_close_ int fd = memfd_create("vmlinux", MFD_CLOEXEC);
	char path[64], hex[KERNEL_BUILD_ID_SIZE] = "";

	if (fd < 0 || file_write_fd(fd, data, size) < 0)
		abort();
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (kernel_id_of_vmlinux(path, hex, NULL) == 0)
		FUZZ_REQUIRE(strlen(hex) == KERNEL_BUILD_ID_SIZE - 1);
	return 0;
}

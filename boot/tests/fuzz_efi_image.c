// SPDX-License-Identifier: GPL-2.0-or-later
/* EFI applications, before the firmware is asked to start one. */
#include <sys/mman.h>

#include "boot/esp.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_close_ int fd = memfd_create("image", MFD_CLOEXEC);
	struct error err = { .text = "" };

	if (fd < 0 || file_write_fd(fd, data, size) < 0)
		abort();
	if (esp_check_image_fd(fd, "image", &err) == 0)
		FUZZ_REQUIRE(size >= 64 + 24 && memcmp(data, "MZ", 2) == 0);
	else
		FUZZ_REQUIRE(err.text[0]);
	return 0;
}

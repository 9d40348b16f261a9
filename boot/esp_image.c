// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at what firmware would start: Microsoft's PE format, Documentation/arch/x86/boot.rst,
 * Documentation/arch/arm64/booting.rst.
 */
#include "boot/esp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/little_endian.h"
#include "common/text.h"

#define PE_OFFSET_MAX (1U << 20)
#define PE_HEADER_BYTES 24 /* the signature and the COFF file header */
#define PE_SECTION_BYTES 40

static bool read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
	return pread(fd, bytes, size, (off_t)offset) == (ssize_t)size;
}

/* The PE file's section table: its offset and length; false when it is none. */
static bool find_sections(int fd, uint64_t *ret_at, uint32_t *ret_n_sections)
{
	unsigned char header[64], coff[PE_HEADER_BYTES];
	uint64_t at;

	if (!read_at(fd, header, sizeof(header), 0) || header[0] != 'M' || header[1] != 'Z')
		return false;
	at = little_endian_get(header + 0x3c, 4);
	if (at >= PE_OFFSET_MAX || !read_at(fd, coff, sizeof(coff), at) || memcmp(coff, "PE\0\0", 4) != 0)
		return false;
	*ret_at = at + sizeof(coff) + little_endian_get(coff + 20, 2);
	*ret_n_sections = (uint32_t)little_endian_get(coff + 6, 2);
	return true;
}

/*
 * Where the last byte that the sections of the PE file have in it ends; 0: it is none. A
 * bzImage's sections reach up to its end.
 */
static uint64_t image_end(int fd)
{
	unsigned char section[PE_SECTION_BYTES];
	uint64_t at, end = 0;
	uint32_t left;

	if (!find_sections(fd, &at, &left))
		return 0;
	for (; left > 0; left--, at += sizeof(section)) {
		uint64_t section_end;

		/* A table that is not all there: more is missing than that. */
		if (!read_at(fd, section, sizeof(section), at))
			return at + (uint64_t)left * sizeof(section);
		section_end = (uint64_t)little_endian_get(section + 16, 4) + little_endian_get(section + 20, 4);
		end = section_end > end ? section_end : end;
	}
	return end > at ? end : at;
}

bool esp_is_kernel(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	unsigned char magic[4], section[PE_SECTION_BYTES];
	uint64_t at;
	uint32_t left;

	if (fd < 0 || !find_sections(fd, &at, &left))
		return false;
	if ((read_at(fd, magic, 4, 0x202) && memcmp(magic, "HdrS", 4) == 0) ||
	    (read_at(fd, magic, 4, 0x38) && memcmp(magic, "ARM\x64", 4) == 0))
		return true;
	for (; left > 0 && read_at(fd, section, sizeof(section), at); left--, at += sizeof(section))
		if (memcmp(section, ".linux\0", 8) == 0)
			return true;
	return false;
}

int esp_check_image_fd(int fd, const char *path, struct error *err)
{
	uint64_t end = image_end(fd);
	struct stat status;

	if (end == 0)
		return error_set(err, -EBADMSG, "%s is no kernel that firmware could start: it lacks the EFI stub (build it with CONFIG_EFI_STUB=y).",
				 path);
	if (fstat(fd, &status) < 0)
		return error_set_errno(err, -errno, "Cannot look at the kernel %s", path);
	if ((uint64_t)status.st_size < end)
		return error_set(err, -EBADMSG, "The kernel %s is cut off, and firmware would not start it: it should have at least %llu bytes and has %lld; queue the job again.",
				 path, (unsigned long long)end, (long long)status.st_size);
	return 0;
}

int esp_check_image(const char *path, struct error *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);

	if (fd < 0)
		return error_set_errno(err, -errno, "Cannot open the kernel %s", path);
	return esp_check_image_fd(fd, path, err);
}

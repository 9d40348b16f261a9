// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The GNU build id, read from ELF notes: the running kernel's and that of a vmlinux.
 * Every size in the input is taken as hostile. Comparing ids is for boot/verify.c.
 */
#include "boot/kernel_id.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/cleanup.h"

#define KERNEL_ID_NOTES_MAX_BYTES (1024UL * 1024)
/* A vmlinux has about a hundred sections; 65535 large ones would keep us busy for minutes. */
#define KERNEL_ID_ENTRIES_MAX 1024
#define KERNEL_ID_BYTES ((size_t)(KERNEL_BUILD_ID_SIZE - 1) / 2)

static void kernel_id_to_hex(const unsigned char *bytes, char ret_hex[KERNEL_BUILD_ID_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < KERNEL_ID_BYTES; i++) {
		ret_hex[2 * i] = digits[bytes[i] >> 4];
		ret_hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	ret_hex[2 * KERNEL_ID_BYTES] = '\0';
}

/* Padded to 4, as 64 bits: cannot overflow. */
static uint64_t kernel_id_padded(uint32_t size)
{
	return ((uint64_t)size + 3) & ~(uint64_t)3;
}

int kernel_id_from_notes(const void *notes, size_t size, char ret_hex[KERNEL_BUILD_ID_SIZE],
			 struct error *err)
{
	const unsigned char *bytes = notes;
	size_t at = 0;

	while (size - at >= 12) {
		uint32_t header[3]; /* namesz, descsz, type */
		uint64_t name_at = at + 12, desc_at, next;

		memcpy(header, bytes + at, sizeof(header));
		desc_at = name_at + kernel_id_padded(header[0]);
		next = desc_at + kernel_id_padded(header[1]);
		if (desc_at + header[1] > size)
			break;
		/* A shorter id (MD5, --build-id=0x...) is no proof of identity: not accepted. */
		if (header[2] == NT_GNU_BUILD_ID && header[0] == 4 &&
		    memcmp(bytes + name_at, "GNU", 4) == 0 && header[1] == KERNEL_ID_BYTES) {
			kernel_id_to_hex(bytes + desc_at, ret_hex);
			return 0;
		}
		if (next >= size) /* the last padding may be missing */
			break;
		at = (size_t)next;
	}
	return error_set(err, -ENOENT, "No GNU build id (20 bytes) is among the kernel's notes.");
}

/* All of @size bytes at @offset, or -EBADMSG. */
static int kernel_id_read_at(int fd, void *buffer, size_t size, uint64_t offset)
{
	size_t done = 0;

	if (offset > INT64_MAX - size)
		return -EBADMSG;
	while (done < size) {
		ssize_t n = pread(fd, (char *)buffer + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EBADMSG;
		done += (size_t)n;
	}
	return 0;
}

/* 0 when the notes at this place hold the id; else negative, and the caller tries the next. */
static int kernel_id_try_notes(int fd, uint64_t offset, uint64_t size,
			       char ret_hex[KERNEL_BUILD_ID_SIZE])
{
	_cleanup_free_ unsigned char *notes = NULL;

	if (size < 12 || size > KERNEL_ID_NOTES_MAX_BYTES)
		return -ENOENT;
	notes = malloc((size_t)size);
	if (!notes)
		return -ENOMEM;
	if (kernel_id_read_at(fd, notes, (size_t)size, offset) < 0)
		return -ENOENT;
	return kernel_id_from_notes(notes, (size_t)size, ret_hex, NULL);
}

/* Where ELF's tables are; 32-bit files are read through the same 64-bit view. */
struct kernel_id_table {
	bool is_64;
	uint64_t offset;
	uint32_t entry_size;
	uint32_t n_entries;
};

static int kernel_id_try_section(int fd, const struct kernel_id_table *table, uint32_t index,
				 char ret_hex[KERNEL_BUILD_ID_SIZE])
{
	uint64_t at = table->offset + (uint64_t)index * table->entry_size;
	Elf64_Shdr wide;
	Elf32_Shdr narrow;

	if (table->is_64) {
		if (table->entry_size < sizeof(wide) ||
		    kernel_id_read_at(fd, &wide, sizeof(wide), at) < 0 ||
		    wide.sh_type != SHT_NOTE)
			return -ENOENT;
		return kernel_id_try_notes(fd, wide.sh_offset, wide.sh_size, ret_hex);
	}
	if (table->entry_size < sizeof(narrow) ||
	    kernel_id_read_at(fd, &narrow, sizeof(narrow), at) < 0 || narrow.sh_type != SHT_NOTE)
		return -ENOENT;
	return kernel_id_try_notes(fd, narrow.sh_offset, narrow.sh_size, ret_hex);
}

static int kernel_id_try_segment(int fd, const struct kernel_id_table *table, uint32_t index,
				 char ret_hex[KERNEL_BUILD_ID_SIZE])
{
	uint64_t at = table->offset + (uint64_t)index * table->entry_size;
	Elf64_Phdr wide;
	Elf32_Phdr narrow;

	if (table->is_64) {
		if (table->entry_size < sizeof(wide) ||
		    kernel_id_read_at(fd, &wide, sizeof(wide), at) < 0 || wide.p_type != PT_NOTE)
			return -ENOENT;
		return kernel_id_try_notes(fd, wide.p_offset, wide.p_filesz, ret_hex);
	}
	if (table->entry_size < sizeof(narrow) ||
	    kernel_id_read_at(fd, &narrow, sizeof(narrow), at) < 0 || narrow.p_type != PT_NOTE)
		return -ENOENT;
	return kernel_id_try_notes(fd, narrow.p_offset, narrow.p_filesz, ret_hex);
}

static int kernel_id_read_tables(int fd, struct kernel_id_table *ret_sections,
				 struct kernel_id_table *ret_segments)
{
	unsigned char ident[EI_NIDENT];
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;

	if (kernel_id_read_at(fd, ident, sizeof(ident), 0) < 0 ||
	    memcmp(ident, ELFMAG, SELFMAG) != 0)
		return -EBADMSG;
	if (ident[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB))
		return -EBADMSG;
	if (ident[EI_CLASS] == ELFCLASS64) {
		if (kernel_id_read_at(fd, &wide, sizeof(wide), 0) < 0)
			return -EBADMSG;
		*ret_sections = (struct kernel_id_table){ true, wide.e_shoff, wide.e_shentsize, wide.e_shnum };
		*ret_segments = (struct kernel_id_table){ true, wide.e_phoff, wide.e_phentsize, wide.e_phnum };
		return 0;
	}
	if (ident[EI_CLASS] != ELFCLASS32 || kernel_id_read_at(fd, &narrow, sizeof(narrow), 0) < 0)
		return -EBADMSG;
	*ret_sections = (struct kernel_id_table){ false, narrow.e_shoff, narrow.e_shentsize, narrow.e_shnum };
	*ret_segments = (struct kernel_id_table){ false, narrow.e_phoff, narrow.e_phentsize, narrow.e_phnum };
	return 0;
}

int kernel_id_of_vmlinux(const char *path, char ret_hex[KERNEL_BUILD_ID_SIZE], struct error *err)
{
	struct kernel_id_table sections, segments;
	_cleanup_close_ int fd = -1;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return error_set_errno(err, -errno, "Cannot open the kernel %s", path);
	if (kernel_id_read_tables(fd, &sections, &segments) < 0)
		return error_set(err, -EBADMSG, "%s is not an ELF file of this machine's byte order.", path);
	for (uint32_t i = 0; i < sections.n_entries && i < KERNEL_ID_ENTRIES_MAX; i++)
		if (kernel_id_try_section(fd, &sections, i, ret_hex) == 0)
			return 0;
	for (uint32_t i = 0; i < segments.n_entries && i < KERNEL_ID_ENTRIES_MAX; i++)
		if (kernel_id_try_segment(fd, &segments, i, ret_hex) == 0)
			return 0;
	return error_set(err, -ENOENT, "%s has no GNU build id (20 bytes): its linker must support --build-id=sha1.", path);
}

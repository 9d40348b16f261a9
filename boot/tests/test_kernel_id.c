// SPDX-License-Identifier: GPL-2.0-or-later
/* Build ids: of the running kernel, of a real ELF file, of hostile bytes. */
#include "boot/tests/fake_root.h"

#include <elf.h>
#include <errno.h>
#include <unistd.h>

#include "boot/kernel_id.h"
#include "common/subprocess.h"

#define ID_HEX "000102030405060708090a0b0c0d0e0f10111213"

struct notes {
	unsigned char bytes[512];
	size_t size;
};

static void add_note(struct notes *notes, const char *name, uint32_t type, size_t desc_size)
{
	uint32_t header[3] = { (uint32_t)strlen(name) + 1, (uint32_t)desc_size, type };

	memcpy(notes->bytes + notes->size, header, sizeof(header));
	notes->size += sizeof(header);
	memcpy(notes->bytes + notes->size, name, strlen(name) + 1);
	notes->size += (strlen(name) + 1 + 3) & ~(size_t)3;
	for (size_t i = 0; i < desc_size; i++)
		notes->bytes[notes->size + i] = (unsigned char)i;
	notes->size += (desc_size + 3) & ~(size_t)3;
}

static void test_among_others(void **state)
{
	char hex[KERNEL_BUILD_ID_SIZE];
	struct notes notes = { .size = 0 };

	(void)state;
	add_note(&notes, "Xen", 6, 5);          /* padding needed */
	add_note(&notes, "Linux", NT_GNU_BUILD_ID, 20); /* right type, wrong name */
	add_note(&notes, "Xen", NT_GNU_BUILD_ID, 20); /* the same length of name */
	add_note(&notes, "GNU", 1, 20);          /* right name, wrong type */
	add_note(&notes, "GNU", NT_GNU_BUILD_ID, 16); /* an MD5 */
	assert_int_equal(kernel_id_from_notes(notes.bytes, notes.size, hex, NULL), -ENOENT);
	add_note(&notes, "GNU", NT_GNU_BUILD_ID, 20);
	assert_int_equal(kernel_id_from_notes(notes.bytes, notes.size, hex, NULL), 0);
	assert_string_equal(hex, ID_HEX);
	assert_int_equal(kernel_id_from_notes(notes.bytes, notes.size - 1, hex, NULL), -ENOENT);
}

static void test_huge_sizes(void **state)
{
	static const uint32_t sizes[] = { 0xffffffff, 0xfffffffd, 0x80000000, 0x7fffffff, 13 };
	char hex[KERNEL_BUILD_ID_SIZE] = "untouched";

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (size_t j = 0; j < ARRAY_SIZE(sizes); j++) {
			uint32_t header[6] = { sizes[i], sizes[j], NT_GNU_BUILD_ID, 0, 0, 0 };

			assert_int_equal(kernel_id_from_notes(header, sizeof(header), hex, NULL), -ENOENT);
		}
	assert_string_equal(hex, "untouched");
}

static void test_any_bytes(void **state)
{
	struct notes notes = { .size = 0 };
	uint32_t seed = 3;

	(void)state;
	add_note(&notes, "Xen", 6, 5);
	add_note(&notes, "GNU", NT_GNU_BUILD_ID, 20);
	for (int round = 0; round < 20000; round++) {
		size_t size = (seed = seed * 1664525 + 1013904223) % (notes.size + 1);
		_cleanup_free_ unsigned char *data = malloc(size ? size : 1);
		char hex[KERNEL_BUILD_ID_SIZE];

		memcpy(data, notes.bytes, size);
		for (int change = 0; size > 0 && change < round % 5; change++) {
			seed = seed * 1664525 + 1013904223;
			data[(seed >> 8) % size] = (unsigned char)(seed >> 24);
		}
		(void)kernel_id_from_notes(data, size, hex, NULL);
	}
}

/* The running test program is an ELF file like a vmlinux; readelf says what its id is. */
static void test_real_elf(void **state)
{
	char self[4096] = "";
	const char *const argv[] = { "readelf", "-n", self, NULL };
	struct subprocess_options options = { .argv = argv, .timeout_ms = 10000 };
	struct subprocess_result result = { 0 };
	char hex[KERNEL_BUILD_ID_SIZE];
	const char *at = NULL;
	int r;

	(void)state;
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	r = kernel_id_of_vmlinux(self, hex, NULL);
	if (subprocess_run(&options, &result, NULL) < 0 || !(at = strstr(result.output, "Build ID: "))) {
		subprocess_result_done(&result);
		skip();
	}
	assert_int_equal(r, 0);
	assert_memory_equal(at + strlen("Build ID: "), hex, 40);
	subprocess_result_done(&result);
}

static void test_damaged_elf(void **state)
{
	char *root = fake_root_new();
	_cleanup_free_ char *path = text_format("%s/vmlinux", root), *data = NULL;
	char hex[KERNEL_BUILD_ID_SIZE];
	size_t size = 0;
	uint32_t seed = 5;

	(void)state;
	assert_int_equal(file_read("/proc/self/exe", 64 << 20, &data, &size, NULL), 0);
	fake_write(root, "/vmlinux", "not an ELF file");
	assert_int_equal(kernel_id_of_vmlinux(path, hex, NULL), -EBADMSG);
	fake_write(root, "/vmlinux", "");
	assert_int_equal(kernel_id_of_vmlinux(path, hex, NULL), -EBADMSG);
	for (int round = 0; round < 300; round++) { /* the header and the first tables */
		char head[1024];

		memcpy(head, data, sizeof(head));
		for (int change = 0; change < 8; change++) {
			seed = seed * 1664525 + 1013904223;
			head[16 + (seed >> 8) % 200] = (char)(seed >> 24);
		}
		fake_write_bytes(root, "/vmlinux", head, sizeof(head));
		(void)kernel_id_of_vmlinux(path, hex, NULL);
	}
	fake_root_free(root);
	assert_int_equal(kernel_id_of_vmlinux("/nonexistent", hex, NULL), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_among_others), cmocka_unit_test(test_huge_sizes),
		cmocka_unit_test(test_any_bytes),    cmocka_unit_test(test_real_elf),
		cmocka_unit_test(test_damaged_elf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* UEFI variables and their text, on a directory that stands for efivarfs. */
#include "boot/tests/fake_efi.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define ONE_SHOT FAKE_VARIABLE("LoaderEntryOneShot", EFI_GUID_LOADER)

static void check_text(const char *text, size_t expected_size)
{
	void *data = NULL;
	char back[64];
	size_t size = 0;

	assert_int_equal(efi_text_make(text, &data, &size), 0);
	assert_int_equal(size, expected_size);
	assert_int_equal(efi_text_read(data, size, back, sizeof(back)), 0);
	assert_string_equal(back, text);
	/* Without the NUL it is the same text. */
	assert_int_equal(efi_text_read(data, size - 2, back, sizeof(back)), 0);
	assert_string_equal(back, text);
	free(data);
}

static void test_text(void **state)
{
	char text[8];
	void *data;
	size_t size;

	(void)state;
	check_text("", 2);
	check_text("abbot-1-child.conf", 38);
	check_text("\xc3\xa4\xe2\x82\xac", 6);         /* two units and the NUL */
	check_text("\xf0\x9f\x90\xa7", 6);                /* a surrogate pair */
	assert_int_equal(efi_text_make("\xc3", &data, &size), -EINVAL);
	assert_int_equal(efi_text_make("\xc0\x80", &data, &size), -EINVAL);
	assert_int_equal(efi_text_make("\xed\xa0\x80", &data, &size), -EINVAL);
	assert_int_equal(efi_text_read("a", 1, text, sizeof(text)), -EBADMSG);
	assert_int_equal(efi_text_read("\x00\xd8" "a\0", 4, text, sizeof(text)), -EBADMSG);
	assert_int_equal(efi_text_read("\x00\xdc", 2, text, sizeof(text)), -EBADMSG);
	assert_int_equal(efi_text_read("a\0b\0c\0d\0e\0f\0g\0h\0", 16, text, sizeof(text)), -ENOSPC);
	assert_string_equal(text, "");
}

static void test_write_read_remove(void **state)
{
	char *root = fake_systemd_boot_new();
	const struct boot_paths paths = { .root = root };
	_cleanup_free_ char *path = text_format("%s" ONE_SHOT, root);
	_cleanup_free_ void *data = NULL;
	struct stat st;
	size_t size = 0;

	(void)state;
	assert_int_equal(efi_variable_read(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, &data, &size, NULL), -ENOENT);
	assert_int_equal(efi_variable_write(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, "longer", 6, NULL), 0);
	assert_int_equal(efi_variable_write(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, "abc", 3, NULL), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 7);
	assert_int_equal(efi_variable_read(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, &data, &size, NULL), 0);
	assert_int_equal(size, 3);
	assert_memory_equal(data, "abc", 3);
	assert_int_equal(efi_variable_remove(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, NULL), 0);
	assert_int_equal(efi_variable_remove(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, NULL), 0);
	assert_int_not_equal(stat(path, &st), 0);
	fake_root_free(root);
}

static void test_damaged(void **state)
{
	char *root = fake_systemd_boot_new();
	const struct boot_paths paths = { .root = root };
	struct error err = { 0 };
	void *data = NULL;
	size_t size = 0;

	(void)state;
	fake_write_bytes(root, ONE_SHOT, "\7\0", 2);
	assert_int_equal(efi_variable_read(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, &data, &size, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "LoaderEntryOneShot"));
	fake_root_free(root);
}

/* What the firmware refuses is a sentence, and nothing is left behind. */
static void test_refused_write(void **state)
{
	char *root = fake_systemd_boot_new();
	const struct boot_paths paths = { .root = root };
	struct error err = { 0 };

	(void)state;
	/* A directory in its place: EISDIR, as the real thing gives EROFS or ENOSPC. */
	fake_write(root, ONE_SHOT "/x", "");
	assert_true(efi_variable_write(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, "a", 1, &err) < 0);
	assert_non_null(strstr(err.text, "LoaderEntryOneShot cannot be set"));
	assert_true(efi_variable_remove(&paths, "LoaderEntryOneShot", EFI_GUID_LOADER, &err) < 0);
	fake_root_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_write_read_remove),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_refused_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the lab's disk image by tools that write into plain files: no mount, no loop
 * device. What goes into the root partition is put there by inject.c.
 */
#include "boot/lab/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "boot/lab/recipe.h"
#include "boot/lab/tools.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"

#define DISK_MIB (64 + LAB_ROOT_SIZE_MIB + 1) /* the last one for the second GPT */

/* Copies the data of @from to @to at @offset and leaves its holes as holes. */
static int copy_sparse(int from, int to, off_t offset)
{
	off_t size = lseek(from, 0, SEEK_END);
	off_t start = 0;

	if (size < 0)
		return -errno;
	while (start < size) {
		off_t data = lseek(from, start, SEEK_DATA);

		if (data < 0)
			return errno == ENXIO ? 0 : -errno;
		off_t end = lseek(from, data, SEEK_HOLE);

		if (end < 0)
			return -errno;
		for (off_t out = data + offset; data < end;) {
			ssize_t n = copy_file_range(from, &data, to, &out, (size_t)(end - data), 0);

			if (n <= 0)
				return n < 0 ? -errno : -EIO;
		}
		start = end;
	}
	return 0;
}

static int write_root(const char *image, const char *root, struct error *err)
{
	_cleanup_close_ int from = open(root, O_RDONLY | O_CLOEXEC);
	_cleanup_close_ int to = open(image, O_WRONLY | O_CLOEXEC);

	if (from < 0 || to < 0)
		return error_set_errno(err, -errno, "cannot open %s", from < 0 ? root : image);
	int status = copy_sparse(from, to, (off_t)LAB_DISK_ROOT_OFFSET);

	if (status < 0)
		return error_set_errno(err, status, "cannot copy %s to %s", root, image);
	return 0;
}

static int make_empty(const char *image, struct error *err)
{
	_cleanup_close_ int fd = open(image, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)DISK_MIB << 20) < 0)
		return error_set_errno(err, -errno, "cannot make the lab's disk %s", image);
	return 0;
}

static int make_partitions(const char *image, struct error *err)
{
	_cleanup_free_ char *esp = text_format("--new=1:%lluM:+%dM",
		(unsigned long long)(LAB_DISK_ESP_OFFSET >> 20), LAB_DISK_ESP_MIB);
	_cleanup_free_ char *root = text_format("--new=2:%lluM:+%dM",
		(unsigned long long)(LAB_DISK_ROOT_OFFSET >> 20), LAB_ROOT_SIZE_MIB);
	const char *argv[] = {"sgdisk", "--clear", esp, "--typecode=1:ef00",
			      "--partition-guid=1:" LAB_DISK_ESP_PARTUUID, root,
			      "--typecode=2:8304", "--partition-guid=2:" LAB_DISK_ROOT_PARTUUID,
			      "--disk-guid=ab5007ab-0003-4000-8000-000000000003", image, NULL};

	return lab_tool_run(argv, err);
}

static int make_esp(const struct lab_loader *loader, const struct lab_options *options,
		    const char *image, struct error *err)
{
	_cleanup_free_ char *sector =
		text_format("%llu", (unsigned long long)(LAB_DISK_ESP_OFFSET / 512));
	_cleanup_free_ char *blocks = text_format("%d", LAB_DISK_ESP_MIB * 1024);
	_cleanup_free_ char *partition =
		text_format("%s@@%llu", image, (unsigned long long)LAB_DISK_ESP_OFFSET);
	/* Without -s the cluster size would suit the whole image, and FAT32 have too few. */
	const char *format[] = {"mkfs.vfat", "--invariant", "-F", "32", "-s", "1",
				"-n", "ABBOT-ESP", "--offset", sector, image, blocks, NULL};
	const char *directories[] = {"mmd", "-i", partition, "::EFI", "::EFI/BOOT", NULL};
	int status = lab_tool_run(format, err);

	if (status == 0)
		status = lab_tool_run(directories, err);
	return status < 0 ? status : loader->fill_esp(options, partition, err);
}

int lab_disk_make(const struct lab_loader *loader, const struct lab_options *options,
		  const char *image, const char *root, struct error *err)
{
	int status = make_empty(image, err);

	if (status == 0)
		status = make_partitions(image, err);
	if (status == 0)
		status = make_esp(loader, options, image, err);
	if (status == 0)
		status = write_root(image, root, err);
	return status;
}

int lab_disk_repair(const char *image, struct error *err)
{
	_cleanup_free_ char *partition =
		text_format("%s?offset=%llu", image, (unsigned long long)LAB_DISK_ROOT_OFFSET);
	/* Journal replay only: what a crash broke must stay to be seen. */
	const char *argv[] = {"e2fsck", "-E", "journal_only", "-y", partition, NULL};
	int status = lab_tool_run(argv, err);

	return status < 0 ? error_prefix(err, status,
					 "the file system that the lab's guest left on %s cannot be read",
					 image) : 0;
}

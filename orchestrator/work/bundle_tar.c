// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The archive of a bundle, as bytes: ustar of POSIX 1003.1 ("pax", section "ustar Interchange
 * Format"), plain files and directories only. Whatever else an archive could hold (links,
 * devices, long names) is refused, since nothing that abbot writes has it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/bundle.h"

#define BLOCK 512
#define RECORD (20 * BLOCK)
#define TYPE_FILE '0'
#define TYPE_DIRECTORY '5'
#define MODE_PROGRAM "bench/abbot-bench"

struct header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char checksum[8];
	char type;
	char link_name[100];
	char magic[6];
	char version[2];
	char user[32];
	char group[32];
	char major[8];
	char minor[8];
	char prefix[155];
	char pad[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is a block");

/* The sum of all its bytes, its own field taken for blanks. */
static unsigned checksum_of(const struct header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	unsigned sum = 0;

	for (size_t i = 0; i < sizeof(*header); i++) {
		bool is_own = i >= offsetof(struct header, checksum) &&
			      i < offsetof(struct header, type);

		sum += is_own ? ' ' : bytes[i];
	}
	return sum;
}

static void pad(struct text_buffer *text, size_t to)
{
	static const char zeros[BLOCK];

	while (text->size % to) {
		size_t left = to - text->size % to;

		text_append_bytes(text, zeros, left < sizeof(zeros) ? left : sizeof(zeros));
	}
}

static int add_file(struct text_buffer *text, const struct bundle_file *file, const char *top,
		    int64_t at_s, struct error *err)
{
	struct header header = { .type = TYPE_FILE, .magic = "ustar" };
	bool is_program = strcmp(file->name, MODE_PROGRAM) == 0;

	if (snprintf(header.name, sizeof(header.name), "%s/%s", top, file->name) >=
	    (int)sizeof(header.name))
		return error_set(err, -ENAMETOOLONG, "%s/%s is too long a name for an archive", top,
				 file->name);
	memcpy(header.version, "00", 2);
	(void)snprintf(header.mode, sizeof(header.mode), "%07o", is_program ? 0755U : 0644U);
	(void)snprintf(header.uid, sizeof(header.uid), "%07o", 0U);
	(void)snprintf(header.gid, sizeof(header.gid), "%07o", 0U);
	(void)snprintf(header.size, sizeof(header.size), "%011zo", file->size);
	(void)snprintf(header.mtime, sizeof(header.mtime), "%011llo",
		       (unsigned long long)(at_s > 0 ? at_s : 0) & 077777777777ULL);
	(void)snprintf(header.checksum, sizeof(header.checksum), "%06o", checksum_of(&header) & 0777777U);
	header.checksum[7] = ' ';
	text_append_bytes(text, (const char *)&header, sizeof(header));
	if (file->size)
		text_append_bytes(text, file->data, file->size);
	pad(text, BLOCK);
	return 0;
}

int bundle_tar_make(const struct bundle *bundle, const char *top, int64_t at_s, char **ret_data,
		    size_t *ret_size, struct error *err)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	static const char end[2 * BLOCK];

	for (size_t i = 0; i < bundle->n_files; i++) {
		int r = add_file(&text, &bundle->files[i], top, at_s, err);

		if (r < 0)
			return r;
	}
	text_append_bytes(&text, end, sizeof(end));
	pad(&text, RECORD);
	*ret_size = text.size;
	*ret_data = text_buffer_take(&text);
	return 0;
}

/* Octal digits, ended by a blank or NUL. */
static int read_octal(const char *field, size_t size, unsigned long long *ret_value)
{
	unsigned long long value = 0;
	size_t i = 0;

	for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		value = value * 8 + (unsigned)(field[i] - '0');
	if (i == 0 || (i < size && field[i] != '\0' && field[i] != ' '))
		return -EINVAL;
	*ret_value = value; /* twelve digits at most: no overflow */
	return 0;
}

static bool is_blank(const char *block, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (block[i])
			return false;
	return true;
}

static int refuse_type(const char *name, char type, struct error *err)
{
	const char *what = type == '1' ? "a hard link"
			 : type == '2' ? "a symbolic link"
			 : type == '3' || type == '4' ? "a device"
			 : type == '6' ? "a fifo" : "neither a file nor a directory";

	return error_set(err, -EINVAL, "%.100s is %s; a bundle holds plain files only", name, what);
}

/* All lies below one directory, whose name is taken off: NULL where that is not so. */
static const char *below_top(char *name, const char **top)
{
	char *slash = strchr(name, '/');

	if (!slash || slash == name)
		return NULL;
	if (*top && (strncmp(*top, name, (size_t)(slash - name)) != 0 ||
		     (*top)[slash - name] != '/'))
		return NULL;
	return slash + 1;
}

struct archive {
	const char *data;
	size_t size;
	size_t at;
	const char *top; /* name of the first member, which begins with it */
};

static int read_member(struct archive *archive, struct bundle *bundle, struct error *err)
{
	const struct header *header = (const void *)(archive->data + archive->at);
	char name[sizeof(header->name) + 1] = "";
	unsigned long long size, checksum;
	const char *below;
	char *data;

	memcpy(name, header->name, sizeof(header->name));
	if (memcmp(header->magic, "ustar", 5) != 0 || header->prefix[0] ||
	    read_octal(header->checksum, sizeof(header->checksum), &checksum) < 0 ||
	    checksum != checksum_of(header) ||
	    read_octal(header->size, sizeof(header->size), &size) < 0)
		return error_set(err, -EINVAL, "byte %zu of it is no header as abbot writes it",
				 archive->at);
	if (header->type == TYPE_DIRECTORY && size == 0) {
		archive->at += BLOCK;
		return 0;
	}
	if (header->type != TYPE_FILE)
		return refuse_type(name, header->type, err);
	below = below_top(name, &archive->top);
	if (!below || !bundle_name_is_good(below))
		return error_set(err, -EINVAL, "\"%.100s\" cannot be the name of a file of a bundle",
				 name);
	if (!archive->top)
		archive->top = header->name;
	archive->at += BLOCK;
	if (size > BUNDLE_FILE_MAX_BYTES)
		return error_set(err, -EINVAL, "%s says that it has %llu bytes; %zu MiB are the most",
				 below, size, BUNDLE_FILE_MAX_BYTES >> 20);
	if (size > archive->size - archive->at)
		return error_set(err, -EINVAL, "it is cut off within %s", below);
	data = malloc((size_t)size + 1);
	if (!data)
		return error_set(err, -ENOMEM, "out of memory");
	memcpy(data, archive->data + archive->at, (size_t)size);
	data[size] = '\0';
	archive->at += ((size_t)size + BLOCK - 1) / BLOCK * BLOCK;
	return bundle_add(bundle, below, data, (size_t)size, err);
}

int bundle_tar_parse(const char *data, size_t size, struct bundle *ret_bundle, struct error *err)
{
	_cleanup_bundle_ struct bundle bundle = { 0 };
	struct archive archive = { .data = data, .size = size };
	int r = 0;

	while (r == 0 && size - archive.at >= BLOCK && !is_blank(data + archive.at, BLOCK)) {
		r = read_member(&archive, &bundle, err);
		if (r == 0 && archive.at > size)
			archive.at = size;
	}
	if (r < 0)
		return r;
	if (size - archive.at < 2 * BLOCK || !is_blank(data + archive.at, size - archive.at))
		return error_set(err, -EINVAL, "it is cut off, or has something after its end");
	r = bundle_sort(&bundle, err);
	if (r < 0)
		return r;
	*ret_bundle = bundle;
	bundle = (struct bundle){ 0 };
	return 0;
}

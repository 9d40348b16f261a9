// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bundle of evidence: what a job measured and what its report rests on, as files with
 * sums, that somebody else can check. In memory here; made by bundle_make.h, kept as a
 * directory or as a .tar.zst (ustar, POSIX 1003.1; Zstandard, RFC 8878), checked by
 * bundle_verify.h. Calls that take a path block on the disk.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define BUNDLE_FILES_MAX 20000
#define BUNDLE_NAME_MAX 90
#define BUNDLE_FILE_MAX_BYTES ((size_t)64 << 20)
#define BUNDLE_MAX_BYTES ((size_t)512 << 20)
#define BUNDLE_SUMS "SHA256SUMS"

struct bundle_file {
	char *name;        /* "raw/boot-01-attempt-1/process-03.json" */
	char *data;
	size_t size;
};

struct bundle {
	struct bundle_file *files;
	size_t n_files;
	size_t size_bytes; /* of all files */
};

void bundle_done(struct bundle *bundle);
#define _cleanup_bundle_ __attribute__((cleanup(bundle_done)))

/*
 * Letters, digits and "._+-" between slashes, no part that begins with a dot, four parts and
 * BUNDLE_NAME_MAX characters at most: never a path that leads elsewhere.
 */
bool bundle_name_is_good(const char *name);

/* Takes @data, also on failure. -EINVAL for a bad name, -EFBIG beyond the limits above. */
int bundle_add(struct bundle *bundle, const char *name, char *data, size_t size,
	       struct error *err);
/* By name; -EINVAL where a name is there twice. */
int bundle_sort(struct bundle *bundle, struct error *err);
/* Whether it is there, sorted or not. */
bool bundle_has(const struct bundle *bundle, const char *name);
/* NULL where there is none. The bundle is sorted. */
const struct bundle_file *bundle_find(const struct bundle *bundle, const char *name);

/* bundle_sums.c: adds SHA256SUMS, as sha256sum(1) reads it, last; the bundle is sorted then. */
int bundle_add_sums(struct bundle *bundle, struct error *err);
/* Every file is in SHA256SUMS with its sum, and nothing else: @say hears of what is not so. */
void bundle_check_sums(const struct bundle *bundle,
		       void (*say)(void *context, const char *words), void *context);

/*
 * bundle_write.c: to @output, a file where its name ends in ".tar.zst", else a directory; under
 * a temporary name beside it first, renamed when it is complete (a file also when it is on the
 * disk). -EEXIST where @output is there already. Everything lies below the directory @top of the archive, was
 * changed at @at_s (seconds since 1970), and belongs to 0: equal bundles give equal bytes.
 */
int bundle_write(const struct bundle *bundle, const char *output, const char *top, int64_t at_s,
		 struct error *err);

/*
 * bundle_read.c: either kind, from anybody: only plain files with good names, within the limits
 * above. -EINVAL with a sentence for anything else. Sorted.
 */
int bundle_read(const char *path, struct bundle *ret_bundle, struct error *err);

/* bundle_tar.c: the bytes of such an archive, both ways. @data of the first is the caller's to free. */
int bundle_tar_make(const struct bundle *bundle, const char *top, int64_t at_s, char **ret_data,
		    size_t *ret_size, struct error *err);
int bundle_tar_parse(const char *data, size_t size, struct bundle *ret_bundle, struct error *err);
/* bundle_zstd.c: one frame with its checksum; and back, BUNDLE_MAX_BYTES and a bit at most. */
int bundle_zstd_pack(const char *data, size_t size, char **ret_data, size_t *ret_size,
		     struct error *err);
int bundle_zstd_unpack(const char *data, size_t size, char **ret_data, size_t *ret_size,
		       struct error *err);

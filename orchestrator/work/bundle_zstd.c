// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Zstandard by libzstd (zstd.h), with what a stranger's frame may ask for bounded.
 */
#include <errno.h>
#include <string.h>
#include <zstd.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/work/bundle.h"

#define LEVEL 12
#define WINDOW_LOG_MAX 27 /* 128 MiB; abbot's own need 22 */
/* Headers and padding of every file beside the files themselves. */
#define UNPACKED_MAX_BYTES (BUNDLE_MAX_BYTES + (size_t)BUNDLE_FILES_MAX * 1024 + 65536)

static void free_compressor(ZSTD_CCtx **context)
{
	(void)ZSTD_freeCCtx(*context);
}

static void free_decompressor(ZSTD_DCtx **context)
{
	(void)ZSTD_freeDCtx(*context);
}

int bundle_zstd_pack(const char *data, size_t size, char **ret_data, size_t *ret_size,
		     struct error *err)
{
	_cleanup_(free_compressor) ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t bound = ZSTD_compressBound(size), n;
	_cleanup_free_ char *packed = malloc(bound);

	if (!context || !packed)
		return error_set(err, -ENOMEM, "out of memory");
	(void)ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
	(void)ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(context, packed, bound, data, size);
	if (ZSTD_isError(n))
		return error_set(err, -EIO, "cannot compress the bundle: %s", ZSTD_getErrorName(n));
	*ret_size = n;
	*ret_data = TAKE_PTR(packed);
	return 0;
}

int bundle_zstd_unpack(const char *data, size_t size, char **ret_data, size_t *ret_size,
		       struct error *err)
{
	_cleanup_(free_decompressor) ZSTD_DCtx *context = ZSTD_createDCtx();
	_cleanup_text_ struct text_buffer text = { 0 };
	size_t piece_size = ZSTD_DStreamOutSize(), left = 1;
	_cleanup_free_ char *piece = malloc(piece_size);
	ZSTD_inBuffer input = { .src = data, .size = size };

	if (!context || !piece)
		return error_set(err, -ENOMEM, "out of memory");
	(void)ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	for (bool is_full = false; is_full || input.pos < input.size;) {
		ZSTD_outBuffer output = { .dst = piece, .size = piece_size };

		left = ZSTD_decompressStream(context, &output, &input);
		if (ZSTD_isError(left))
			return error_set(err, -EINVAL, "it cannot be decompressed: %s",
					 ZSTD_getErrorName(left));
		if (text.size + output.pos > UNPACKED_MAX_BYTES)
			return error_set(err, -EINVAL, "decompressed it has more than %zu MiB",
					 BUNDLE_MAX_BYTES >> 20);
		text_append_bytes(&text, piece, output.pos);
		is_full = output.pos == output.size && left;
	}
	if (left)
		return error_set(err, -EINVAL, "it is cut off");
	*ret_size = text.size;
	*ret_data = text_buffer_take(&text);
	return 0;
}

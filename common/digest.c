// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SHA-256 through libcrypto's EVP interface. What is hashed, and why, is up to
 * the callers.
 */
#include "common/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"

struct digest {
	EVP_MD_CTX *context;
};

struct digest *digest_new(void)
{
	struct digest *digest = calloc(1, sizeof(*digest));

	if (!digest)
		return NULL;
	digest->context = EVP_MD_CTX_new();
	if (!digest->context || EVP_DigestInit_ex(digest->context, EVP_sha256(), NULL) != 1) {
		EVP_MD_CTX_free(digest->context);
		free(digest);
		return NULL;
	}
	return digest;
}

void digest_add(struct digest *digest, const void *data, size_t size)
{
	/* Cannot fail after a good init; a wrong key would be worse than an abort. */
	if (size > 0 && EVP_DigestUpdate(digest->context, data, size) != 1)
		abort();
}

void digest_add_text(struct digest *digest, const char *text)
{
	digest_add(digest, text, strlen(text) + 1);
}

void digest_finish(struct digest *digest, char ret_hex[DIGEST_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[EVP_MAX_MD_SIZE];
	unsigned int size = 0;

	if (EVP_DigestFinal_ex(digest->context, raw, &size) != 1 ||
	    size != (DIGEST_HEX_SIZE - 1) / 2)
		abort();
	for (size_t i = 0; i < size; i++) {
		ret_hex[2 * i] = digits[raw[i] >> 4];
		ret_hex[2 * i + 1] = digits[raw[i] & 15];
	}
	ret_hex[DIGEST_HEX_SIZE - 1] = '\0';
	EVP_MD_CTX_free(digest->context);
	free(digest);
}

void digest_bytes(const void *data, size_t size, char ret_hex[DIGEST_HEX_SIZE])
{
	struct digest *digest = digest_new();

	if (!digest)
		abort();
	digest_add(digest, data, size);
	digest_finish(digest, ret_hex);
}

int digest_file(const char *path, char ret_hex[DIGEST_HEX_SIZE], struct error *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char hex[DIGEST_HEX_SIZE];
	struct digest *digest;
	char piece[65536];
	int r = 0;

	if (fd < 0)
		return error_set_errno(err, -errno, "cannot open %s", path);
	digest = digest_new();
	if (!digest)
		return error_set_errno(err, -ENOMEM, "cannot hash %s", path);
	for (;;) {
		ssize_t n = read(fd, piece, sizeof(piece));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			r = -errno;
		if (n <= 0)
			break;
		digest_add(digest, piece, (size_t)n);
	}
	digest_finish(digest, hex);
	if (r < 0)
		return error_set_errno(err, r, "cannot read %s", path);
	memcpy(ret_hex, hex, sizeof(hex));
	return 0;
}

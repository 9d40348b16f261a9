// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a URL or message id to bytes: the address, the checksum, the cache, gunzip. The
 * transfer is fetch.c's, the mails mbox.c's.
 */
#include "orchestrator/work/patch_fetch.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/subprocess.h"
#include "orchestrator/work/fetch.h"
#include "orchestrator/work/mbox.h"

#define FETCH_MAX_BYTES ((size_t)16 * 1024 * 1024)
#define FETCH_TIMEOUT_S 120
#define FETCH_TRIES 3
#define FETCH_PAUSE_MS 1000
#define SUM_MARK "#sha256="

struct address {
	char *url;
	char *message_id;            /* NULL: take what is there */
	char sum[DIGEST_HEX_SIZE];   /* "" : none given */
};

static void address_done(struct address *address)
{
	free(address->url);
	free(address->message_id);
}

static bool is_url(const char *what)
{
	return text_has_prefix(what, "https://") || text_has_prefix(what, "http://");
}

bool patch_fetch_is_remote(const char *what)
{
	return is_url(what) || (strchr(what, '@') && !strchr(what, '/') && !file_exists(what));
}

/* RFC 3986: what is not unreserved, and not '@', is %XX. */
static char *escape(const char *text)
{
	struct text_buffer out = { 0 };

	for (; *text; text++) {
		if (isalnum((unsigned char)*text) || strchr("-._~@", *text))
			text_append_bytes(&out, text, 1);
		else
			text_printf(&out, "%%%02X", (unsigned char)*text);
	}
	return text_buffer_take(&out);
}

static int sum_take(struct address *address, struct error *err)
{
	char *mark = strstr(address->url, SUM_MARK);
	const char *sum = mark ? mark + strlen(SUM_MARK) : "";

	if (!mark && strchr(address->url, '#'))
		return error_set(err, -EINVAL, "%s: of a checksum only " SUM_MARK "... is known", address->url);
	if (!mark)
		return 0;
	if (strlen(sum) != DIGEST_HEX_SIZE - 1 || strspn(sum, "0123456789abcdefABCDEF") != strlen(sum))
		return error_set(err, -EINVAL, "%s: a SHA-256 sum has 64 hexadecimal digits", address->url);
	for (size_t i = 0; i < DIGEST_HEX_SIZE; i++)
		address->sum[i] = (char)tolower((unsigned char)sum[i]);
	*mark = '\0';
	return 0;
}

/* "https://ARCHIVE/LIST/ID/" is a page for people; its thread lies below it. */
static void page_to_thread(struct address *address)
{
	size_t size = strlen(address->url);
	char *slash;

	if (size < 2 || address->url[size - 1] != '/')
		return;
	address->url[size - 1] = '\0';
	slash = strrchr(address->url, '/');
	if (slash && strchr(slash, '@')) {
		char *page = address->url;

		address->message_id = text_duplicate(slash + 1);
		address->url = text_format("%s/t.mbox.gz", page);
		free(page);
	} else {
		address->url[size - 1] = '/';
	}
}

static int address_make(const char *what, const struct patch_fetch *how, struct address *address,
			struct error *err)
{
	_cleanup_free_ char *id = NULL, *escaped = NULL;

	if (is_url(what)) {
		const char *authority;
		int r;

		/* It would be stored with the job, and printed in its reports. */
		authority = strstr(what, "://") + strlen("://");
		if (memchr(authority, '@', strcspn(authority, "/?#")))
			return error_set(err, -EINVAL, "the URL of a patch holds a user or a password, which would be in every report: give one without");
		address->url = text_duplicate(what);
		r = sum_take(address, err);
		if (r == 0)
			page_to_thread(address);
		return r;
	}
	id = text_duplicate(what + (what[0] == '<'));
	id[strcspn(id, "<> \t")] = '\0';
	escaped = escape(id);
	address->url = text_format("%s/%s/t.mbox.gz", how->archive ? how->archive : PATCH_ARCHIVE, escaped);
	address->message_id = TAKE_PTR(id);
	return 0;
}

static char *cache_path(const struct patch_fetch *how, const struct address *address)
{
	char name[DIGEST_HEX_SIZE];

	if (!how->cache)
		return NULL;
	digest_bytes(address->url, strlen(address->url), name);
	return path_join(how->cache, name);
}

static int sum_check(const struct address *address, const char *data, size_t size, struct error *err)
{
	char sum[DIGEST_HEX_SIZE];

	digest_bytes(data, size, sum);
	if (!address->sum[0] || strcmp(sum, address->sum) == 0)
		return 0;
	return error_set(err, -EBADMSG, "%s has the SHA-256 sum %s, not the one that was given", address->url, sum);
}

/* With a sum the cache is as good as the server; without, only when that does not answer. */
static int bytes_get(const struct address *address, const struct patch_fetch *how,
		     struct text_buffer *notes, char **ret_data, size_t *ret_size, struct error *err)
{
	const struct fetch_options options = {
		.url = address->url, .max_bytes = FETCH_MAX_BYTES, .timeout_s = FETCH_TIMEOUT_S,
		.tries = FETCH_TRIES, .pause_ms = how->pause_ms ? how->pause_ms : FETCH_PAUSE_MS,
		.authorities = how->authorities, .may_be_plain = address->sum[0],
	};
	_cleanup_free_ char *path = cache_path(how, address), *kept = NULL;
	size_t kept_size = 0;
	bool has_kept = path && file_read(path, FETCH_MAX_BYTES, &kept, &kept_size, NULL) == 0;
	int r;

	if (!has_kept || !address->sum[0] || sum_check(address, kept, kept_size, NULL) < 0) {
		r = fetch_get(&options, ret_data, ret_size, err);
		if (r == 0)
			r = sum_check(address, *ret_data, *ret_size, err);
		/* A cache that cannot be written is none. */
		if (r == 0 && path && file_make_directories(how->cache, 0755, NULL) == 0)
			(void)file_write_durable(path, *ret_data, *ret_size, 0644, NULL);
		if (r != -EIO || !has_kept || address->sum[0])
			return r;
		text_printf(notes, "%s; taken as it was fetched earlier\n", err->text);
	}
	*ret_data = TAKE_PTR(kept);
	*ret_size = kept_size;
	return 0;
}

static int gunzip(const char *name, char **data, size_t *size, struct error *err)
{
	static const char *const argv[] = { "gzip", "-dc", NULL };
	_cleanup_close_ int fd = memfd_create("gz", MFD_CLOEXEC);
	_cleanup_free_ char *path = text_format("/proc/self/fd/%d", fd);
	struct subprocess_options options = { .argv = argv, .input_path = path, .timeout_ms = 30000,
					      .max_output_bytes = MBOX_MAX_BYTES + 1 };
	struct subprocess_result result = { 0 };
	int r = fd < 0 ? -errno : file_write_fd(fd, *data, *size);

	if (r < 0)
		return error_set_errno(err, r, "%s cannot be unpacked", name);
	r = subprocess_check(&options, &result, err);
	if (r < 0) {
		r = error_prefix(err, r, "%s cannot be unpacked", name);
	} else {
		free(*data);
		*size = result.output_size;
		*data = TAKE_PTR(result.output);
	}
	subprocess_result_done(&result);
	return r;
}

int patch_fetch(const char *what, const struct patch_fetch *how, struct patch_sink *sink,
		struct error *err)
{
	_cleanup_(address_done) struct address address = { 0 };
	_cleanup_free_ char *data = NULL;
	size_t size = 0;
	int r = address_make(what, how, &address, err);

	if (r == 0)
		r = bytes_get(&address, how, sink->notes, &data, &size, err);
	if (r == 0 && size > 2 && (unsigned char)data[0] == 0x1f && (unsigned char)data[1] == 0x8b)
		r = gunzip(address.url, &data, &size, err);
	return r < 0 ? r : patch_read_bytes(data, size, address.message_id ? address.message_id : address.url,
					    address.message_id, sink, err);
}

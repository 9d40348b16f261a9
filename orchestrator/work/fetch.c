// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libcurl's easy interface, with the limits that hostile or tired servers need.
 */
#include "orchestrator/work/fetch.h"

#include <curl/curl.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/text.h"

#define CONNECT_TIMEOUT_S 20L
#define REDIRECTS_MAX 5L
#define SLOWEST_BYTES_PER_S 100L
#define SLOWEST_TIME_S 30L

struct transfer {
	const struct fetch_options *options;
	CURL *curl;
	struct text_buffer body;
	bool is_too_large;
	long status;
	char reason[CURL_ERROR_SIZE];
};

static bool is_host(const char *rest, const char *host)
{
	size_t size = strlen(host);

	return strncmp(rest, host, size) == 0 && rest[size] && strchr(":/", rest[size]);
}

/* Nobody is between this machine and itself. */
static bool is_loopback(const char *url)
{
	const char *rest = url + strlen("http://");

	return text_has_prefix(url, "http://") && (is_host(rest, "127.0.0.1") || is_host(rest, "localhost"));
}

/* libcurl's own limit does not end a transfer whose size was not said before. */
static size_t take_body(char *data, size_t one, size_t n, void *context)
{
	struct transfer *transfer = context;

	if (n > transfer->options->max_bytes - transfer->body.size) {
		transfer->is_too_large = true;
		return 0;
	}
	text_append_bytes(&transfer->body, data, one * n);
	return one * n;
}

static CURLcode options_set(struct transfer *transfer, bool is_plain)
{
	const struct fetch_options *options = transfer->options;
	CURL *curl = transfer->curl;
	const struct { CURLoption option; long value; } numbers[] = {
		{ CURLOPT_NOSIGNAL, 1 }, { CURLOPT_FOLLOWLOCATION, 1 }, { CURLOPT_MAXREDIRS, REDIRECTS_MAX },
		{ CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT_S }, { CURLOPT_TIMEOUT, options->timeout_s },
		{ CURLOPT_LOW_SPEED_LIMIT, SLOWEST_BYTES_PER_S }, { CURLOPT_LOW_SPEED_TIME, SLOWEST_TIME_S },
		{ CURLOPT_SSL_VERIFYPEER, 1 }, { CURLOPT_SSL_VERIFYHOST, 2 }, { CURLOPT_FAILONERROR, 0 },
	};
	const struct { CURLoption option; const char *value; } texts[] = {
		{ CURLOPT_URL, options->url },
		{ CURLOPT_USERAGENT, "abbot/" ABBOT_VERSION },
		{ CURLOPT_PROTOCOLS_STR, is_plain ? "http,https" : "https" },
		{ CURLOPT_REDIR_PROTOCOLS_STR, is_plain ? "http,https" : "https" },
		{ CURLOPT_CAINFO, options->authorities },
	};
	CURLcode code = CURLE_OK;

	for (size_t i = 0; i < ARRAY_SIZE(numbers) && code == CURLE_OK; i++)
		code = curl_easy_setopt(curl, numbers[i].option, numbers[i].value);
	for (size_t i = 0; i < ARRAY_SIZE(texts) && code == CURLE_OK; i++)
		if (texts[i].value)
			code = curl_easy_setopt(curl, texts[i].option, texts[i].value);
	if (code == CURLE_OK)
		code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
	if (code == CURLE_OK)
		code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, transfer);
	if (code == CURLE_OK)
		code = curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, transfer->reason);
	return code;
}

static int refuse_status(const struct transfer *transfer, struct error *err)
{
	const char *url = transfer->options->url;

	if (transfer->status == 404 || transfer->status == 410)
		return error_set(err, -ENOENT, "%s is not there (the server says %ld)", url, transfer->status);
	return error_set(err, -EIO, "%s: the server says %ld", url, transfer->status);
}

/* 1: it is no use to try again; the sentence is set in any case. */
static int judge(const struct transfer *transfer, CURLcode code, int *ret_r, struct error *err)
{
	const char *url = transfer->options->url;
	const char *reason = transfer->reason[0] ? transfer->reason : curl_easy_strerror(code);

	if (transfer->is_too_large) {
		*ret_r = error_set(err, -EFBIG, "%s has more than %zu KiB", url, transfer->options->max_bytes / 1024);
		return 1;
	}
	if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE) {
		*ret_r = error_set(err, -EPERM, "%s: its certificate is not to be trusted: %s", url, reason);
		return 1;
	}
	if (code == CURLE_PARTIAL_FILE) {
		*ret_r = error_set(err, -EIO, "%s was cut off: %s", url, reason);
		return 0;
	}
	if (code != CURLE_OK) {
		*ret_r = error_set(err, -EIO, "%s cannot be fetched: %s", url, reason);
		return code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL;
	}
	*ret_r = transfer->status == 200 ? 0 : refuse_status(transfer, err);
	return transfer->status < 500 && transfer->status != 429;
}

static int try_once(struct transfer *transfer, bool is_plain, int *ret_r, struct error *err)
{
	CURLcode code;

	text_buffer_done(&transfer->body);
	transfer->is_too_large = false;
	transfer->status = 0;
	transfer->reason[0] = '\0';
	curl_easy_reset(transfer->curl);
	code = options_set(transfer, is_plain);
	if (code == CURLE_OK)
		code = curl_easy_perform(transfer->curl);
	(void)curl_easy_getinfo(transfer->curl, CURLINFO_RESPONSE_CODE, &transfer->status);
	return judge(transfer, code, ret_r, err);
}

static void wait_ms(long ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	(void)nanosleep(&time, NULL);
}

int fetch_get(const struct fetch_options *options, char **ret_data, size_t *ret_size,
	      struct error *err)
{
	struct transfer transfer = { .options = options };
	bool is_plain = options->may_be_plain || is_loopback(options->url);
	int r = -EIO;

	if (!text_has_prefix(options->url, "https://") && !is_plain)
		return error_set(err, -EPERM,
				 "%s is not fetched: only https is, or http with #sha256=... at the end", options->url);
	transfer.curl = curl_easy_init();
	if (!transfer.curl)
		return error_set(err, -ENOMEM, "libcurl does not start");
	for (int i = 0; i < options->tries; i++) {
		if (i)
			wait_ms(options->pause_ms << (i - 1));
		if (try_once(&transfer, is_plain, &r, err))
			break;
	}
	curl_easy_cleanup(transfer.curl);
	if (r == 0) {
		*ret_size = transfer.body.size;
		*ret_data = text_buffer_take(&transfer.body);
	}
	text_buffer_done(&transfer.body);
	return r;
}

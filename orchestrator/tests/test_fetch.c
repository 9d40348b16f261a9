// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patches from servers on this machine, a plain one of our own and openssl's with TLS: what
 * is not there, tired, cut off, endless, changed, or not to be trusted.
 */
#include "orchestrator/work/patch_fetch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/subprocess.h"

#define PATCH "diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b\n"
#define MAIL(subject, id) "From mboxrd@z Thu Jan  1 00:00:00 1970\nSubject: " subject "\nMessage-ID: <" id ">\n\n" PATCH "\n"
#define THREAD MAIL("[PATCH 1/1] old", "old@x.org") MAIL("[PATCH v2 1/1] new", "new@x.org")

struct fixture {
	char *directory;
	char *base;     /* "http://127.0.0.1:PORT" */
	pid_t server;
	char *thread;   /* gzip of THREAD */
	size_t thread_size;
};

static void send_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = send(fd, data, size, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		data += n;
		size -= (size_t)n;
	}
}

static void answer(int fd, int status, size_t claimed, const char *data, size_t size)
{
	_cleanup_free_ char *head = text_format("HTTP/1.1 %d X\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
						status, claimed);

	send_all(fd, head, strlen(head));
	send_all(fd, data, size);
}

static void answer_endless(int fd)
{
	static const char head[] = "HTTP/1.1 200 X\r\nConnection: close\r\n\r\n";
	char block[65536];

	memset(block, 'x', sizeof(block));
	send_all(fd, head, strlen(head));
	for (int i = 0; i < 400; i++)
		send_all(fd, block, sizeof(block));
}

static void serve_one(const struct fixture *fixture, int fd, int *n_tired)
{
	char request[4096];
	ssize_t n = recv(fd, request, sizeof(request) - 1, 0);

	request[n > 0 ? n : 0] = '\0';
	if (text_has_prefix(request, "GET /ok.patch "))
		answer(fd, 200, strlen(PATCH), PATCH, strlen(PATCH));
	else if (text_has_prefix(request, "GET /tired.patch "))
		(*n_tired)++ < 2 ? answer(fd, 503, 0, "", 0) : answer(fd, 200, strlen(PATCH), PATCH, strlen(PATCH));
	else if (text_has_prefix(request, "GET /broken.patch "))
		answer(fd, 500, 0, "", 0);
	else if (text_has_prefix(request, "GET /cut.patch "))
		answer(fd, 200, strlen(PATCH) + 100, PATCH, strlen(PATCH));
	else if (text_has_prefix(request, "GET /endless.patch "))
		answer_endless(fd);
	else if (text_has_prefix(request, "GET /empty.patch "))
		answer(fd, 200, 0, "", 0);
	else if (text_has_prefix(request, "GET /all/old@x.org/t.mbox.gz ") ||
		 text_has_prefix(request, "GET /all/new@x.org/t.mbox.gz "))
		answer(fd, 200, fixture->thread_size, fixture->thread, fixture->thread_size);
	else if (text_has_prefix(request, "GET /all/short@x.org/t.mbox.gz "))
		answer(fd, 200, fixture->thread_size / 2, fixture->thread, fixture->thread_size / 2);
	else
		answer(fd, 404, 0, "", 0);
}

static void serve(const struct fixture *fixture, int listener)
{
	int n_tired = 0;

	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			_exit(1);
		serve_one(fixture, fd, &n_tired);
		(void)shutdown(fd, SHUT_WR);
		(void)close(fd);
	}
}

static void start_server(struct fixture *fixture)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(listener >= 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
	assert_int_equal(listen(listener, 16), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
	fixture->base = text_format("http://127.0.0.1:%d", ntohs(address.sin_port));
	fixture->server = fork();
	assert_true(fixture->server >= 0);
	if (fixture->server == 0)
		serve(fixture, listener);
	(void)close(listener);
}

static void run(const char *directory, const char *const *argv, struct subprocess_result *result)
{
	struct subprocess_options options = { .argv = argv, .directory = directory, .timeout_ms = 60000 };
	struct error err;

	if (subprocess_check(&options, result, &err) < 0)
		fail_msg("%s: %s", argv[0], err.text);
}

static int setup(void **state)
{
	static const char *const argv[] = { "gzip", "-c", "thread", NULL };
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	const char *root = getenv("TMPDIR");
	struct subprocess_result result = { 0 };
	_cleanup_free_ char *path = NULL;
	struct error err;

	fixture->directory = text_format("%s/abbot-test-XXXXXX", root ? root : "/tmp");
	assert_non_null(mkdtemp(fixture->directory));
	path = path_join(fixture->directory, "thread");
	assert_int_equal(file_write_durable(path, THREAD, strlen(THREAD), 0644, &err), 0);
	run(fixture->directory, argv, &result);
	fixture->thread = TAKE_PTR(result.output);
	fixture->thread_size = result.output_size;
	subprocess_result_done(&result);
	start_server(fixture);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	struct error err;

	(void)kill(fixture->server, SIGKILL);
	(void)waitpid(fixture->server, NULL, 0);
	assert_int_equal(file_remove_tree(fixture->directory, &err), 0);
	free(fixture->directory);
	free(fixture->base);
	free(fixture->thread);
	free(fixture);
	return 0;
}

struct got {
	struct job_changes changes;
	json_t *files;
	struct text_buffer notes;
	struct error err;
	int r;
};

static void got_done(struct got *got)
{
	job_changes_done(&got->changes);
	json_decref(got->files);
	text_buffer_done(&got->notes);
}

static void get_with(struct got *got, const char *what, const struct patch_fetch *how)
{
	struct patch_sink sink = { &got->changes, NULL, &got->notes };

	*got = (struct got){ .files = json_object() };
	sink.files = got->files;
	got->r = patch_fetch(what, how, &sink, &got->err);
}

static void get(const struct fixture *fixture, struct got *got, const char *path, const char *cache)
{
	_cleanup_free_ char *archive = text_format("%s/all", fixture->base);
	_cleanup_free_ char *url = path[0] == '/' ? text_format("%s%s", fixture->base, path) : text_duplicate(path);
	const struct patch_fetch how = { .archive = archive, .cache = cache, .pause_ms = 1 };

	get_with(got, url, &how);
}

static void assert_got(const struct got *got, const char *title)
{
	char sum[DIGEST_HEX_SIZE];

	if (got->r < 0)
		fail_msg("%s", got->err.text);
	assert_int_equal(got->changes.n, 1);
	if (title)
		assert_string_equal(got->changes.items[0].title, title);
	digest_bytes(PATCH, strlen(PATCH), sum);
	if (!title)
		assert_string_equal(got->changes.items[0].content, sum);
}

static void test_urls(void **state)
{
	static const char *const paths[] = { "/ok.patch", "/tired.patch" };
	struct got got;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		get(*state, &got, paths[i], NULL);
		assert_got(&got, NULL);
		assert_true(text_has_prefix(got.changes.items[0].what, "http://127.0.0.1:"));
		got_done(&got);
	}
}

static void test_message_ids(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *page = text_format("%s/all/new@x.org/", fixture->base);
	struct got got;

	get(fixture, &got, "new@x.org", NULL);
	assert_got(&got, "new");
	got_done(&got);
	get(fixture, &got, "<old@x.org>", NULL);
	assert_got(&got, "old");
	assert_non_null(strstr(got.notes.text, "newer revision, v2"));
	got_done(&got);
	get(fixture, &got, page, NULL);
	assert_got(&got, "new");
	got_done(&got);
}

static void test_failures(void **state)
{
	static const struct { const char *what; int r; const char *says; } rows[] = {
		{ "/none.patch", -ENOENT, "is not there (the server says 404)" },
		{ "none@x.org", -ENOENT, "is not there" },
		{ "/broken.patch", -EIO, "the server says 500" },
		{ "/cut.patch", -EIO, "cut off" },
		{ "/endless.patch", -EFBIG, "has more than" },
		{ "/empty.patch", -EINVAL, "is empty" },
		{ "short@x.org", -EPROTO, "cannot be unpacked" },
		{ "http://127.0.0.1:1/x", -EIO, "cannot be fetched" },
		{ "http://example.org/x.patch", -EPERM, "only https is" },
		{ "/ok.patch#sha256=12", -EINVAL, "64 hexadecimal digits" },
		{ "/ok.patch#sha512=12", -EINVAL, "only #sha256=" },
		{ "https://user:word@127.0.0.1/x.patch", -EINVAL, "user or a password" },
		{ "/ok.patch#sha256=0000000000000000000000000000000000000000000000000000000000000000", -EBADMSG, "not the one that was given" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct got got;

		get(*state, &got, rows[i].what, NULL);
		if (got.r != rows[i].r || !strstr(got.err.text, rows[i].says))
			fail_msg("%s: %d '%s' does not hold '%s'", rows[i].what, got.r, got.err.text, rows[i].says);
		assert_int_equal(got.changes.n, 0);
		got_done(&got);
	}
}

/* With its sum a file is fetched once; without, it is what helps when the server does not answer. */
static void test_cache(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_free_ char *cache = path_join(fixture->directory, "cache");
	_cleanup_free_ char *dead = text_duplicate("http://127.0.0.1:1/x.patch");
	_cleanup_free_ char *name = NULL, *with_sum = NULL;
	struct error err;
	char sum[DIGEST_HEX_SIZE];
	struct got got;

	get(fixture, &got, "/ok.patch", cache);
	assert_got(&got, NULL);
	got_done(&got);
	digest_bytes(dead, strlen(dead), sum);
	name = path_join(cache, sum);
	assert_int_equal(file_write_durable(name, PATCH, strlen(PATCH), 0644, &err), 0);
	get(fixture, &got, dead, cache);
	assert_got(&got, NULL);
	assert_non_null(strstr(got.notes.text, "as it was fetched earlier"));
	got_done(&got);
	digest_bytes(PATCH, strlen(PATCH), sum);
	with_sum = text_format("%s#sha256=%s", dead, sum);
	get(fixture, &got, with_sum, cache);
	assert_got(&got, NULL);
	assert_int_equal(got.notes.size, 0);
	got_done(&got);
}

/* A port that was free a moment ago. */
static int free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	(void)close(fd);
	return ntohs(address.sin_port);
}

static pid_t start_tls(const struct fixture *fixture, int port)
{
	static const char *const make[] = {
		"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
		"-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
		"subjectAltName=IP:127.0.0.1", NULL,
	};
	_cleanup_free_ char *address = text_format("127.0.0.1:%d", port);
	struct subprocess_result result = { 0 };
	pid_t pid;

	run(fixture->directory, make, &result);
	subprocess_result_done(&result);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (chdir(fixture->directory) == 0 && freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
			(void)execlp("openssl", "openssl", "s_server", "-accept", address, "-cert", "cert.pem", "-key",
				     "key.pem", "-HTTP", "-quiet", NULL);
		_exit(1);
	}
	return pid;
}

static void test_tls(void **state)
{
	struct fixture *fixture = *state;
	int port = free_port();
	_cleanup_free_ char *cert = path_join(fixture->directory, "cert.pem");
	_cleanup_free_ char *file = path_join(fixture->directory, "tls.patch");
	_cleanup_free_ char *url = text_format("https://127.0.0.1:%d/tls.patch", port);
	_cleanup_free_ char *other_name = text_format("https://localhost:%d/tls.patch", port);
	_cleanup_free_ char *text = text_format("HTTP/1.0 200 OK\r\nContent-Length: %zu\r\n\r\n%s", strlen(PATCH), PATCH);
	const struct patch_fetch trusting = { .authorities = cert, .pause_ms = 200 };
	const struct patch_fetch plain = { .pause_ms = 200 };
	struct error err;
	struct got got;
	pid_t pid = start_tls(fixture, port);

	assert_int_equal(file_write_durable(file, text, strlen(text), 0644, &err), 0);
	for (int i = 0; i < 50; i++) {
		get_with(&got, url, &trusting);
		if (got.r == 0 || i == 49)
			break;
		got_done(&got);
	}
	assert_got(&got, NULL);
	got_done(&got);
	get_with(&got, url, &plain);
	assert_int_equal(got.r, -EPERM);
	assert_non_null(strstr(got.err.text, "certificate is not to be trusted"));
	got_done(&got);
	get_with(&got, other_name, &trusting);
	assert_int_equal(got.r, -EPERM);
	got_done(&got);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

static void test_what_is_remote(void **state)
{
	(void)state;
	assert_true(patch_fetch_is_remote("https://x/y"));
	assert_true(patch_fetch_is_remote("20260101.1@x.org"));
	assert_true(patch_fetch_is_remote("<20260101.1@x.org>"));
	assert_false(patch_fetch_is_remote("0001-x.patch"));
	assert_false(patch_fetch_is_remote("./a@b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_urls),          cmocka_unit_test(test_message_ids),
		cmocka_unit_test(test_failures),      cmocka_unit_test(test_cache),
		cmocka_unit_test(test_tls),           cmocka_unit_test(test_what_is_remote),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

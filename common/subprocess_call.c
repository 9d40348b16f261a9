// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calling a function in a forked child: its memory goes away with it. The
 * answer, a fixed head and then JSON text, comes back through a pipe.
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/now.h"
#include "common/subprocess.h"
#include "common/subprocess_child.h"
#include "common/text.h"

#define ANSWER_BYTES_MAX ((size_t)64 << 20)

/* Raw, not JSON: an error sentence may quote bytes that are not UTF-8. */
struct answer_head {
	int code;
	struct error error;
};

static void __attribute__((noreturn))
call_child(int (*function)(void *context, struct json_t **ret_result, struct error *err),
	   void *context, int fd)
{
	struct answer_head head = { 0 };
	json_t *result = NULL;
	char *text = NULL;

	head.code = function(context, &result, &head.error);
	if (head.code >= 0) {
		text = json_dumps(result, JSON_COMPACT | JSON_ENCODE_ANY);
		if (!text)
			head.code = error_set(&head.error, -EINVAL,
					      "the result is not valid JSON text");
	}
	if (file_write_fd(fd, &head, sizeof(head)) < 0 ||
	    (text && file_write_fd(fd, text, strlen(text)) < 0))
		_exit(1);
	/* Not exit(): the parent's atexit handlers and unflushed streams are not ours. */
	_exit(0);
}

/* Reads to the end of file, or -ETIMEDOUT, or -EFBIG. */
static int call_read(int fd, uint64_t timeout_ms, struct text_buffer *answer)
{
	uint64_t started_ms = now_monotonic_ms();
	char piece[16384];

	for (;;) {
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		uint64_t elapsed_ms = now_monotonic_ms() - started_ms;
		int sleep_ms = -1, r;
		ssize_t n;

		if (timeout_ms) {
			if (elapsed_ms >= timeout_ms)
				return -ETIMEDOUT;
			sleep_ms = timeout_ms - elapsed_ms > 1000000000 ?
					   1000000000 : (int)(timeout_ms - elapsed_ms);
		}
		r = poll(&ready, 1, sleep_ms);
		if (r < 0 && errno != EINTR)
			return -errno;
		if (r <= 0)
			continue;
		n = read(fd, piece, sizeof(piece));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		if (answer->size + (size_t)n > ANSWER_BYTES_MAX)
			return -EFBIG;
		text_append_bytes(answer, piece, (size_t)n);
	}
}

static int call_decode(const struct text_buffer *answer, struct json_t **ret_result,
		       struct error *err)
{
	struct answer_head head;
	json_t *result;

	if (answer->size < sizeof(head))
		return error_set(err, -EIO, "a helper process ended without an answer");
	memcpy(&head, answer->text, sizeof(head));
	head.error.text[sizeof(head.error.text) - 1] = '\0';
	if (head.code < 0)
		return error_set(err, head.code, "%s", head.error.text);
	result = json_loadb(answer->text + sizeof(head), answer->size - sizeof(head),
			    JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	if (!result)
		return error_set(err, -EIO, "a helper process ended within its answer");
	*ret_result = result;
	return head.code;
}

int subprocess_call(int (*function)(void *context, struct json_t **ret_result, struct error *err),
		    void *context, uint64_t timeout_ms, struct json_t **ret_result,
		    struct error *err)
{
	_cleanup_text_ struct text_buffer answer = { 0 };
	_cleanup_close_ int read_end = -1, write_end = -1;
	pid_t parent = getpid(), pid;
	int pair[2], r, status;

	if (pipe2(pair, O_CLOEXEC) < 0)
		return error_set_errno(err, -errno, "cannot make a pipe");
	read_end = pair[0];
	write_end = pair[1];
	pid = fork();
	if (pid < 0)
		return error_set_errno(err, -errno, "cannot start a helper process");
	if (pid == 0) {
		if (subprocess_child_detach(parent, SIGKILL, false) < 0)
			_exit(1);
		call_child(function, context, write_end);
	}
	(void)setpgid(pid, pid);
	(void)close(TAKE_FD(write_end));
	r = call_read(read_end, timeout_ms, &answer);
	/* Alive or a zombie, it still owns the group's number. */
	(void)kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (r == -ETIMEDOUT)
		return error_set(err, r, "a helper process did not answer within %llu s",
				 (unsigned long long)(timeout_ms + 999) / 1000);
	if (r < 0)
		return error_set_errno(err, r, "cannot read a helper process's answer");
	return call_decode(&answer, ret_result, err);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carries a request to the daemon or to the store. What the requests mean is in
 * orchestrator/work/service.h.
 */
#include "orchestrator/cli/client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "common/cleanup.h"
#include "common/now.h"
#include "common/printable.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/mail_arguments.h"
#include "orchestrator/work/service.h"
#include "queue/run_state.h"
#include "queue/store.h"

#define REPLY_MAX_BYTES ((size_t)64 * 1024 * 1024)

static void store_close_cleanup(struct store **store)
{
	if (*store)
		store_close(*store);
}

/* The daemon's socket; -ENOENT when no daemon listens there. */
static int connect_daemon(const char *path, int *ret_fd, struct error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	_cleanup_close_ int fd = -1;

	if (strlen(path) >= sizeof(address.sun_path))
		return error_set(err, -EINVAL, "the socket path %s is too long", path);
	memcpy(address.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return error_set_errno(err, -errno, "cannot make a socket");
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		if (errno == ENOENT || errno == ECONNREFUSED)
			return error_set(err, -ENOENT, "no abbotd listens at %s", path);
		if (errno == EACCES)
			return error_set(err, -EACCES,
					 "you may not talk to abbotd: be root or in the group abbot");
		return error_set_errno(err, -errno, "cannot reach abbotd at %s", path);
	}
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static int send_line(int fd, const json_t *request, struct error *err)
{
	_cleanup_free_ char *line = json_dumps(request, JSON_COMPACT);
	size_t size, sent = 0;

	if (!line)
		return error_set(err, -ENOMEM, "out of memory");
	size = strlen(line);
	line[size++] = '\n'; /* over the NUL: a line, not a string, goes out */
	while (sent < size) {
		ssize_t n = send(fd, line + sent, size - sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set_errno(err, -errno, "abbotd hung up");
		sent += (size_t)n;
	}
	return 0;
}

static int receive_line(int fd, json_t **ret_reply, struct error *err)
{
	_cleanup_text_ struct text_buffer line = { 0 };
	char piece[16384];
	const char *end = NULL;

	while (!end) {
		ssize_t n = recv(fd, piece, sizeof(piece), 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set_errno(err, -errno, "abbotd hung up");
		if (n == 0)
			return error_set(err, -EPIPE, "abbotd hung up without an answer");
		if (line.size + (size_t)n > REPLY_MAX_BYTES)
			return error_set(err, -EMSGSIZE, "abbotd's answer is too long");
		text_append_bytes(&line, piece, (size_t)n);
		end = memchr(piece, '\n', (size_t)n);
	}
	*ret_reply = json_loadb(line.text, line.size, 0, NULL);
	if (!json_is_object(*ret_reply))
		return error_set(err, -EBADMSG, "abbotd's answer is not a JSON object");
	return 0;
}

static int ask_store(const struct cli *cli, const json_t *request, bool create,
		     json_t **ret_reply, struct error *err)
{
	_cleanup_(store_close_cleanup) struct store *store = NULL;
	/* What is handed in under one's own --state is not for this machine's daemon. */
	const struct boot_paths machine = { .root = "" };
	struct service service = {
		.state_directory = cli->state_directory,
		.machine = cli->is_state_given ? NULL : &machine,
	};
	char caller[32];
	int r = store_open(cli->state_directory, create, &store, err);

	if (r < 0)
		return r;
	if (geteuid() == 0)
		(void)snprintf(caller, sizeof(caller), "root");
	else
		(void)snprintf(caller, sizeof(caller), "uid %u", (unsigned)geteuid());
	service.store = store;
	service.caller = caller;
	service.now_ns = now_realtime_ns();
	/* What is installed here is the machine's own queue's, not that of another directory. */
	service.root = cli->is_state_given ? NULL : "";
	*ret_reply = service_handle(&service, request);
	return 0;
}

int client_request(const struct cli *cli, const json_t *request, bool create,
		   json_t **ret_reply, struct error *err)
{
	_cleanup_close_ int fd = -1;
	_cleanup_json_ json_t *reply = NULL;
	const char *sentence;
	int r = -ENOENT;

	if (cli->socket_path) {
		r = connect_daemon(cli->socket_path, &fd, err);
		if (r < 0 && r != -ENOENT)
			return r;
	}
	if (r == 0) {
		r = send_line(fd, request, err);
		if (r == 0)
			r = receive_line(fd, &reply, err);
	} else {
		r = ask_store(cli, request, create, &reply, err);
	}
	if (r < 0)
		return r;
	sentence = json_string_value(json_object_get(reply, "error"));
	if (sentence) {
		json_int_t code = json_integer_value(json_object_get(reply, "errno"));

		return error_set(err, code > 0 && code < 4096 ? -(int)code : -EPROTO, "%s",
				 sentence);
	}
	*ret_reply = TAKE_PTR(reply);
	return 0;
}

int client_print_json(const json_t *value)
{
	_cleanup_free_ char *text =
		json_dumps(value, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENCODE_ANY);

	if (text)
		printable_clean(text, true); /* jansson escapes only C0 */
	if (!text || puts(text) < 0 || fflush(stdout) != 0)
		return 3;
	return 0;
}

/* From 1, as the words of status and log count them. */
static int add_boot(json_t *request, const char *word, struct error *err)
{
	int64_t boot;

	if (!word)
		return 0;
	if (text_parse_i64(word, 1, RUN_STATE_BOOTS_MAX, &boot) < 0)
		return error_set(err, -EINVAL, "--boot wants the number of a boot, from 1, not %s", word);
	return json_object_set_new(request, "boot", json_integer(boot));
}

int client_run_verb(const struct cli *cli, const struct verb *verb, int argc, char **argv,
		    const char *op, const char *json_key, bool needs_job)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	_cleanup_json_ json_t *request = json_pack("{s:s}", "op", op);
	_cleanup_json_ json_t *reply = NULL;
	_cleanup_json_ json_t *mail = NULL;
	struct error err;
	const char *text;
	int64_t job;
	int r = cli_arguments_parse(verb, argc, argv, &arguments, &err);

	if (r < 0)
		return cli_fail_usage(verb, &err);
	mail = cli_mail_request(&arguments);
	if (arguments.n_words > 1 || (needs_job && arguments.n_words == 0)) {
		(void)error_set(&err, -EINVAL, "%s takes one job number", verb->name);
		return cli_fail_usage(verb, &err);
	}
	if (arguments.n_words == 1) {
		if (cli_parse_job(arguments.words[0], &job, &err) < 0)
			return cli_fail_usage(verb, &err);
		(void)json_object_set_new(request, "job", json_integer(job));
	}
	if (cli_arguments_get(&arguments, "--format"))
		(void)json_object_set_new(
			request, "format",
			json_string(cli_arguments_get(&arguments, "--format")));
	if (add_boot(request, cli_arguments_get(&arguments, "--boot"), &err) < 0)
		return cli_fail_usage(verb, &err);
	if (cli_arguments_get(&arguments, "--bisect") || cli_arguments_get(&arguments, "--story"))
		(void)json_object_set_new(
			request, "bisect",
			json_string(cli_arguments_get(&arguments, "--story") ? "story" : "log"));
	if (cli_arguments_get(&arguments, "--workload"))
		(void)json_object_set_new(
			request, "workload",
			json_string(cli_arguments_get(&arguments, "--workload")));
	if (mail)
		(void)json_object_set(request, "mail", mail);
	r = client_request(cli, request, false, &reply, &err);
	if (r < 0)
		return cli_fail(r, &err);
	if (json_key && cli_arguments_get(&arguments, "--json"))
		return client_print_json(json_object_get(reply, json_key));
	text = json_string_value(json_object_get(reply, "text"));
	if (text && (fputs(text, stdout) < 0 || fflush(stdout) != 0))
		return 3;
	return 0;
}

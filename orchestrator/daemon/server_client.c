// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One client: a line is read to its end, answered, and the answer written before the
 * next line is looked at, so that a client that does not read costs bounded memory.
 */
#include "orchestrator/daemon/server_client.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/text.h"

#define PIECE_BYTES 16384
#define PEER_GROUPS_MAX 1024

struct server_client {
	struct server_clients *clients;
	sd_event_source *source;
	int fd;
	struct server_peer peer;
	struct text_buffer input;
	char *output;
	size_t output_size;
	size_t n_sent;
	uint64_t active_us;  /* when it last spoke */
	bool is_last_answer; /* hang up once the output is out */
};

static void client_free(struct server_client *client)
{
	for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++)
		if (client->clients->list[i] == client)
			client->clients->list[i] = NULL;
	sd_event_source_disable_unref(client->source);
	(void)close(client->fd);
	text_buffer_done(&client->input);
	free(client->output);
	free(client);
}

static bool is_group_member(int fd, gid_t primary)
{
	const struct group *group = getgrnam(SERVER_GROUP);
	_cleanup_free_ gid_t *gids = calloc(PEER_GROUPS_MAX, sizeof(*gids));
	socklen_t size = PEER_GROUPS_MAX * sizeof(*gids);

	if (!group || !gids)
		return false;
	if (primary == group->gr_gid)
		return true;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, gids, &size) < 0)
		return false;
	for (size_t i = 0; i < size / sizeof(*gids); i++)
		if (gids[i] == group->gr_gid)
			return true;
	return false;
}

static int read_peer(int fd, struct server_peer *ret_peer)
{
	struct ucred credentials;
	socklen_t size = sizeof(credentials);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
		return -errno;
	*ret_peer = (struct server_peer){
		.uid = credentials.uid,
		.is_owner = credentials.uid == 0 || credentials.uid == geteuid(),
		.is_member = is_group_member(fd, credentials.gid),
	};
	return 0;
}

/* False when the client is gone. */
static bool flush(struct server_client *client)
{
	while (client->output && client->n_sent < client->output_size) {
		ssize_t n = send(client->fd, client->output + client->n_sent,
				 client->output_size - client->n_sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return sd_event_source_set_io_events(client->source, EPOLLOUT) >= 0;
		if (n < 0)
			return false;
		client->n_sent += (size_t)n;
	}
	free(client->output);
	client->output = NULL;
	return !client->is_last_answer &&
	       sd_event_source_set_io_events(client->source, EPOLLIN) >= 0;
}

static void set_answer(struct server_client *client, const json_t *reply)
{
	char *text = json_dumps(reply, JSON_COMPACT);

	if (!text)
		text = text_duplicate("{\"error\":\"out of memory\"}");
	client->output_size = strlen(text) + 1;
	text[client->output_size - 1] = '\n'; /* a line: the NUL is not needed */
	client->output = text;
	client->n_sent = 0;
}

static void refuse(struct server_client *client, const char *sentence, int code)
{
	_cleanup_json_ json_t *reply = json_pack("{s:s, s:i}", "error", sentence, "errno", code);

	set_answer(client, reply);
}

static void answer_line(struct server_client *client, const char *line, size_t size)
{
	struct server_clients *clients = client->clients;
	_cleanup_json_ json_t *reply = NULL;
	_cleanup_json_ json_t *request = json_loadb(line, size, JSON_REJECT_DUPLICATES, NULL);

	if (!json_is_object(request)) {
		refuse(client, "a request must be one JSON object on one line", EINVAL);
		return;
	}
	reply = clients->answer(clients->context, &client->peer, request);
	set_answer(client, reply);
}

/* Answers the lines that are complete, as long as the answers can be sent. */
static bool serve(struct server_client *client)
{
	while (!client->output) {
		struct text_buffer *input = &client->input;
		char *end = input->size ? memchr(input->text, '\n', input->size) : NULL;
		size_t line_size;

		if (!end) {
			if (input->size <= SERVER_LINE_MAX_BYTES)
				return true;
			refuse(client, "the request is longer than 1 MiB", EMSGSIZE);
			client->is_last_answer = true;
			return flush(client);
		}
		line_size = (size_t)(end - input->text);
		answer_line(client, input->text, line_size);
		memmove(input->text, end + 1, input->size - line_size - 1);
		input->size -= line_size + 1;
		if (input->size == 0)
			text_buffer_done(input);
		if (!flush(client))
			return false;
	}
	return true;
}

/* False at the client's end of file or failure. */
static bool read_input(struct server_client *client)
{
	char piece[PIECE_BYTES];
	ssize_t n = recv(client->fd, piece, sizeof(piece), 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n == 0)
		return false;
	text_append_bytes(&client->input, piece, (size_t)n);
	return serve(client);
}

static int on_client(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	struct server_client *client = userdata;
	bool is_alive = true;

	(void)fd;
	(void)sd_event_now(sd_event_source_get_event(source), CLOCK_MONOTONIC, &client->active_us);
	if (revents & EPOLLOUT)
		is_alive = flush(client) && serve(client);
	else if (revents & EPOLLIN)
		is_alive = read_input(client);
	else if (revents & (EPOLLHUP | EPOLLERR))
		is_alive = false;
	if (!is_alive)
		client_free(client);
	return 0;
}

static size_t free_place(struct server_clients *clients)
{
	size_t oldest = 0;

	for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
		if (!clients->list[i])
			return i;
		if (clients->list[i]->active_us < clients->list[oldest]->active_us)
			oldest = i;
	}
	client_free(clients->list[oldest]);
	return oldest;
}

void server_clients_add(struct server_clients *clients, sd_event *event, int fd)
{
	struct server_client *client = calloc(1, sizeof(*client));

	if (!client || read_peer(fd, &client->peer) < 0 ||
	    sd_event_add_io(event, &client->source, fd, EPOLLIN, on_client, client) < 0) {
		free(client);
		(void)close(fd);
		return;
	}
	client->clients = clients;
	client->fd = fd;
	(void)sd_event_now(event, CLOCK_MONOTONIC, &client->active_us);
	clients->list[free_place(clients)] = client;
}

void server_clients_done(struct server_clients *clients)
{
	for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++)
		if (clients->list[i])
			client_free(clients->list[i]);
}

void server_clients_abandon(const struct server_clients *clients)
{
	for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++)
		if (clients->list[i])
			(void)close(clients->list[i]->fd);
}

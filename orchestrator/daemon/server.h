// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The daemon's socket: who may speak (peer credentials), one JSON object a line in,
 * one out, with bounds on lines and on clients. What is answered is the caller's.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

#include "common/error.h"

#define SERVER_CLIENTS_MAX 16
#define SERVER_LINE_MAX_BYTES ((size_t)4 * 1024 * 1024)
#define SERVER_GROUP "abbot"

struct server;

struct server_peer {
	uid_t uid;
	bool is_owner;  /* root, or the user that the daemon runs as */
	bool is_member; /* of the group abbot */
};

/* A new object, never NULL. */
typedef json_t *(*server_answer)(void *context, const struct server_peer *peer,
				 const json_t *request);

/*
 * Listens at @path (0660, group abbot where there is one). A socket that nobody listens
 * at is replaced; -EADDRINUSE when somebody does. Events come through @event.
 */
int server_new(sd_event *event, const char *path, server_answer answer, void *context,
	       struct server **ret_server, struct error *err);
/* Closes everything and removes the socket. */
void server_free(struct server *server);
/* In a forked child: closes the descriptors and nothing else. */
void server_abandon(const struct server *server);

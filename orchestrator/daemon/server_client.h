// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The clients of the daemon's socket: reading lines, answering them, hanging up on
 * those that break the rules. Internal to the server.
 */
#pragma once

#include "orchestrator/daemon/server.h"

struct server_client;

struct server_clients {
	server_answer answer;
	void *context;
	struct server_client *list[SERVER_CLIENTS_MAX];
};

/*
 * Takes @fd (non-blocking) over. With all places taken, the client that has been silent
 * for longest loses its place: nobody can lock the others out by holding connections.
 */
void server_clients_add(struct server_clients *clients, sd_event *event, int fd);
void server_clients_done(struct server_clients *clients);
void server_clients_abandon(const struct server_clients *clients);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Listening and accepting. One client's lines are server_client.c's business.
 */
#include "orchestrator/daemon/server.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/text.h"
#include "orchestrator/daemon/server_client.h"

struct server {
	sd_event *event;
	sd_event_source *source;
	int fd;
	char *path;
	struct server_clients clients;
};

static int on_connection(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	struct server *server = userdata;
	int client_fd = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)source;
	(void)revents;
	if (client_fd >= 0)
		server_clients_add(&server->clients, server->event, client_fd);
	return 0;
}

static int make_address(const char *path, struct sockaddr_un *ret_address, struct error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(address.sun_path))
		return error_set(err, -ENAMETOOLONG, "the socket path %s is too long", path);
	memcpy(address.sun_path, path, strlen(path) + 1);
	*ret_address = address;
	return 0;
}

/* A socket left over by a dead daemon goes; a live one, or another kind of file, stays. */
static int remove_stale(const struct sockaddr_un *address, struct error *err)
{
	const char *path = address->sun_path;
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : error_set_errno(err, -errno, "cannot look at %s", path);
	if (!S_ISSOCK(st.st_mode))
		return error_set(err, -EEXIST, "%s is there and is no socket: remove it", path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return error_set_errno(err, -errno, "cannot make a socket");
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 ||
	    errno == EAGAIN)
		return error_set(err, -EADDRINUSE, "another abbotd listens at %s", path);
	if (unlink(path) < 0)
		return error_set_errno(err, -errno, "cannot remove the old socket %s", path);
	return 0;
}

static int make_directory_of(const char *path, struct error *err)
{
	_cleanup_free_ char *directory = text_duplicate(path);
	char *slash = strrchr(directory, '/');

	if (!slash || slash == directory)
		return 0;
	*slash = '\0';
	return file_make_directories(directory, 0755, err);
}

static int listen_at(const char *path, int *ret_fd, struct error *err)
{
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const struct group *group = getgrnam(SERVER_GROUP);
	struct sockaddr_un address;
	mode_t mask;
	int r = make_address(path, &address, err);

	if (r == 0)
		r = make_directory_of(path, err);
	if (r == 0)
		r = remove_stale(&address, err);
	if (r < 0)
		return r;
	if (fd < 0)
		return error_set_errno(err, -errno, "cannot make a socket");
	mask = umask(0177); /* nobody else gets in before owner and mode are right */
	r = bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? -errno : 0;
	(void)umask(mask);
	if (r < 0)
		return error_set_errno(err, r, "cannot make the socket %s", path);
	if ((group && geteuid() == 0 && chown(path, (uid_t)-1, group->gr_gid) < 0) ||
	    chmod(path, 0660) < 0 || listen(fd, SERVER_CLIENTS_MAX) < 0)
		return error_set_errno(err, -errno, "cannot listen at %s", path);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int server_new(sd_event *event, const char *path, server_answer answer, void *context,
	       struct server **ret_server, struct error *err)
{
	struct server *server = calloc(1, sizeof(*server));
	int r;

	if (!server)
		return error_set(err, -ENOMEM, "out of memory");
	server->fd = -1;
	server->clients.answer = answer;
	server->clients.context = context;
	r = listen_at(path, &server->fd, err);
	if (r == 0) {
		server->path = text_duplicate(path);
		server->event = sd_event_ref(event);
		r = sd_event_add_io(event, &server->source, server->fd, EPOLLIN, on_connection,
				    server);
		if (r < 0)
			(void)error_set_errno(err, r, "cannot watch %s", path);
	}
	if (r < 0) {
		server_free(server);
		return r;
	}
	*ret_server = server;
	return 0;
}

void server_free(struct server *server)
{
	if (!server)
		return;
	server_clients_done(&server->clients);
	sd_event_source_unref(server->source);
	sd_event_unref(server->event);
	if (server->fd >= 0)
		(void)close(server->fd);
	if (server->path)
		(void)unlink(server->path);
	free(server->path);
	free(server);
}

void server_abandon(const struct server *server)
{
	if (!server)
		return;
	(void)close(server->fd);
	server_clients_abandon(&server->clients);
}

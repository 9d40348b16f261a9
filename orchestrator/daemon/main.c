// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbotd`: puts store, ports, socket and loop together, and takes them apart at a
 * signal. What to do is in loop.c, what to answer in orchestrator/work/service.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/log.h"
#include "common/now.h"
#include "orchestrator/daemon/loop.h"
#include "orchestrator/daemon/options.h"
#include "orchestrator/daemon/server.h"
#include "orchestrator/work/ports_machine.h"
#include "orchestrator/work/service.h"

struct abbotd {
	struct daemon_options options;
	sd_event *event;
	struct store *store;
	struct ports *ports;
	struct loop *loop;
	struct server *server;
};

static void abbotd_done(struct abbotd *abbotd)
{
	server_free(abbotd->server);
	loop_free(abbotd->loop);
	if (abbotd->ports)
		ports_machine_free(abbotd->ports);
	if (abbotd->store)
		store_close(abbotd->store);
	sd_event_unref(abbotd->event);
}

/* What members of the group abbot may ask for; root's policy has no file yet. */
static bool is_allowed(const struct server_peer *peer, const char *op)
{
	static const char *const group_operations[] = {
		"list", "status", "log", "report", "plan", "queue", "cancel", "pause", "resume",
		"kernels",
	};

	if (peer->is_owner)
		return true;
	for (size_t i = 0; peer->is_member && i < ARRAY_SIZE(group_operations); i++)
		if (strcmp(group_operations[i], op) == 0)
			return true;
	return false;
}

static bool changes_queue(const char *op)
{
	static const char *const operations[] = { "queue", "cancel", "pause", "resume" };

	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (strcmp(operations[i], op) == 0)
			return true;
	return false;
}

static json_t *answer(void *context, const struct server_peer *peer, const json_t *request)
{
	struct abbotd *abbotd = context;
	const char *op = json_string_value(json_object_get(request, "op"));
	const struct boot_paths machine = { .root = "", .loader = abbotd->options.boot_loader };
	char caller[32];
	json_t *reply;

	if (!is_allowed(peer, op ? op : ""))
		return json_pack("{s:s, s:i}", "error", "only root and the group abbot may ask that",
				 "errno", EPERM);
	if (peer->uid == 0)
		(void)snprintf(caller, sizeof(caller), "root");
	else
		(void)snprintf(caller, sizeof(caller), "uid %u", (unsigned)peer->uid);
	reply = service_handle(
		&(const struct service){
			.store = abbotd->store,
			.state_directory = abbotd->options.state_directory,
			.machine = &machine,
			.caller = caller,
			.now_ns = now_realtime_ns(),
			.root = "",
		},
		request);
	if (op && changes_queue(op) && !json_object_get(reply, "error"))
		loop_wake(abbotd->loop);
	return reply;
}

static int on_signal(sd_event_source *source, const struct signalfd_siginfo *info,
		     void *userdata)
{
	struct abbotd *abbotd = userdata;

	(void)source;
	(void)info;
	(void)sd_notify(0, "STOPPING=1\nSTATUS=Stopping.");
	loop_stop(abbotd->loop);
	return 0;
}

static int add_signals(struct abbotd *abbotd, struct error *err)
{
	static const int signals[] = { SIGTERM, SIGINT };
	sigset_t mask;
	int r = 0;

	(void)sigemptyset(&mask);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		(void)sigaddset(&mask, signals[i]);
	(void)sigprocmask(SIG_BLOCK, &mask, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(signals); i++)
		r = sd_event_add_signal(abbotd->event, NULL, signals[i], on_signal, abbotd);
	return r < 0 ? error_set_errno(err, r, "cannot watch signals") : 0;
}

static int set_up(struct abbotd *abbotd, struct error *err)
{
	const struct daemon_options *options = &abbotd->options;
	int r = sd_event_new(&abbotd->event);

	if (r < 0)
		return error_set_errno(err, r, "cannot make the event loop");
	r = add_signals(abbotd, err);
	if (r == 0)
		r = store_open(options->state_directory, true, &abbotd->store, err);
	if (r == 0)
		r = ports_machine_new(&(const struct boot_paths){ .root = "", .loader = options->boot_loader },
				      options->state_directory, &abbotd->ports, err);
	if (r == 0)
		r = loop_new(abbotd->event, abbotd->store, abbotd->ports, options->when_idle,
			     &abbotd->loop, err);
	if (r == 0)
		r = server_new(abbotd->event, options->socket_path, answer, abbotd,
			       &abbotd->server, err);
	if (r == 0)
		loop_set_server(abbotd->loop, abbotd->server);
	return r;
}

static int run(struct abbotd *abbotd)
{
	struct error err = { 0 };
	int r = set_up(abbotd, &err);

	if (r < 0) {
		log_line(LOG_LEVEL_ERROR, "abbotd: %s", err.text);
		return 1;
	}
	log_line(LOG_LEVEL_NOTICE, "abbotd: version %s, state in %s", ABBOT_VERSION,
		 abbotd->options.state_directory);
	(void)sd_notify(0, "READY=1\nSTATUS=Ready.");
	r = sd_event_loop(abbotd->event);
	if (r < 0)
		log_line(LOG_LEVEL_ERROR, "abbotd: the event loop failed: %s", strerror(-r));
	return r < 0 ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct abbotd abbotd = { 0 };
	struct error err = { 0 };
	int status;

	if (daemon_options_parse(argc, argv, &abbotd.options, &err) < 0) {
		fprintf(stderr, "abbotd: %s\n", err.text);
		return 2;
	}
	if (abbotd.options.wants_help || abbotd.options.wants_version) {
		if (abbotd.options.wants_help)
			(void)fputs(daemon_options_help(), stdout);
		else
			printf("abbotd %s\n", ABBOT_VERSION);
		return 0;
	}
	status = run(&abbotd);
	abbotd_done(&abbotd);
	return status;
}

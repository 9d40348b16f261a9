// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The daemon: its loop over a fake machine, with real child processes and a real
 * store; and the real program with its socket, against hostile clients. What a crash
 * at any place does is tests/crash_matrix.c's business.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/temporary.h"
#include "common/text.h"
#include "orchestrator/daemon/loop.h"
#include "orchestrator/daemon/server.h"
#include "orchestrator/tests/programs.h"
#include "queue/run_state.h"
#include "tests/fake_world.h"

#define ID_40 "0123456789012345678901234567890123456789"
#define QUIET_US 60000
#define QUIET_ROUNDS_MAX 100
#define LIVES_MAX 12

/* --- the loop over a fake machine ---------------------------------------- */

static int64_t add_job(struct store *store, bool is_emulated)
{
	struct error err = { 0 };
	struct job job;
	int64_t id;

	job_init(&job);
	job.is_exact = true;
	free(job.order);
	job.order = text_duplicate("PCP");
	job.boot.settle_s = 0;
	job.measure.warmups = 1;
	job.measure.processes = 2;
	job.repository = text_duplicate("/nonexistent");
	assert_int_equal(job_add_point(&job, "parent", "a", NULL), 0);
	assert_int_equal(job_add_point(&job, "child", "b", NULL), 0);
	for (int i = 0; i < 2; i++) {
		(void)snprintf(job.points[i].commit, sizeof(job.points[i].commit), "%s", ID_40);
		(void)snprintf(job.points[i].tree, sizeof(job.points[i].tree), "%s", ID_40);
		job.points[i].commit[0] = (char)('a' + i);
	}
	if (store_add_job(store, &job,
			  is_emulated ? STORE_MACHINE_COUNTED : STORE_MACHINE_REAL, 0, 1, &id, &err) < 0)
		fail_msg("%s", err.text);
	job_done(&job);
	return id;
}

static enum job_status status_of(struct store *store, int64_t job, int *ret_n_reboots)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };
	_cleanup_(run_state_done) struct run_state state = { 0 };

	assert_int_equal(store_load_events(store, job, &events, NULL), 0);
	assert_int_equal(run_state_fold(&state, &events, NULL), 0);
	if (ret_n_reboots)
		*ret_n_reboots = state.n_boots;
	return state.status;
}

/* As a real machine's: only the job's own entries go. */
static int remove_own_entries(void *context, const struct run_state *state, json_t **ret_result,
			      struct error *err)
{
	struct fake_world *world = context;
	char prefix[40];

	(void)err;
	(void)snprintf(prefix, sizeof(prefix), "abbot-%lld-", (long long)state->job_id);
	for (int i = 0; i < FAKE_ENTRIES_MAX; i++)
		if (text_has_prefix(world->entries[i], prefix))
			world->entries[i][0] = '\0';
	*ret_result = json_object();
	return 0;
}

static size_t n_events_of(struct store *store, int64_t job)
{
	_cleanup_(event_list_done) struct event_list events = { 0 };

	assert_int_equal(store_load_events(store, job, &events, NULL), 0);
	return events.n_events;
}

/* From one boot of the fake machine to the next. True when the loop ended by itself. */
static bool live(struct store *store, struct fake_world *world)
{
	struct ports ports = fake_world_ports(world);
	struct error err = { 0 };
	struct loop *loop = NULL;
	sd_event *event = NULL;
	bool has_ended;
	int n_quiet = 0;

	ports.remove_entries = remove_own_entries;
	assert_int_equal(sd_event_new(&event), 0);
	if (loop_new(event, store, &ports, WHEN_IDLE_EXIT, &loop, &err) < 0)
		fail_msg("%s", err.text);
	while (sd_event_get_state(event) != SD_EVENT_FINISHED) {
		int r = sd_event_run(event, QUIET_US);

		assert_true(r >= 0);
		n_quiet = r == 0 ? n_quiet + 1 : 0;
		assert_true(n_quiet < QUIET_ROUNDS_MAX);
		if (n_quiet && world->is_going_down) /* asleep until the machine is down */
			break;
	}
	has_ended = sd_event_get_state(event) == SD_EVENT_FINISHED;
	if (!has_ended)
		assert_true(world->is_going_down);
	loop_free(loop);
	sd_event_unref(event);
	return has_ended;
}

static void live_on(struct store *store, struct fake_world *world)
{
	for (int i = 0; i < LIVES_MAX; i++) {
		if (live(store, world))
			return;
		fake_world_boot(world);
	}
	fail_msg("not done after %d boots", LIVES_MAX);
}

static struct store *open_store(void **state)
{
	_cleanup_free_ char *directory = temporary_path(state, "state");
	struct store *store = NULL;
	struct error err = { 0 };

	if (store_open(directory, true, &store, &err) < 0)
		fail_msg("%s", err.text);
	return store;
}

static void append_note(struct store *store, int64_t job, enum event_kind kind)
{
	struct event event;

	event_init(&event, job, kind, EVENT_NOTE);
	event.at_ns = 1;
	(void)json_object_set_new(event.data, "by", json_string("test"));
	assert_int_equal(store_append(store, &event, NULL), 0);
	event_done(&event);
}

static void test_loop_runs_jobs_in_order(void **state)
{
	struct store *store = open_store(state);
	struct fake_world *world = fake_world_new();
	int64_t first = add_job(store, false), second = add_job(store, false);
	int n_boots;

	live_on(store, world);
	assert_int_equal(status_of(store, first, &n_boots), JOB_DONE);
	assert_int_equal(n_boots, 3);
	assert_int_equal(status_of(store, second, &n_boots), JOB_DONE);
	assert_int_equal(world->processes, 2 * 3 * 3);
	assert_string_equal(world->running_token, "");
	assert_string_equal(world->governor, "powersave");
	fake_world_free(world);
	store_close(store);
}

static void test_lab_records_never_run(void **state)
{
	struct store *store = open_store(state);
	struct fake_world *world = fake_world_new();
	int64_t lab = add_job(store, true);

	assert_true(live(store, world));
	assert_int_equal(status_of(store, lab, NULL), JOB_QUEUED);
	assert_int_equal(world->places, 0);
	fake_world_free(world);
	store_close(store);
}

/* A paused job lets others run; resumed meanwhile, it does not break into theirs. */
static void test_resumed_job_waits_for_the_one_that_runs(void **state)
{
	struct store *store = open_store(state);
	struct fake_world *world = fake_world_new();
	int64_t first = add_job(store, false), second;
	int n_first, n_second;

	assert_false(live(store, world)); /* the first reboot of job 1 is under way */
	fake_world_boot(world);
	append_note(store, first, EVENT_PAUSE);
	second = add_job(store, false);
	assert_false(live(store, world)); /* back to the default kernel */
	assert_int_equal(n_events_of(store, second), 1); /* not before the machine is clean */
	fake_world_boot(world);
	assert_false(live(store, world)); /* into the first kernel of job 2 */
	fake_world_boot(world);
	assert_int_equal(status_of(store, first, NULL), JOB_PAUSED);
	assert_int_equal(status_of(store, second, NULL), JOB_RUNNING);
	append_note(store, first, EVENT_RESUME);
	assert_false(live(store, world));
	(void)status_of(store, first, &n_first);
	(void)status_of(store, second, &n_second);
	assert_int_equal(n_first, 1);
	assert_int_equal(n_second, 2); /* job 2 went on to its second boot */
	fake_world_boot(world);
	live_on(store, world);
	assert_int_equal(status_of(store, first, NULL), JOB_DONE);
	assert_int_equal(status_of(store, second, NULL), JOB_DONE);
	assert_string_equal(world->running_token, "");
	fake_world_free(world);
	store_close(store);
}

/* --- the program and its socket ------------------------------------------ */

struct daemon {
	pid_t pid;
	char *state;
	char *socket_path;
	char *log;
};

static pid_t start(const char *state, const char *socket_path, const char *log)
{
	_cleanup_free_ char *state_option = text_format("--state=%s", state);
	const char *program = programs_path("abbotd");
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		/* A test that fails must not leave a daemon behind, nor one that holds its output. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!freopen(log, "a", stderr) || !freopen("/dev/null", "w", stdout))
			_exit(99);
		(void)execl(program, program, state_option, "--socket", socket_path,
			    "--when-idle=wait", (char *)NULL);
		_exit(98);
	}
	return pid;
}

static int try_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval limit = { .tv_sec = 5 };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0 && strlen(path) < sizeof(address.sun_path));
	memcpy(address.sun_path, path, strlen(path) + 1);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		(void)close(fd);
		return -1;
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	return fd;
}

static struct daemon daemon_start(void **state)
{
	struct daemon d = {
		.state = temporary_path(state, "state"),
		.socket_path = temporary_path(state, "abbotd.sock"),
		.log = temporary_path(state, "log"),
	};

	d.pid = start(d.state, d.socket_path, d.log);
	for (int i = 0; i < 500; i++) {
		int fd = try_connect(d.socket_path);

		if (fd >= 0) {
			(void)close(fd);
			return d;
		}
		(void)usleep(10000);
	}
	fail_msg("abbotd does not listen");
	return d;
}

static int wait_for(pid_t pid)
{
	int status = -1;

	for (int i = 0; i < 1000; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		(void)usleep(10000);
	}
	(void)kill(pid, SIGKILL);
	fail_msg("abbotd does not end");
	return status;
}

static void daemon_stop(struct daemon *d)
{
	assert_int_equal(kill(d->pid, SIGTERM), 0);
	assert_int_equal(wait_for(d->pid), 0);
	assert_false(file_exists(d->socket_path));
	free(d->state);
	free(d->socket_path);
	free(d->log);
}

static void send_bytes(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);

		if (n < 0)
			return; /* hung up on: what the caller then reads tells */
		bytes += n;
		size -= (size_t)n;
	}
}

/* One line; NULL at the end of file. */
static char *receive_line(int fd)
{
	_cleanup_text_ struct text_buffer line = { 0 };
	char c;

	for (;;) {
		ssize_t n = recv(fd, &c, 1, 0);

		if (n < 0 && errno == EAGAIN)
			fail_msg("no answer and no end of the connection");
		if (n <= 0)
			return NULL;
		if (c == '\n')
			return text_buffer_take(&line);
		text_append_bytes(&line, &c, 1);
	}
}

static void expect_reply(int fd, const char *part)
{
	_cleanup_free_ char *line = receive_line(fd);

	if (!line || !strstr(line, part))
		fail_msg("wanted \"%s\", got: %s", part, line ? line : "nothing");
}

static void test_hostile_lines(void **state)
{
	static const char *const lines[] = {
		"\n", "null\n", "[]\n", "\"x\"\n", "{\n", "{\"op\":\"list\",\"op\":\"list\"}\n",
		"{\"op\":\"\xff\"}\n", "{\"op\":7}\n", "{\"op\":\"shutdown\"}\n", "\x01\x02\n",
	};
	struct daemon d = daemon_start(state);
	int fd = try_connect(d.socket_path);
	_cleanup_free_ char *deep = malloc(200001);

	assert_true(fd >= 0 && deep);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		send_bytes(fd, lines[i], strlen(lines[i]));
		expect_reply(fd, "\"error\"");
	}
	send_bytes(fd, "{\"op\":\"list\"\0}\n", 15);
	expect_reply(fd, "\"error\"");
	memset(deep, '[', 200000);
	deep[200000] = '\n';
	send_bytes(fd, deep, 200001);
	expect_reply(fd, "\"error\"");
	/* The same connection still works, two requests in one packet too. */
	send_bytes(fd, "{\"op\":\"list\"}\n{\"op\":\"list\"}\n", 28);
	expect_reply(fd, "\"jobs\":[]");
	expect_reply(fd, "\"jobs\":[]");
	(void)close(fd);
	daemon_stop(&d);
}

static void test_endless_line_is_hung_up_on(void **state)
{
	struct daemon d = daemon_start(state);
	int fd = try_connect(d.socket_path), other;
	_cleanup_free_ char *much = malloc(SERVER_LINE_MAX_BYTES + 100000);

	assert_non_null(much);
	memset(much, ' ', SERVER_LINE_MAX_BYTES + 100000);
	send_bytes(fd, much, SERVER_LINE_MAX_BYTES + 100000);
	expect_reply(fd, "longer than 1 MiB");
	assert_null(receive_line(fd));
	other = try_connect(d.socket_path);
	send_bytes(other, "{\"op\":\"list\"}\n", 14);
	expect_reply(other, "\"jobs\":[]");
	(void)close(other);
	(void)close(fd);
	daemon_stop(&d);
}

static void test_silent_clients_lock_nobody_out(void **state)
{
	struct daemon d = daemon_start(state);
	int silent[SERVER_CLIENTS_MAX + 4], fd;

	for (size_t i = 0; i < ARRAY_SIZE(silent); i++)
		silent[i] = try_connect(d.socket_path);
	fd = try_connect(d.socket_path);
	send_bytes(fd, "{\"op\":\"list\"}\n", 14);
	expect_reply(fd, "\"jobs\":[]");
	assert_null(receive_line(silent[0])); /* the oldest lost its place */
	for (size_t i = 0; i < ARRAY_SIZE(silent); i++)
		(void)close(silent[i]);
	(void)close(fd);
	daemon_stop(&d);
}

static void test_second_daemon_is_refused(void **state)
{
	struct daemon d = daemon_start(state);
	_cleanup_free_ char *other_socket = temporary_path(state, "other.sock");
	_cleanup_free_ char *other_state = temporary_path(state, "other");
	_cleanup_free_ char *log = NULL;
	int status;

	status = wait_for(start(d.state, other_socket, d.log));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	assert_false(file_exists(other_socket));
	status = wait_for(start(other_state, d.socket_path, d.log));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	assert_int_equal(file_read(d.log, 65536, &log, NULL, NULL), 0);
	assert_non_null(strstr(log, "another abbotd or abbot uses"));
	assert_non_null(strstr(log, "another abbotd listens at"));
	daemon_stop(&d);
}

static void test_stale_socket_is_replaced(void **state)
{
	struct daemon d = daemon_start(state);

	assert_int_equal(kill(d.pid, SIGKILL), 0);
	(void)wait_for(d.pid);
	assert_true(file_exists(d.socket_path));
	free(d.state);
	free(d.socket_path);
	free(d.log);
	d = daemon_start(state);
	daemon_stop(&d);
}

/* Exit status of a program that has to end by itself. */
static void test_options(void **state)
{
	struct program_output bad = RUN(NULL, programs_path("abbotd"), "--when-idle=sleep");
	struct program_output near = RUN(NULL, programs_path("abbotd"), "--sokcet", "/x");
	struct program_output lacking = RUN(NULL, programs_path("abbotd"), "--state");
	struct program_output version = RUN(NULL, programs_path("abbotd"), "--version");

	(void)state;
	assert_int_equal(bad.exit_status, 2);
	assert_non_null(strstr(bad.error_output, "wait, poweroff or exit, not \"sleep\""));
	assert_int_equal(near.exit_status, 2);
	assert_non_null(strstr(near.error_output, "did you mean --socket?"));
	assert_int_equal(lacking.exit_status, 2);
	assert_non_null(strstr(lacking.error_output, "--state needs a value"));
	assert_int_equal(version.exit_status, 0);
	assert_true(text_has_prefix(version.output, "abbotd "));
	program_output_done(&bad);
	program_output_done(&near);
	program_output_done(&lacking);
	program_output_done(&version);
}

static bool shows(const char *abbot, const struct daemon *d, const char *repository, const char *part)
{
	for (int i = 0; i < 300; i++) {
		struct program_output output = RUN(repository, abbot, "--socket", d->socket_path, "status", "1");
		bool is_there = strstr(output.output, part) != NULL;

		program_output_done(&output);
		if (is_there)
			return true;
		(void)usleep(50000);
	}
	return false;
}

static void expect_queue_refused(const char *abbot, const struct daemon *d, const char *repository)
{
	struct program_output output = RUN(repository, abbot, "--socket", d->socket_path, "queue", "main");

	assert_int_equal(output.exit_status, 1);
	assert_non_null(strstr(output.error_output, "not safe to reboot unattended"));
	assert_non_null(strstr(output.error_output, "--accept-hang-risk"));
	program_output_done(&output);
	output = RUN(repository, abbot, "--socket", d->socket_path, "list");
	assert_null(strstr(output.output, "   2 "));
	program_output_done(&output);
	output = RUN(repository, abbot, "--socket", d->socket_path, "queue", "--dry-run", "main");
	assert_int_equal(output.exit_status, 0);
	program_output_done(&output);
}

/*
 * No machine is safe for a job that does not accept an early hang. One that was put into the
 * store behind the daemon's back begins nothing; the daemon itself takes none.
 */
static void test_job_on_a_refused_machine(void **state)
{
	_cleanup_free_ char *repository = temporary_path(state, "linux");
	_cleanup_free_ char *kept = temporary_path(state, "state");
	_cleanup_free_ char *abbot = text_duplicate(programs_path("abbot"));
	struct program_output output;
	struct daemon d;

	programs_make_repository(repository);
	output = RUN(repository, abbot, "--state", kept, "queue", "--config", "tinyconfig", "main");
	if (output.exit_status != 0)
		fail_msg("%s", output.error_output);
	assert_non_null(strstr(output.output, "job 1 queued: main"));
	program_output_done(&output);
	d = daemon_start(state);
	assert_true(shows(abbot, &d, repository, "main: paused"));
	assert_true(shows(abbot, &d, repository, "early-hang"));
	expect_queue_refused(abbot, &d, repository);
	/* Nothing is mended: it is refused again. */
	output = RUN(repository, abbot, "--socket", d.socket_path, "resume", "1");
	assert_int_equal(output.exit_status, 0);
	program_output_done(&output);
	assert_true(shows(abbot, &d, repository, "main: paused"));
	/* The store is the daemon's: nobody else opens it meanwhile. */
	output = RUN(repository, abbot, "--state", d.state, "list");
	assert_int_equal(output.exit_status, 3);
	assert_non_null(strstr(output.error_output, "another abbotd or abbot uses"));
	program_output_done(&output);
	daemon_stop(&d);
}

int main(void)
{
#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, temporary_setup, temporary_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_loop_runs_jobs_in_order),
		TEST(test_lab_records_never_run),
		TEST(test_resumed_job_waits_for_the_one_that_runs),
		TEST(test_hostile_lines),
		TEST(test_endless_line_is_hung_up_on),
		TEST(test_silent_clients_lock_nobody_out),
		TEST(test_second_daemon_is_refused),
		TEST(test_stale_socket_is_replaced),
		TEST(test_options),
		TEST(test_job_on_a_refused_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

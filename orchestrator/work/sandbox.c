// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts bubblewrap's options together: bwrap(1).
 */
#include "orchestrator/work/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/text.h"

#define CHECK_TIMEOUT_MS 10000
#define WORDS_MAX 128
/* bwrap's own exit status when a signal ended the program. */
#define SIGNAL_STATUS 128

/*
 * No --new-session: the caller made one, and kills its process group. Homes and /run are
 * hidden as a whole; whatever else of root's there is, the user without rights cannot read.
 */
static const char *const base[] = {
	"bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "abbot",
	"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
};
static const char *const hidden[] = { "/tmp", "/var/tmp", "/run", "/home", "/root", "/mnt", "/media", "/srv" };

struct words {
	const char *words[WORDS_MAX];
	size_t n_words;
	bool is_full;
};

static void add_word(struct words *words, const char *word)
{
	if (words->n_words + 1 >= WORDS_MAX) {
		words->is_full = true;
		return;
	}
	words->words[words->n_words++] = word;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int make_words(struct words *words, const struct subprocess_options *options,
		      const struct sandbox_place *places, size_t n_places, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(base); i++)
		add_word(words, base[i]);
	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++) {
		if (!is_directory(hidden[i])) /* a link elsewhere, or not there */
			continue;
		add_word(words, "--tmpfs");
		add_word(words, hidden[i]);
	}
	for (size_t i = 0; i < n_places; i++) {
		if (!is_directory(places[i].path))
			continue;
		add_word(words, places[i].is_writable ? "--bind" : "--ro-bind");
		add_word(words, places[i].path);
		add_word(words, places[i].path);
	}
	if (options->directory) {
		add_word(words, "--chdir");
		add_word(words, options->directory);
	}
	add_word(words, "--");
	for (size_t i = 0; options->argv[i]; i++)
		add_word(words, options->argv[i]);
	return words->is_full ? error_set(err, -E2BIG, "cannot run %s in the sandbox: its command line is too long",
					  options->argv[0]) : 0;
}

int sandbox_run(const struct subprocess_options *options, const struct sandbox_place *places,
		size_t n_places, struct subprocess_result *ret_result, struct error *err)
{
	struct subprocess_options wrapped = *options;
	struct words words = { 0 };
	int r = make_words(&words, options, places, n_places, err);

	if (r < 0)
		return r;
	wrapped.argv = words.words;
	r = subprocess_run(&wrapped, ret_result, err);
	/* Beyond the signals it is the program's own: perl dies with 255. */
	if (r == 0 && ret_result->exit_status > SIGNAL_STATUS &&
	    ret_result->exit_status <= SIGNAL_STATUS + SIGRTMAX) {
		ret_result->signal = ret_result->exit_status - SIGNAL_STATUS;
		ret_result->exit_status = -1;
	}
	return r;
}

int sandbox_check(const struct subprocess_options *as, struct error *err)
{
	const char *const argv[] = { "true", NULL };
	struct subprocess_options options = {
		.argv = argv, .change_user = as->change_user, .uid = as->uid, .gid = as->gid,
		.environment = as->environment, .timeout_ms = CHECK_TIMEOUT_MS, .merge_stderr = true,
	};
	_cleanup_(subprocess_result_done) struct subprocess_result result = { 0 };
	struct error why = { 0 };
	int r = sandbox_run(&options, NULL, 0, &result, &why);

	if (r == -ENOENT)
		return error_set(err, -EOPNOTSUPP, "bubblewrap (bwrap) is not installed");
	if (r < 0)
		return error_set(err, -EOPNOTSUPP, "%s", why.text);
	if (result.exit_status == 0)
		return 0;
	return error_set(err, -EOPNOTSUPP, "bubblewrap cannot make one here (%.120s): are user namespaces allowed (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone)?",
			 result.output && *result.output ? text_strip(result.output) : "no reason given");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `abbot kernels`: the store of built kernels. What may be taken away is decided where
 * the queue is (orchestrator/work/service.h).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "orchestrator/cli/arguments.h"
#include "orchestrator/cli/client.h"

static const struct verb_option options[] = {
	{ "--older-than", "DAYS", "gc: remove kernels stored so many days ago (30)" },
	{ "--keep-bytes", "SIZE", "gc: remove the oldest until no more than SIZE is left, such as 20G" },
	{ "--json", NULL, "print JSON instead of text" },
	{ NULL, NULL, NULL },
};

static const char *const words[] = { "list", "remove", "gc", NULL };

static int add_rules(const struct cli_arguments *arguments, json_t *request, struct error *err)
{
	const char *days_text = cli_arguments_get(arguments, "--older-than");
	const char *size_text = cli_arguments_get(arguments, "--keep-bytes");
	int64_t days;
	uint64_t size;

	if (days_text) {
		if (text_parse_i64(days_text, 0, 100000, &days) < 0)
			return error_set(err, -EINVAL, "--older-than %s is no number of days", days_text);
		(void)json_object_set_new(request, "older_than_days", json_integer(days));
	}
	if (size_text) {
		if (text_parse_size(size_text, &size) < 0 || size > INT64_MAX)
			return error_set(err, -EINVAL, "--keep-bytes %s is no size", size_text);
		(void)json_object_set_new(request, "keep_bytes", json_integer((json_int_t)size));
	}
	return 0;
}

/* *ret_key: the member of the answer that --json prints. */
static int make_request(const struct cli_arguments *arguments, json_t *request,
			const char **ret_key, struct error *err)
{
	const char *word = arguments->n_words > 0 ? arguments->words[0] : "list";
	bool has_rules = cli_arguments_get(arguments, "--older-than") ||
			 cli_arguments_get(arguments, "--keep-bytes");
	json_t *keys;

	if (strcmp(word, "gc") != 0 && has_rules)
		return error_set(err, -EINVAL, "--older-than and --keep-bytes are gc's");
	if (strcmp(word, "remove") != 0 && arguments->n_words > 1)
		return error_set(err, -EINVAL, "kernels %s takes no more words", word);
	if (strcmp(word, "list") == 0) {
		*ret_key = "kernels";
		return json_object_set_new(request, "op", json_string("kernels"));
	}
	if (strcmp(word, "gc") == 0) {
		*ret_key = "removed";
		(void)json_object_set_new(request, "op", json_string("kernels-gc"));
		return add_rules(arguments, request, err);
	}
	if (strcmp(word, "remove") != 0)
		return error_set(err, -EINVAL, "kernels %s is not known: list, remove or gc", word);
	keys = json_array();
	for (size_t i = 1; i < arguments->n_words; i++)
		(void)json_array_append_new(keys, json_string(arguments->words[i]));
	(void)json_object_set_new(request, "op", json_string("kernels-remove"));
	(void)json_object_set_new(request, "keys", keys);
	*ret_key = NULL;
	return arguments->n_words > 1 ? 0 : error_set(err, -EINVAL, "kernels remove takes the keys of kernels");
}

static int run(const struct cli *cli, int argc, char **argv)
{
	_cleanup_arguments_ struct cli_arguments arguments = { 0 };
	_cleanup_json_ json_t *request = json_object(), *reply = NULL;
	const char *json_key = NULL, *text;
	struct error err = { 0 };
	int r;

	if (cli_arguments_parse(&verb_kernels, argc, argv, &arguments, &err) < 0 ||
	    make_request(&arguments, request, &json_key, &err) < 0)
		return cli_fail_usage(&verb_kernels, &err);
	r = client_request(cli, request, false, &reply, &err);
	if (r < 0)
		return cli_fail(r, &err);
	if (json_key && cli_arguments_get(&arguments, "--json"))
		return client_print_json(json_object_get(reply, json_key));
	text = json_string_value(json_object_get(reply, "text"));
	return text && (fputs(text, stdout) < 0 || fflush(stdout) != 0) ? 3 : 0;
}

const struct verb verb_kernels = {
	.name = "kernels",
	.synopsis = "kernels [list | remove KEY... | gc] [OPTION...]",
	.summary = "List the built kernels, and remove those that nobody needs",
	.options = options,
	.words = words,
	.run = run,
};

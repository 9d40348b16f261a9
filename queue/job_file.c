// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The job file: libgit2's own git-config parser over a private copy, one key after
 * the other into a struct job by the table of queue/job_key.c. The only file of
 * queue/ that uses libgit2; the daemon never calls it.
 */
#include "queue/job_file.h"

#include <errno.h>
#include <git2.h>
#include <string.h>
#include <sys/mman.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "queue/job_file_scan.h"
#include "queue/job_key.h"

#define KEYS_MAX 64

struct parse {
	const char *name;               /* of the file, for messages */
	struct job *job;
	bool is_set[KEYS_MAX];          /* by row of job_keys */
	bool is_point_set[JOB_POINTS_MAX];
	unsigned int bench_keys[JOB_BENCHES_MAX]; /* a bit each, in the table's order */
};

/* The key may be right and only its section wrong: then that is what helps. */
static int unknown_key(const struct parse *parse, const char *section, const char *name,
		       struct error *err)
{
	const char *nearest = job_key_nearest(section, name);

	for (size_t i = 0; job_sections[i]; i++)
		if (job_key_find(job_sections[i], name))
			return error_set(err, -EINVAL,
					 "%s: unknown key %s.%.100s, it belongs into section [%s]",
					 parse->name, section, name, job_sections[i]);
	if (nearest)
		return error_set(err, -EINVAL, "%s: unknown key %s.%.100s, did you mean %s.%s?",
				 parse->name, section, name, section, nearest);
	return error_set(err, -EINVAL, "%s: unknown key %s.%.100s, see abbot.job(5) for those of [%s]",
			 parse->name, section, name, section);
}

static int take_point(struct parse *parse, const char *point_name, const char *name,
		      const char *value, struct error *err)
{
	const struct job_key *key = job_key_find("point", name);
	struct job *job = parse->job;
	size_t i = 0;
	int r;

	if (!key)
		return unknown_key(parse, "point", name, err);
	while (i < job->n_points && strcmp(job->points[i].name, point_name) != 0)
		i++;
	if (i == job->n_points) {
		r = job_add_point(job, point_name, "", err);
		if (r < 0)
			return error_prefix(err, r, "%s", parse->name);
	}
	if (key->type != JOB_KEY_CHANGE && parse->is_point_set[i])
		return error_set(err, -EEXIST, "%s: point \"%.100s\" has two commits", parse->name,
				 point_name);
	parse->is_point_set[i] |= key->type != JOB_KEY_CHANGE;
	r = job_key_set_text(key, &job->points[i], value, err);
	return r < 0 ? error_prefix(err, r, "%s: point \"%.100s\"", parse->name, point_name) : 0;
}

static int take_bench(struct parse *parse, const char *bench_name, const char *name,
		      const char *value, struct error *err)
{
	const struct job_key *key = job_key_find("bench", name);
	struct job *job = parse->job;
	struct job_bench *bench;
	size_t i = 0;
	size_t row;
	int r;

	if (!key)
		return unknown_key(parse, "bench", name, err);
	while (i < job->n_benches && strcmp(job->benches[i].name, bench_name) != 0)
		i++;
	if (i == job->n_benches) {
		r = job_add_bench(job, bench_name, "", err);
		if (r < 0)
			return error_prefix(err, r, "%s", parse->name);
	}
	bench = &job->benches[i];
	row = (size_t)(key - job_key_find("bench", "workload"));
	if (key->type != JOB_KEY_LIST && parse->bench_keys[i] & 1U << row)
		return error_set(err, -EEXIST, "%s: [bench \"%.100s\"] has two lines %s",
				 parse->name, bench_name, name);
	parse->bench_keys[i] |= 1U << row;
	r = job_key_set_text(key, bench, value, err);
	return r < 0 ? error_prefix(err, r, "%s: [bench \"%.100s\"]", parse->name, bench_name)
		     : 0;
}

/* With sections of their own, the keys of the only workload would be lost without a word. */
static int refuse_two_forms(const struct parse *parse, struct error *err)
{
	static const char *const single[][2] = {
		{ "job", "bench" }, { "measure", "metric" }, { "measure", "argument" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(single) && parse->job->n_benches; i++) {
		const struct job_key *key = job_key_find(single[i][0], single[i][1]);

		if (parse->is_set[key - job_keys])
			return error_set(err, -EINVAL,
					 "%s: %s.%s is for a job with one workload, this one has [bench \"%s\"]: write it there",
					 parse->name, single[i][0], single[i][1],
					 parse->job->benches[0].name);
	}
	return 0;
}

static int take_key(struct parse *parse, const char *section, const char *name,
		    const char *value, struct error *err)
{
	const struct job_key *key = job_key_find(section, name);
	size_t row;
	int r;

	if (!key)
		return unknown_key(parse, section, name, err);
	row = (size_t)(key - job_keys);
	if (row >= KEYS_MAX)
		return error_set(err, -E2BIG, "too many job keys");
	if (key->type != JOB_KEY_LIST && parse->is_set[row])
		return error_set(err, -EEXIST, "%s: %s.%s is given twice", parse->name, section, name);
	parse->is_set[row] = true;
	r = job_key_set_text(key, parse->job, value, err);
	return r < 0 ? error_prefix(err, r, "%s", parse->name) : 0;
}

/* "section.key" or "section.sub.section.key": libgit2's one form for both. */
static int take_entry(struct parse *parse, const git_config_entry *entry, struct error *err)
{
	_cleanup_free_ char *full = text_duplicate(entry->name);
	char *first = strchr(full, '.');
	char *last = strrchr(full, '.');
	const char *subsection = NULL;
	bool is_section = false;

	if (!first)
		return error_set(err, -EINVAL, "%s: \"%.100s\" stands before any section",
				 parse->name, full);
	*first = '\0';
	*last = '\0';
	if (first != last)
		subsection = first + 1;
	for (size_t i = 0; job_sections[i]; i++)
		is_section = is_section || strcmp(job_sections[i], full) == 0;
	if (!is_section)
		return job_file_unknown_section(parse->name, full, err);
	if (strcmp(full, "point") == 0) {
		if (!subsection)
			return error_set(err, -EINVAL,
					 "%s: a point needs a name, write [point \"parent\"]",
					 parse->name);
		return take_point(parse, subsection, last + 1, entry->value, err);
	}
	if (strcmp(full, "bench") == 0) {
		if (!subsection)
			return error_set(err, -EINVAL,
					 "%s: a workload needs a name, write [bench \"toggle\"]",
					 parse->name);
		return take_bench(parse, subsection, last + 1, entry->value, err);
	}
	if (subsection)
		return error_set(err, -EINVAL, "%s: section [%s] takes no name, write [%s]",
				 parse->name, full, full);
	return take_key(parse, full, last + 1, entry->value, err);
}

/* libgit2's own sentence, with the user's file name instead of our copy's. */
static int parser_error(const char *name, const char *path, struct error *err)
{
	static const char prefix[] = "failed to parse config file: ";
	const git_error *last = git_error_last();
	const char *text = last && last->message ? last->message : "unknown reason";
	const char *at;

	if (text_has_prefix(text, prefix))
		text += strlen(prefix);
	at = strstr(text, path);
	if (!at)
		return error_set(err, -EINVAL, "%s: %s", name, text);
	return error_set(err, -EINVAL, "%.*s%s%s: values with # ; \\ or \" must be quoted as in git-config(1)",
			 (int)(at - text), text, name, at + strlen(path));
}

static int take_entries(struct parse *parse, git_config *config, const char *path,
			struct error *err)
{
	git_config_iterator *iterator = NULL;
	git_config_entry *entry;
	int r = 0, next;

	if (git_config_iterator_new(&iterator, config) < 0)
		return parser_error(parse->name, path, err);
	while ((next = git_config_next(&entry, iterator)) == 0) {
		r = take_entry(parse, entry, err);
		if (r < 0)
			break;
	}
	git_config_iterator_free(iterator);
	if (r == 0 && next != GIT_ITEROVER)
		return parser_error(parse->name, path, err);
	return r;
}

static int read_config(struct parse *parse, const char *path, struct error *err)
{
	git_config *config = NULL;
	int r;

	if (git_libgit2_init() < 0)
		return error_set(err, -ENOMEM, "%s: libgit2 does not start", parse->name);
	if (git_config_new(&config) < 0 ||
	    git_config_add_file_ondisk(config, path, GIT_CONFIG_LEVEL_APP, NULL, 0) < 0)
		r = parser_error(parse->name, path, err);
	else
		r = take_entries(parse, config, path, err);
	git_config_free(config);
	(void)git_libgit2_shutdown();
	return r;
}

/* libgit2 1.5 reads git-config only from paths; this one nobody else can change. */
static int make_copy(const char *data, size_t size, const char *name, int *ret_fd,
		     struct error *err)
{
	_cleanup_close_ int fd = memfd_create("job", MFD_CLOEXEC);

	if (fd < 0)
		return error_set_errno(err, -errno, "%s: cannot copy the job file", name);
	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, data + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return error_set_errno(err, n < 0 ? -errno : -EIO,
					       "%s: cannot copy the job file", name);
		done += (size_t)n;
	}
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int job_file_parse(const char *data, size_t size, const char *name, struct job *ret_job,
		   struct error *err)
{
	_cleanup_close_ int fd = -1;
	_cleanup_free_ char *path = NULL;
	struct job job;
	struct parse parse = { .name = name, .job = &job };
	int r;

	r = job_file_scan(data, size, name, err);
	if (r == 0)
		r = make_copy(data, size, name, &fd, err);
	if (r < 0)
		return r;
	path = text_format("/proc/self/fd/%d", fd);
	job_init(&job);
	r = read_config(&parse, path, err);
	if (r == 0)
		r = refuse_two_forms(&parse, err);
	if (r == 0) {
		r = job_validate(&job, false, err);
		if (r < 0)
			r = error_prefix(err, r, "%s", name);
	}
	if (r < 0) {
		job_done(&job);
		return r;
	}
	*ret_job = job;
	return 0;
}

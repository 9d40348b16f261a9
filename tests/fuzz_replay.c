// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main() of a fuzz target in the unit tests: every file of its corpus, and every prefix of
 * it (long ones: prefixes in larger steps), without libFuzzer. A file of the corpus is one
 * case in cmocka's words; FUZZ_CORPUS is its folder, from the top of the tree.
 */
#include <dirent.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/tests/fuzz.h"
#include "common/text.h"

#define INPUT_MAX_BYTES ((size_t)1024 * 1024)
#define PREFIXES_MAX 64

/* In memory of exactly that size, so that a sanitizer sees one byte too many. */
static void run_once(const char *data, size_t size)
{
	uint8_t *exact = malloc(size ? size : 1);

	if (!exact)
		abort();
	memcpy(exact, data, size);
	(void)LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

static int replay(const char *path)
{
	_cleanup_free_ char *data = NULL;
	struct error err = { 0 };
	size_t size = 0, step;

	/* Before the run: it names the input that ended the process. */
	printf("[ RUN      ] %s\n", path);
	(void)fflush(stdout);
	if (file_read_regular(path, INPUT_MAX_BYTES, &data, &size, &err) < 0) {
		printf("%s\n[  FAILED  ] %s\n", err.text, path);
		return -1;
	}
	step = size / PREFIXES_MAX + 1;
	for (size_t prefix = 0; prefix < size; prefix += step)
		run_once(data, prefix);
	run_once(data, size);
	printf("[       OK ] %s\n", path);
	return 0;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_corpus(const char *directory)
{
	struct dirent **entries = NULL;
	int n = scandir(directory, &entries, is_visible, alphasort), n_failed = 0;

	for (int i = 0; i < n; i++) {
		_cleanup_free_ char *path = path_join(directory, entries[i]->d_name);

		n_failed += replay(path) < 0;
		free(entries[i]);
	}
	free(entries);
	if (n <= 0)
		fprintf(stderr, "no corpus in %s\n", directory);
	return n > 0 && n_failed == 0 ? 0 : 1;
}

/* Arguments: inputs to be run instead of the corpus, such as a crash that `make fuzz` kept. */
int main(int argc, char **argv)
{
	const char *data = getenv("ABBOT_DATA");
	_cleanup_free_ char *corpus = data ? text_format("%s/../%s", data, FUZZ_CORPUS) :
					     text_duplicate(FUZZ_CORPUS);
	int status = 0;

	if (argc < 2)
		return replay_corpus(corpus);
	for (int i = 1; i < argc; i++)
		status |= replay(argv[i]) < 0;
	return status;
}

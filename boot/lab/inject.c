// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * debugfs as a file-copying tool. It exits 0 whatever happens, so anything that it
 * says on standard error besides its version counts as failure.
 */
#include "boot/lab/inject.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "boot/lab/tools.h"
#include "common/cleanup.h"
#include "common/file.h"
#include "common/subprocess.h"

#define DEPTH_MAX 16

void inject_start(struct inject *inject, const char *image, uint64_t offset_bytes)
{
	*inject = (struct inject){.image = image, .offset_bytes = offset_bytes};
}

/* debugfs takes an argument in double quotes and knows no escapes. */
static bool can_quote(const char *text)
{
	return !strpbrk(text, "\"\n\r");
}

static bool is_usable(struct inject *inject, const char *first, const char *second)
{
	if (inject->status < 0)
		return false;
	if (can_quote(first) && can_quote(second))
		return true;
	inject->status = error_set(&inject->error, -EINVAL,
				   "the lab cannot use the file name %s: it has a quote or a line break",
				   can_quote(first) ? second : first);
	return false;
}

void inject_file(struct inject *inject, const char *host_path, const char *guest_directory,
		 const char *name, mode_t mode)
{
	if (!is_usable(inject, host_path, name) || !is_usable(inject, guest_directory, ""))
		return;
	/* `write` only takes a name in the current directory. */
	text_printf(&inject->script,
		    "cd \"%s\"\nwrite \"%s\" \"%s\"\nset_inode_field \"%s\" mode 0%o\n",
		    guest_directory, host_path, name, name, (unsigned)(S_IFREG | mode));
}

void inject_link(struct inject *inject, const char *guest_directory, const char *name,
		 const char *target)
{
	if (!is_usable(inject, name, target) || !is_usable(inject, guest_directory, ""))
		return;
	text_printf(&inject->script, "cd \"%s\"\nsymlink \"%s\" \"%s\"\n", guest_directory, name,
		    target);
}

void inject_directory(struct inject *inject, const char *guest_path)
{
	if (is_usable(inject, guest_path, ""))
		text_printf(&inject->script, "mkdir \"%s\"\n", guest_path);
}

static void add_tree(struct inject *inject, const char *host, const char *guest, int depth);

static void add_entry(struct inject *inject, const char *host, const char *guest,
		      const char *name, int depth)
{
	_cleanup_free_ char *from = path_join(host, name);
	struct stat status;

	if (lstat(from, &status) < 0) {
		inject->status = error_set_errno(&inject->error, -errno, "cannot read %s", from);
	} else if (S_ISREG(status.st_mode)) {
		inject_file(inject, from, guest, name, status.st_mode & 07777);
	} else if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX) {
		_cleanup_free_ char *to = path_join(guest, name);

		inject_directory(inject, to);
		add_tree(inject, from, to, depth + 1);
	} else {
		inject->status = error_set(&inject->error, -EINVAL,
					   "%s is neither a file nor a directory, or is too deep: the lab does not copy it",
					   from);
	}
}

static void add_tree(struct inject *inject, const char *host, const char *guest, int depth)
{
	_cleanup_dir_ DIR *directory = opendir(host);

	if (!directory) {
		inject->status = error_set_errno(&inject->error, -errno, "cannot read %s", host);
		return;
	}
	for (struct dirent *entry; inject->status == 0 && (entry = readdir(directory));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			add_entry(inject, host, guest, entry->d_name, depth);
}

void inject_tree(struct inject *inject, const char *host_directory, const char *guest_directory)
{
	if (inject->status == 0)
		add_tree(inject, host_directory, guest_directory, 0);
}

/* The first line that is not the version banner ("debugfs 1.47.0 (5-Feb-2023)"); or NULL. */
static char *first_complaint(const char *errors)
{
	_cleanup_free_ char *copy = text_duplicate(errors ? errors : "");
	char *rest = copy;

	for (char *line; (line = strsep(&rest, "\n"));)
		if (*text_strip(line) && !text_has_prefix(text_strip(line), "debugfs "))
			return text_duplicate(text_strip(line));
	return NULL;
}

static int run_debugfs(const char *const *argv, char **ret_complaint, struct error *err)
{
	struct subprocess_options options = {.argv = argv, .timeout_ms = LAB_TOOL_TIMEOUT_MS};
	struct subprocess_result result = {0};
	int status = subprocess_check(&options, &result, err);

	if (status == 0)
		*ret_complaint = first_complaint(result.error_output);
	subprocess_result_done(&result);
	return status;
}

static char *partition_name(const char *image, uint64_t offset_bytes)
{
	return text_format("%s?offset=%llu", image, (unsigned long long)offset_bytes);
}

int inject_finish(struct inject *inject, const char *script_path, struct error *err)
{
	_cleanup_free_ char *program = lab_tool_find("debugfs");
	_cleanup_free_ char *partition = partition_name(inject->image, inject->offset_bytes);
	_cleanup_free_ char *script = text_buffer_take(&inject->script);
	_cleanup_free_ char *complaint = NULL;
	const char *argv[] = {program, "-w", "-f", script_path, partition, NULL};

	if (inject->status < 0)
		return error_set(err, inject->status, "%s", inject->error.text);
	int status = file_write_durable(script_path, script, strlen(script), 0600, err);

	if (status == 0)
		status = run_debugfs(argv, &complaint, err);
	if (status == 0 && complaint)
		return error_set(err, -EIO, "cannot fill the lab's disk %s: %s", inject->image, complaint);
	return status;
}

static int extract(const char *image, uint64_t offset_bytes, const char *command,
		   const char *guest_path, const char *host_path, char **ret_complaint,
		   struct error *err)
{
	_cleanup_free_ char *program = lab_tool_find("debugfs");
	_cleanup_free_ char *partition = partition_name(image, offset_bytes);
	_cleanup_free_ char *request =
		text_format("%s \"%s\" \"%s\"", command, guest_path, host_path);
	/* -c would skip the bitmaps' check, and with it the sight of a damaged disk. */
	const char *argv[] = {program, "-R", request, partition, NULL};

	if (!can_quote(guest_path) || !can_quote(host_path))
		return error_set(err, -EINVAL, "the lab cannot use the file name %s", host_path);
	return run_debugfs(argv, ret_complaint, err);
}

int inject_extract(const char *image, uint64_t offset_bytes, const char *guest_path,
		   const char *host_path, struct error *err)
{
	_cleanup_free_ char *complaint = NULL;
	int status = extract(image, offset_bytes, "dump", guest_path, host_path, &complaint, err);

	if (status < 0)
		return status;
	if (!complaint)
		return 0;
	if (strstr(complaint, "File not found")) {
		(void)unlink(host_path);
		return 1;
	}
	return error_set(err, -EIO, "cannot read %s from the lab's disk: %s", guest_path, complaint);
}

int inject_extract_tree(const char *image, uint64_t offset_bytes, const char *guest_path,
			const char *host_directory, struct error *err)
{
	_cleanup_free_ char *complaint = NULL;
	int status = extract(image, offset_bytes, "rdump", guest_path, host_directory, &complaint,
			     err);

	if (status == 0 && complaint)
		return error_set(err, -EIO, "cannot read %s from the lab's disk: %s", guest_path,
				 complaint);
	return status;
}

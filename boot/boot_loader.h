// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A boot loader that can boot one entry once. The contract (and its point): there is
 * no operation that could change the machine's default; every operation is
 * idempotent, every write is durable and read back. A loader that cannot prove that
 * it clears the one-shot by itself is refused by probe().
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define BOOT_ENTRY_SIZE 64 /* "abbot-" and letters, digits, '-'; starts with a letter */
#define BOOT_TOKEN_SIZE 33 /* 32 hex digits */

struct boot_loader;

/* Where things are; everything may be redirected for tests with @root. */
struct boot_paths {
	const char *root;   /* "" on a machine; a directory standing for / in tests */
	const char *loader; /* the backend's name, or NULL or "auto": the one in charge */
};

struct boot_entry {
	const char *id;          /* "abbot-..." */
	const char *title;
	const char *kernel_path; /* kernel image to copy from */
	const char *initrd_path; /* or NULL */
	const char *options;     /* complete command line, but for abbot.token= */
	const char *owner;       /* tag of the job, for remove by owner */
};

struct boot_one_shot {
	bool is_armed;
	char entry[BOOT_ENTRY_SIZE];
	char token[BOOT_TOKEN_SIZE];
};

struct boot_loader_operations {
	const char *name; /* "grub" */
	/*
	 * Is this loader in charge here, and fit? 1: yes; 0: not this loader, and @err says
	 * what says so; negative: it is, but must be refused, with the reason.
	 */
	int (*probe)(const struct boot_paths *paths, struct boot_loader **ret_loader,
		     struct error *err);
	void (*free)(struct boot_loader *loader);
	/* Copies the kernel and writes the entry. Same id again: replaced. */
	int (*install_entry)(struct boot_loader *loader, const struct boot_entry *entry,
			     struct error *err);
	/* The next boot, and only it, is @id with abbot.token=@token on its command line. */
	int (*arm_once)(struct boot_loader *loader, const char *id, const char *token,
			struct error *err);
	int (*read_armed)(struct boot_loader *loader, struct boot_one_shot *ret_one_shot,
			  struct error *err);
	/* Not armed is success. */
	int (*disarm)(struct boot_loader *loader, struct error *err);
	/* Removes the entry and its files; absent is success. */
	int (*remove_entry)(struct boot_loader *loader, const char *id, struct error *err);
	/* Ids of all of our entries: NULL-terminated, caller frees each and the array. */
	int (*list_entries)(struct boot_loader *loader, char ***ret_ids, struct error *err);
	/* Command line of the default entry to inherit from (root=, console=, ...). */
	int (*default_options)(struct boot_loader *loader, char **ret_options,
			       struct error *err);
};

struct boot_loader {
	const struct boot_loader_operations *operations;
};

/*
 * Asks every backend in turn, or the one that paths->loader names. -ENODEV with a sentence
 * when none is fit; -EINVAL: no backend has that name.
 */
int boot_loader_find(const struct boot_paths *paths, struct boot_loader **ret_loader,
		     struct error *err);
void boot_loader_free(struct boot_loader *loader);

/*
 * What each backend says of this machine: [{"loader", "status": "in charge"|"refused"|"not in
 * charge", "text"}], in the order in which they are asked. New reference, never NULL.
 */
json_t *boot_loader_explain(const struct boot_paths *paths);

/* NULL-terminated, for option parsers: "auto" and the backends' names. */
extern const char *const boot_loader_names[];

extern const struct boot_loader_operations boot_loader_systemd_boot;
extern const struct boot_loader_operations boot_loader_uefi;
extern const struct boot_loader_operations boot_loader_grub;

#define BOOT_ENTRY_PREFIX "abbot-"

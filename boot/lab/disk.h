// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's disk: a GPT with an EFI system partition that holds the boot loader,
 * and the root.
 */
#pragma once

#include <stdint.h>

#include "boot/lab/loader.h"
#include "common/error.h"

#define LAB_DISK_ESP_OFFSET (UINT64_C(1) << 20)
#define LAB_DISK_ESP_MIB 48
#define LAB_DISK_ROOT_OFFSET (UINT64_C(64) << 20)
#define LAB_DISK_ESP_PARTUUID "ab5007ab-0002-4000-8000-000000000001"
#define LAB_DISK_ROOT_PARTUUID "ab5007ab-0002-4000-8000-000000000002"

/* Makes @image from the root image @root, sparse, for a machine that @loader starts. */
int lab_disk_make(const struct lab_loader *loader, const struct lab_options *options,
		  const char *image, const char *root, struct error *err);

/* e2fsck of the root partition: replays the journal of a guest that did not shut down. */
int lab_disk_repair(const char *image, struct error *err);

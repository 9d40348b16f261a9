// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's EFI system partition where it is all there is to boot from: the guest mounts it
 * at /boot.
 */
#pragma once

#include "boot/lab/loader.h"

/* Copies the file @from to @to ("::EFI/x") on @partition, as mtools name both. */
int lab_esp_copy(const char *partition, const char *from, const char *to, struct error *err);
/* struct lab_loader's fill_root, fetch (into RUN/esp) and find_leftovers. */
void lab_esp_mount(const struct lab_options *options, struct inject *inject);
int lab_esp_fetch(const char *disk, const char *run_directory, struct error *err);
int lab_esp_find_leftovers(const char *run_directory, struct lab_names *names, struct error *err);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GRUB as the lab's machine has it installed: its EFI image and its generated files.
 */
#pragma once

#include "common/error.h"

#define LAB_DEFAULT_KERNEL "vmlinuz-lab"

/* grub-mkimage: finds the root by label and goes on with /boot/grub/grub.cfg there. */
int lab_grub_make_image(const char *work, const char *output, struct error *err);

/* The text of grub.cfg, in grub-mkconfig's order; the caller's to free. */
char *lab_grub_config(void);

/* An empty environment block as grub-editenv makes it: 1024 bytes and a NUL. */
#define LAB_GRUB_ENVIRONMENT_SIZE 1024
void lab_grub_environment(char ret_block[LAB_GRUB_ENVIRONMENT_SIZE + 1]);

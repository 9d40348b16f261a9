// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where Debian keeps the UEFI firmware and GRUB's modules that the lab boots with, and
 * systemd-boot.
 */
#pragma once

#define LAB_FIRMWARE_CODE "/usr/share/OVMF/OVMF_CODE_4M.fd"
#define LAB_FIRMWARE_VARIABLES "/usr/share/OVMF/OVMF_VARS_4M.fd"
#define LAB_SYSTEMD_BOOT "/usr/lib/systemd/boot/efi/systemd-bootx64.efi"
#define LAB_GRUB_MODULES "/usr/lib/grub/x86_64-efi"

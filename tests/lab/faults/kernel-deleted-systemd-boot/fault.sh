#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Deletes the child's kernel as soon as its entry is the next to boot.

variable=/sys/firmware/efi/efivars/LoaderEntryOneShot-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f
until grep -aqsP 'c\0h\0i\0l\0d' $variable; do
	sleep 0.05
done
rm -f /boot/abbot/abbot-1-child/kernel && sync && echo "fault: kernel deleted"

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The disk of a lab's machine after any of its writes, as GRUB reads it. For sourcing, after
# judge.sh, by cases that record writes.

writes=$state/case-$name.writes
replay_writes=$build/tests/lab/replay_writes
grub_root='(loop0,gpt2)'

# Two short processes a boot: what is looked at is around the reboots.
record_writes() {
	rm -rf "$writes"
	mkdir -p "$writes"
	LAB_JOB_OPTIONS=(--config tinyconfig --fragment "$root/configs/fragments/lab.config"
		--settle 1s --bench-arg --size=8M --bench-arg --iterations=2
		--warmups 0 --processes 2 --governor keep --turbo keep)
	rehearse main --no-icount --record-writes "$writes/log" "$@"
	mv "$writes/log.disk" "$writes/disk"
}

# From before the first entry is written until after GRUB has cleared the second one-shot.
find_window() {
	local list=$writes/list

	"$replay_writes" list "$writes/log" >"$list"
	first=$(awk '$4 == "menu" { print ($1 > 20 ? $1 - 20 : 0); exit }' "$list")
	last=$(awk '$4 == "armed" && $5 != armed { armed = $5; n++ }
		$4 == "empty" { armed = ""; if (n == 2) { print $1 + 10; exit } }' "$list")
}

# What GRUB reads of our environment on DISK: "absent", "damaged", "empty", or the entry's id.
grub_environment() { # disk
	local block

	block=$(grub-fstest "$1" cat "$grub_root/boot/grub/abbot.env" 2>/dev/null | tr '\0' '?')
	[ -n "$block" ] || { echo absent; return; }
	[ ${#block} = 1024 ] && [[ $block == '# GRUB Environment Block'* ]] || { echo damaged; return; }
	block=$(sed -n 's/^abbot_next=//p' <<<"$block")
	echo "${block:-empty}"
}

# Does GRUB find entry ID whole, and its kernel?
is_entry_whole() { # disk id
	local point=${2##*-}

	grub-fstest "$1" cat "$grub_root/boot/grub/custom.cfg" 2>/dev/null |
		grep -q -e "--id $2 " -e "--id '$2'" -e "--id \"$2\"" &&
		grub-fstest "$1" cat "$grub_root/boot/grub/custom.cfg" 2>/dev/null | grep -q '^### END abbot' &&
		grub-fstest "$1" cmp "$grub_root/boot/abbot/$2/kernel" "$(kernel_of "$point")" >/dev/null 2>&1
}

# The stored image of the job's POINT.
kernel_of() { # point
	local key

	key=$(store_value "SELECT json_extract(data, '\$.key') FROM event WHERE job = $rehearsal
		AND kind = 'build' AND phase = 'result' AND point = $([ "$1" = child ] && echo 1 || echo 0)
		ORDER BY sequence DESC LIMIT 1")
	echo "$state/kernels/$key/bzImage"
}

# Counts over every prefix from $first to $last.
scan_writes() {
	local disk=$writes/scan offset=$((64 << 20)) done_to=0 i seen replayed

	n_scanned=0 n_armed=0 n_damaged=0 n_torn=0 n_stale=0
	cp --sparse=always "$writes/disk" "$disk"
	for ((i = first; i <= last; i++)); do
		"$replay_writes" apply "$writes/log" "$disk" "$done_to" $((i + 1)) || return
		done_to=$((i + 1))
		n_scanned=$((n_scanned + 1))
		seen=$(grub_environment "$disk")
		case $seen in
		damaged) n_damaged=$((n_damaged + 1)) ;;
		absent | empty) ;;
		*)
			n_armed=$((n_armed + 1))
			is_entry_whole "$disk" "$seen" || n_torn=$((n_torn + 1)) ;;
		esac
		rm -f "$writes/undo"
		e2fsck -z "$writes/undo" -E journal_only -y "$disk?offset=$offset" >/dev/null 2>&1
		replayed=$(grub_environment "$disk")
		[ ! -e "$writes/undo" ] || e2undo -f -o "$offset" "$writes/undo" "$disk" >/dev/null 2>&1
		[[ ${seen/absent/empty} == "${replayed/absent/empty}" ]] || {
			n_stale=$((n_stale + 1))
			echo "$name: after write $i GRUB reads $seen, and $replayed when the journal is replayed"
		}
	done
	rm -f "$disk"
}

# Boots the disk as it was after write LAST: the job (the only one in its store) goes on to its
# end, and all is as before.
boot_prefix() { # last
	local at=$writes/boot-$1 store default

	mkdir -p "$at"
	cp --sparse=always "$writes/disk" "$at/disk"
	"$replay_writes" apply "$writes/log" "$at/disk" 0 $(($1 + 1))
	cp /usr/share/OVMF/OVMF_VARS_4M.fd "$at/variables"
	"$replay_writes" boot "$at/disk" "$at/variables" "$at/tpm" "$at/serial" 300
	ok "after write $1: the machine comes back and goes off" test $? = 0
	e2fsck -E journal_only -y "$at/disk?offset=$((64 << 20))" >/dev/null 2>&1
	for store in abbot.sqlite abbot.sqlite-wal; do
		debugfs -R "dump /var/lib/abbot/$store $at/$store" "$at/disk?offset=$((64 << 20))" 2>/dev/null
	done
	ok "after write $1: the job is done" test "$(sqlite3 "$at/abbot.sqlite" \
		"SELECT json_extract(data, '\$.status') FROM event WHERE job = 1 AND kind = 'end'")" = done
	ok "after write $1: three boots have two processes each, none of them twice" test \
		"$(sqlite3 "$at/abbot.sqlite" "SELECT group_concat(n || ' ' || m, ',') FROM
			(SELECT count(*) n, count(DISTINCT process) m FROM event e
			WHERE job = 1 AND kind = 'measure' AND phase = 'result' AND attempt =
				(SELECT max(attempt) FROM event WHERE job = 1 AND kind = 'measure' AND boot = e.boot)
			GROUP BY boot)")" = '2 2,2 2,2 2'
	ok "after write $1: nothing is armed" test "$(grub_environment "$at/disk")" = empty -o \
		"$(grub_environment "$at/disk")" = absent
	for default in grub.cfg grubenv; do
		ok "after write $1: $default is what it was" cmp \
			<(grub-fstest "$at/disk" cat "$grub_root/boot/grub/$default" 2>/dev/null) \
			<(grub-fstest "$writes/disk" cat "$grub_root/boot/grub/$default" 2>/dev/null)
	done
	rm -rf "$at"
}

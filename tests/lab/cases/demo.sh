#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The demo's job, counting instructions: boots, kernels, figures, and the machine's end.
# shellcheck disable=SC2016,SC2154 # jq has $variables too; rehearse sets ours
# shellcheck source=tests/lab/judge.sh
source "$(dirname "${BASH_SOURCE[0]}")/../judge.sh"

rehearse main
choices=$(grub_choices)
ok 'abbot lab succeeds' test "$status" = 0
ok 'the first line says that the figures are emulated' grep -qi emulated <<<"$(head -1 "$said")"
holds 'the job is done' '.status == "DONE"'
holds 'three different boot ids' \
	'[.boots[].boot_id | select(length == 36)] | unique | length == 3'
holds 'each boot ran the expected build id' '. as $all | all(.boots[]; . as $boot |
	($boot.build_id | length == 40) and
	$boot.build_id == ($all.points[] | select(.name == $boot.point).build_id))'
holds 'parent and child have different build ids' \
	'[.points[].build_id] | unique | length == 2'
ok 'one machine, five power cycles' \
	test "$(grep -ac 'BdsDxe: loading' "$run/serial.log")" = 5
ok 'GRUB says five choices' test "$(wc -l <<<"$choices")" = 5
ok 'the second and the fourth are the same entry of ours' \
	test "$(sed -n 2p <<<"$choices")" = "$(sed -n 4p <<<"$choices")"
ok 'the second is the parent' grep -qi 'abbot.*parent' <<<"$(sed -n 2p <<<"$choices")"
ok 'the third is the child' grep -qi 'abbot.*child' <<<"$(sed -n 3p <<<"$choices")"
check_figures
holds 'delta is at least +5 %' '.estimates.mean.delta_pct | . != null and . >= 5'
holds 'it lies in protect and restore, not in touch' '
	def change(phase): ((.boots[0].phases[phase] + .boots[2].phases[phase]) / 2) as $parent |
		(.boots[1].phases[phase] / $parent - 1) * 100;
	change("protect") >= 5 and change("restore") >= 5 and
	(change("touch") | . >= -2 and . <= 2)'
ok 'the store says emulated, and of which job' \
	test "$(store_value "SELECT machine, rehearses FROM job WHERE id = $rehearsal")" = "counted|$job"
check_clean
finish

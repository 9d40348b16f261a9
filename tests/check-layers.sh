#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The structure of the tree: which folder may include which, modules without side
# effects, headers that compile alone, licence lines. $1: a finished build directory.
set -u
cd "$(dirname "$0")/.." || exit 1

build=${1:?usage: tests/check-layers.sh BUILD}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/abbot-layers.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# Folder: the folders that it may include besides itself. Nothing else is allowed.
declare -A may_include=(
	[common]=""
	[bench]="common"
	[boot]="common"
	[configs]="common"
	[reports/statistics]="common"
	[reports/render]="reports/statistics common"
	[queue]="reports/statistics common"
	[orchestrator/work]="boot configs queue reports/render reports/statistics common"
	[orchestrator/daemon]="orchestrator/work boot configs queue reports/render reports/statistics common"
	[orchestrator/cli]="orchestrator/work boot configs queue reports/render reports/statistics common"
)
# Modules without side effects, and what of common/ they may pull in.
pure_modules="queue/plan*.o queue/run_state*.o queue/design*.o queue/bisect*.o configs/compare*.o
	configs/kernel_config*.o configs/normalise*.o reports/statistics/*.o boot/verify*.o
	boot/os_release.o boot/kernel_log.o orchestrator/work/mbox*.o orchestrator/work/overlay.o"
pure_helpers="common/base64.o common/error.o common/printable.o common/text.o common/text_parse.o common/text_time.o queue/job.o queue/job_bench.o queue/job_change*.o queue/job_json*.o queue/job_key*.o"

conclude() { # what, file of complaints
	if [ -s "$2" ]; then
		cat "$2"
		echo "FAILED  $1"
		failed=$((failed + 1))
	else
		echo "ok      $1"
		passed=$((passed + 1))
	fi
}

source_files() {
	find bench boot common configs orchestrator queue reports tests \
		-name '*.[ch]' -print | sort
}

# The layer of a file: the longest folder of the table that holds it.
layer_of() { # path
	local folder=$1
	while [[ $folder == */* ]]; do
		folder=${folder%/*}
		if [ -n "${may_include[$folder]+set}" ]; then
			layer=$folder
			return
		fi
	done
	layer=$folder
}

check_includes() {
	local file line target layer from
	while IFS=: read -r file line; do
		target=${line#*\"} target=${target%%\"*}
		if [ ! -e "$target" ]; then
			echo "$file: includes \"$target\", which is not a path from the top of the tree"
			continue
		fi
		# Tests that cross folders may use everything.
		case $file in
		tests/* | orchestrator/tests/*) continue ;;
		esac
		layer_of "$file"
		from=$layer
		if [ -z "${may_include[$from]+set}" ]; then
			echo "$file: its folder is in no layer"
			continue
		fi
		layer_of "$target"
		[ "$layer" = "$from" ] || [[ " ${may_include[$from]} " == *" $layer "* ]] ||
			echo "$file: $from may not include $target"
	done < <(source_files | xargs grep -H '^[[:space:]]*#[[:space:]]*include[[:space:]]*"')
}

check_purity() {
	local object symbol objects=()
	# The patterns are meant to expand.
	# shellcheck disable=SC2086
	mapfile -t objects < <(cd "$build" && ls -d $pure_modules $pure_helpers)
	((${#objects[@]} > 8)) || echo "$build holds too few objects; build it first"
	(cd "$build" && nm --defined-only "${objects[@]}") | awk 'NF == 3 { print $3 }' \
		>"$scratch/allowed"
	sed 's/[[:space:]]*#.*//; /^$/d' tests/pure-symbols.txt >>"$scratch/allowed"
	for object in "${objects[@]}"; do
		nm -u "$build/$object" | awk '{ print $2 }' | grep -vxFf "$scratch/allowed" |
			while read -r symbol; do
				echo "$object: uses $symbol, which tests/pure-symbols.txt does not allow"
			done
	done
}

check_headers() {
	local header flags=()
	# The build's own compiler and flags; xargs undoes the quoting.
	mapfile -t flags < <(xargs -n 1 <"$build/.flags" | grep -vx -e -MMD -e -MP)
	((${#flags[@]})) || echo "$build/.flags is missing; build it first"
	source_files | grep '\.h$' | while read -r header; do
		grep -q '^#pragma once' "$header" || echo "$header: no #pragma once"
		echo "#include \"$header\"" |
			"${flags[@]}" -Wno-unused-macros -fsyntax-only -x c - 2>&1 |
			sed "s|^|$header alone: |"
	done
}

check_licences() {
	local file
	{ source_files; echo Makefile; echo .ci/run; find tests bench -name '*.sh'; } | sort -u |
		while read -r file; do
			head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
				echo "$file: no SPDX line at its top"
		done
}

check_top_level() {
	local name
	{ git ls-files 2>/dev/null || ls -A --ignore='build*'; } | cut -d / -f 1 | sort -u |
		while read -r name; do
			case $name in
			orchestrator | bench | boot | configs | queue | reports | common | tests) ;;
			.ci | Makefile | README.md | COPYING | .gitignore | .clang-tidy | .clang-format) ;;
			*) echo "$name: not a place that the tree has" ;;
			esac
		done
}

for check in includes purity headers licences top_level; do
	"check_$check" >"$scratch/$check" 2>&1
	conclude "$check" "$scratch/$check"
done
echo "$passed passed, $failed failed"
((failed == 0))

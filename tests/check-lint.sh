#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make lint`: static analysis of the C files, spelling, shell scripts. Arguments
# limit the C analysis to those files. Non-zero when a tool has something to say.
set -u
cd "$(dirname "$0")/.." || exit 1

for tool in clang-tidy cppcheck codespell shellcheck; do
	if ! command -v "$tool" >/dev/null; then
		echo "no $tool; run 'make lint-deps' as root" >&2
		exit 1
	fi
done

passed=0 failed=0
conclude() { # exit status, what
	if (($1 == 0)); then
		echo "ok      $2"
		passed=$((passed + 1))
	else
		echo "FAILED  $2"
		failed=$((failed + 1))
	fi
}

mapfile -t files < <(if (($#)); then printf '%s\n' "$@"; else
	git ls-files --cached --others --exclude-standard -- '*.c'; fi)
read -ra packages <<<"$(pkg-config --cflags libgit2 jansson libsystemd sqlite3 libcrypto libRmath)"
defines=(-D_GNU_SOURCE '-DABBOT_VERSION="0.1"' '-DABBOT_PREFIX="/usr/local"')

tidy() {
	local facts=(-include tests/lint.h)
	[ "$1" != common/error.c ] || facts=()
	clang-tidy --quiet "$1" -- -std=gnu17 -I. "${facts[@]}" "${defines[@]}" "${packages[@]}" 2>/dev/null
}
status=0
for file in "${files[@]}"; do
	while (($(jobs -rp | wc -l) >= $(nproc))); do
		wait -n || status=1
	done
	tidy "$file" &
done
for job in $(jobs -p); do
	wait "$job" || status=1
done
conclude $status clang-tidy

# Leaks are check-san's: cppcheck does not know the cleanup attribute. Nor does it know
# jansson's loops and __VA_OPT__.
loops=('-Djson_object_foreach(object,key,value)=for ((void)(object), key = 0, value = 0; key;)'
	'-Djson_array_foreach(array,i,value)=for ((void)(array), i = 0, value = 0; i;)'
	'-D__VA_OPT__(x)=')
cppcheck --quiet --error-exitcode=1 --std=c11 --language=c --enable=warning,portability,performance \
	--inline-suppr --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective \
	--suppress=va_list_usedBeforeStarted --suppress=memleak \
	-I. "${defines[@]}" "${loops[@]}" -j "$(nproc)" "${files[@]}"
conclude $? cppcheck

git ls-files --cached --others --exclude-standard -z -- . ':!COPYING' ':!*.patch' |
	xargs -0 codespell --ignore-words-list=fpr,ot,te,crate,comit,nam,nmae,reprot,sandwhich
conclude $? codespell

{ git ls-files --cached --others --exclude-standard -- '*.sh'; echo .ci/run; } | xargs shellcheck -x -P SCRIPTDIR
conclude $? shellcheck

echo "$passed passed, $failed failed"
((failed == 0))

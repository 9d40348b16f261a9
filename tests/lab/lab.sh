# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the demo and the lab tests share: the state directory, the repository, and the
# job. For sourcing; it sets $job, and lab_run_of sets $rehearsal and $run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$root" && realpath -m "${BUILD:-build}")
state=${LAB_STATE:-/var/cache/abbot-lab}
export ABBOT_DATA=${ABBOT_DATA:-$root/configs}

# Few and small: under emulation a full measurement would take hours. Counting
# instructions, every process gives the same number anyway, but for what the kernel still
# does in the first seconds after a boot: so it settles.
LAB_JOB_OPTIONS=(
	--config tinyconfig
	--fragment "$root/configs/fragments/lab.config"
	--settle 8s
	--bench-arg --size=8M
	--bench-arg --iterations=20
	--warmups 2
	--processes 3
	--governor keep
	--turbo keep
)

lab_say() {
	echo "lab: $*" >&2
}

lab_abbot() {
	"$build/abbot" --state "$state" "$@"
}

# The state directory and the repository; needs root for the root file system only.
lab_prepare() {
	mkdir -p "$state"
	chmod 0755 "$state"
	"$root/tests/lab/demo-repository.sh" "$state/linux"
}

# Queues REV with more options and sets $job.
lab_queue() {
	local revision=$1 said

	shift
	said=$(lab_abbot queue --exactly PCP --repository "$state/linux" --name demo \
		"${LAB_JOB_OPTIONS[@]}" "$@" "$revision")
	job=$(sed -n 's/^job \([0-9]*\) queued.*/\1/p' <<<"$said")
	[ -n "$job" ] || { echo "$said" >&2; return 1; }
}

# Queues several kernels; OPTION... POINT...
lab_queue_points() {
	local said

	said=$(lab_abbot queue --repository "$state/linux" --name demo "${LAB_JOB_OPTIONS[@]}" "$@")
	job=$(sed -n 's/^job \([0-9]*\) queued.*/\1/p' <<<"$said")
	[ -n "$job" ] || { echo "$said" >&2; return 1; }
}

# FILE holds what `abbot lab` said on standard error: sets $rehearsal, its job's number,
# and $run, the directory of the run.
lab_run_of() {
	rehearsal=$(sed -n 's/^rehearsing job [0-9]* as job \([0-9]*\)$/\1/p' "$1")
	# shellcheck disable=SC2034 # for who sources this
	run=$state/lab/job-$rehearsal
}

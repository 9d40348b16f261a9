#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Adds to the demo repository the branches that the lab tests need beside main:
#   broken  a child that does not compile
#   restored  a child of main that takes its change back: the parent's tree
#   half    a child of main that does its work for every second page only
#   panics  a child that panics while it boots
#   panics-late  a child that panics when the benchmark runs
#   hangs   a child that stops for ever before the first process starts
#   hangs-late  a child that stops for ever when the benchmark runs
# Usage: demo-branches.sh REPOSITORY   (nothing is done for those that are there)
set -euo pipefail

cd "${1:?usage: demo-branches.sh REPOSITORY}"
export GIT_AUTHOR_NAME='Abbot Demo' GIT_AUTHOR_EMAIL=demo@abbot.invalid
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_AUTHOR_DATE='2025-01-03T00:00:00Z' GIT_COMMITTER_DATE='2025-01-03T00:00:00Z'
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
index=$(mktemp -u)
trap 'rm -f "$index"' EXIT

# commit_on PARENT NAME SUBJECT: a branch whose mm/mprotect.c is the standard input.
commit_on() {
	local parent=$1 name=$2 subject=$3 blob tree

	blob=$(git hash-object -w --stdin)
	GIT_INDEX_FILE=$index git read-tree "$parent"
	GIT_INDEX_FILE=$index git update-index --cacheinfo "100644,$blob,mm/mprotect.c"
	tree=$(GIT_INDEX_FILE=$index git write-tree)
	git update-ref "refs/heads/$name" "$(git commit-tree -p "$parent" -m "$subject" "$tree")"
}

# add_branch NAME SUBJECT CODE: a child of main's parent with CODE at the end of a file; made
# anew each time, as the same commit unless CODE has changed.
add_branch() {
	local name=$1 subject=$2 code=$3

	{ git cat-file blob "main~1:mm/mprotect.c" && printf '%s\n' "$code"; } |
		commit_on main~1 "$name" "$subject"
}

git rev-parse -q --verify refs/heads/restored >/dev/null ||
	git update-ref refs/heads/restored "$(git commit-tree -p main \
		-m 'mm/mprotect: do not look up the page' 'main~1^{tree}')"

git rev-parse -q --verify refs/heads/half >/dev/null ||
	git cat-file blob main:mm/mprotect.c |
	sed 's/= vm_normal_page(vma, addr, oldpte);/= addr \& PAGE_SIZE ? vm_normal_page(vma, addr, oldpte) : NULL;/' |
	commit_on main half 'mm/mprotect: look up every second page'

add_branch broken 'mm/mprotect: call what is not there' '
static int __init mprotect_demo_init(void)
{
	return no_such_function();
}
late_initcall(mprotect_demo_init);'

add_branch panics 'mm/mprotect: give up early' '
static int __init mprotect_demo_init(void)
{
	panic("abbot demo");
	return 0;
}
late_initcall(mprotect_demo_init);'

add_branch hangs 'mm/mprotect: wait for ever, early' '
static int __init mprotect_demo_init(void)
{
	pr_emerg("abbot demo: hangs\n");
	local_irq_disable();
	for (;;)
		cpu_relax();
	return 0;
}
late_initcall(mprotect_demo_init);'

# late_branch NAME SUBJECT CODE: CODE is what happens when the benchmark runs.
late_branch() {
	add_branch "$1" "$2" '
#include <linux/sched/signal.h>
#include <linux/workqueue.h>
static unsigned int demo_seen;
static void demo_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(demo_work, demo_look);

static void demo_look(struct work_struct *work)
{
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task)
		if (!strcmp(task->comm, "abbot-bench") && ++demo_seen > 1)
'"$3"'
	rcu_read_unlock();
	schedule_delayed_work(&demo_work, HZ / 50);
}

static int __init mprotect_demo_init(void)
{
	schedule_delayed_work(&demo_work, HZ / 50);
	return 0;
}
late_initcall(mprotect_demo_init);'
}

late_branch panics-late 'mm/mprotect: give up late' '			panic("abbot demo: late");'

late_branch hangs-late 'mm/mprotect: wait for ever, late' '		{
			pr_emerg("abbot demo: hangs late\n");
			local_irq_disable();
			for (;;)
				cpu_relax();
		}'

# SPDX-License-Identifier: GPL-2.0-or-later
# Abbot: one Makefile for the whole tree. `make help` lists the targets.

BUILD    ?= build
CC       := $(if $(filter default,$(origin CC)),gcc,$(CC))
PREFIX   ?= /usr/local
DESTDIR  ?=
# State of the demo and the lab tests: root image, kernels, work tree. Must be readable by abbot-build.
LAB_STATE ?= /var/cache/abbot-lab
VERSION  := 0.1

PKGS     := libgit2 jansson libsystemd sqlite3 libcrypto libRmath libzstd libcurl
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wswitch-enum -Wmissing-prototypes \
            -Wstrict-prototypes -Wformat=2 -Wvla -Wundef
CFLAGS   ?= -O2 -g
ifdef WERROR
WARN     += -Werror
endif
ifdef SAN
CFLAGS   := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all
endif
DEFS     := -D_GNU_SOURCE -DABBOT_VERSION='"$(VERSION)"'
# Both are empty until `make deps` has run.
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
# Where it was built is in no program: abbot-bench is handed on with a job's evidence.
ALL_CFLAGS := -std=gnu17 -I. $(DEFS) $(WARN) $(PKG_CFLAGS) $(CFLAGS) -ffile-prefix-map=$(CURDIR)=. -MMD -MP

sources   = $(sort $(wildcard $(1)/*.c))
COMMON_C   := $(call sources,common)
BOOT_C     := $(call sources,boot) $(call sources,boot/lab)
CONFIGS_C  := $(call sources,configs)
QUEUE_C    := $(call sources,queue)
REPORTS_C  := $(call sources,reports/statistics) $(call sources,reports/render)
WORK_C     := $(call sources,orchestrator/work)
DAEMON_C   := $(call sources,orchestrator/daemon)
CLI_C      := $(call sources,orchestrator/cli)
BENCH_C    := $(call sources,bench)
# The static benchmark takes from common/ only what needs libc and jansson.
BENCH_COMMON_C := common/error.c common/printable.c common/text.c common/text_parse.c

LIB_C      := $(COMMON_C) $(BOOT_C) $(CONFIGS_C) $(QUEUE_C) $(REPORTS_C) $(WORK_C)
obj        = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB        := $(BUILD)/libabbot.a

TEST_DIRS  := common/tests bench/tests boot/tests configs/tests queue/tests \
              reports/statistics/tests reports/render/tests orchestrator/tests
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(foreach d,$(TEST_DIRS),$(wildcard $(d)/test_*.c)))
CRASH_C    := tests/crash_matrix.c tests/crash_people.c tests/crash_bisect.c
# Parsers of hostile input; `make fuzz` looks for new inputs, FOLDER/tests/corpus keeps the old ones.
FUZZ_C     := $(foreach d,$(TEST_DIRS),$(wildcard $(d)/fuzz_*.c))
FUZZ_TESTS := $(patsubst %.c,$(BUILD)/%,$(FUZZ_C))
# What tests share: every other file of their folders.
HELPER_C   := $(filter-out $(wildcard $(addsuffix /test_*.c,$(TEST_DIRS))) $(CRASH_C) $(FUZZ_C) tests/fuzz_replay.c, \
              $(foreach d,$(TEST_DIRS) tests,$(call sources,$(d))))
# What only `make bench` runs.
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
# What cases of the lab use besides.
LAB_PROGRAMS := $(BUILD)/tests/bench/plain_loop $(BUILD)/tests/lab/replay_writes
PROGRAMS   := $(BUILD)/abbot $(BUILD)/abbotd $(BUILD)/abbot-bench
BENCH_SOURCE := $(BUILD)/abbot-bench-source.tar.gz

.PHONY: all
all: $(PROGRAMS) $(BENCH_SOURCE) ## build the three programs (default)

# Changes when the compiler or its flags do: objects of two kinds never mix.
FLAGS_NOW  := $(CC) $(ALL_CFLAGS)
FLAGS      := $(BUILD)/.flags
ifneq ($(strip $(FLAGS_NOW)),$(strip $(shell cat $(FLAGS) 2>/dev/null)))
.PHONY: $(FLAGS)
endif
$(FLAGS):
	$(shell mkdir -p $(@D))$(file >$@,$(FLAGS_NOW))
	@pkg-config --exists $(PKGS) || { rm -f $@; \
		echo "Libraries are missing ($(PKGS)); run 'make deps' as root first." >&2; exit 1; }

# One object knows the installed places: another PREFIX compiles that one again. A build
# in the tree is told apart at run time (common/paths.h).
$(BUILD)/common/paths.o: ALL_CFLAGS += -DABBOT_PREFIX='"$(PREFIX)"'
$(BUILD)/common/paths.o: $(BUILD)/.prefix
ifneq ($(PREFIX),$(shell cat $(BUILD)/.prefix 2>/dev/null))
.PHONY: $(BUILD)/.prefix
endif
$(BUILD)/.prefix: | $(FLAGS)
	$(file >$@,$(PREFIX))
	@:

# A short line for each command; make V=1 prints the commands themselves.
say = $(if $(V),,@printf '  %-3s %s\n' $(1) $(2); )

$(BUILD)/%.o: %.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) -c -o $@ $<

define archive
@mkdir -p $(@D)
@rm -f $@
$(call say,AR,$@)ar rcs $@ $(filter %.o,$^)
endef

# The member lists are prerequisites too: an archive must lose a removed file's object.
MEMBERS_libabbot  := $(LIB_C)
MEMBERS_libcli    := $(filter-out orchestrator/cli/main.c,$(CLI_C))
MEMBERS_libdaemon := $(filter-out orchestrator/daemon/main.c,$(DAEMON_C))
MEMBERS_libbench  := $(filter-out bench/main.c,$(BENCH_C))
MEMBERS_libhelper := $(HELPER_C)
define archive_rule
ifneq ($(strip $(MEMBERS_$(1))),$(strip $(shell cat $(BUILD)/.members-$(1) 2>/dev/null)))
.PHONY: $(BUILD)/.members-$(1)
endif
$(BUILD)/.members-$(1): | $(FLAGS)
	$$(shell mkdir -p $$(@D))$$(file >$$@,$(MEMBERS_$(1)))
	@:
$(BUILD)/$(1).a: $(call obj,$(MEMBERS_$(1))) $(BUILD)/.members-$(1)
	$$(archive)
endef
$(foreach a,libabbot libcli libdaemon libbench libhelper,$(eval $(call archive_rule,$(a))))

$(BUILD)/abbot: $(BUILD)/orchestrator/cli/main.o $(BUILD)/libcli.a $(LIB)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(BUILD)/abbotd: $(BUILD)/orchestrator/daemon/main.o $(BUILD)/libdaemon.a $(LIB)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(BUILD)/abbot-bench: $(call obj,$(BENCH_C) $(BENCH_COMMON_C))
	$(call say,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) $(if $(SAN),,-static) -o $@ $^ -ljansson -lm

# What abbot-bench is made of, for whoever is given its numbers: the same bytes each time.
BENCH_SOURCE_FILES := COPYING Makefile $(sort $(wildcard bench/*.[ch1])) bench/abbot-bench.schema.json \
                      $(BENCH_COMMON_C) $(addprefix common/,cleanup.h error.h printable.h text.h)
$(BENCH_SOURCE): $(BENCH_SOURCE_FILES)
	@mkdir -p $(@D)
	$(call say,TAR,$@)tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rw,go=r \
		--format=ustar --transform='s|^|abbot-bench-$(VERSION)/|' $^ | gzip -n9 >$@

# A test is one cmocka program beside its code. It takes what it uses from its
# folder's archive (everything but main()), from the tests' shared files and from the library.
define test_rule
$(BUILD)/$(1)%: $(1)%.c $(2) $(BUILD)/libhelper.a $(LIB)
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)$$(CC) $$(ALL_CFLAGS) $$(LDFLAGS) -o $$@ $$< $(BUILD)/libhelper.a $(2) $(LIB) -lcmocka $$(PKG_LIBS)
endef
$(eval $(call test_rule,,))
$(eval $(call test_rule,bench/tests/,$(BUILD)/libbench.a))
$(eval $(call test_rule,orchestrator/tests/,$(BUILD)/libcli.a $(BUILD)/libdaemon.a))
$(eval $(call test_rule,tests/,$(BUILD)/libcli.a $(BUILD)/libdaemon.a))

# These run the programs themselves.
$(BUILD)/bench/tests/test_%: | $(BUILD)/abbot-bench
$(BUILD)/orchestrator/tests/test_%: | $(PROGRAMS) $(BENCH_SOURCE)

# A fuzz target: with FUZZ=1 libFuzzer's main(), else one that replays the target's corpus.
FUZZ_MAIN := $(if $(FUZZ),,tests/fuzz_replay.c)
FUZZ_LIB  := $(if $(FUZZ),-fsanitize=fuzzer)
$(FUZZ_TESTS): $(BUILD)/%: %.c common/tests/fuzz.h $(FUZZ_MAIN) $(BUILD)/libhelper.a $(BUILD)/libbench.a $(BUILD)/libcli.a $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(LDFLAGS) $(FUZZ_LIB) \
		-DFUZZ_CORPUS='"$(dir $*)corpus/$(patsubst fuzz_%,%,$(notdir $*))"' \
		-o $@ $(filter %.c,$^) $(filter %.a,$^) $(PKG_LIBS)

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS) $(FUZZ_TESTS) ## build the unit tests without running them

# --- checks ---------------------------------------------------------------

# Programs and tests find their data in this tree wherever BUILD is.
export ABBOT_DATA := $(CURDIR)/configs
export BUILD CC LAB_STATE PREFIX

.PHONY: check
check: ## install what is needed, then everything that CI runs (45 minutes at most)
	tests/check-all.sh

.PHONY: check-unit
check-unit: ## build without warnings and run every unit test (under a minute)
	$(MAKE) WERROR=1 all unit-tests
	@tests/check-unit.sh $(UNIT_TESTS) $(FUZZ_TESTS) tests/check-readme.sh

.PHONY: check-san
check-san: ## the unit tests under AddressSanitizer and UBSan
	$(MAKE) SAN=1 WERROR=1 BUILD=$(BUILD)-san all unit-tests
	@tests/check-unit.sh $(patsubst $(BUILD)/%,$(BUILD)-san/%,$(UNIT_TESTS) $(FUZZ_TESTS))

.PHONY: check-fuzz
check-fuzz: ## every input of the fuzz targets' corpora under AddressSanitizer and UBSan
	$(MAKE) SAN=1 WERROR=1 BUILD=$(BUILD)-san $(patsubst $(BUILD)/%,$(BUILD)-san/%,$(FUZZ_TESTS))
	@BUILD=$(BUILD)-san tests/check-unit.sh $(patsubst $(BUILD)/%,$(BUILD)-san/%,$(FUZZ_TESTS))

FUZZ_RUN := $(patsubst $(BUILD)/%,$(BUILD)-fuzz/%,$(if $(TARGET),$(filter %/fuzz_$(TARGET),$(FUZZ_TESTS)),$(FUZZ_TESTS)))
.PHONY: fuzz
fuzz: ## look for inputs that break a parser (clang); FOR=60 seconds each, TARGET=grubenv
	@tests/check-deps.sh $(DEPS_FUZZ)
	$(MAKE) FUZZ=1 CC=clang BUILD=$(BUILD)-fuzz \
		CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all' \
		$(FUZZ_RUN)
	@BUILD=$(BUILD)-fuzz tests/fuzz.sh $(or $(FOR),60) \
		$(FUZZ_RUN)

# The tests of the folders that hold pure modules.
PURE_TESTS := $(patsubst %.c,$(BUILD)-coverage/%,$(foreach d,queue reports/statistics configs boot,\
              $(wildcard $(d)/tests/test_*.c)))
.PHONY: coverage
coverage: ## lines of the pure modules that their unit tests run (gcov, gcc)
	$(MAKE) CC=gcc CFLAGS='-O0 -g --coverage' BUILD=$(BUILD)-coverage $(PURE_TESTS)
	tests/coverage.sh $(BUILD)-coverage $(PURE_TESTS)

.PHONY: check-layers
check-layers: ## includes follow the layers, pure modules have no side effects
	$(MAKE) WERROR=1 $(LIB)
	tests/check-layers.sh $(BUILD)

.PHONY: check-crash
check-crash: ## kill the daemon before and after every side effect of a job
	$(MAKE) WERROR=1 all $(patsubst %.c,$(BUILD)/%,$(CRASH_C))
	@TEST_LIMIT_S=900 tests/check-unit.sh $(patsubst %.c,$(BUILD)/%,$(CRASH_C))

.PHONY: check-lab
check-lab: ## every case on machines in QEMU, two at a time; LAB_TIER=check: what CI runs
	$(MAKE) WERROR=1 all $(LAB_PROGRAMS)
	tests/lab/check-lab.sh --tier $(or $(LAB_TIER),full)

.PHONY: check-mutants
check-mutants: ## break the code in known ways: the named tests must turn red
	tests/check-mutants.sh

.PHONY: lint
lint: ## clang-tidy, cppcheck, codespell, shellcheck (`make lint-deps` installs them)
	tests/check-lint.sh

.PHONY: bench
bench: all $(BENCH_PROGRAMS) ## build ratio, daemon memory, wake-ups, seconds a boot, analysis, verdicts, bisections, long ranges
	@for script in $(sort $(wildcard tests/bench/*.sh)); do \
		echo "$$script"; "$$script" || exit 1; done

# Nothing of ours in it, and static as abbot-bench is.
$(BUILD)/tests/bench/plain_loop: tests/bench/plain_loop.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(if $(SAN),,-static) -o $@ $< -lm

.PHONY: bench-fidelity
bench-fidelity: all $(BUILD)/tests/bench/plain_loop $(BUILD)/tests/bench/fidelity ## abbot-bench against plain loops, in turns (10 minutes; on a noisy machine 5 more, in the lab)
	@tests/check-fidelity.sh $(PAIRS)

# With a sysroot of its own (tests/arm64-sysroot.sh): Debian's multiarch is not needed. What only
# makes sense on a real kernel says so and is skipped under emulation.
ARM64      := $(abspath $(BUILD))-arm64
ARM64_LIBS := $(ARM64)/sysroot/usr/lib/aarch64-linux-gnu
ARM64_SET  := BUILD=$(ARM64) CC=aarch64-linux-gnu-gcc PKGS=jansson LIB_C='$(BENCH_COMMON_C) $(addprefix common/,paths.c file.c file_tree.c)' \
              HELPER_C='$(filter-out $(wildcard bench/tests/test_*.c),$(call sources,bench/tests)) common/tests/temporary.c common/tests/json_schema.c' \
              PKG_CFLAGS='-isystem $(ARM64)/sysroot/usr/include' PKG_LIBS='-ljansson -lm' \
              LDFLAGS='-L$(ARM64_LIBS) -Wl,-rpath=$(ARM64_LIBS)'

.PHONY: bench-arm64
bench-arm64: ## abbot-bench for arm64: cross-built, its unit tests under qemu-user
	@tests/check-deps.sh $(DEPS_ARM64)
	tests/arm64-sysroot.sh $(ARM64)/sysroot
	$(MAKE) WERROR=1 $(ARM64_SET) $(ARM64)/abbot-bench $(patsubst %.c,$(ARM64)/%,$(wildcard bench/tests/test_*.c))
	BUILD=$(ARM64) TEST_RUNNER=qemu-aarch64 QEMU_LD_PREFIX=/usr/aarch64-linux-gnu TEST_LIMIT_S=600 \
		tests/check-unit.sh $(patsubst %.c,$(ARM64)/%,$(wildcard bench/tests/test_*.c))

.PHONY: demo
demo: ## a whole job in QEMU: commit, two kernels, three boots, the report
	$(MAKE) deps
	$(MAKE) all
	tests/lab/demo.sh

# --- dependencies ---------------------------------------------------------

DEPS_BUILD := gcc libc6-dev make pkg-config git ca-certificates \
              libgit2-dev libjansson-dev libsystemd-dev libsqlite3-dev libssl-dev r-mathlib libzstd-dev libcurl4-openssl-dev
DEPS_KERNEL := bubblewrap flex bison bc libelf-dev libssl-dev xz-utils lz4 cpio kmod rsync perl python3 \
              ccache linux-source-6.12
DEPS_LAB   := qemu-system-x86 qemu-utils ovmf systemd-boot-efi grub-efi-amd64-bin grub-common debootstrap \
              mtools dosfstools gdisk e2fsprogs fdisk
DEPS_TEST  := zstd libcmocka-dev openssl procps sqlite3 jq man-db
DEPS_ARM64 := gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
DEPS_FUZZ  := clang libclang-rt-dev
DEPS_LINT  := clang-tidy cppcheck codespell shellcheck $(DEPS_FUZZ)

.PHONY: deps
deps: ## install what build, lab and tests need (Debian 12, as root)
	@tests/check-deps.sh --user abbot-build $(sort $(DEPS_BUILD) $(DEPS_KERNEL) $(DEPS_LAB) $(DEPS_TEST))

.PHONY: lint-deps
lint-deps: ## install what `make lint`, `make fuzz` and `make CC=clang` need
	@tests/check-deps.sh $(sort $(DEPS_LINT))

# --- installation ---------------------------------------------------------

MAN_PAGES  := $(sort $(foreach d,bench orchestrator/cli orchestrator/daemon boot queue,$(wildcard $(d)/*.[1-9])))
UNITS      := $(sort $(wildcard $(addprefix configs/systemd/*.,service socket timer target path)))
SYSUSERS   := $(sort $(wildcard configs/systemd/*.sysusers))
DATA       := $(sort $(wildcard configs/examples/* configs/fragments/* configs/systemd/*))
SCHEMAS    := bench/abbot-bench.schema.json reports/render/abbot-report.schema.json
COMPLETION := $(wildcard orchestrator/cli/abbot.bash-completion)
man_path   = $(PREFIX)/share/man/man$(subst .,,$(suffix $(1)))/$(notdir $(1))
INSTALLED  := $(PREFIX)/bin/abbot $(PREFIX)/bin/abbot-bench $(PREFIX)/sbin/abbotd \
              $(foreach page,$(MAN_PAGES),$(call man_path,$(page))) \
              $(addprefix $(PREFIX)/lib/systemd/system/,$(notdir $(UNITS))) \
              $(patsubst configs/systemd/%.sysusers,$(PREFIX)/lib/sysusers.d/%.conf,$(SYSUSERS)) \
              $(if $(COMPLETION),$(PREFIX)/share/bash-completion/completions/abbot) \
              $(patsubst configs/%,$(PREFIX)/share/abbot/%,$(DATA)) \
              $(addprefix $(PREFIX)/share/abbot/,$(notdir $(SCHEMAS) $(BENCH_SOURCE)))

# $(1): mode, $(2): file, $(3): absolute place
install_file = install -D -m $(1) $(2) $(DESTDIR)$(3)
define newline


endef

.PHONY: install
install: all ## install below PREFIX (/usr/local), with DESTDIR before it for packages
	$(call install_file,755,$(BUILD)/abbot,$(PREFIX)/bin/abbot)
	$(call install_file,755,$(BUILD)/abbot-bench,$(PREFIX)/bin/abbot-bench)
	$(call install_file,755,$(BUILD)/abbotd,$(PREFIX)/sbin/abbotd)
	$(foreach f,$(MAN_PAGES),$(call install_file,644,$(f),$(call man_path,$(f)))$(newline)	)
	$(foreach f,$(SYSUSERS),$(call install_file,644,$(f),$(PREFIX)/lib/sysusers.d/$(basename $(notdir $(f))).conf)$(newline)	)
	$(foreach f,$(COMPLETION),$(call install_file,644,$(f),$(PREFIX)/share/bash-completion/completions/abbot)$(newline)	)
	$(foreach f,$(DATA),$(call install_file,644,$(f),$(patsubst configs/%,$(PREFIX)/share/abbot/%,$(f)))$(newline)	)
	$(foreach f,$(SCHEMAS),$(call install_file,644,$(f),$(PREFIX)/share/abbot/$(notdir $(f)))$(newline)	)
	$(call install_file,644,$(BENCH_SOURCE),$(PREFIX)/share/abbot/$(notdir $(BENCH_SOURCE)))
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	$(foreach f,$(UNITS),sed 's|/usr/local/|$(PREFIX)/|g' $(f) >$(DESTDIR)$(PREFIX)/lib/systemd/system/$(notdir $(f))$(newline)	)

.PHONY: uninstall
uninstall: ## remove what install put there; the state directory stays
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	-rmdir --ignore-fail-on-non-empty $(addprefix $(DESTDIR)$(PREFIX)/share/abbot/,examples fragments systemd) $(DESTDIR)$(PREFIX)/share/abbot 2>/dev/null

.PHONY: clean
clean: ## remove the build directories
	rm -rf $(BUILD) $(BUILD)-san $(BUILD)-fuzz $(BUILD)-coverage $(BUILD)-arm64

.PHONY: help
help: ## this list
	@echo "make [TARGET] [CC=gcc|clang] [BUILD=DIR] [SAN=1] [WERROR=1] [V=1] [PREFIX=DIR] [DESTDIR=DIR]"
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | \
		sort | expand -t 18

.DELETE_ON_ERROR:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

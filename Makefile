# SPDX-License-Identifier: GPL-2.0-or-later
# Abbot: one Makefile for the whole tree. `make help` lists the targets.

BUILD    ?= build
CC       ?= gcc
PREFIX   ?= /usr/local
DESTDIR  ?=
# State of the demo and the lab tests: root image, kernels, work tree. Must be readable by abbot-build.
LAB_STATE ?= /var/cache/abbot-lab
VERSION  := 0.1

PKGS     := libgit2 jansson libsystemd sqlite3 libcrypto libRmath
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wswitch-enum -Wmissing-prototypes \
            -Wstrict-prototypes -Wformat=2 -Wvla -Wundef
CFLAGS   ?= -O2 -g
ifdef WERROR
WARN     += -Werror
endif
ifdef SAN
CFLAGS   := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all
endif
# Installed places; a build in the tree is told apart at run time (common/paths.h).
DEFS     := -D_GNU_SOURCE -DABBOT_VERSION='"$(VERSION)"' -DABBOT_PREFIX='"$(PREFIX)"'
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS   = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
ALL_CFLAGS = -std=gnu17 -I. $(DEFS) $(WARN) $(PKG_CFLAGS) $(CFLAGS) -MMD -MP

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
BENCH_COMMON_C := common/error.c common/text.c common/text_parse.c

LIB_C      := $(COMMON_C) $(BOOT_C) $(CONFIGS_C) $(QUEUE_C) $(REPORTS_C) $(WORK_C)
obj        = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB        := $(BUILD)/libabbot.a

TEST_DIRS  := common/tests bench/tests boot/tests configs/tests queue/tests \
              reports/statistics/tests reports/render/tests orchestrator/tests
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(foreach d,$(TEST_DIRS),$(wildcard $(d)/test_*.c)))

.PHONY: all
all: $(BUILD)/abbot $(BUILD)/abbotd $(BUILD)/abbot-bench ## build the three programs (default)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(LIB): $(call obj,$(LIB_C))
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/abbot: $(call obj,$(CLI_C)) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(BUILD)/abbotd: $(call obj,$(DAEMON_C)) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(BUILD)/abbot-bench: $(call obj,$(BENCH_C) $(BENCH_COMMON_C))
	$(CC) $(filter-out -fsanitize=address%,$(CFLAGS)) $(if $(SAN),-fsanitize=address$(comma)undefined,-static) -o $@ $^ -ljansson -lm

comma := ,

# A unit test is one cmocka program beside its code; bench tests also get bench's objects (but main).
$(BUILD)/bench/tests/test_%: bench/tests/test_%.c $(call obj,$(filter-out bench/main.c,$(BENCH_C))) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $< $(filter %.o %.a,$^) -lcmocka $(PKG_LIBS)

$(BUILD)/%: %.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $< $(LIB) -lcmocka $(PKG_LIBS)

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

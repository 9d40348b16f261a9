// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A miniature of a kernel tree for test_build.c: enough of kbuild's interface (O=,
 * config targets, vmlinux, bzImage, kernel.release) that a build takes a moment.
 */
#pragma once

/* Logs who compiles what, as kbuild does; olddefconfig keeps only the symbols that Kconfig knows. */
static const char build_tree_makefile[] =
	"# SPDX\nVERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\n"
	"S := $(CURDIR)\n"
	"tinyconfig:\n"
	"\t@cp $(S)/tiny.config $(O)/.config\n"
	"olddefconfig:\n"
	"\t@awk 'NR==FNR { if ($$1 == \"config\") k[$$2] = 1; next }"
	" { n = $$0; sub(/^# /, \"\", n); sub(/^CONFIG_/, \"\", n); sub(/[= ].*/, \"\", n);"
	" if (n in k) print }' $(S)/Kconfig $(O)/.config > $(O)/.config.new\n"
	"\t@mv $(O)/.config.new $(O)/.config\n"
	"$(O)/%.o: $(S)/%.c\n"
	"\t@mkdir -p $(dir $@)\n"
	"\t@echo CC $*.o uid=$$(id -u)\n"
	"\t@$(CC) $(KCFLAGS) -c -o $@ $<\n"
	"$(O)/vmlinux: $(O)/mm/mprotect.o $(O)/kernel/other.o FORCE\n"
	"\t@mkdir -p $(O)/include/config\n"
	"\t@echo 6.12.1$(LOCALVERSION) > $(O)/include/config/kernel.release\n"
	"\t@echo \"const char r[] = \\\"6.12.1$(LOCALVERSION) $$KBUILD_BUILD_TIMESTAMP $$KBUILD_BUILD_USER $$SECRET\\\";\" > $(O)/version.c\n"
	"\t@cd $(O) && $(CC) -c -o version.o version.c\n"
	"\t@cd $(O) && ld --build-id=sha1 -e 0 -o vmlinux mm/mprotect.o kernel/other.o version.o\n"
	"vmlinux: $(O)/vmlinux\n"
	"bzImage: $(O)/vmlinux\n"
	"\t@mkdir -p $(O)/arch/x86/boot\n"
	"\t@cp $(O)/vmlinux $(O)/arch/x86/boot/bzImage\n"
	/* One module, and what a hostile tree adds to it. */
	"modules: $(O)/vmlinux\n"
	"\t@echo module > $(O)/a.ko\n"
	"modules_install:\n"
	"\t@test $(DEPMOD) = true && test $(INSTALL_MOD_STRIP) = 1\n"
	"\t@M=$(INSTALL_MOD_PATH)/lib/modules/$$(cat $(O)/include/config/kernel.release) &&"
	" mkdir -p $$M/kernel/mm && cp $(O)/a.ko $$M/kernel/mm/a.ko && chmod 4755 $$M/kernel/mm/a.ko &&"
	" ln -s $(S) $$M/build && echo kernel/mm/a.ko > $$M/modules.order &&"
	" if [ -f $(S)/more.sh ]; then M=$$M sh $(S)/more.sh; fi\n"
	"FORCE:\n"
	".PHONY: FORCE tinyconfig olddefconfig vmlinux bzImage modules modules_install\n";

static const char build_tree_kconfig[] =
	"config X86\nconfig 64BIT\nconfig MODULES\nconfig LOCALVERSION\nconfig WERROR\nconfig FOO\n"
	"config HZ\n";

static const char build_tree_tiny[] =
	"CONFIG_X86=y\nCONFIG_64BIT=y\nCONFIG_LOCALVERSION=\"-distro\"\nCONFIG_WERROR=y\nCONFIG_HZ=100\n";

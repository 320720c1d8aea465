# SPDX-License-Identifier: Apache-2.0
#
# The one Makefile. Sources are found by folder, so a new file needs no edit here.
#
#   make                 libraries, libjvm.so, agents, tools, samples      (build/release)
#   make MODE=debug      the same with invariant checks                    (build/debug)
#   make image           a JDK home that runs on Graft                     (build/image)
#   make demo | check    see README.md; both install what is missing first
#   make check-modes     what runs Java under heapcheck and safepoint, some programs under gcstress (check: a handful)
#   make check-SUITE     one suite of tests/run (unit, java, apps, ...), with the programs "make check" leaves out
#   make check-corpus    round trip and fuzzing at full length, for the night
#   make check-agents    agents of other people, unchanged: tests/agents/README.md
#   make check-exhaust   every program and operation while its Nth request for memory fails, for all N
#   make dist            a tarball that runs where it is unpacked, graft-VERSION-linux-CPU.tar.gz      (build/release)
#   make deb             Debian packages: graft, graft-agents, libbci, libbci-dev                       (build/release)
#   make check-jdks      the agents on other JDKs, 8 to 28 (needs root and a mirror)
#   make check-packages  both of them in fresh Debian 12 and 13 (needs root and a mirror)
#   make bench bench-gc bench-jit fuzz-jit stress stress-soak asan ubsan msan tsan fuzz layers format clean install
#
# BUILD, MODE, CC, IMAGE, JDK, PREFIX may be given on the command line; several BUILD
# folders can live side by side. V=1 shows the commands.

MODE  ?= release
BUILD ?= build/$(MODE)
JDK   ?= /usr/lib/jvm/java-17-openjdk-amd64
IMAGE ?= $(if $(filter build/release,$(BUILD)),build/image,$(if $(filter \
           build/debug,$(BUILD)),build/image-debug,$(BUILD)/image))
PREFIX ?= /usr/local
# One name for one folder: the dependencies that the compiler writes down are found by it.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
# The one version: of the VM, the command, the libraries (also their soname), packages, manual pages. docs/CHANGELOG.md begins with it. While MAJOR
# is 0 a new MINOR may break those who use the libraries, and only that; tests/checks/abi.sh notices.
VERSION := 0.5.0
ifeq ($(origin CC),default)
CC := gcc
endif

.DEFAULT_GOAL := all
.SECONDARY:
.DELETE_ON_ERROR:
.PHONY: all image demo check bench bench-gc stress stress-soak asan ubsan msan fuzz format clean install layers setup FORCE \
  check-corpus check-exhaust check-modes

comma := ,

# ---- flags ---------------------------------------------------------------------------

OPT_release := -O2 -g
OPT_debug   := -O1 -g -DGRAFT_DEBUG=1
OPT_asan    := -O1 -g -DGRAFT_DEBUG=1 -fsanitize=address -fno-omit-frame-pointer
OPT_ubsan   := -O1 -g -DGRAFT_DEBUG=1 -fsanitize=undefined -fno-sanitize-recover=undefined
OPT_msan    := -O1 -g -DGRAFT_DEBUG=1 -fsanitize=memory -fsanitize-memory-track-origins -fno-omit-frame-pointer
OPT_tsan    := -O1 -g -fsanitize=thread -DGRAFT_TSAN=1 -Wno-discarded-qualifiers -Wno-tsan -Wno-attributes
OPT_fuzz    := -O1 -g -DGRAFT_DEBUG=1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined

CFLAGS_ALL := -std=gnu11 -D_GNU_SOURCE -DGRAFT_VERSION='"$(VERSION)"' $(OPT_$(MODE)) -Wall -Wextra -Wno-unused-parameter \
  -fno-strict-aliasing -fwrapv -ffp-contract=off -fvisibility=hidden -fPIC -pthread \
  -fno-math-errno -MMD -MP $(CFLAGS)
LDFLAGS_ALL := $(filter -fsanitize=address -fsanitize=thread -fsanitize=undefined -fsanitize=memory,$(OPT_$(MODE))) \
  -pthread -Wl,--as-needed $(LDFLAGS)
ifeq ($(MODE),fuzz)
LDFLAGS_ALL += -fsanitize=address,undefined
endif

INC_JDK       := -I$(JDK)/include -I$(JDK)/include/linux
INC_classfile := -Iclassfile -Iclassfile/base
INC_bci-lib   := -Ibci-lib $(INC_classfile) $(INC_JDK)
INC_vm        := -Ivm $(INC_classfile) $(INC_JDK)
INC_jvmti     := -Ijvmti $(INC_vm)
INC_agents     = -Iagents -I$(patsubst %/,%,$(dir $<)) -I$(patsubst %/tool/,%,$(dir $<)) \
                 $(INC_bci-lib)
INC_samples   := $(INC_bci-lib)
INC_tests     := -Itests/unit $(INC_bci-lib)

# One object directory tree mirrors the source tree; the first path part picks the includes.
area = $(firstword $(subst /, ,$<))
ifeq ($(V),1)
say :=
else
say = @echo "  $(1)"; #
endif

# GCSE and cross-jumping undo threaded dispatch. Handlers that begin anywhere make kernels differ by a sixth with every change of
# the loop: aligned, they do not. clang has none of these switches.
INTERP_FLAGS := $(if $(findstring clang,$(CC)),,-fno-gcse -fno-crossjumping -falign-labels=32)
$(BUILD)/obj/vm/interp/interp.o: EXTRA := $(INTERP_FLAGS)
# Plans gain a twentieth by it (make bench-bci).
$(BUILD)/obj/bci-lib/%.o $(BUILD)/shared/bci-lib/%.o: EXTRA := $(if $(filter release,$(MODE)),-O3)

# What touches Java objects counts volatile lvalues apart, by functions that the VM has (vm/core/tsan.h).
ifeq ($(MODE),tsan)
TSAN_VM := --param tsan-distinguish-volatile=1
$(BUILD)/obj/vm/%.o $(BUILD)/obj/jvmti/%.o: CFLAGS_ALL += $(TSAN_VM)
endif

# Objects are rebuilt when the flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D); echo '$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL)' | cmp -s - $@ || \
	  echo '$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL)' > $@

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC   $<)$(CC) $(CFLAGS_ALL) $(INC_$(area)) $(EXTRA) -c $< -o $@

objs = $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard $(1))))

# ---- libraries and the VM ------------------------------------------------------------

CLASSFILE_O := $(call objs,classfile/*.c classfile/base/*.c)
BCI_O       := $(call objs,bci-lib/*/*.c)
# The compilers and some loops are written for one CPU; elsewhere vm/jit/stubs_none.c and cpu_none.c stand in.
OTHER_CPU   := $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),%/cpu_none.c %/no_optimiser.c,vm/jit/base% vm/jit/opt/opt_% vm/native/intrinsic/%_x64.c)
VM_O        := $(call objs,$(filter-out $(OTHER_CPU),$(wildcard vm/*/*.c vm/*/*/*.c)) jvmti/*.c)
LIBS        := $(BUILD)/libbci.a $(BUILD)/libclassfile.a

$(BUILD)/libclassfile.a: $(CLASSFILE_O)
$(BUILD)/libbci.a: $(BCI_O)
$(BUILD)/%.a:
	@mkdir -p $(@D); rm -f $@
	$(call say,AR   $@)$(AR) rcs $@ $^

# libbci.so holds both libraries; its exports are the rows of bci_exports.def.
NUMBERS     := $(subst ., ,$(VERSION))
LIB_SONAME  := libbci.so.$(firstword $(NUMBERS))$(if $(filter 0,$(firstword $(NUMBERS))),.$(word 2,$(NUMBERS)))
SHARED_O    := $(patsubst %.c,$(BUILD)/shared/%.o,$(wildcard classfile/*.c classfile/base/*.c bci-lib/*/*.c))
$(BUILD)/shared/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC   $< (shared))$(CC) $(CFLAGS_ALL) -fvisibility=default $(INC_$(area)) $(EXTRA) -c $< -o $@
$(BUILD)/libbci.map: bci-lib/bci_exports.def
	@mkdir -p $(@D)
	@{ echo '{ global:'; sed -n 's/^EXPORT(\([A-Za-z0-9_]*\)).*/  \1;/p' $<; echo 'local: *; };'; } > $@
$(BUILD)/libbci.so: $(SHARED_O) $(BUILD)/libbci.map
	$(call say,LINK $@)$(CC) -shared -Wl,-soname,$(LIB_SONAME) -Wl,--version-script=$(BUILD)/libbci.map \
	  -Wl,-z,defs $(SHARED_O) $(LDFLAGS_ALL) -o $@
# The prefix is where the file lies, so that an installed tree may be moved. Whoever wants libbci inside names the two .a's.
LIBDIR ?= lib
empty :=
UP := $(subst $(empty) ,/,$(patsubst %,..,$(subst /, ,$(LIBDIR)/pkgconfig)))
define BCI_PC
prefix=$${pcfiledir}/$(UP)
libdir=$${prefix}/$(LIBDIR)
includedir=$${prefix}/include/graft

Name: bci
Description: reading, verifying and rewriting Java class files
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -lbci
Libs.private: -lclassfile -pthread
endef
define VERSION_HEADER
/* SPDX-License-Identifier: Apache-2.0 */
/* bci_version.h - the version of these headers; bci_version() has that of the library. */
#pragma once
#include "bci.h"
#define BCI_VERSION "$(VERSION)"
#define BCI_VERSION_NUMBER ($(word 1,$(NUMBERS)) * 1000000 + $(word 2,$(NUMBERS)) * 1000 + $(word 3,$(NUMBERS)))
endef

# What is marked as visible and named like this is exported, all under the node the JDK's libraries ask for.
$(BUILD)/libjvm.map: Makefile
	@mkdir -p $(@D)
	@echo 'SUNWprivate_1.1 { global: JVM_*; JNI_*; jio_*; AsyncGetCallTrace; local: *; };' > $@

$(BUILD)/libjvm.so: $(VM_O) $(CLASSFILE_O) $(BUILD)/libjvm.map
	$(call say,LINK $@)$(CC) -shared -Wl,-soname,libjvm.so -Wl,--version-script=$(BUILD)/libjvm.map \
	  -Wl,-z,defs -Wl,-Bsymbolic $(VM_O) $(CLASSFILE_O) $(LDFLAGS_ALL) -lffi -lz -ldl -lm -static-libgcc \
	  -o $@

# ---- agents and their tools ----------------------------------------------------------
# agents/NAME/*.c (+ agents/*.c) -> agents/libgraft-NAME.so; agents/NAME/tool/*.c -> bin/graft-NAME

AGENTS := $(filter-out command,$(sort $(patsubst agents/%/,%,$(dir $(wildcard agents/*/*.c)))))
TOOLS  := $(sort $(patsubst agents/%/tool/,%,$(dir $(wildcard agents/*/tool/*.c))))
AGENT_COMMON_O := $(call objs,$(filter-out agents/old_start.c,$(wildcard agents/*.c)))

# One file each that loads on older systems too: agents/old_glibc.h, and zlib inside without its names (sanitizers and other processors: not).
OLD_GLIBC_x86_64-linux-gnu := -DOLD_GLIBC='"GLIBC_2.2.5"' -DOLD_STAT_VERSION=1
MACHINE     := $(subst -pc-,-,$(shell $(CC) -dumpmachine))
PORTABLE    := $(and $(filter release debug,$(MODE)),$(OLD_GLIBC_$(MACHINE)))
ZLIB        := $(if $(PORTABLE),-l:libz.a -Wl$(comma)--exclude-libs=libz.a,-lz)
OLD_START   := $(if $(PORTABLE),-Wl$(comma)--wrap=__libc_start_main \
  -Wl$(comma)--push-state$(comma)--no-as-needed -l:libdl.so.2 -l:libpthread.so.0 -Wl$(comma)--pop-state)
OLD_START_O := $(if $(PORTABLE),$(BUILD)/obj/agents/old_start.o)
$(BUILD)/obj/agents/%.o: private CFLAGS_ALL += $(if $(PORTABLE),$(PORTABLE) -include agents/old_glibc.h)
$(call objs,agents/*.c agents/*/*.c agents/*/tool/*.c): agents/old_glibc.h

# agents/NAME/java: its files, sources compiled for Java 8, stand in the agent as `agent_java`: name, size, bytes of each.
JAVAC ?= $(JDK)/bin/javac
java_of = $(if $(wildcard agents/$(1)/java),$(BUILD)/obj/agents/$(1)/java.o)

# nodelete: HotSpot unloads a library whose Agent_OnAttach fails, and goes on to send events to it.
define agent_rules
$(BUILD)/obj/agents/libgraft-$(1).a: $(call objs,agents/$(1)/*.c) $(AGENT_COMMON_O)
$(BUILD)/agents/libgraft-$(1).so: $(call objs,agents/$(1)/*.c) $(call java_of,$(1)) $(AGENT_COMMON_O) $(LIBS)
	@mkdir -p $$(@D)
	$$(call say,LINK $$@)$(CC) -shared $$^ $(LDFLAGS_ALL) -Wl,-z,nodelete $(ZLIB) -lm -o $$@
endef
define java_rules
$(BUILD)/obj/agents/$(1)/java.o: $(shell find agents/$(1)/java -type f 2>/dev/null) Makefile
	@rm -rf $$(@D)/java $$(@D)/java.S; mkdir -p $$(@D)/java
	$$(call say,JAVAC agents/$(1)/java)$(JAVAC) --release 8 -Xlint:-options -d $$(@D)/java $$(filter %.java,$$^)
	@cp $$(filter-out %.java Makefile,$$^) $$(@D)/java
	@{ echo '.section .rodata'; echo '.globl agent_java; .hidden agent_java; agent_java:'; \
	  (cd $$(@D)/java && find * -type f | LC_ALL=C sort) | while read -r f; do \
	    echo ".asciz \"$$$$f\"; .balign 4; .long 2f - 1f; 1: .incbin \"$$(@D)/java/$$$$f\"; 2:"; done; \
	  echo '.byte 0; .section .note.GNU-stack,"",%progbits'; } > $$(@D)/java.S
	@$(CC) -c $$(@D)/java.S -o $$@
endef
define tool_rules
$(BUILD)/bin/graft-$(1): $(call objs,agents/$(1)/tool/*.c) $(BUILD)/obj/agents/libgraft-$(1).a $(LIBS) $(OLD_START_O)
	@mkdir -p $$(@D)
	$$(call say,LINK $$@)$(CC) $$^ $(LDFLAGS_ALL) $(OLD_START) $(ZLIB) -lm -o $$@
endef
$(foreach a,$(AGENTS),$(eval $(call agent_rules,$(a))))
$(foreach a,$(AGENTS),$(if $(call java_of,$(a)),$(eval $(call java_rules,$(a)))))
$(foreach t,$(TOOLS),$(eval $(call tool_rules,$(t))))
AGENT_OUT := $(AGENTS:%=$(BUILD)/agents/libgraft-%.so) $(TOOLS:%=$(BUILD)/bin/graft-%)

# graft-class, the tool of the library
$(BUILD)/bin/graft-class: $(call objs,classfile/tool/*.c) $(BUILD)/libclassfile.a $(OLD_START_O)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) $(OLD_START) -o $@
AGENT_OUT += $(BUILD)/bin/graft-class

# graft, the command in front of all of them; graft-image makes images for it
$(BUILD)/bin/graft: $(call objs,agents/command/*.c) $(OLD_START_O)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) $(OLD_START) -ldl -o $@
$(BUILD)/bin/graft-image: tests/image.sh
	@mkdir -p $(@D); install -m 755 $< $@
AGENT_OUT += $(BUILD)/bin/graft $(BUILD)/bin/graft-image

# ---- samples -------------------------------------------------------------------------
# samples/NAME/*.c: with a main() it is a program samples/NAME, otherwise samples/libNAME.so

SAMPLES := $(sort $(patsubst samples/%/,%,$(dir $(wildcard samples/*/*.c))))
SAMPLE_PROGRAMS := $(if $(SAMPLES),$(sort $(patsubst samples/%/,%,$(dir $(shell \
  grep -lw main samples/*/*.c)))))
SAMPLE_SHARED := $(filter-out $(SAMPLE_PROGRAMS),$(SAMPLES))
define sample_rules
$(BUILD)/samples/$(1) $(BUILD)/samples/lib$(1).so: $(call objs,samples/$(1)/*.c) $(LIBS)
	@mkdir -p $$(@D)
	$$(call say,LINK $$@)$(CC) $$(if $$(filter %.so,$$@),-shared) $$^ $(LDFLAGS_ALL) -lz -ldl -lm -o $$@
endef
$(foreach s,$(SAMPLES),$(eval $(call sample_rules,$(s))))
SAMPLE_OUT := $(SAMPLE_PROGRAMS:%=$(BUILD)/samples/%) $(SAMPLE_SHARED:%=$(BUILD)/samples/lib%.so)

# ---- native parts of tests -----------------------------------------------------------
# tests/unit/test_X.c -> tests/unit/test_X; tests/{java/jni,bench,jvmti,natives,exhaust}/X.c -> tests/native/libX.so
# (X.java beside it); tests/tool/X.c -> tests/tool/X; tests/fuzz/fuzz_X.c -> tests/fuzz/fuzz_X

UNIT   := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(sort $(wildcard tests/unit/test_*.c)))
UNIT_COMMON_O := $(call objs,$(filter-out tests/unit/test_%,$(wildcard tests/unit/*.c)))
TEST_TOOLS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/tool/*.c)))
NATIVE := $(foreach c,$(wildcard tests/java/jni/*.c tests/bench/*.c tests/jvmti/*.c tests/natives/*.c \
            tests/exhaust/*.c),\
            $(BUILD)/tests/native/lib$(basename $(notdir $(c))).so)
FUZZ   := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

$(BUILD)/tests/unit/%: $(BUILD)/obj/tests/unit/%.o $(UNIT_COMMON_O) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) -lcmocka -lz -ldl -lm -o $@
# tests/unit/test_vm_X.c is linked with the lower half of the VM and mocks the upper half.
VM_LOW_O := $(call objs,vm/cpu/*.c vm/core/*.c vm/log/*.c vm/os/*.c vm/object/*.c vm/thread/*.c vm/heap/*.c)
$(BUILD)/obj/tests/unit/test_vm_%.o: EXTRA := $(INC_vm) $(TSAN_VM)
$(BUILD)/tests/unit/test_vm_%: $(BUILD)/obj/tests/unit/test_vm_%.o $(VM_LOW_O) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) -lcmocka -lz -ldl -lm -o $@
# tests/unit/test_agent_X.c is linked with what agents share.
$(BUILD)/obj/tests/unit/test_agent_%.o: EXTRA := -Iagents
$(BUILD)/tests/unit/test_agent_%: $(BUILD)/obj/tests/unit/test_agent_%.o $(AGENT_COMMON_O) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) -lcmocka -lz -lm -o $@
# tests/unit/test_frame_X.c is linked with frames alone.
$(BUILD)/obj/tests/unit/test_frame_%.o: EXTRA := $(INC_vm)
$(BUILD)/tests/unit/test_frame_%: $(BUILD)/obj/tests/unit/test_frame_%.o $(call objs,vm/frame/frame_view.c vm/frame/frame_signal.c vm/jit/body_frames.c)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) -lcmocka -o $@
# tests/unit/test_lock_X.c has the checks of the debug build inside.
$(BUILD)/obj/tests/unit/test_lock_%.o: EXTRA := $(INC_vm)
# tests/unit/test_os_X.c has the part of vm/os that it tests inside.
$(BUILD)/obj/tests/unit/test_os_%.o: EXTRA := $(INC_vm)
# tests/unit/test_jit_X.c is linked with the assembler, and moves at once, alone.
$(BUILD)/obj/tests/unit/test_jit_%.o: EXTRA := $(INC_vm)
$(BUILD)/tests/unit/test_jit_%: $(BUILD)/obj/tests/unit/test_jit_%.o $(call objs,vm/jit/asm/*.c vm/jit/opt/opt_moves.c)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) -lm -o $@
# tests/unit/test_opt_X.c is linked with the optimiser's form, its passes, and what gives out registers.
OPT_PASSES := $(addprefix vm/jit/opt/,opt_ir.c opt_cfg.c opt_fold.c opt_gvn.c opt_leave.c opt_loop.c opt_counting.c opt_address.c opt_apart.c opt_carry.c opt_thread.c opt_pick.c opt_sink.c opt_quiet.c opt_unroll.c opt_copy.c opt_rename.c \
  opt_select.c opt_live.c opt_regs.c opt_home.c opt_cells.c opt_verify.c opt_moves.c)
$(BUILD)/obj/tests/unit/test_opt_%.o: EXTRA := $(INC_vm)
$(BUILD)/tests/unit/test_opt_%: $(BUILD)/obj/tests/unit/test_opt_%.o $(call objs,$(OPT_PASSES)) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) -lm -o $@
$(BUILD)/tests/tool/%: $(BUILD)/obj/tests/tool/%.o $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) -lz -ldl -lm -o $@
$(BUILD)/tests/native/lib%.so: $(BUILD)/obj/tests/jvmti/%.o $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) -shared $^ $(LDFLAGS_ALL) -lz -lm -o $@
$(BUILD)/tests/native/lib%.so: $(BUILD)/obj/tests/java/jni/%.o
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) -shared $^ $(LDFLAGS_ALL) -o $@
$(BUILD)/tests/native/lib%.so: $(BUILD)/obj/tests/natives/%.o
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) -shared $^ $(LDFLAGS_ALL) -o $@
$(BUILD)/tests/native/lib%.so: $(BUILD)/obj/tests/exhaust/%.o
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) -shared $^ $(LDFLAGS_ALL) -o $@
$(BUILD)/tests/native/lib%.so: $(BUILD)/obj/tests/bench/%.o
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) -shared $^ $(LDFLAGS_ALL) -o $@
# A fuzz target runs under libFuzzer in MODE=fuzz and otherwise replays files named as arguments.
$(BUILD)/tests/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o \
    $(if $(filter fuzz,$(MODE)),,$(call objs,tests/fuzz/replay.c)) $(LIBS)
	@mkdir -p $(@D)
	$(call say,LINK $@)$(CC) $^ $(LDFLAGS_ALL) $(if $(filter fuzz,$(MODE)),-fsanitize=fuzzer) \
	  -lz -ldl -lm -o $@

# ---- goals ---------------------------------------------------------------------------

VM_OUT := $(if $(VM_O),$(BUILD)/libjvm.so)
libs: $(LIBS)
vm: $(VM_OUT)
all: $(LIBS) $(VM_OUT) $(AGENT_OUT) $(SAMPLE_OUT)
testbin: $(UNIT) $(TEST_TOOLS) $(NATIVE) $(BUILD)/libbci.so $(BUILD)/man/bci.3 $(if $(wildcard tests/fuzz/replay.c),$(FUZZ))
.PHONY: libs vm testbin

image: $(VM_OUT)
	@tests/image.sh $(JDK) $(IMAGE) $(BUILD)/libjvm.so

setup:
	@tests/setup.sh build check

# Goals that build first use all processors for it, unless make was told how many.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
BUILDING = $(MAKE) --no-print-directory $(PARALLEL)

RUN = BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) MODE=$(MODE) tests/run

demo:
	@tests/setup.sh build demo
	@+$(BUILDING) all image
	@BUILD=$(BUILD) IMAGE=$(IMAGE) tests/demo.sh

# A running server is edited: new code in the next request, state kept; how long that took is shown.
demo-hotswap:
	@tests/setup.sh build
	@+$(BUILDING) all image
	@rm -rf build/demo-hotswap
	@SHOW=1 samples/hotswap/demo.sh $(IMAGE) $(BUILD)/agents/libgraft-hotswap.so build/demo-hotswap

check:
	@tests/setup.sh build check
	@+$(BUILDING) all image testbin
	@+$(BUILDING) MODE=debug BUILD=build/debug IMAGE=build/image-debug image
	@$(RUN) --check

# The slow modes at length: before a change of the collector, the interpreter's loop, frames, safepoints or JNI is merged.
check-modes:
	@tests/setup.sh build check
	@+$(BUILDING) all image testbin
	@$(RUN) --check-modes

# Round trip and fuzzing at full length: over 90,000 classes in six ways, ten times the mutants; threads 400 times. For the night.
check-corpus:
	@tests/setup.sh build check corpus
	@+$(BUILDING) all image testbin
	@$(RUN) --full roundtrip fuzz apps/concurrent

# Failure injection at full length, hours; EXHAUST_N=500 for so many runs of each program.
check-exhaust:
	@tests/setup.sh build check
	@+$(BUILDING) all image testbin
	@+$(BUILDING) MODE=debug BUILD=build/debug IMAGE=build/image-debug image
	@$(RUN) --full exhaust roundtrip/alloc_failure redefine/starve

check-apps check-command check-hotswap check-pages: EXTRA_SETUP := apps
check-%:
	@tests/setup.sh build check $(EXTRA_SETUP)
	@+$(BUILDING) all image testbin
	@+$(BUILDING) MODE=debug BUILD=build/debug IMAGE=build/image-debug image
	@$(RUN) $*

bench:
	@tests/setup.sh build bench
	@+$(BUILDING) all image testbin
	@BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/bench/run
	@BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/bench/redefine/run
	@BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) CC=$(CC) tests/bench/events/run
	@BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/bench/run-hostile

bench-gc:
	@tests/setup.sh build bench
	@+$(BUILDING) all image
	@BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/bench/run-gc

# Compiled code against HotSpot's default and its client compiler; PART=steady or names of kernels, TEST_OPTIONS for Graft.
bench-jit:
	@tests/setup.sh build bench
	@+$(BUILDING) all image testbin
	@BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/bench/run-jit $(PART)
	@[ -n "$(PART)" ] || BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/bench/redefine/run redefine coverage
	@[ -n "$(PART)" ] || OPTIONS=-Xmixed BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/bench/run-gc

# Random programs on both VMs for FUZZ_SECONDS (3600), FUZZ_OPTIONS="A | B" in several modes; see tests/fuzz/execution/run.
fuzz-jit:
	@tests/setup.sh build check
	@+$(BUILDING) all image
	@BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/fuzz/execution/run tests/fuzz/execution/corpus/*
.PHONY: bench-jit fuzz-jit

# The pictures of README.md, from a browser.
screenshots:
	@tests/setup.sh build demo pictures
	@+$(BUILDING) all image
	@BUILD=$(BUILD) IMAGE=$(IMAGE) tests/screenshots.sh
.PHONY: screenshots

# Over three hours; FACTOR=0.1 for a tenth of it.
stress-soak:
	@tests/setup.sh build check
	@+$(BUILDING) all image
	@BUILD=$(BUILD) IMAGE=$(IMAGE) JDK=$(JDK) tests/stress/soak

# The rewriting library against ASM; see tests/bench/bci/run_bci.
bench-bci: libs
	@tests/setup.sh build bench
	@BUILD=$(BUILD) JDK=$(JDK) CC=$(CC) tests/bench/bci/run_bci
.PHONY: bench-bci

stress:
	@tests/setup.sh build check
	@+$(BUILDING) MODE=debug all image testbin
	@BUILD=build/debug IMAGE=build/image-debug JDK=$(JDK) MODE=debug tests/run --stress

# The libraries and the agents, these on the reference VM: ASan's shadow memory and our heap want the same addresses.
SANITIZED := $(patsubst $(BUILD)/tests/%,%,$(UNIT)) fuzz/classfile fuzz/corpus fuzz/mutants fuzz/mutations roundtrip/identity \
  samples/classdump samples/rewrite coverage/data coverage/options \
  coverage/corrupt coverage/shared coverage/changes coverage/compare heap/reports heap/page heap/difference heap/allocations natives/asking command/mutants jvmti/instrument_all
asan: SANITIZED := $(filter-out unit/test_vm_%,$(SANITIZED))
# MemorySanitizer (clang only) cannot enter a java, or see into a zlib, that was built without it: the libraries alone.
msan:
	@tests/setup.sh build check fuzz
	@+$(BUILDING) MODE=msan CC=clang libs testbin
	@BUILD=build/msan IMAGE=$(JDK) JDK=$(JDK) MODE=msan tests/run $(filter-out unit/test_vm_% unit/test_agent_%,$(filter unit/%,$(SANITIZED))) \
	  fuzz/classfile fuzz/corpus fuzz/mutants fuzz/mutations fuzz/plans roundtrip/identity roundtrip/frames roundtrip/rename
asan ubsan:
	@tests/setup.sh build check
	@+$(BUILDING) MODE=$@ libs testbin agents
	@BUILD=build/$@ IMAGE=$(JDK) JDK=$(JDK) MODE=$@ tests/run $(SANITIZED)

# The whole VM, in an unmodified java: tests/tsan/run. The unit tests are those of the VM's lower half.
tsan:
	@tests/setup.sh build check
	@+$(BUILDING) MODE=tsan BUILD=build/tsan image \
	  $(patsubst tests/unit/%.c,build/tsan/tests/unit/%,$(wildcard tests/unit/test_vm_*.c)) \
	  build/tsan/tests/native/libagent_storm.so build/tsan/tests/native/libagent_meddle.so agents
	@BUILD=build/tsan IMAGE=build/tsan/image JDK=$(JDK) tests/tsan/run
.PHONY: tsan

agents: $(AGENT_OUT) $(SAMPLE_OUT)
.PHONY: agents

fuzz:
	@tests/setup.sh build fuzz
	@+$(BUILDING) MODE=fuzz CC=clang testbin
	@BUILD=build/fuzz JDK=$(JDK) tests/fuzz/run

layers:
	@tests/layers.sh

# What a variable holds, for scripts.
print-%:
	@echo '$($*)'

format:
	@git ls-files -co --exclude-standard "*.c" "*.h" | xargs -P2 -n50 clang-format-14 -i

clean:
	rm -rf $(BUILD) $(IMAGE)

# The VM goes where -XXaltjvm=DIR or JDK_ALTERNATE_VM=DIR can name it.
PUBLIC_HEADERS := $(addprefix bci-lib/bci,.h _plan.h _agent.h) classfile/classfile.h \
  classfile/cf_types.h $(wildcard classfile/base/*.h) \
  $(addprefix classfile/,constants.def attributes.def opcodes.def)
# Pages for man(1), made from the headers and the examples of samples/manual.
$(BUILD)/man/bci.3: docs/mkmanual $(PUBLIC_HEADERS) $(wildcard samples/manual/*.c) $(BUILD)/flags
	@docs/mkmanual $(BUILD)/man $(VERSION) $(filter %.h,$(PUBLIC_HEADERS))
manual: $(BUILD)/man/bci.3
.PHONY: manual
# LIBDIR: below PREFIX, where libraries for others go (Debian's lib/TRIPLET).
AT := $(DESTDIR)$(PREFIX)
install-lib: export BCI_PC := $(BCI_PC)
install-lib: export VERSION_HEADER := $(VERSION_HEADER)
install-lib: $(LIBS) $(BUILD)/libbci.so $(BUILD)/bin/graft-class $(BUILD)/man/bci.3
	install -d $(AT)/bin $(AT)/$(LIBDIR)/pkgconfig $(AT)/include/graft $(AT)/share/man/man3
	install -m 644 $(LIBS) $(AT)/$(LIBDIR)/
	install -m 755 $(BUILD)/libbci.so $(AT)/$(LIBDIR)/libbci.so.$(VERSION)
	ln -sf libbci.so.$(VERSION) $(AT)/$(LIBDIR)/$(LIB_SONAME)
	ln -sf $(LIB_SONAME) $(AT)/$(LIBDIR)/libbci.so
	install -m 644 $(PUBLIC_HEADERS) $(AT)/include/graft/
	printf '%s\n' "$$BCI_PC" >$(AT)/$(LIBDIR)/pkgconfig/bci.pc
	printf '%s\n' "$$VERSION_HEADER" >$(AT)/include/graft/bci_version.h
	install -m 755 $(BUILD)/bin/graft-class $(AT)/bin/
	install -m 644 $(BUILD)/man/*.3 $(AT)/share/man/man3/
.PHONY: install-lib
install: all install-lib
	install -d $(AT)/lib/graft/agents $(AT)/bin
	install -m 755 $(BUILD)/libjvm.so $(AT)/lib/graft/
	$(if $(AGENTS),install -m 755 $(AGENTS:%=$(BUILD)/agents/libgraft-%.so) $(AT)/lib/graft/agents/)
	$(if $(TOOLS),install -m 755 $(TOOLS:%=$(BUILD)/bin/graft-%) $(AT)/bin/)
	install -d $(AT)/share/man/man1 $(AT)/share/bash-completion/completions
	install -m 755 $(BUILD)/bin/graft $(AT)/bin/
	install -m 755 $(BUILD)/bin/graft-image $(AT)/lib/graft/
	$(BUILD)/bin/graft help --man >$(AT)/share/man/man1/graft.1
	docs/packaging/mkpage $(BUILD)/bin/graft-coverage $(VERSION) 'reports of coverage data' >$(AT)/share/man/man1/graft-coverage.1
	docs/packaging/mkpage $(BUILD)/bin/graft-heap $(VERSION) 'two snapshots of a heap compared' >$(AT)/share/man/man1/graft-heap.1
	docs/packaging/mkpage $(BUILD)/bin/graft-class $(VERSION) 'look into class files' >$(AT)/share/man/man1/graft-class.1
	install -m 644 agents/command/graft.bash $(AT)/share/bash-completion/completions/graft
	install -d $(AT)/share/doc/graft
	install -m 644 LICENSE $(AT)/share/doc/graft/
	cp --parents $(USER_DOCS) $(AT)/share/doc/graft/
USER_DOCS := $(wildcard docs/CHANGELOG.md agents/README.md agents/*/README.md bci-lib/README.md classfile/README.md docs/tasks/*.md) \
  $(patsubst %,docs/%.md,coverage-vs-jacoco parity redefinition status)

# The installed tree without debugging information (the VM has its symbols: gdb needs them for compiled code), to be unpacked anywhere by anybody: every part is found from where the command lies.
DIST      ?= $(BUILD)
DIST_NAME := graft-$(VERSION)-linux-$(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
DIST_TREE  = $(DIST)/tree/$(DIST_NAME)
dist: all
	@rm -rf $(DIST)/tree
	@$(MAKE) --no-print-directory -s install DESTDIR=$(abspath $(DIST_TREE)) PREFIX=
	@strip --strip-debug $(DIST_TREE)/lib/*.a
	@strip --strip-debug $(DIST_TREE)/lib/graft/libjvm.so
	@strip --strip-unneeded $(DIST_TREE)/lib/*.so.$(VERSION) $(DIST_TREE)/lib/graft/agents/*.so \
	  $(patsubst %,$(DIST_TREE)/bin/%,graft graft-class $(TOOLS:%=graft-%))
	@cp LICENSE $(DIST_TREE)/
	@cp /usr/share/doc/zlib1g-dev/copyright $(DIST_TREE)/LICENSE.zlib
	@tar -C $(DIST)/tree --sort=name --owner=0 --group=0 --numeric-owner -czf $(abspath $(DIST))/$(DIST_NAME).tar.gz $(DIST_NAME)
	@rm -rf $(DIST)/tree; echo $(DIST)/$(DIST_NAME).tar.gz
.PHONY: dist

# DEBFULLNAME and DEBEMAIL say who made the packages. Their list: docs/packaging/control.
MAINTAINER = $(or $(DEBFULLNAME),The authors of Graft) <$(or $(DEBEMAIL),graft@packages.example)>
deb: LIBDIR := lib/$(shell dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null)
deb:
	@tests/setup.sh build deb
	@+$(BUILDING) all
	@rm -rf $(BUILD)/deb; mkdir -p $(DIST)
	@$(MAKE) --no-print-directory -s install DESTDIR=$(abspath $(BUILD)/deb) PREFIX=/usr LIBDIR=$(LIBDIR)
	@VERSION=$(VERSION) ABI=$(LIB_SONAME:libbci.so.%=%) LIBDIR=$(LIBDIR) MAINTAINER="$(MAINTAINER)" \
	  docs/packaging/deb.sh $(BUILD)/deb $(DIST)
.PHONY: deb

# What people install, in fresh systems of their own: tests/packages/run, SYSTEMS="bookworm trixie bullseye".
check-packages: deb dist
	@tests/setup.sh packages
	@tests/packages/run $(DIST) $(SYSTEMS)
.PHONY: check-packages

# The agents and the command on other JDKs, those of Debian unstable: tests/jdks/run, JDKS="8 11 17 21 25".
check-jdks:
	@tests/setup.sh build check packages
	@+$(BUILDING) all image testbin
	@tests/jdks/run $(JDKS)
.PHONY: check-jdks

-include $(wildcard agents/*/agent.mk)
-include $(shell test -d $(BUILD)/obj && find $(BUILD)/obj $(wildcard $(BUILD)/shared) -name '*.d')

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -XX:CompileCommand=print: the code of a method, an instruction a line, with the bytecode that it was made from.
 *
 * Instructions are decoded by libcapstone if it is installed (Debian: libcapstone4; nothing else needs it), in the syntax of gdb and
 * objdump.  Without it their bytes are shown, a line per instruction of bytecode.
 */
#include "exec/throw.h"
#include "jit/policy.h"
#include "object/class.h"
#include "object/symbol.h"
#include <dlfcn.h>
#include <string.h>

enum { NAME_ROOM = 512 };

/* Of libcapstone.  Its instruction is u4 id, u8 address, u2 size, bytes, mnemonic[32], operands[160], a pointer. */
enum { CS_ARCH_X86 = 3, CS_MODE_64 = 8, CS_OPT_SYNTAX = 1, CS_OPT_SYNTAX_ATT = 2 };
enum { AT_SIZE = 16, AT_BYTES = 18, MNEMONIC_BYTES = 32, OPERANDS_BYTES = 160 };
static struct {
    int (*open)(int arch, int mode, size_t *handle);
    int (*option)(size_t handle, int option, size_t value);
    size_t (*disasm)(size_t handle, const u1 *code, size_t size, u8 address, size_t most, u1 **insns);
    void (*free)(u1 *insns, size_t n);
    size_t handle;
    u4 at_text; /* depends on its version */
    bool looked, there;
} cs;

static bool find_library(void) {
    if (cs.looked) return cs.there;
    cs.looked = true;
    cs.at_text = AT_BYTES + 16;
    void *lib = dlopen("libcapstone.so.4", RTLD_LAZY);
    if (!lib) {
        cs.at_text = AT_BYTES + 24;
        lib = dlopen("libcapstone.so.5", RTLD_LAZY);
    }
    if (lib) {
        *(void **)&cs.open = dlsym(lib, "cs_open");
        *(void **)&cs.option = dlsym(lib, "cs_option");
        *(void **)&cs.disasm = dlsym(lib, "cs_disasm");
        *(void **)&cs.free = dlsym(lib, "cs_free");
    }
    cs.there = lib && cs.open && cs.option && cs.disasm && cs.free && cs.open(CS_ARCH_X86, CS_MODE_64, &cs.handle) == 0;
    if (cs.there) cs.option(cs.handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
    else printf("(bytes only: without libcapstone there is no disassembly; Debian: apt install libcapstone4)\n");
    return cs.there;
}

static void print_bytes(const u1 *at, const u1 *end) {
    printf("  0x%016lx:", (uintptr_t)at);
    for (; at < end; at++) printf(" %02x", *at);
    putchar('\n');
}

/* What is no instruction (tables of switches, constants) is shown as bytes. */
static void print_insns(const u1 *at, const u1 *end) {
    u1 *insns = NULL;
    size_t n = cs.disasm(cs.handle, at, (size_t)(end - at), (uintptr_t)at, 0, &insns);
    size_t each = ALIGN_UP(cs.at_text + MNEMONIC_BYTES + OPERANDS_BYTES, 8) + sizeof(void *);
    for (size_t i = 0; i < n; i++) {
        const u1 *insn = insns + i * each;
        const char *text = (const char *)insn + cs.at_text;
        u2 size;
        memcpy(&size, insn + AT_SIZE, sizeof size);
        printf("  0x%016lx: %-8s %s\n", (uintptr_t)at, text, text + MNEMONIC_BYTES);
        at += size;
    }
    if (n) cs.free(insns, n);
    if (at < end) print_bytes(at, end);
}

static void print_place(const CodeBlob *b, CodePlace p) {
    char name[NAME_ROOM];
    printf("  [bci %u]", jit_root_bci(b, p));
    if (p.scope) {
        const Method *m = b->scopes[p.scope - 1].method;
        printf(" %s::%s [bci %u]", class_external_name(m->holder, name, sizeof name), m->name->bytes, p.bci);
    }
    putchar('\n');
}

void report_code(const CodeBlob *b) {
    char name[NAME_ROOM];
    const Method *m = b->method;
    CodePlace p = {0}, now;
    const u1 *next = b->places;
    printf("Compiled method (c%d) %u  %s::%s (%u bytes)  [0x%016lx,0x%016lx]\n", code_level(b), b->id,
           class_external_name(m->holder, name, sizeof name), m->name->bytes, m->code_len, (uintptr_t)b->code,
           (uintptr_t)b->code + b->size);
    bool decoded = find_library();
    for (u4 i = 0, at = 0; i <= b->n_places; i++) {
        now = p;
        if (i < b->n_places && next) next = places_next(next, &p);
        else p.offset = b->size;
        if (p.offset == at) continue;
        print_place(b, now);
        if (decoded) print_insns(b->code + at, b->code + p.offset);
        else print_bytes(b->code + at, b->code + p.offset);
        at = p.offset;
    }
}

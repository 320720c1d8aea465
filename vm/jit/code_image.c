/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -XX:+DescribeJitCode: compiled methods for a debugger of native code.  For each there is an image in memory, an ELF file with a symbol, lines,
 * and unwinding tables, in a list that gdb's documentation ("JIT Compilation Interface") defines: gdb breaks in
 * __jit_debug_register_code, or reads the list when it attaches.  So `bt` goes through compiled frames and shows methods and lines,
 * `hbreak File.java:12` and `disassemble` work.  SIGSEGV is how null is found: `handle SIGSEGV nostop noprint`.
 *
 * An image has about 1 KB; hence the option.  [lock: jit] or at a safepoint
 */
#include "jit/code_tools.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* --- the debugger's side: names and shapes are given --- */
enum { JIT_NOACTION, JIT_REGISTER_FN, JIT_UNREGISTER_FN };
typedef struct JitCodeEntry {
    struct JitCodeEntry *next, *prev;
    const char *file;
    u8 size;
} JitCodeEntry;
typedef struct JitDescriptor {
    u4 version, action;
    JitCodeEntry *relevant, *first;
} JitDescriptor;

__attribute__((visibility("default"))) JitDescriptor __jit_debug_descriptor = {1, JIT_NOACTION, NULL, NULL};
__attribute__((visibility("default"), noinline)) void __jit_debug_register_code(void) { __asm__ volatile("" ::: "memory"); }

typedef struct Image {
    JitCodeEntry entry; /* first */
    const CodeBlob *of;
} Image;

static void tell(u4 action, JitCodeEntry *e) {
    __jit_debug_descriptor.relevant = e;
    __jit_debug_descriptor.action = action;
    __jit_debug_register_code();
    __jit_debug_descriptor.action = JIT_NOACTION;
    __jit_debug_descriptor.relevant = NULL;
}

/* --- DWARF 3 --- */
enum {
    DW_TAG_compile_unit = 0x11,
    DW_TAG_subprogram = 0x2e,
    DW_AT_name = 0x03,
    DW_AT_stmt_list = 0x10,
    DW_AT_low_pc = 0x11,
    DW_AT_high_pc = 0x12,
    DW_AT_language = 0x13,
    DW_FORM_addr = 0x01,
    DW_FORM_data4 = 0x06,
    DW_FORM_string = 0x08,
    DW_FORM_data1 = 0x0b,
    DW_LANG_C = 0x02,
    DW_LNS_copy = 1,
    DW_LNS_advance_pc = 2,
    DW_LNS_advance_line = 3,
    DW_LNS_set_file = 4,
    DW_LNE_set_address = 2
};

static void put_uleb(FILE *out, u8 v) {
    for (; v >= 0x80; v >>= 7) put_u1(out, (u1)(v | 0x80));
    put_u1(out, (u1)v);
}
static void put_sleb(FILE *out, int64_t v) {
    for (; v < -64 || v > 63; v >>= 7) put_u1(out, (u1)(v | 0x80));
    put_u1(out, (u1)(v & 0x7f));
}

static void put_abbreviations(FILE *out) {
    static const u1 all[] = {1,
                             DW_TAG_compile_unit,
                             1,
                             DW_AT_name,
                             DW_FORM_string,
                             DW_AT_language,
                             DW_FORM_data1,
                             DW_AT_low_pc,
                             DW_FORM_addr,
                             DW_AT_high_pc,
                             DW_FORM_addr,
                             DW_AT_stmt_list,
                             DW_FORM_data4,
                             0,
                             0,
                             2,
                             DW_TAG_subprogram,
                             0,
                             DW_AT_name,
                             DW_FORM_string,
                             DW_AT_low_pc,
                             DW_FORM_addr,
                             DW_AT_high_pc,
                             DW_FORM_addr,
                             0,
                             0,
                             0};
    put_bytes(out, all, sizeof all);
}

static void put_range(FILE *out, const CodeBlob *b) {
    put_u8(out, (uintptr_t)b->code);
    put_u8(out, (uintptr_t)b->code + b->size);
}

static void put_info(FILE *out, const CodeBlob *b) {
    put_u2(out, 3); /* version */
    put_u4(out, 0); /* of abbreviations */
    put_u1(out, 8); /* bytes of an address */
    put_u1(out, 1);
    code_print_file(out, b->method);
    put_u1(out, 0);
    put_u1(out, DW_LANG_C); /* the debugger knows no Java any more */
    put_range(out, b);
    put_u4(out, 0); /* of lines */
    put_u1(out, 2);
    code_print_name(out, b->method, false);
    put_u1(out, 0);
    put_range(out, b);
    put_u1(out, 0);
}

/* Methods of one class share a file; files are counted from 1. */
static u4 file_of(const Class **files, u4 *n, const Class *c) {
    for (u4 i = 0; i < *n; i++)
        if (files[i] == c) return i + 1;
    files[(*n)++] = c;
    return *n;
}

static void put_line_header(FILE *out, const CodeLine *lines, u4 n, const Class **files) {
    static const u1 operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1};
    u4 n_files = 0;
    put_u1(out, 1);      /* bytes of an instruction, at least */
    put_u1(out, 1);      /* each row is a statement */
    put_u1(out, (u1)-5); /* no short opcodes are used */
    put_u1(out, 14);
    put_u1(out, 1 + sizeof operands);
    put_bytes(out, operands, sizeof operands);
    put_u1(out, 0); /* no folders */
    for (u4 i = 0; i < n; i++) {
        u4 before = n_files;
        if (file_of(files, &n_files, lines[i].m->holder) <= before) continue;
        code_print_file(out, lines[i].m);
        put_bytes(out, "\0\0\0", 4); /* its end; folder, time, length */
    }
    put_u1(out, 0);
}

static void put_rows(FILE *out, const CodeBlob *b, const CodeLine *lines, u4 n, const Class **files) {
    u4 at = 0, line = 1;
    put_u1(out, 0);
    put_uleb(out, 9);
    put_u1(out, DW_LNE_set_address);
    put_u8(out, (uintptr_t)b->code);
    for (u4 i = 0; i < n; i++) {
        put_u1(out, DW_LNS_set_file);
        put_uleb(out, file_of(files, &n, lines[i].m->holder)); /* it is among them */
        put_u1(out, DW_LNS_advance_pc);
        put_uleb(out, lines[i].offset - at);
        put_u1(out, DW_LNS_advance_line);
        put_sleb(out, (int64_t)lines[i].line - line);
        put_u1(out, DW_LNS_copy);
        at = lines[i].offset;
        line = lines[i].line;
    }
    put_u1(out, DW_LNS_advance_pc);
    put_uleb(out, b->size - at);
    put_bytes(out, "\0\1\1", 3); /* DW_LNE_end_sequence */
}

/* --- ELF --- */
enum { S_NULL, S_TEXT, S_UNWIND, S_INFO, S_ABBREV, S_LINE, S_SYMBOLS, S_STRINGS, S_NAMES, S_COUNT };
static const char section_names[] = "\0.text\0.eh_frame\0.debug_info\0.debug_abbrev\0.debug_line\0.symtab\0.strtab\0.shstrtab";

typedef struct Length {
    size_t from; /* in front of there it is to stand */
    u4 bytes;
} Length;

typedef struct Parts { /* the file: its header, contents of sections one behind the other, their table */
    char *bytes;
    size_t len, start[S_COUNT + 1], end[S_COUNT + 1];
    Length lengths[3];
    u4 n_lengths;
    FILE *out;
} Parts;

static void begin(Parts *p, u4 section) {
    p->end[section - 1] = (size_t)ftell(p->out);
    while (ftell(p->out) % 8) put_u1(p->out, 0);
    p->start[section] = (size_t)ftell(p->out);
}

/* A unit of DWARF begins with the length of what follows, which is filled in at the end. */
static Length *open_length(Parts *p) {
    put_u4(p->out, 0);
    p->lengths[p->n_lengths] = (Length){(size_t)ftell(p->out), 0};
    return &p->lengths[p->n_lengths++];
}
static void close_length(Parts *p, Length *l) { l->bytes = (u4)((size_t)ftell(p->out) - l->from); }

static void put_line_table(Parts *p, const CodeBlob *b) {
    u4 n;
    CodeLine *lines = code_lines(b, &n);
    const Class **files = calloc(n + 1, sizeof *files);
    Length *unit = open_length(p);
    put_u2(p->out, 3);
    Length *header = open_length(p);
    if (!files) n = 0;
    put_line_header(p->out, lines, n, files);
    close_length(p, header);
    put_rows(p->out, b, lines, n, files);
    close_length(p, unit);
    free(files);
    free(lines);
}

static void put_symbols(Parts *p, const CodeBlob *b) {
    Elf64_Sym none = {0},
              code = {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = S_TEXT, .st_size = b->size};
    begin(p, S_SYMBOLS);
    put_bytes(p->out, &none, sizeof none);
    put_bytes(p->out, &code, sizeof code);
    begin(p, S_STRINGS);
    put_u1(p->out, 0);
    code_print_name(p->out, b->method, false);
    put_u1(p->out, 0);
    begin(p, S_NAMES);
    put_bytes(p->out, section_names, sizeof section_names);
}

static void put_contents(Parts *p, const CodeBlob *b) {
    begin(p, S_UNWIND);
    code_write_unwinding(p->out, b->code, b->size, false);
    begin(p, S_INFO);
    Length *unit = open_length(p);
    put_info(p->out, b);
    close_length(p, unit);
    begin(p, S_ABBREV);
    put_abbreviations(p->out);
    begin(p, S_LINE);
    put_line_table(p, b);
    put_symbols(p, b);
}

static Elf64_Shdr section(const Parts *p, u4 i, u4 type, u8 flags) {
    static const u1 name_at[] = {0, 1, 7, 17, 29, 43, 55, 63, 71};
    return (Elf64_Shdr){.sh_name = name_at[i],
                        .sh_type = type,
                        .sh_flags = flags,
                        .sh_offset = p->start[i],
                        .sh_size = p->end[i] - p->start[i],
                        .sh_addralign = 8};
}

static void put_sections(Parts *p, const CodeBlob *b) {
    Elf64_Shdr s[S_COUNT] = {{0}};
    for (u4 i = S_UNWIND; i < S_COUNT; i++) s[i] = section(p, i, SHT_PROGBITS, 0);
    s[S_TEXT] = section(p, S_TEXT, SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR);
    s[S_TEXT].sh_addr = (uintptr_t)b->code;
    s[S_TEXT].sh_size = b->size;
    s[S_UNWIND].sh_flags = SHF_ALLOC;
    s[S_SYMBOLS].sh_type = SHT_SYMTAB;
    s[S_SYMBOLS].sh_link = S_STRINGS;
    s[S_SYMBOLS].sh_info = 1; /* the first global one */
    s[S_SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
    s[S_STRINGS].sh_type = s[S_NAMES].sh_type = SHT_STRTAB;
    put_bytes(p->out, s, sizeof s);
}

/* False: no memory. */
static bool make_file(Parts *p, const CodeBlob *b) {
    Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                    .e_type = ET_REL, /* its sections are where they say */
                    .e_machine = EM_X86_64,
                    .e_version = EV_CURRENT,
                    .e_ehsize = sizeof h,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = S_COUNT,
                    .e_shstrndx = S_NAMES};
    if (!(p->out = open_memstream(&p->bytes, &p->len))) return false;
    put_bytes(p->out, &h, sizeof h);
    put_contents(p, b);
    begin(p, S_COUNT);
    put_sections(p, b);
    if (fclose(p->out)) return false;
    h.e_shoff = p->start[S_COUNT];
    memcpy(p->bytes, &h, sizeof h);
    for (u4 i = 0; i < p->n_lengths; i++) memcpy(p->bytes + p->lengths[i].from - 4, &p->lengths[i].bytes, 4);
    return true;
}

void code_image_add(const CodeBlob *b) {
    Parts p = {0};
    Image *i = malloc(sizeof *i);
    if (i && make_file(&p, b)) {
        *i = (Image){{__jit_debug_descriptor.first, NULL, p.bytes, p.len}, b};
        if (i->entry.next) i->entry.next->prev = &i->entry;
        __jit_debug_descriptor.first = &i->entry;
        return tell(JIT_REGISTER_FN, &i->entry);
    }
    free(p.bytes);
    free(i);
}

void code_image_remove(const CodeBlob *b) {
    JitCodeEntry *e = __jit_debug_descriptor.first;
    while (e && ((Image *)e)->of != b) e = e->next;
    if (!e) return;
    if (e->prev) e->prev->next = e->next;
    else __jit_debug_descriptor.first = e->next;
    if (e->next) e->next->prev = e->prev;
    tell(JIT_UNREGISTER_FN, e);
    free((void *)(uintptr_t)e->file);
    free(e);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies at an address: /proc/self/maps names the file, the file's ELF symbol table the
 * function.  dladdr would do less (it sees exported names only) and takes the loader's lock, which
 * a crashed thread may hold.  Only system calls are used; the file is mapped while it is read.
 * Every offset is checked against the file's size: the file may have changed since it was loaded.
 */
#include "os/crash.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Mapping {
    uintptr_t lo, hi, offset;
    bool r, x;
    char path[512];
} Mapping;

static u8 hex(const char **p) {
    u8 v = 0;
    for (;; ++*p) {
        char c = **p;
        if (c >= '0' && c <= '9') v = v << 4 | (u8)(c - '0');
        else if (c >= 'a' && c <= 'f') v = v << 4 | (u8)(c - 'a' + 10);
        else return v;
    }
}

/* "lo-hi rwxp offset dev inode   path" */
static void parse_mapping(const char *s, Mapping *m) {
    m->lo = hex(&s);
    if (*s) s++;
    m->hi = hex(&s);
    if (*s) s++;
    m->r = *s == 'r';
    m->x = strlen(s) > 4 && s[2] == 'x';
    for (; *s && *s != ' '; s++) {}
    while (*s == ' ') s++;
    m->offset = hex(&s);
    const char *path = strchr(s, '/');
    size_t n = path ? strlen(path) : 0;
    if (n >= sizeof m->path) n = sizeof m->path - 1;
    memcpy(m->path, path ? path : "", n);
    m->path[n] = 0;
}

/* Calls fn with every mapping; false from fn stops. */
static void each_mapping(bool (*fn)(const Mapping *, void *), void *arg) {
    char buf[4096];
    size_t have = 0;
    bool more = true;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    while (more) {
        ssize_t n = read(fd, buf + have, sizeof buf - 1 - have);
        if (n <= 0) break;
        have += (size_t)n;
        buf[have] = 0;
        char *line = buf;
        for (char *end; more && (end = strchr(line, '\n')); line = end + 1) {
            Mapping m;
            *end = 0;
            parse_mapping(line, &m);
            more = fn(&m, arg);
        }
        have -= (size_t)(line - buf);
        memmove(buf, line, have);
        if (have == sizeof buf - 1) have = 0; /* an absurdly long line */
    }
    close(fd);
}

typedef struct Search {
    uintptr_t pc, base; /* base: of the file whose mappings we are passing */
    char path[512];
    CodeAddress *out;
} Search;

static bool look_at(const Mapping *m, void *arg) {
    Search *s = arg;
    if (*m->path && m->offset == 0) {
        s->base = m->lo;
        memcpy(s->path, m->path, sizeof s->path);
    }
    if (s->pc < m->lo) return false;
    if (s->pc >= m->hi) return true;
    s->out->executable = m->x;
    s->out->readable = m->r;
    if (*m->path) {
        memcpy(s->out->library, m->path, sizeof s->out->library);
        s->out->library_base = strcmp(m->path, s->path) == 0 ? s->base : m->lo - m->offset;
    }
    return false;
}

/* ---- ELF ---- */

typedef struct Image {
    const u1 *bytes;
    size_t size;
} Image;

static const void *part(const Image *im, u8 offset, u8 n) {
    return offset <= im->size && n <= im->size - offset ? im->bytes + offset : NULL;
}

/* Address that the file's first byte was linked for. */
static u8 link_base(const Image *im, const Elf64_Ehdr *h) {
    const Elf64_Phdr *p = part(im, h->e_phoff, (u8)h->e_phnum * sizeof *p);
    for (int i = 0; p && i < h->e_phnum; i++)
        if (p[i].p_type == PT_LOAD) return p[i].p_vaddr - p[i].p_offset;
    return 0;
}

/* The symbol that covers the address, or without sizes the nearest one below. */
static void search_table(const Image *im, const Elf64_Shdr *sections, const Elf64_Shdr *table, u8 vaddr, CodeAddress *out,
                         u8 *best) {
    const Elf64_Shdr *names = &sections[table->sh_link];
    const Elf64_Sym *syms = part(im, table->sh_offset, table->sh_size);
    const char *text = part(im, names->sh_offset, names->sh_size);
    if (!syms || !text || names->sh_size == 0 || text[names->sh_size - 1]) return;
    for (size_t i = 0; i < table->sh_size / sizeof *syms; i++) {
        const Elf64_Sym *s = &syms[i];
        int type = ELF64_ST_TYPE(s->st_info);
        if ((type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC) || s->st_shndx == SHN_UNDEF ||
            s->st_value > vaddr || s->st_name >= names->sh_size || !text[s->st_name])
            continue;
        if (s->st_size ? vaddr >= s->st_value + s->st_size : type != STT_FUNC && type != STT_NOTYPE) continue;
        if (vaddr - s->st_value > *best || (vaddr - s->st_value == *best && !s->st_size)) continue;
        *best = vaddr - s->st_value;
        size_t n = strlen(text + s->st_name);
        if (n >= sizeof out->symbol) n = sizeof out->symbol - 1;
        memcpy(out->symbol, text + s->st_name, n);
        out->symbol[n] = 0;
        out->symbol_offset = *best;
    }
}

static void find_symbol(const Image *im, uintptr_t pc, CodeAddress *out) {
    const Elf64_Ehdr *h = part(im, 0, sizeof *h);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64) return;
    const Elf64_Shdr *s = part(im, h->e_shoff, (u8)h->e_shnum * sizeof *s);
    u8 vaddr = pc - out->library_base + link_base(im, h), best = 1 << 20;
    for (int pass = 0; s && pass < 2 && !out->symbol[0]; pass++)
        for (int i = 0; i < h->e_shnum; i++)
            if (s[i].sh_type == (pass ? SHT_DYNSYM : SHT_SYMTAB) && s[i].sh_link < h->e_shnum)
                search_table(im, s, &s[i], vaddr, out, &best);
}

static void read_symbols(uintptr_t pc, CodeAddress *out) {
    struct stat st;
    int fd = open(out->library, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        Image im = {mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0), (size_t)st.st_size};
        if (im.bytes != MAP_FAILED) {
            find_symbol(&im, pc, out);
            munmap((void *)im.bytes, im.size);
        }
    }
    close(fd);
}

void code_address_find(uintptr_t pc, CodeAddress *out) {
    memset(out, 0, sizeof *out);
    Search s = {.pc = pc, .out = out};
    each_mapping(look_at, &s);
    if (out->library[0] && out->executable) read_symbols(pc, out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The jimage reader; format in jimage.h.
 *
 * Look-up of a full name "/module/parent/base.ext": i = hash(name) % n;
 * r = redirect[i]; r < 0: entry -1-r; r > 0: entry hash(name, seed r) % n;
 * r = 0: absent.  The entry is then compared piece by piece with the name.
 * The hash is computed over pieces, so no full name is ever assembled.
 * Compressed resources are inflated (zlib) into malloc'ed memory that is never
 * freed: the images of distributions hold none.
 */
#include "load/jimage.h"

#include "core/vm.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { JIMAGE_MAGIC = 0xCAFEDADA, HASH_SEED = 0x01000193, HEADER_WORDS = 7 };
enum { /* attribute kinds of a location */
       LOC_END,
       LOC_MODULE,
       LOC_PARENT,
       LOC_BASE,
       LOC_EXTENSION,
       LOC_OFFSET,
       LOC_COMPRESSED,
       LOC_UNCOMPRESSED,
       LOC_KINDS
};

static struct {
    const u1 *base;
    size_t size;
    u4 n;
    const u1 *redirect, *offsets, *locations, *strings, *data;
    u4 locations_size, strings_size;
    size_t data_size;
} image;

/* A name in pieces: /module/parent/base.ext ; parent may be empty. */
typedef struct Name {
    const char *module, *parent, *base, *ext;
    size_t module_len, parent_len, base_len, ext_len;
} Name;

static u4 get_u4(const u1 *p) {
    u4 v;
    memcpy(&v, p, 4);
    return v;
}

bool jimage_contains(const void *p) { return (const u1 *)p >= image.base && (const u1 *)p < image.base + image.size; }

static bool set_layout(void) {
    const u1 *p = image.base;

    if (image.size < HEADER_WORDS * 4 || get_u4(p) != JIMAGE_MAGIC) return false;
    image.n = get_u4(p + 16);
    image.locations_size = get_u4(p + 20);
    image.strings_size = get_u4(p + 24);
    size_t index = HEADER_WORDS * 4 + 8 * (size_t)image.n + image.locations_size + image.strings_size;
    if (image.n == 0 || index > image.size || image.strings_size == 0) return false;
    image.redirect = p + HEADER_WORDS * 4;
    image.offsets = image.redirect + 4 * (size_t)image.n;
    image.locations = image.offsets + 4 * (size_t)image.n;
    image.strings = image.locations + image.locations_size;
    image.data = image.strings + image.strings_size;
    image.data_size = image.size - index;
    return image.strings[image.strings_size - 1] == 0;
}

void jimage_open(const char *path) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) != 0) vm_exit_during_init("cannot open %s: %s", path, strerror(errno));
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED) vm_exit_during_init("cannot map %s: %s", path, strerror(errno));
    image.base = p;
    image.size = (size_t)st.st_size;
    if (!set_layout()) vm_exit_during_init("%s is not a module image", path);
}

static u4 hash_piece(u4 h, const char *s, size_t len) {
    for (size_t i = 0; i < len; i++) h = h * 0x01000193u ^ (u1)s[i];
    return h;
}

static u4 hash_name(const Name *n, u4 h) {
    h = hash_piece(h, "/", 1);
    h = hash_piece(h, n->module, n->module_len);
    h = hash_piece(h, "/", 1);
    if (n->parent_len) {
        h = hash_piece(h, n->parent, n->parent_len);
        h = hash_piece(h, "/", 1);
    }
    h = hash_piece(h, n->base, n->base_len);
    if (n->ext_len) {
        h = hash_piece(h, ".", 1);
        h = hash_piece(h, n->ext, n->ext_len);
    }
    return h & 0x7fffffff;
}

/* Decode the attribute stream of one entry; false if it leaves the table. */
static bool location_read(u4 offset, u8 attr[LOC_KINDS]) {
    memset(attr, 0, LOC_KINDS * sizeof(u8));
    while (offset < image.locations_size) {
        u1 b = image.locations[offset++];
        unsigned kind = b >> 3, len = (b & 7) + 1;
        u8 v = 0;

        if (kind == LOC_END) return true;
        if (kind >= LOC_KINDS || offset + len > image.locations_size) return false;
        while (len--) v = v << 8 | image.locations[offset++];
        attr[kind] = v;
    }
    return false;
}

static bool string_is(u8 offset, const char *s, size_t len) {
    if (offset >= image.strings_size) return false;
    const char *t = (const char *)image.strings + offset;
    return strncmp(t, s, len) == 0 && t[len] == 0;
}

static bool find_location(const Name *n, u8 attr[LOC_KINDS]) {
    u4 h = hash_name(n, HASH_SEED) % image.n;
    int32_t r = (int32_t)get_u4(image.redirect + 4 * (size_t)h);

    if (r == 0) return false;
    u4 index = r < 0 ? (u4)(-1 - r) : hash_name(n, (u4)r) % image.n;
    if (index >= image.n) return false;
    return location_read(get_u4(image.offsets + 4 * (size_t)index), attr) &&
           string_is(attr[LOC_MODULE], n->module, n->module_len) && string_is(attr[LOC_PARENT], n->parent, n->parent_len) &&
           string_is(attr[LOC_BASE], n->base, n->base_len) && string_is(attr[LOC_EXTENSION], n->ext, n->ext_len);
}

/* Compressed resource: a chain of 29-byte headers, magic 0xCAFEFAFA; "zip" is supported. */
static const u1 *inflate_resource(const u1 *p, size_t size, size_t out_size) {
    enum { COMPRESSED_HEADER = 29 };
    uLongf n = out_size;

    if (size < COMPRESSED_HEADER || get_u4(p) != 0xCAFEFAFA) return NULL;
    if (!string_is(get_u4(p + 20), "zip", 3)) return NULL;
    u1 *out = malloc(out_size);
    if (!out || uncompress(out, &n, p + COMPRESSED_HEADER, size - COMPRESSED_HEADER) != Z_OK || n != out_size)
        return free(out), NULL;
    return out;
}

static Name split_name(const char *module, const char *path) {
    Name n = {.module = module, .module_len = strlen(module)};
    const char *slash = strrchr(path, '/'), *dot;

    n.parent = path;
    n.parent_len = slash ? (size_t)(slash - path) : 0;
    n.base = slash ? slash + 1 : path;
    dot = strrchr(n.base, '.');
    n.base_len = dot ? (size_t)(dot - n.base) : strlen(n.base);
    n.ext = dot ? dot + 1 : "";
    n.ext_len = strlen(n.ext);
    return n;
}

static const u1 *find_name(const Name *n, size_t *len) {
    u8 attr[LOC_KINDS];

    if (!image.base || !find_location(n, attr)) return NULL;
    u8 size = attr[LOC_UNCOMPRESSED];
    u8 stored = attr[LOC_COMPRESSED] ? attr[LOC_COMPRESSED] : size;
    if (attr[LOC_OFFSET] > image.data_size || stored > image.data_size - attr[LOC_OFFSET]) return NULL;
    *len = size;
    if (attr[LOC_COMPRESSED]) return inflate_resource(image.data + attr[LOC_OFFSET], stored, size);
    return image.data + attr[LOC_OFFSET];
}

const u1 *jimage_find(const char *module, const char *path, size_t *len) {
    Name n = split_name(module, path);
    return find_name(&n, len);
}

/* The resource /packages/a.b.c holds pairs (u4 is-empty, u4 module name offset); the pair
 * that is not empty names the module with classes in the package. */
static Symbol *read_package_module(const char *package) {
    size_t n = strlen(package), len;
    Name name = {.module = "packages", .module_len = 8, .parent = "", .ext = ""};
    Symbol *found = NULL;
    char *dots;

    if (n > 65535 || !(dots = malloc(n + 1))) return NULL;
    for (size_t i = 0; i <= n; i++) dots[i] = package[i] == '/' ? '.' : package[i];
    /* the last dot of the package name is not an extension here */
    name.base = dots;
    name.base_len = n;
    const u1 *p = find_name(&name, &len);
    for (size_t i = 0; p && i + 8 <= len; i += 8) {
        u4 at = get_u4(p + i + 4);
        if (get_u4(p + i) == 0 && at < image.strings_size) {
            found = symbol_of((const char *)image.strings + at);
            break;
        }
    }
    free(dots);
    return found;
}

Symbol *jimage_package_module(const char *package) {
    if (!image.base || !*package) return NULL;
    return read_package_module(package);
}

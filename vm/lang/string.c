/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings.  The intern table is weak: an entry lives as long as its String.
 * It is swept in the collector's pause; its mutex is never held across an
 * allocation or a poll, so no thread can stop inside it.
 */
#include "core/lock.h"
#include "core/reserve.h"
#include "lang/string.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "exec/throw.h"
#include "load/loader.h"
#include "object/object.h"
#include "object/symbol.h"
#include <stdlib.h>
#include <string.h>

static Object *new_string(Thread *t, int32_t bytes, u1 coder) {
    Object *value = heap_alloc_array(t, primitive_array_classes[T_BYTE], bytes);
    if (!value) return NULL;
    Object *s = heap_alloc_object(t, JC(String));
    if (!s) return NULL;
    ref_store(s, jc_off.String_value, value);
    OBJ_FIELD(u1, s, jc_off.String_coder) = coder;
    return s;
}

static inline Object *value_of(const Object *s) { return ref_load(s, jc_off.String_value); }
static inline u1 coder_of(const Object *s) { return OBJ_FIELD(u1, s, jc_off.String_coder); }

static Object *string_from_latin1(Thread *t, const u1 *s, int32_t len) {
    Object *o = new_string(t, len, 0);
    if (o) memcpy(array_data(value_of(o)), s, (size_t)len);
    return o;
}

Object *string_from_utf16(Thread *t, const u2 *s, int32_t len) {
    u2 all = 0;
    for (int32_t i = 0; i < len; i++) all |= s[i];
    if (all < 256) {
        Object *o = new_string(t, len, 0);
        if (!o) return NULL;
        u1 *d = array_data(value_of(o));
        for (int32_t i = 0; i < len; i++) d[i] = (u1)s[i];
        return o;
    }
    if (len > INT32_MAX / 2) return throw_oom(t, "UTF16 String size is too large"), NULL;
    Object *o = new_string(t, len * 2, 1);
    if (o) memcpy(array_data(value_of(o)), s, (size_t)len * 2);
    return o;
}

static inline bool continues(u1 c) { return (c & 0xc0) == 0x80; }

/* Decode one modified UTF-8 unit; malformed bytes stand for themselves. */
static size_t decode_unit(const u1 *p, const u1 *end, u2 *out) {
    if (p[0] < 0x80) return *out = p[0], 1;
    if ((p[0] & 0xe0) == 0xc0 && p + 1 < end && continues(p[1])) return *out = (u2)((p[0] & 0x1f) << 6 | (p[1] & 0x3f)), 2;
    if ((p[0] & 0xf0) == 0xe0 && p + 2 < end && continues(p[1]) && continues(p[2]))
        return *out = (u2)((p[0] & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f)), 3;
    return *out = p[0], 1;
}

typedef struct Utf16Buf {
    u2 local[256];
    u2 *chars;
    int32_t len;
} Utf16Buf;

/* False: OutOfMemoryError. */
static bool utf16_room(Thread *t, Utf16Buf *b, size_t len) {
    b->chars = len <= ARRAY_LEN(b->local) ? b->local : malloc(len * sizeof(u2));
    return b->chars || (throw_no_memory(t), false);
}

static bool utf16_decode(Thread *t, Utf16Buf *b, const char *s, size_t len) {
    if (!utf16_room(t, b, len)) return false;
    b->len = 0;
    int32_t units = 0; /* as many as there are bytes that begin one: this bounds malformed text */
    for (size_t i = 0; i < len; i++) units += !continues((u1)s[i]);
    for (const u1 *p = (const u1 *)s, *end = p + len; p < end && b->len < units;) p += decode_unit(p, end, &b->chars[b->len++]);
    return true;
}
static void utf16_free(Utf16Buf *b) {
    if (b->chars != b->local) free(b->chars);
}

static bool is_ascii(const char *s, size_t len) {
    u1 all = 0;
    for (size_t i = 0; i < len; i++) all |= (u1)s[i];
    return all < 0x80;
}

Object *string_from_mutf8(Thread *t, const char *s, size_t len) {
    if (is_ascii(s, len)) return string_from_latin1(t, (const u1 *)s, (int32_t)len);
    Utf16Buf b;
    if (!utf16_decode(t, &b, s, len)) return NULL;
    Object *o = string_from_utf16(t, b.chars, b.len);
    utf16_free(&b);
    return o;
}
Object *string_from_cstr(Thread *t, const char *s) { return s ? string_from_mutf8(t, s, strlen(s)) : NULL; }
Object *string_from_symbol(Thread *t, const Symbol *s) { return string_from_mutf8(t, s->bytes, s->len); }

Object *string_from_symbol_dots(Thread *t, const Symbol *s) {
    char local[512] = "", *p = s->len < sizeof local ? local : malloc(s->len);
    if (!p) return throw_no_memory(t), NULL;
    for (int i = 0; i < s->len; i++) p[i] = s->bytes[i] == '/' ? '.' : s->bytes[i];
    Object *o = string_from_mutf8(t, p, s->len);
    if (p != local) free(p);
    return o;
}

/* Standard UTF-8 (supplementary characters in four bytes); bytes that are not valid UTF-8
 * are taken as Latin-1, so that no OS text is lost. */
Object *string_from_platform(Thread *t, const char *s) {
    if (!s) return NULL;
    size_t len = strlen(s);
    if (is_ascii(s, len)) return string_from_latin1(t, (const u1 *)s, (int32_t)len);
    u2 *out = malloc((len + 1) * sizeof(u2));
    if (!out) return throw_no_memory(t), NULL;
    int32_t n = 0;
    for (const u1 *p = (const u1 *)s, *end = p + len; p < end;) {
        if ((p[0] & 0xf8) == 0xf0 && end - p >= 4) {
            u4 c = (p[0] & 7u) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u);
            c -= 0x10000;
            out[n++] = (u2)(0xd800 | c >> 10);
            out[n++] = (u2)(0xdc00 | (c & 0x3ff));
            p += 4;
        } else {
            p += decode_unit(p, end, &out[n++]);
        }
    }
    Object *o = string_from_utf16(t, out, n);
    free(out);
    return o;
}

int32_t string_length(const Object *s) { return value_of(s) ? array_len(value_of(s)) >> coder_of(s) : 0; }

static u2 char_at(const Object *s, int32_t i) {
    Object *v = value_of(s);
    return coder_of(s) ? ARRAY_ELEMS(u2, v)[i] : ARRAY_ELEMS(u1, v)[i];
}

size_t string_mutf8_length(const Object *s) {
    size_t n = 0;
    for (int32_t i = 0, len = string_length(s); i < len; i++) {
        u2 c = char_at(s, i);
        n += c == 0 ? 2 : c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }
    return n;
}

static char *encode_unit(char *p, u2 c) {
    if (c && c < 0x80) {
        *p++ = (char)c;
    } else if (c < 0x800) {
        *p++ = (char)(0xc0 | c >> 6);
        *p++ = (char)(0x80 | (c & 0x3f));
    } else {
        *p++ = (char)(0xe0 | c >> 12);
        *p++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p++ = (char)(0x80 | (c & 0x3f));
    }
    return p;
}
void string_get_mutf8(const Object *s, int32_t start, int32_t len, char *out) {
    for (int32_t i = 0; i < len; i++) out = encode_unit(out, char_at(s, start + i));
    *out = 0;
}
char *string_to_cstr(const Object *s) {
    if (!s) return NULL;
    char *p = malloc(string_mutf8_length(s) + 1);
    if (p) string_get_mutf8(s, 0, string_length(s), p);
    return p;
}
static Symbol *to_symbol(const Object *s, bool slashes) {
    char *p = reserve_alloc(string_mutf8_length(s) + 1, "a name");
    string_get_mutf8(s, 0, string_length(s), p);
    if (slashes) text_replace(p, '.', '/');
    Symbol *sym = symbol_of(p);
    free(p);
    return sym;
}
Symbol *string_to_symbol(const Object *s) { return to_symbol(s, false); }
Symbol *string_to_symbol_slashes(const Object *s) { return to_symbol(s, true); }

void string_get_utf16(const Object *s, int32_t start, int32_t len, u2 *out) {
    for (int32_t i = 0; i < len; i++) out[i] = char_at(s, start + i);
}
static bool string_equals_utf16(const Object *s, const u2 *c, int32_t len) {
    if (string_length(s) != len) return false;
    for (int32_t i = 0; i < len; i++)
        if (char_at(s, i) != c[i]) return false;
    return true;
}
static int32_t hash_utf16(const u2 *c, int32_t len) {
    u4 h = 0;
    for (int32_t i = 0; i < len; i++) h = 31 * h + c[i];
    return (int32_t)h;
}
/* --- interning --- */
typedef struct Interned {
    struct Interned *next;
    Object *string;
    u4 hash;
} Interned;
static Interned **buckets;
static size_t n_buckets, n_interned;
static VmLock intern_lock = VM_LOCK(INTERN);

static void sweep_interned(bool (*is_live)(Object *)) {
    for (size_t i = 0; i < n_buckets; i++) {
        for (Interned **p = &buckets[i], *e; (e = *p);) {
            if (is_live(e->string)) p = &e->next;
            else *p = e->next, n_interned--, free(e);
        }
    }
}
void string_init(void) {
    n_buckets = 4096;
    buckets = reserve_zeroed(n_buckets * sizeof *buckets, "interned strings");
    heap_add_weak_table("interned strings", sweep_interned);
}
static void grow_table(void) {
    size_t n = n_buckets * 4;
    Interned **fresh = calloc(n, sizeof *fresh);
    if (!fresh) return;
    for (size_t i = 0; i < n_buckets; i++) {
        for (Interned *e = buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = fresh[e->hash & (n - 1)];
            fresh[e->hash & (n - 1)] = e;
        }
    }
    free(buckets);
    buckets = fresh;
    n_buckets = n;
}
static Object *find_interned(const u2 *c, int32_t len, u4 hash) {
    for (Interned *e = buckets[hash & (n_buckets - 1)]; e; e = e->next)
        if (e->hash == hash && string_equals_utf16(e->string, c, len)) return e->string;
    return NULL;
}
/* The canonical string of these characters; `candidate` is inserted if it is new. NULL: OutOfMemoryError, if there is one. */
static Object *intern_chars(Thread *t, const u2 *c, int32_t len, Object *candidate) {
    u4 hash = (u4)hash_utf16(c, len);
    lock_take(&intern_lock);
    Object *found = find_interned(c, len, hash);
    Interned *e = !found && candidate ? malloc(sizeof *e) : NULL;
    if (e) {
        size_t i = hash & (n_buckets - 1);
        *e = (Interned){buckets[i], candidate, hash};
        buckets[i] = e;
        found = candidate;
        if (++n_interned > n_buckets) grow_table();
    }
    lock_release(&intern_lock);
    if (!found && candidate) throw_no_memory(t);
    return found;
}
Object *string_intern(Thread *t, Object *s) {
    Utf16Buf b;
    b.len = string_length(s);
    if (!utf16_room(t, &b, (size_t)b.len)) return NULL;
    string_get_utf16(s, 0, b.len, b.chars);
    Object *o = intern_chars(t, b.chars, b.len, s);
    utf16_free(&b);
    return o;
}
Object *string_intern_symbol(Thread *t, const Symbol *s) {
    Utf16Buf b;
    if (!utf16_decode(t, &b, s->bytes, s->len)) return NULL;
    Object *o = intern_chars(t, b.chars, b.len, NULL);
    if (!o) {
        Object *fresh = string_from_utf16(t, b.chars, b.len);
        if (fresh) o = intern_chars(t, b.chars, b.len, fresh);
    }
    utf16_free(&b);
    return o;
}

size_t string_visit_interned(void (*fn)(Object *, void *), void *arg, size_t *table_size) {
    HOLDING(&intern_lock);
    for (size_t i = 0; fn && i < n_buckets; i++)
        for (Interned *e = buckets[i]; e; e = e->next) fn(e->string, arg);
    *table_size = n_buckets;
    return n_interned;
}

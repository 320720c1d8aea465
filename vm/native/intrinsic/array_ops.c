/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arraycopy, clone, array creation by class.
 *
 * arraycopy of references is a block move when no element check is needed (the
 * destination's element type is a supertype of the source's); otherwise elements
 * are stored one by one up to the first that does not fit (JLS: the copied ones
 * stay).  Block moves keep aligned elements whole.
 */
#include "native/intrinsic/array_ops.h"
#include "core/hooks.h"

#include "heap/records.h"
#include "lang/javaclasses.h"

#include "native/intrinsic/words.h"

#include <string.h>

/* ---- arraycopy ---- */

static const char *elem_name(const Class *array) {
    return array->elem_type >= T_OBJECT ? "object array" : primitive_classes[array->elem_type]->name->bytes;
}

static COLD void throw_copy_type(Thread *t, Object *src, Object *dst) {
    Class *s = obj_class(src), *d = obj_class(dst);
    if (!class_is_array(s)) {
        throw_new(t, EX_ArrayStoreException, "arraycopy: source type %s is not an array", class_text(s).s);
    } else if (!class_is_array(d)) {
        throw_new(t, EX_ArrayStoreException, "arraycopy: destination type %s is not an array", class_text(d).s);
    } else {
        throw_new(t, EX_ArrayStoreException, "arraycopy: type mismatch: can not copy %s[] into %s[]", elem_name(s), elem_name(d));
    }
}

static COLD void throw_copy_bounds(Thread *t, Object *src, int32_t sp, Object *dst, int32_t dp, int32_t len) {
    const char *se = elem_name(obj_class(src)), *de = elem_name(obj_class(dst));
    int32_t sl = array_len(src), dl = array_len(dst);
    if (sp < 0)
        throw_new(t, EX_ArrayIndexOutOfBoundsException, "arraycopy: source index %d out of bounds for %s[%d]", sp, se, sl);
    else if (dp < 0)
        throw_new(t, EX_ArrayIndexOutOfBoundsException, "arraycopy: destination index %d out of bounds for %s[%d]", dp, de, dl);
    else if (len < 0) throw_new(t, EX_ArrayIndexOutOfBoundsException, "arraycopy: length %d is negative", len);
    else if ((u4)len + (u4)sp > (u4)sl)
        throw_new(t, EX_ArrayIndexOutOfBoundsException, "arraycopy: last source index %u out of bounds for %s[%d]",
                  (u4)len + (u4)sp, se, sl);
    else
        throw_new(t, EX_ArrayIndexOutOfBoundsException, "arraycopy: last destination index %u out of bounds for %s[%d]",
                  (u4)len + (u4)dp, de, dl);
}

static void copy_checked(Thread *t, Object *src, int32_t sp, Object *dst, int32_t dp, int32_t len) {
    Class *want = obj_class(dst)->component;
    for (int32_t i = 0; i < len; i++) {
        Object *v = array_ref(src, sp + i);
        if (UNLIKELY(v && !obj_instanceof(v, want))) {
            if (class_is_subtype(want, obj_class(src)->component))
                throw_new(t, EX_ArrayStoreException,
                          "arraycopy: element type mismatch: can not cast one of the elements of "
                          "%s[] to the type of the destination array, %s",
                          class_text(obj_class(src)->component).s, class_text(want).s);
            else
                throw_new(t, EX_ArrayStoreException, "arraycopy: type mismatch: can not copy %s[] into %s[]",
                          class_text(obj_class(src)->component).s, class_text(want).s);
            return;
        }
        array_set_ref(dst, dp + i, v);
    }
}

/* Short ones, by their first and last words, which may overlap: all are read before one is written. */
static inline void move_bytes(u1 *to, const u1 *from, size_t n) {
#if defined(__SSE2__)
    if (n - 16 <= 48) {
        size_t half = n > 32 ? 16 : 0;
        __m128i a = _mm_loadu_si128((const __m128i *)from), b = _mm_loadu_si128((const __m128i *)(from + half));
        __m128i c = _mm_loadu_si128((const __m128i *)(from + n - 16 - half)),
                d = _mm_loadu_si128((const __m128i *)(from + n - 16));
        _mm_storeu_si128((__m128i *)to, a);
        _mm_storeu_si128((__m128i *)(to + half), b);
        _mm_storeu_si128((__m128i *)(to + n - 16 - half), c);
        _mm_storeu_si128((__m128i *)(to + n - 16), d);
        return;
    }
    if (n - 8 < 8) {
        u8 a = word_at(from), b = word_at(from + n - 8);
        memcpy(to, &a, 8);
        memcpy(to + n - 8, &b, 8);
        return;
    }
#endif
    memmove(to, from, n);
}

/* Apart, so that the copies of numbers save no registers. */
static __attribute__((noinline)) bool copy_refs(Object *dst, size_t to, const Object *src, size_t from, size_t bytes) {
    obj_copy(dst, to, src, from, bytes);
    return true;
}
/* One by one: each is asked for its class and then stored, whatever others do to the source meanwhile.  Where one does not fit op_arraycopy begins anew and
 * throws there: arrays of two classes are two arrays, so what was copied is copied again. */
static bool copy_fitting(const Object *src, int32_t sp, Object *dst, int32_t dp, int32_t len) {
    Class *want = obj_class(dst)->component;
    for (int32_t i = 0; i < len; i++) {
        Object *v = array_ref(src, sp + i);
        if (UNLIKELY(v && !obj_instanceof(v, want))) return false;
        array_set_ref(dst, dp + i, v);
    }
    return true;
}
static __attribute__((noinline)) bool copy_subtype(const Object *src, int32_t sp, Object *dst, int32_t dp, int32_t len) {
    Class *s = obj_class(src), *d = obj_class(dst);
    if (s->elem_type < T_OBJECT || !class_is_array(d) || d->elem_type < T_OBJECT) return false;
    if (!class_is_subtype(s->component, d->component)) return copy_fitting(src, sp, dst, dp, len);
    return copy_refs(dst, ARRAY_BASE + ((size_t)dp << 2), src, ARRAY_BASE + ((size_t)sp << 2), (size_t)len << 2);
}

bool op_arraycopy_quick(const Object *src, int32_t sp, Object *dst, int32_t dp, int32_t len) {
    if (UNLIKELY(!src || !dst)) return false;
    Class *s = obj_class(src), *d = obj_class(dst);
    if (UNLIKELY(!class_is_array(s))) return false;
    if (UNLIKELY((sp | dp | len) < 0) || UNLIKELY((u4)len + (u4)sp > (u4)array_len(src)) ||
        UNLIKELY((u4)len + (u4)dp > (u4)array_len(dst)))
        return false;
    if (s != d) return copy_subtype(src, sp, dst, dp, len);
    int shift = s->elem_shift;
    size_t to = ARRAY_BASE + ((size_t)dp << shift), from = ARRAY_BASE + ((size_t)sp << shift), bytes = (size_t)len << shift;
    if (s->elem_type >= T_OBJECT) return copy_refs(dst, to, src, from, bytes);
    JAVA_COPY move_bytes((u1 *)dst + to, (const u1 *)src + from, bytes);
    return true;
}

void op_arraycopy(Thread *t, Object *src, int32_t sp, Object *dst, int32_t dp, int32_t len) {
    if (LIKELY(op_arraycopy_quick(src, sp, dst, dp, len))) return;
    if (!src || !dst) return throw_plain(t, EX_NullPointerException);
    Class *s = obj_class(src), *d = obj_class(dst);
    bool refs = class_is_array(s) && class_is_array(d) && s->elem_type >= T_OBJECT && d->elem_type >= T_OBJECT;
    if (!refs && (s != d || !class_is_array(s))) throw_copy_type(t, src, dst);
    else if (sp < 0 || dp < 0 || len < 0 || (u4)len + (u4)sp > (u4)array_len(src) || (u4)len + (u4)dp > (u4)array_len(dst))
        throw_copy_bounds(t, src, sp, dst, dp, len);
    else copy_checked(t, src, sp, dst, dp, len);
}

/* ---- clone ---- */

Object *op_clone(Thread *t, Object *o) {
    Class *c = obj_class(o);
    Object *n;
    size_t size;
    if (class_is_array(c)) {
        n = heap_alloc_array(t, c, array_len(o));
        size = ARRAY_BASE + ((size_t)array_len(o) << (c->elem_type >= T_OBJECT ? 2 : c->elem_shift));
    } else {
        if (!class_is_subtype(c, JC(Cloneable)) || (c->flags & (CF_REFERENCE | CF_MIRROR)))
            return throw_new(t, EX_CloneNotSupportedException, "%s", class_text(c).s), NULL;
        n = heap_alloc_object(t, c);
        size = c->instance_size;
    }
    if (!n) return NULL;
    obj_copy(n, OBJECT_HEADER, o, OBJECT_HEADER, size - OBJECT_HEADER);
    if (UNLIKELY(c->flags & CF_OUTSIDE) && !records_copy(t, o, n)) return NULL;
    if (c->flags & CF_FINALIZABLE) {
        Slot arg = {.ref = n};
        if (!exec_call(t, jc_method(JM_Finalizer_register), &arg, NULL)) return NULL;
    }
    HOOK_CALL(VM_ALLOC, vm_alloc, t, n);
    return n;
}

/* ---- creation ---- */

enum { MAX_DIMS = 255 };

/* Of which arrays are to be made that have so many dimensions more.  Lengths are looked at before. */
static bool element_ok(Thread *t, const Class *c, int dims) {
    int have = class_is_array(c) ? c->dims : 0;
    if (c != primitive_classes[T_VOID] && have + dims <= MAX_DIMS) return true;
    return throw_plain(t, EX_IllegalArgumentException), false;
}

Object *op_new_array(Thread *t, Object *mirror, int32_t length) {
    if (!mirror) return throw_plain(t, EX_NullPointerException), NULL;
    if (!check_array_length(t, length) || !element_ok(t, mirror_class(mirror), 1)) return NULL;
    Object *a = class_new_array(t, mirror_class(mirror), length);
    if (a) HOOK_CALL(VM_ALLOC, vm_alloc, t, a);
    return a;
}

static Object *fill_dims(Thread *t, Class *ac, const int32_t *dims, int n) {
    Object *a = heap_alloc_array(t, ac, dims[0]);
    if (a) HOOK_CALL(VM_ALLOC, vm_alloc, t, a);
    if (!a || n == 1) return a;
    for (int32_t i = 0; i < dims[0]; i++) {
        Object *sub = fill_dims(t, ac->component, dims + 1, n - 1);
        if (!sub) return NULL;
        array_set_ref(a, i, sub);
    }
    return a;
}

Object *op_new_multi_array(Thread *t, Object *mirror, Object *dim_array) {
    int32_t dims[MAX_DIMS];
    if (!dim_array || !mirror) return throw_plain(t, EX_NullPointerException), NULL;
    int32_t n = array_len(dim_array);
    Class *c = mirror_class(mirror);
    if (n == 0 || n > MAX_DIMS) return throw_plain(t, EX_IllegalArgumentException), NULL;
    for (int32_t i = 0; i < n; i++) {
        dims[i] = ARRAY_ELEMS(int32_t, dim_array)[i];
        if (!check_array_length(t, dims[i])) return NULL;
    }
    if (!element_ok(t, c, n)) return NULL;
    for (int32_t i = 0; i < n && c; i++) c = class_array_of(t, c);
    return c ? fill_dims(t, c, dims, n) : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Primitive values of an object, for the callbacks of a heap walk: elements of arrays, characters of
 * strings, fields of instances, statics of classes.  Filters hold here as
 * for references, with the tag that the last callback left.
 */
#include "heap/records.h"
#include "ti_heap.h"
#include "lang/string.h"
#include "object/class.h"
#include "object/field.h"
#include <stdlib.h>

/* The tag of the class, unless the object is not to be reported. */
static bool wanted(HeapWalk *w, jlong *class_tag) {
    *class_tag = ti_heap_class_tag(w, w->referrer_class);
    if (!w->filter_values) return true;
    return !(w->only && w->referrer_class->c != w->only) && !ti_heap_filtered(w, w->referrer_tag, *class_tag);
}
/* After a callback that saw &w->referrer_tag. */
static bool answered(HeapWalk *w, jlong before, jint answer) {
    ti_heap_tag_back(w, w->referrer, before, w->referrer_tag);
    return !(answer & JVMTI_VISIT_ABORT) && !w->error;
}

bool ti_heap_array_values(HeapWalk *w) {
    Object *o = w->referrer;
    jlong before = w->referrer_tag, class_tag;
    if (!w->cb.array_primitive_value_callback || !wanted(w, &class_tag)) return true;
    return answered(w, before,
                    w->cb.array_primitive_value_callback(class_tag, (jlong)heap_object_size(o), &w->referrer_tag, array_len(o),
                                                         (jvmtiPrimitiveType)type_letter(obj_class(o)->elem_type), array_data(o),
                                                         w->user));
}

static const jchar *text_of(HeapWalk *w, const Object *s, jint n) {
    if ((size_t)n > w->text_size) {
        jchar *more = realloc(w->text, ((size_t)n * 2 + 256) * sizeof *more);
        if (!more) return NULL;
        w->text = more;
        w->text_size = (size_t)n * 2 + 256;
    }
    string_get_utf16(s, 0, n, w->text);
    return w->text;
}
bool ti_heap_string_value(HeapWalk *w) {
    static const jchar no_text[1];
    Object *o = w->referrer;
    jlong before = w->referrer_tag, class_tag;
    if (!w->cb.string_primitive_value_callback || !wanted(w, &class_tag)) return true;
    if (!JGET_REF(o, String, value)) return true; /* being made */
    jint n = string_length(o);
    const jchar *text = n ? text_of(w, o, n) : no_text;
    if (!text) return w->error = JVMTI_ERROR_OUT_OF_MEMORY, false;
    return answered(
        w, before,
        w->cb.string_primitive_value_callback(class_tag, (jlong)heap_object_size(o), &w->referrer_tag, text, n, w->user));
}

static jvalue value_of(const Object *holder, u4 place, u1 type) {
    u4 offset;
    const Object *o = field_home(holder, place, &offset);
    jvalue v = {0};
    memcpy(&v, obj_at(o, offset), (size_t)1 << type_size_shift((BasicType)type));
    return v;
}
bool ti_heap_field_value(HeapWalk *w, jvmtiHeapReferenceKind kind, jint index, u4 offset, u1 type) {
    jvmtiHeapReferenceInfo info;
    jlong before = w->referrer_tag, class_tag;
    if (!w->cb.primitive_field_callback || !wanted(w, &class_tag)) return true;
    info.field.index = index;
    return answered(w, before,
                    w->cb.primitive_field_callback(kind, &info, class_tag, &w->referrer_tag, value_of(w->referrer, offset, type),
                                                   (jvmtiPrimitiveType)type_letter(type), w->user));
}

/* --- without references --- */

static bool static_values(HeapWalk *w) {
    Class *k = ti_heap_mirrored(w->referrer);
    jint first = k ? ti_heap_first_index(k) : 0;
    for (u4 i = k ? k->n_fields : 0; i-- > 0;) {
        const Field *f = &k->fields[i];
        if (f->access & ACC_STATIC && f->type < T_OBJECT &&
            !ti_heap_field_value(w, JVMTI_HEAP_REFERENCE_STATIC_FIELD, first + (jint)i, f->offset, f->type))
            return false;
    }
    return true;
}
static bool field_values(HeapWalk *w) {
    const HeapClass *k = w->referrer_class;
    for (const HeapField *f = k->fields, *end = f + k->n_fields; f < end; f++)
        if (f->type < T_OBJECT && !ti_heap_field_value(w, JVMTI_HEAP_REFERENCE_FIELD, f->index, f->offset, f->type)) return false;
    return true;
}
bool ti_heap_values(HeapWalk *w) {
    Class *c = obj_class(w->referrer);
    if (c->flags & CF_ARRAY) return c->elem_type >= T_OBJECT || ti_heap_array_values(w);
    if (w->cb.primitive_field_callback && !(c->flags & CF_MIRROR ? static_values(w) : field_values(w))) return false;
    return c != JC(String) || ti_heap_string_value(w);
}

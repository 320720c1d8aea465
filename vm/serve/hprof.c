/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heap dumps in the HPROF binary format, version 1.0.2.
 *
 * File: header, then records {u1 tag, u4 time, u4 length, body}.  First everything that names
 * things (strings, classes, frames, traces), then heap dump segments with roots, classes and
 * objects, then one end record.  Numbers are big-endian; ids are 8 bytes:
 *   object  its address        class   address of its mirror (java.lang.Class instance)
 *   string  address of the Symbol or C string that holds the text     frame   a serial number
 * A class object is described by its CLASS DUMP; mirrors of primitive types, which have no
 * class dump, appear as plain instances.
 *
 * Constants of a class (resolved strings, method handles, call-site targets) and VM-held
 * references are shown as static fields with names in angle brackets, so that every reader
 * sees why they are alive.
 *
 * Sub-records collect in a buffer which becomes a segment when full; an object larger than the
 * buffer is a segment of its own and streams.  Arrays that pass the 4 GiB of a record are cut, as the
 * format cannot hold them; the report says so.
 *
 * Roots are the exact ones of frame/heap_roots.h, so the dump says by which frame of which thread an
 * object is held; frame n is the nth of the thread's trace.
 */
#include "object/field.h"
#include "object/method.h"
#include "object/version.h"
#include "base/cf_table.h"
#include "serve/diag.h"
#include "frame/frame_view.h"
#include "jvm/jvm_int.h"

#include "frame/heap_roots.h"
#include "heap/records.h"
#include "load/loader.h"
#include "os/os.h"
#include "heap/heap_upcall.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { /* record tags */
       R_STRING = 0x01,
       R_LOAD_CLASS = 0x02,
       R_FRAME = 0x04,
       R_TRACE = 0x05,
       R_SEGMENT = 0x1c,
       R_END = 0x2c
};
enum { /* sub-record tags of a segment */
       S_JNI_GLOBAL = 0x01,
       S_JNI_LOCAL = 0x02,
       S_JAVA_FRAME = 0x03,
       S_STICKY_CLASS = 0x05,
       S_MONITOR = 0x07,
       S_THREAD = 0x08,
       S_UNKNOWN = 0xff,
       S_CLASS = 0x20,
       S_INSTANCE = 0x21,
       S_OBJECT_ARRAY = 0x22,
       S_PRIMITIVE_ARRAY = 0x23
};
enum { TYPE_OBJECT = 2, NO_TRACE = 1 /* serial of the empty trace */, BUFFER = 1 << 20, NO_LINE = -1, NATIVE_LINE = -3 };

typedef struct Writer {
    gzFile file;
    u8 written;
    bool failed, direct; /* direct: the open segment streams */
    u1 *buf;
    size_t used;
    CfTable named;             /* strings and classes already written */
    const Thread *last_thread; /* whose number is last_serial */
    u4 last_serial;
    u8 frame_id;
    int error; /* errno of what failed first */
    Thread *self;
    FILE *out; /* what the user is told */
    const HprofRequest *request;
} Writer;

/* ---- bytes ---- */

static void emit(Writer *w, const void *p, size_t n) {
    const u1 *b = p;
    for (size_t part; n && !w->failed; b += part, n -= part) {
        part = n < 1u << 30 ? n : 1u << 30;
        if (gzwrite(w->file, b, (unsigned)part) != (int)part) w->failed = true, w->error = errno;
        w->written += part;
    }
}

static void put(Writer *w, const void *p, size_t n) {
    if (w->direct) return emit(w, p, n);
    memcpy(w->buf + w->used, p, n);
    w->used += n;
}
static void put1(Writer *w, u1 v) { put(w, &v, 1); }
static void put2(Writer *w, u2 v) { put(w, &(u2){__builtin_bswap16(v)}, 2); }
static void put4(Writer *w, u4 v) { put(w, &(u4){__builtin_bswap32(v)}, 4); }
static void put8(Writer *w, u8 v) { put(w, &(u8){__builtin_bswap64(v)}, 8); }
static void put_id(Writer *w, const void *p) { put8(w, (uintptr_t)p); }
static void put_class(Writer *w, const Class *c) { put_id(w, c ? c->mirror : NULL); }

/* A record outside of segments streams as well. */
static void record(Writer *w, u1 tag, size_t len) {
    w->direct = true;
    put1(w, tag);
    put4(w, 0);
    put4(w, (u4)len);
}

static void flush_segment(Writer *w) {
    if (w->used) {
        record(w, R_SEGMENT, w->used);
        emit(w, w->buf, w->used);
        w->used = 0;
    }
    w->direct = false;
}

/* Room for a sub-record of n bytes, tag included. */
static void sub_record(Writer *w, u1 tag, size_t n) {
    if (w->direct || w->used + n > BUFFER) flush_segment(w);
    if (n > BUFFER) record(w, R_SEGMENT, n);
    put1(w, tag);
}

static void object_record(Writer *w, u1 tag, size_t n, const Object *o) {
    sub_record(w, tag, n);
    put_id(w, o);
    put4(w, NO_TRACE);
}

/* ---- names ---- */

static bool is_same(const void *item, const void *key) { return item == key; }

/* Remembers key; false if it was there already. */
static bool is_new(Writer *w, const void *key) {
    u4 hash = cf_hash_u64((uintptr_t)key);
    if (cf_table_find(&w->named, hash, is_same, key)) return false;
    if (!cf_table_add(&w->named, hash, (void *)key)) w->failed = true;
    return !w->failed;
}

/* The number of a class: its address, which has 32 bits (object/class_region.c). */
static u4 class_serial(const Class *c) { return (u4)(uintptr_t)c; }

static void name_text(Writer *w, const void *id, const char *s, size_t n) {
    if (!is_new(w, id)) return;
    record(w, R_STRING, 8 + n);
    put_id(w, id);
    put(w, s, n);
}
static void name_symbol(Writer *w, const Symbol *s) { name_text(w, s, s->bytes, strlen(s->bytes)); }

/* Static "fields" that Java does not know. */
static const char name_constant[] = "<constant>", name_call_site[] = "<call site>", name_class_data[] = "<class data>",
                  name_init_error[] = "<initialization error>";

static void write_class_names(Class *c, void *arg) {
    Writer *w = arg;
    if (class_is_primitive(c) || !is_new(w, c)) return;
    name_symbol(w, c->name);
    for (u4 i = 0; i < c->n_fields; i++) name_symbol(w, c->fields[i].name);
    record(w, R_LOAD_CLASS, 4 + 8 + 4 + 8);
    put4(w, class_serial(c));
    put_class(w, c);
    put4(w, NO_TRACE);
    put_id(w, c->name);
}

/* ---- stacks ---- */

static void write_frame(Writer *w, FrameView v) {
    const Method *m = view_method(v);
    CfStr file = method_source_file(m);
    int line = method_line_number(m, view_bci(v));
    name_symbol(w, m->name);
    name_symbol(w, m->desc);
    if (file.p) name_text(w, file.p, (const char *)file.p, file.len);
    record(w, R_FRAME, 4 * 8 + 2 * 4);
    put8(w, ++w->frame_id);
    put_id(w, m->name);
    put_id(w, m->desc);
    put_id(w, file.p);
    put4(w, class_serial(m->holder));
    put4(w, method_is_native(m) ? (u4)NATIVE_LINE : line >= 0 ? (u4)line : (u4)NO_LINE);
}

static void write_trace(Writer *w, u4 serial, u4 thread, u8 first_frame, u4 n) {
    record(w, R_TRACE, 12 + (size_t)n * 8);
    put4(w, serial);
    put4(w, thread);
    put4(w, n);
    for (u4 i = 0; i < n; i++) put8(w, first_frame + i);
}

/* Trace serial of the nth thread (from 1) is n + 1, behind the empty one. */
static void write_stacks(Writer *w) {
    u4 serial = 0;
    write_trace(w, NO_TRACE, 0, 0, 0);
    FOR_EACH_THREAD(k) {
        if (!k->java_thread) continue;
        u8 first = w->frame_id + 1;
        FOR_EACH_FRAME(v, k) write_frame(w, v);
        serial++;
        write_trace(w, serial + 1, serial, first, (u4)(w->frame_id + 1 - first));
    }
}

/* ---- roots ---- */

static void root_plain(Writer *w, u1 tag, Object *o) {
    if (!heap_is_object(o)) return;
    sub_record(w, tag, 9);
    put_id(w, o);
}
static void root_of_thread(Writer *w, u1 tag, Object *o, u4 thread, u4 frame) {
    sub_record(w, tag, 17);
    put_id(w, o);
    put4(w, thread);
    put4(w, frame);
}

/* Threads are numbered as write_stacks does. */
static u4 thread_serial(Writer *w, const Thread *t) {
    if (w->last_thread == t) return w->last_serial;
    u4 n = 0;
    w->last_thread = t;
    w->last_serial = 0;
    FOR_EACH_THREAD(k) {
        n += k->java_thread != NULL;
        if (k == t && k->java_thread) w->last_serial = n;
    }
    return w->last_serial;
}

static bool write_root(const HeapRoot *r, void *arg) {
    Writer *w = arg;
    Object *o = r->object;
    if (!heap_is_object(o)) return true;
    u4 thread = r->thread ? thread_serial(w, r->thread) : 0, frame = r->method ? r->depth : (u4)-1;
    switch (r->kind) {
    case HEAP_ROOT_JNI_GLOBAL:
        sub_record(w, S_JNI_GLOBAL, 17);
        put_id(w, o);
        put_id(w, r->cell);
        break;
    case HEAP_ROOT_SYSTEM_CLASS: /* mirrors of primitive types are no class dumps */
        root_plain(w, class_is_primitive(mirror_class(o)) ? S_UNKNOWN : S_STICKY_CLASS, o);
        break;
    case HEAP_ROOT_STACK_LOCAL: root_of_thread(w, S_JAVA_FRAME, o, thread, frame); break;
    case HEAP_ROOT_JNI_LOCAL: root_of_thread(w, S_JNI_LOCAL, o, thread, frame); break;
    case HEAP_ROOT_MONITOR: root_plain(w, S_MONITOR, o); break;
    case HEAP_ROOT_THREAD: root_of_thread(w, S_THREAD, o, thread, thread + 1); break; /* second: its trace */
    default: root_plain(w, S_UNKNOWN, o);
    }
    return !w->failed;
}

/* ---- fields ---- */

static u1 field_type(const Field *f) { return f->type >= T_OBJECT ? TYPE_OBJECT : f->type; }
static size_t type_bytes(u1 type) { return type == TYPE_OBJECT ? 8 : (size_t)1 << type_size_shift(type); }

static void put_number(Writer *w, const void *p, size_t size) {
    switch (size) {
    case 1: put1(w, *(const u1 *)p); break;
    case 2: put2(w, *(const u2 *)p); break;
    case 4: put4(w, *(const u4 *)p); break;
    default: put8(w, *(const u8 *)p);
    }
}

static void put_value(Writer *w, const Object *o, const Field *f) {
    u4 at;
    const Object *home = field_home(o, f->offset, &at);
    if (f->type >= T_OBJECT) put_id(w, ref_load(home, at));
    else put_number(w, (const u1 *)home + at, type_bytes(f->type));
}

/* ---- classes ---- */

typedef void (*HiddenStatic)(Writer *w, const char *name, Object *value);

static void each_constant(Writer *w, const Class *c, HiddenStatic fn) {
    ClassVersion *v = c->version;
    if (c->class_data) fn(w, name_class_data, c->class_data);
    if (c->init_error) fn(w, name_init_error, c->init_error);
    for (u4 i = 0; v && i < v->ref_cells.len; i++) {
        u2 idx = v->ref_cells.data[i];
        PoolCell *cell = &v->pool[idx];
        Object *o = NULL;
        if (atomic_load(&v->pool_state[idx]) != POOL_RESOLVED) continue;
        switch (cf_tag(v->cf, idx)) {
        case CF_CONST_CLASS: break;
        case CF_CONST_METHODREF:
        case CF_CONST_INTERFACEMETHODREF: o = cell->method->appendix; break;
        default: o = cell->object;
        }
        if (heap_is_object(o)) fn(w, name_constant, o);
    }
    for (u4 i = 0; v && i < v->n_call_sites; i++)
        if (v->call_sites[i] && v->call_sites[i]->appendix) fn(w, name_call_site, v->call_sites[i]->appendix);
}

static u4 hidden_count; /* [world stopped] */
static void count_hidden(Writer *w, const char *name, Object *value) { hidden_count++; }
static void put_hidden(Writer *w, const char *name, Object *value) {
    if (hidden_count == 0) return;
    hidden_count--;
    put_id(w, name);
    put1(w, TYPE_OBJECT);
    put_id(w, value);
}

static void put_field(Writer *w, const Field *f) {
    put_id(w, f->name);
    put1(w, field_type(f));
}

static void write_class(Class *c, void *arg) {
    Writer *w = arg;
    size_t n_static = 0, static_bytes = 0;
    if (class_is_primitive(c)) return;
    for (u4 i = 0; i < c->n_fields; i++)
        if (c->fields[i].access & ACC_STATIC) {
            n_static++;
            static_bytes += 9 + type_bytes(field_type(&c->fields[i]));
        }
    hidden_count = 0;
    each_constant(w, c, count_hidden);
    if (n_static + hidden_count > 0xffff) hidden_count = 0xffff - (u4)n_static;
    static_bytes += hidden_count * 17;
    object_record(w, S_CLASS, 1 + 8 + 4 + 6 * 8 + 4 + 2 + 2 + static_bytes + 2 + (c->n_fields - n_static) * 9, c->mirror);
    put_class(w, class_is_interface(c) ? JC(Object) : c->super);
    put_id(w, c->loader->java);
    put_id(w, c->signers);
    put_id(w, c->protection_domain);
    put8(w, 0);
    put8(w, 0);
    put4(w, class_is_array(c) ? 0 : c->instance_size);
    put2(w, 0); /* constant pool: see each_constant */
    put2(w, (u2)(n_static + hidden_count));
    for (u4 i = 0; i < c->n_fields; i++)
        if (c->fields[i].access & ACC_STATIC) put_field(w, &c->fields[i]), put_value(w, c->mirror, &c->fields[i]);
    each_constant(w, c, put_hidden);
    put2(w, (u2)(c->n_fields - n_static));
    for (u4 i = 0; i < c->n_fields; i++)
        if (!(c->fields[i].access & ACC_STATIC)) put_field(w, &c->fields[i]);
}

/* ---- objects ---- */

static size_t values_size(const Class *c) {
    size_t n = 0;
    for (; c; c = c->super)
        for (u4 i = 0; i < c->n_fields; i++)
            if (!(c->fields[i].access & ACC_STATIC)) n += type_bytes(field_type(&c->fields[i]));
    return n;
}

static void write_instance(Writer *w, Object *o) {
    size_t n = values_size(obj_class(o));
    object_record(w, S_INSTANCE, 1 + 8 + 4 + 8 + 4 + n, o);
    put_class(w, obj_class(o));
    put4(w, (u4)n);
    for (const Class *c = obj_class(o); c; c = c->super)
        for (u4 i = 0; i < c->n_fields; i++)
            if (!(c->fields[i].access & ACC_STATIC)) put_value(w, o, &c->fields[i]);
}

static u4 cut_length(Writer *w, Object *o, size_t element, size_t head) {
    size_t n = (size_t)array_len(o), most = (UINT32_MAX - head) / element;
    if (n <= most) return (u4)n;
    fprintf(w->out, "cannot dump array of type %s with length %zu; truncating to length %zu\n", obj_class(o)->name->bytes, n,
            most);
    return (u4)most;
}

static void write_object_array(Writer *w, Object *o) {
    u4 n = cut_length(w, o, 8, 25);
    object_record(w, S_OBJECT_ARRAY, 1 + 8 + 4 + 4 + 8 + (size_t)n * 8, o);
    put4(w, n);
    put_class(w, obj_class(o));
    for (u4 i = 0; i < n; i++) put_id(w, array_ref(o, (int32_t)i));
}

static void write_primitive_array(Writer *w, Object *o) {
    u1 type = obj_class(o)->elem_type;
    size_t size = type_bytes(type);
    u4 n = cut_length(w, o, size, 18);
    const u1 *data = array_data(o);
    object_record(w, S_PRIMITIVE_ARRAY, 1 + 8 + 4 + 4 + 1 + n * size, o);
    put4(w, n);
    put1(w, type);
    if (size == 1) return put(w, data, n);
    for (size_t i = 0; i < n; i++) put_number(w, data + i * size, size);
}

static bool write_object(Object *o, void *arg) {
    Writer *w = arg;
    const Class *c = obj_class(o);
    if (!class_is_array(c)) {
        Class *described = c == JC(Class) ? mirror_class(o) : NULL;
        if (!described || class_is_primitive(described)) write_instance(w, o);
    } else if (c->elem_type >= T_OBJECT) {
        write_object_array(w, o);
    } else {
        write_primitive_array(w, o);
    }
    return !w->failed;
}

/* ---- the file ---- */

static void write_header(Writer *w) {
    static const char magic[] = "JAVA PROFILE 1.0.2";
    w->direct = true;
    put(w, magic, sizeof magic);
    put4(w, 8);
    put8(w, (u8)os_millis());
}

static void dump_stopped(void *arg) {
    Writer *w = arg;
    static const char *const extra[] = {name_constant, name_call_site, name_class_data, name_init_error};
    if (w->request->live) heap_gc(w->self, "Heap Dump Initiated GC");
    write_header(w);
    for (size_t i = 0; i < ARRAY_LEN(extra); i++) name_text(w, extra[i], extra[i], strlen(extra[i]));
    loader_visit_all_classes(write_class_names, w);
    write_stacks(w);
    w->direct = false;
    loader_visit_all_classes(write_class, w);
    w->failed |= !heap_visit_roots(write_root, w);
    heap_walk(write_object, w);
    flush_segment(w);
    record(w, R_END, 0);
}

bool hprof_dump(Thread *t, const HprofRequest *r, FILE *out) {
    int64_t start = os_nanos();
    char mode[8] = "wbT";
    Writer w = {.self = t, .out = out, .request = r};
    fprintf(out, "Dumping heap to %s ...\n", r->path);
    int fd = open(r->path, O_WRONLY | O_CREAT | (r->overwrite ? O_TRUNC : O_EXCL) | O_CLOEXEC, 0600);
    if (fd < 0) {
        fprintf(out, "Unable to create %s: %s\n", r->path, strerror(errno));
        return false;
    }
    if (r->gzip) snprintf(mode, sizeof mode, "wb%d", r->gzip);
    w.buf = malloc(BUFFER);
    w.file = gzdopen(fd, mode);
    if (!w.buf || !w.file) {
        w.failed = true;
        if (!w.file) close(fd);
    } else {
        gzbuffer(w.file, BUFFER);
        safepoint_run("heap dump", dump_stopped, &w);
    }
    if (w.file && gzclose(w.file) != Z_OK && !w.failed) w.failed = true, w.error = errno;
    free(w.buf);
    cf_table_free(&w.named);
    if (w.failed) fprintf(out, HPROF_INCOMPLETE "%s\n", strerror(w.error ? w.error : ENOMEM));
    else
        fprintf(out, "Heap dump file created [%lu bytes in %.3f secs]\n", (unsigned long)w.written,
                (double)(os_nanos() - start) / 1e9);
    return !w.failed;
}

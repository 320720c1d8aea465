/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_redefine - natives by which Redefine.java redefines classes, looks at frames and method IDs, and
 * damages class files in one named way at a time.
 * Options: chain=LETTERS   one environment per letter, created in this order; capital letters can retransform
 */
#include "agent_test.h"
#include "classfile.h"

static jvmtiEnv *ti;
static JavaVM *the_vm;

/* ======================================================================== redefinition */

JNIEXPORT jstring JNICALL Java_Redefine_redefine(JNIEnv *env, jclass me, jobjectArray classes, jobjectArray files) {
    jsize n = (*env)->GetArrayLength(env, classes);
    jvmtiClassDefinition *d = calloc((size_t)n + 1, sizeof *d);
    for (jsize i = 0; i < n; i++) {
        jbyteArray b = (*env)->GetObjectArrayElement(env, files, i);
        d[i].klass = (*env)->GetObjectArrayElement(env, classes, i);
        d[i].class_byte_count = b ? (*env)->GetArrayLength(env, b) : 0;
        d[i].class_bytes = b ? (unsigned char *)(*env)->GetByteArrayElements(env, b, NULL) : NULL;
    }
    jvmtiError e = (*ti)->RedefineClasses(ti, n, d);
    for (jsize i = 0; i < n; i++) free((void *)d[i].class_bytes);
    free(d);
    return (*env)->NewStringUTF(env, error_name(e));
}

JNIEXPORT jstring JNICALL Java_Redefine_retransform(JNIEnv *env, jclass me, jobjectArray classes) {
    jsize n = (*env)->GetArrayLength(env, classes);
    jclass *c = calloc((size_t)n + 1, sizeof *c);
    for (jsize i = 0; i < n; i++) c[i] = (*env)->GetObjectArrayElement(env, classes, i);
    jvmtiError e = (*ti)->RetransformClasses(ti, n, c);
    free(c);
    return (*env)->NewStringUTF(env, error_name(e));
}

JNIEXPORT void JNICALL Java_Redefine_arguments(JNIEnv *env, jclass me, jclass plain, jclass array, jclass primitive,
                                               jclass hidden, jobject other) {
    unsigned char byte = 0;
    jvmtiClassDefinition rows[] = {{NULL, 1, &byte},   {plain, 0, &byte}, {plain, -1, &byte}, {plain, 0, NULL},
                                   {plain, 1, NULL},   {plain, 1, &byte}, {array, 1, &byte},  {primitive, 1, &byte},
                                   {hidden, 1, &byte}, {array, 0, &byte}, {array, 1, NULL},   {NULL, 0, NULL}};
    jclass classes[] = {NULL, plain, array, primitive, hidden, other};
    say("redefine count -1: %s", error_name((*ti)->RedefineClasses(ti, -1, rows)));
    say("redefine count -1, NULL: %s", error_name((*ti)->RedefineClasses(ti, -1, NULL)));
    say("redefine count 0, NULL: %s", error_name((*ti)->RedefineClasses(ti, 0, NULL)));
    say("redefine count 0: %s", error_name((*ti)->RedefineClasses(ti, 0, rows)));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        say("redefine row %zu: %s", i, error_name((*ti)->RedefineClasses(ti, 1, &rows[i])));
    for (size_t i = 0; i + 1 < sizeof rows / sizeof *rows; i++)
        say("redefine rows %zu and next: %s", i, error_name((*ti)->RedefineClasses(ti, 2, &rows[i])));
    say("retransform count -1: %s", error_name((*ti)->RetransformClasses(ti, -1, classes)));
    say("retransform count 0, NULL: %s", error_name((*ti)->RetransformClasses(ti, 0, NULL)));
    say("retransform count 0: %s", error_name((*ti)->RetransformClasses(ti, 0, classes)));
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        jboolean modifiable = 9;
        say("retransform row %zu: %s", i, error_name((*ti)->RetransformClasses(ti, 1, &classes[i])));
        say("  modifiable: %s", error_name((*ti)->IsModifiableClass(ti, classes[i], &modifiable)));
        say("  %d", modifiable);
    }
}

/* ======================================================================== frames and IDs */

static void say_method(const char *label, jmethodID m, jlocation at) {
    char *name = NULL, *sig = NULL;
    jboolean obsolete = 0;
    jint n = 0, line = -1, count = 0;
    unsigned char *code = NULL;
    jvmtiLineNumberEntry *table = NULL;
    jvmtiError e = (*ti)->GetMethodName(ti, m, &name, &sig, NULL);
    if (e) {
        say("%s: %s", label, error_name(e));
        return;
    }
    MUST((*ti)->IsMethodObsolete(ti, m, &obsolete));
    e = (*ti)->GetBytecodes(ti, m, &count, &code);
    if (!(*ti)->GetLineNumberTable(ti, m, &n, &table))
        for (jint i = 0; i < n; i++)
            if (table[i].start_location <= at) line = table[i].line_number;
    say("%s: %s%s obsolete %d location %ld line %d lines %d bytecodes %d %s", label, name, sig, obsolete, (long)at, line, n,
        count, error_name(e));
}

/* The caller's frames from `depth`, and whether their IDs are those that the class gives now. */
JNIEXPORT void JNICALL Java_Redefine_frames(JNIEnv *env, jclass me, jint from, jint count) {
    jvmtiFrameInfo f[20];
    jint n = 0;
    if (!MUST((*ti)->GetStackTrace(ti, NULL, from, count, f, &n))) return;
    for (jint i = 0; i < n; i++) {
        char *name = NULL, *sig = NULL;
        jclass k = NULL;
        jmethodID now = NULL;
        if (!(*ti)->GetMethodName(ti, f[i].method, &name, &sig, NULL) && !(*ti)->GetMethodDeclaringClass(ti, f[i].method, &k)) {
            now = (*env)->GetMethodID(env, k, name, sig);
            if (!now) {
                (*env)->ExceptionClear(env);
                now = (*env)->GetStaticMethodID(env, k, name, sig);
            }
            (*env)->ExceptionClear(env);
        }
        say_method(f[i].method == now ? "frame, current ID" : "frame, other ID", f[i].method, f[i].location);
    }
}

static jmethodID kept[16];
static jmethodID *kept_at(jint i) { return &kept[i & 15]; }

JNIEXPORT void JNICALL Java_Redefine_keepFrame(JNIEnv *env, jclass me, jint slot, jint depth) {
    jlocation at;
    MUST((*ti)->GetFrameLocation(ti, NULL, depth, kept_at(slot), &at));
}
JNIEXPORT void JNICALL Java_Redefine_keepMethod(JNIEnv *env, jclass me, jint slot, jobject method) {
    *kept_at(slot) = (*env)->FromReflectedMethod(env, method);
}
JNIEXPORT void JNICALL Java_Redefine_sayKept(JNIEnv *env, jclass me, jint slot) { say_method("kept", *kept_at(slot), 0); }
JNIEXPORT jint JNICALL Java_Redefine_callKept(JNIEnv *env, jclass me, jint slot, jobject receiver, jint x) {
    return (*env)->CallIntMethod(env, receiver, *kept_at(slot), x);
}

JNIEXPORT void JNICALL Java_Redefine_classFacts(JNIEnv *env, jclass me, jclass k) {
    jint minor = 0, major = 0, n = 0, status = 0;
    jmethodID *m = NULL;
    jfieldID *f = NULL;
    char *source = NULL;
    MUST((*ti)->GetClassVersionNumbers(ti, k, &minor, &major));
    MUST((*ti)->GetClassStatus(ti, k, &status));
    jvmtiError e = (*ti)->GetSourceFileName(ti, k, &source);
    say("version %d.%d status %x source %s", major, minor, status, e ? error_name(e) : source);
    if (MUST((*ti)->GetClassMethods(ti, k, &n, &m)))
        for (jint i = 0; i < n; i++) say_method(" method", m[i], 0);
    if (MUST((*ti)->GetClassFields(ti, k, &n, &f)))
        for (jint i = 0; i < n; i++) {
            char *name = NULL, *sig = NULL, *gen = NULL;
            MUST((*ti)->GetFieldName(ti, k, f[i], &name, &sig, &gen));
            say(" field %s %s %s", name, sig, gen ? gen : "-");
        }
}

/* ======================================================================== breakpoints */

static int hits;
static void JNICALL on_breakpoint(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    say_method("breakpoint", m, at);
    hits++;
}
JNIEXPORT jstring JNICALL Java_Redefine_setBreak(JNIEnv *env, jclass me, jint slot, jlong at) {
    return (*env)->NewStringUTF(env, error_name((*ti)->SetBreakpoint(ti, *kept_at(slot), at)));
}
JNIEXPORT jstring JNICALL Java_Redefine_clearBreak(JNIEnv *env, jclass me, jint slot, jlong at) {
    return (*env)->NewStringUTF(env, error_name((*ti)->ClearBreakpoint(ti, *kept_at(slot), at)));
}

/* ======================================================================== damage */

static CfClass *c;
static CfMember gone; /* for damage to what the other damage removed */

static CfStr name_at(unsigned i) { return cf_class_name(c, i); }
static CfMember *method(const char *name) {
    CfMember *m = cf_find_method(c, cf_str(name), (CfStr){NULL, 0});
    return m ? m : &gone;
}
static CfMember *field(const char *name) {
    CfMember *f = cf_find_field(c, cf_str(name), (CfStr){NULL, 0});
    return f ? f : &gone;
}
static void give_code(CfMember *m) {
    static const unsigned char code[] = {CF_OP_RETURN};
    CfCode x = {.max_stack = 1, .max_locals = 8, .code_len = 1, .code = code};
    cf_code_set(c, m, &x, NULL);
}
static void set_class_list(const char *attr, int n, const char *const *names) {
    unsigned char b[64];
    cf_put_u2(b, (unsigned)n);
    for (int i = 0; i < n; i++) cf_put_u2(b + 2 + 2 * i, cf_add_class(c, cf_str(names[i])));
    cf_attr_set(c, &c->attrs, attr, b, 2 + 2 * (size_t)n);
}

static void version_99(void) { c->major = 99; }
static void version_52(void) { c->major = 52; }
static void other_name(void) { c->this_class = cf_add_class(c, CF_STR("Another")); }
static void super_self(void) { c->super_class = c->this_class; }
static void super_other(void) { c->super_class = cf_add_class(c, CF_STR("java/util/ArrayList")); }
static void super_missing(void) { c->super_class = cf_add_class(c, CF_STR("no/such/Super")); }
static void super_final(void) { c->super_class = cf_add_class(c, CF_STR("java/lang/String")); }
static void super_interface(void) { c->super_class = cf_add_class(c, CF_STR("java/lang/Runnable")); }
static void super_sub(void) { c->super_class = cf_add_class(c, CF_STR("Sub")); }
static void interface_more(void) { cf_add_interface(c, CF_STR("java/io/Serializable")); }
static void interface_less(void) { c->interface_count--; }
static void interface_swap(void) /* also of less than two */
{
    uint16_t i = c->interfaces[0];
    c->interfaces[0] = c->interfaces[1], c->interfaces[1] = i;
}
static void interface_missing(void) { cf_add_interface(c, CF_STR("no/such/Interface")); }
static void interface_class(void) { cf_add_interface(c, CF_STR("java/lang/Object")); }
static void interface_self(void) { cf_add_interface(c, name_at(c->this_class)); }
static void nest_members(void) { set_class_list("NestMembers", 1, (const char *const[]){"Victim$Inner"}); }
static void nest_members_swap(void) { set_class_list("NestMembers", 2, (const char *const[]){"Victim$Inner", "Victim$Other"}); }
static void nest_members_swapped(void) {
    set_class_list("NestMembers", 2, (const char *const[]){"Victim$Other", "Victim$Inner"});
}
static void nest_members_none(void) { cf_attr_remove(&c->attrs, CF_ATTR_NEST_MEMBERS); }
static void nest_host(void) {
    unsigned char b[2];
    cf_put_u2(b, cf_add_class(c, CF_STR("Base")));
    cf_attr_remove(&c->attrs, CF_ATTR_NEST_MEMBERS);
    cf_attr_set(c, &c->attrs, "NestHost", b, 2);
}
static void record_none(void) { cf_attr_remove(&c->attrs, CF_ATTR_RECORD); }
static void permitted(void) { set_class_list("PermittedSubclasses", 1, (const char *const[]){"Sub"}); }
static void class_final(void) { c->access ^= CF_ACC_FINAL; }
static void class_synthetic(void) { c->access ^= CF_ACC_SYNTHETIC; }
static void class_package(void) { c->access ^= CF_ACC_PUBLIC; }
static void class_super(void) { c->access ^= CF_ACC_SUPER; }
static void field_more(void) { cf_add_field(c, CF_ACC_PRIVATE, CF_STR("extra"), CF_STR("I")); }
static void field_less(void) { cf_remove_field(c, field("a")); }
static void field_type(void) { field("a")->desc = cf_add_utf8(c, CF_STR("J")); }
static void field_rename(void) { field("a")->name = cf_add_utf8(c, CF_STR("renamed")); }
static void field_flags(void) { field("a")->access ^= CF_ACC_VOLATILE; }
static void field_swap(void) {
    CfMember m = c->fields[0];
    c->fields[0] = c->fields[1], c->fields[1] = m;
}
static void method_more(void) { give_code(cf_add_method(c, CF_ACC_PUBLIC, CF_STR("extra"), CF_STR("()V"))); }
static void method_more_private(void) {
    give_code(cf_add_method(c, CF_ACC_PRIVATE | CF_ACC_STATIC, CF_STR("extra"), CF_STR("()V")));
}
static void method_less(void) { cf_remove_method(c, method("plain")); }
static void method_less_private(void) { cf_remove_method(c, method("secret")); }
static void method_flags(void) { method("plain")->access ^= CF_ACC_FINAL; }
static void method_synchronized(void) { method("plain")->access ^= CF_ACC_SYNCHRONIZED; }
static void method_native(void) {
    method("plain")->access |= CF_ACC_NATIVE;
    cf_attr_remove(&method("plain")->attrs, CF_ATTR_CODE);
}
static void method_desc(void) { method("plain")->desc = cf_add_utf8(c, CF_STR("()Ljava/lang/Object;")); }
static void method_rename(void) { method("plain")->name = cf_add_utf8(c, CF_STR("renamed")); }
static void method_swap(void) {
    CfMember m = c->methods[1];
    c->methods[1] = c->methods[2], c->methods[2] = m;
}
static void method_throws(void) {
    unsigned char b[4];
    cf_put_u2(b, 1), cf_put_u2(b + 2, cf_add_class(c, CF_STR("java/io/IOException")));
    cf_attr_set(c, &method("plain")->attrs, "Exceptions", b, 4);
}
static void verify(void) {
    static const unsigned char code[] = {CF_OP_IADD, CF_OP_RETURN};
    CfCode x = {.max_stack = 2, .max_locals = 8, .code_len = 2, .code = code};
    cf_code_set(c, method("plain"), &x, NULL);
}
static void falls_off(void) {
    static const unsigned char code[] = {CF_OP_NOP};
    CfCode x = {.max_stack = 2, .max_locals = 8, .code_len = 1, .code = code};
    cf_code_set(c, method("plain"), &x, NULL);
}
/* What the verifier reads beside the code, of a method that stays as it is. */
static unsigned char *beside_code(CfAttrKind kind) {
    static unsigned char nowhere[64];
    CfArena arena;
    CfCode code;
    cf_arena_init(&arena, "damage", 0);
    const CfAttr *a = cf_code(c, method("choose"), &arena, &code, NULL) == CF_OK ? cf_attr(&code.attrs, kind) : NULL;
    const unsigned char *p = kind == CF_ATTR_CODE ? code.handlers.p : a ? a->data : NULL;
    cf_arena_free(&arena);
    return p ? (unsigned char *)p : nowhere;
}
/* The first frame is append_frame: type, offset, Object, class. */
static void map_offset(void) { beside_code(CF_ATTR_STACK_MAP_TABLE)[4]++; }
static void map_class(void) { cf_put_u2(beside_code(CF_ATTR_STACK_MAP_TABLE) + 6, c->this_class); }
static void map_tag(void) { beside_code(CF_ATTR_STACK_MAP_TABLE)[5] = 9; }
static void map_less(void) { beside_code(CF_ATTR_STACK_MAP_TABLE)[1]--; }
static void variable_start(void) { cf_put_u2(beside_code(CF_ATTR_LOCAL_VARIABLE_TABLE) + 2, 4); }
static void variable_name(void) { cf_put_u2(beside_code(CF_ATTR_LOCAL_VARIABLE_TABLE) + 6, method("choose")->name); }
static void handler_class(void) { cf_put_u2(beside_code(CF_ATTR_CODE) + 6, c->this_class); }
static void handler_target(void) { beside_code(CF_ATTR_CODE)[5]++; }
static void duplicate_method(void) { give_code(cf_add_method(c, CF_ACC_PUBLIC, CF_STR("plain"), CF_STR("()V"))); }
static void duplicate_field(void) { cf_add_field(c, CF_ACC_PRIVATE, CF_STR("a"), CF_STR("I")); }
static void bad_flags(void) { method("plain")->access |= CF_ACC_PRIVATE | CF_ACC_PUBLIC; }
static void bad_name(void) { field("a")->name = cf_add_utf8(c, CF_STR("a.b")); }
static void no_code(void) { cf_attr_remove(&method("plain")->attrs, CF_ATTR_CODE); }
static void source_file(void) {
    unsigned char b[2];
    cf_put_u2(b, cf_add_utf8(c, CF_STR("Changed.java")));
    cf_attr_set(c, &c->attrs, "SourceFile", b, 2);
}
static void constant_value(void) {
    unsigned char b[2];
    cf_put_u2(b, cf_add_int(c, 4711));
    cf_attr_set(c, &field("CONSTANT")->attrs, "ConstantValue", b, 2);
}
/* to bytes */
static void magic(void) {}
static void truncated(void) {}
static void extra_byte(void) {}

typedef struct Damage {
    const char *name;
    void (*fn)(void);
} Damage;
static const Damage damages[] = {
#define D(n) {#n, n},
    D(version_99) D(version_52) D(other_name) D(super_self) D(super_other) D(super_missing) D(super_final) D(super_interface)
        D(super_sub) D(interface_more) D(interface_less) D(interface_swap) D(interface_missing) D(interface_class)
            D(interface_self) D(nest_members) D(nest_members_swap) D(nest_members_swapped) D(nest_members_none) D(nest_host)
                D(record_none) D(permitted) D(class_final) D(class_synthetic) D(class_package) D(class_super) D(field_more)
                    D(field_less) D(field_type) D(field_rename) D(field_flags) D(field_swap) D(method_more) D(method_more_private)
                        D(method_less) D(method_less_private) D(method_flags) D(method_synchronized) D(method_native)
                            D(method_desc) D(method_rename) D(method_swap) D(method_throws) D(verify) D(falls_off) D(map_offset)
                                D(map_class) D(map_tag) D(map_less) D(variable_start) D(variable_name) D(handler_class)
                                    D(handler_target) D(duplicate_method) D(duplicate_field) D(bad_flags) D(bad_name) D(no_code)
                                        D(source_file) D(constant_value) D(magic) D(truncated) D(extra_byte)
#undef D
};
enum { N_DAMAGES = sizeof damages / sizeof *damages };

JNIEXPORT jobjectArray JNICALL Java_Redefine_damages(JNIEnv *env, jclass me) {
    jobjectArray a = (*env)->NewObjectArray(env, N_DAMAGES, (*env)->FindClass(env, "java/lang/String"), NULL);
    for (int i = 0; i < N_DAMAGES; i++) (*env)->SetObjectArrayElement(env, a, i, (*env)->NewStringUTF(env, damages[i].name));
    return a;
}

/* The file with the damages done, in the order of the table whatever the order given. */
JNIEXPORT jbyteArray JNICALL Java_Redefine_damage(JNIEnv *env, jclass me, jbyteArray file, jint first, jint second) {
    jsize n = (*env)->GetArrayLength(env, file);
    unsigned char *b = (unsigned char *)(*env)->GetByteArrayElements(env, file, NULL);
    CfArena arena;
    CfError err;
    CfWriter w;
    jint both[2] = {first < second ? first : second, first < second ? second : first};
    gone = (CfMember){0}; /* what it was given lies in the arena of another call */
    cf_arena_init(&arena, "damage", 0);
    cf_err_clear(&err);
    cf_w_init(&w);
    if (cf_parse(&c, b, (size_t)n, &arena, NULL, &err) != CF_OK) say("! %s", err.text);
    for (int i = 0; i < 2; i++)
        if (both[i] >= 0) damages[both[i]].fn();
    if (cf_write(c, &w, &err) != CF_OK) say("! %s", err.text);
    size_t len = w.len;
    for (int i = 0; i < 2; i++) {
        if (both[i] < 0) continue;
        if (damages[both[i]].fn == magic) w.data[0] = 0;
        if (damages[both[i]].fn == truncated) len -= 3;
        if (damages[both[i]].fn == extra_byte) cf_w_u1(&w, 0), len++;
    }
    jbyteArray out = (*env)->NewByteArray(env, (jsize)len);
    (*env)->SetByteArrayRegion(env, out, 0, (jsize)len, (jbyte *)w.data);
    cf_arena_free(&arena);
    cf_w_free(&w);
    free(b);
    return out;
}

/* ======================================================================== chains */

typedef struct Link {
    jvmtiEnv *ti;
    char letter;
    bool decline;
} Link;
static Link links[16];
static int n_links;

/* Each environment puts its letter over the first '0' of "chain:000000000000". */
static void JNICALL chain_hook(jvmtiEnv *e, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                               const unsigned char *bytes, jint *new_len, unsigned char **fresh) {
    void *data = NULL;
    if (!name || strcmp(name, "Chained")) return;
    (*e)->GetEnvironmentLocalStorage(e, &data);
    Link *l = data;
    for (jint at = 0; at + 18 <= len; at++) {
        if (memcmp(bytes + at, "chain:", 6)) continue;
        say("hook %c %s sees %.18s", l->letter, old ? "again" : "load", bytes + at);
        for (int i = 6; i < 18 && !l->decline; i++)
            if (bytes[at + i] == '0') {
                MUST((*e)->Allocate(e, len, fresh));
                memcpy(*fresh, bytes, (size_t)len);
                (*fresh)[at + i] = (unsigned char)l->letter;
                *new_len = len;
                return;
            }
        return;
    }
}

static void chain(const char *letters) {
    for (; *letters && *letters != ','; letters++) {
        Link *l = &links[n_links++];
        bool capable = *letters >= 'A' && *letters <= 'Z';
        jvmtiEventCallbacks calls = {.ClassFileLoadHook = chain_hook};
        jvmtiCapabilities caps = {.can_retransform_classes = 1}, potential;
        *l = (Link){new_env(the_vm), *letters, false};
        if (capable) MUST((*l->ti)->AddCapabilities(l->ti, &caps));
        MUST((*l->ti)->SetEnvironmentLocalStorage(l->ti, l));
        MUST((*l->ti)->SetEventCallbacks(l->ti, &calls, sizeof calls));
        enable(l->ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
        MUST((*l->ti)->GetPotentialCapabilities(l->ti, &potential));
        if (!capable)
            say("%c: potential %d %d, adding it late: %s", *letters, potential.can_retransform_classes,
                potential.can_retransform_any_class, error_name((*l->ti)->AddCapabilities(l->ti, &caps)));
    }
}

/* Environments in `letters` decline from now on, the others do not. */
JNIEXPORT void JNICALL Java_Redefine_decline(JNIEnv *env, jclass me, jstring letters) {
    const char *s = (*env)->GetStringUTFChars(env, letters, NULL);
    for (int i = 0; i < n_links; i++) links[i].decline = strchr(s, links[i].letter) != NULL;
}
JNIEXPORT jstring JNICALL Java_Redefine_retransformFrom(JNIEnv *env, jclass me, jchar letter, jclass k) {
    for (int i = 0; i < n_links; i++)
        if (links[i].letter == (char)letter)
            return (*env)->NewStringUTF(env, error_name((*links[i].ti)->RetransformClasses(links[i].ti, 1, &k)));
    return NULL;
}

/* ======================================================================== inside hooks */

static jclass inner_class;
static unsigned char *inner_bytes;
static jint inner_len;
static const char *inner_trigger;

static void JNICALL nested_hook(jvmtiEnv *e, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                                const unsigned char *bytes, jint *new_len, unsigned char **fresh) {
    if (!name || !inner_trigger || strcmp(name, inner_trigger)) return;
    inner_trigger = NULL;
    jvmtiClassDefinition d = {inner_class, inner_len, inner_bytes};
    say("inside the hook of %s: %s", name, error_name((*e)->RedefineClasses(e, 1, &d)));
}
JNIEXPORT void JNICALL Java_Redefine_redefineInHook(JNIEnv *env, jclass me, jstring trigger, jclass k, jbyteArray file) {
    inner_class = (*env)->NewGlobalRef(env, k);
    inner_len = (*env)->GetArrayLength(env, file);
    inner_bytes = (unsigned char *)(*env)->GetByteArrayElements(env, file, NULL);
    inner_trigger = strdup((*env)->GetStringUTFChars(env, trigger, NULL));
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = nested_hook, .Breakpoint = on_breakpoint};
    MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls));
    enable(ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

/* ======================================================================== start */

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    the_vm = vm;
    ti = new_env(vm);
    jvmtiCapabilities caps = {.can_redefine_classes = 1,
                              .can_redefine_any_class = 1,
                              .can_retransform_classes = 1,
                              .can_retransform_any_class = 1,
                              .can_get_line_numbers = 1,
                              .can_get_bytecodes = 1,
                              .can_get_source_file_name = 1,
                              .can_generate_breakpoint_events = 1,
                              .can_maintain_original_method_order = 1};
    if (!MUST((*ti)->AddCapabilities(ti, &caps))) return JNI_ERR;
    jvmtiEventCallbacks calls = {.Breakpoint = on_breakpoint};
    MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls));
    enable(ti, JVMTI_EVENT_BREAKPOINT);
    if (options && !strncmp(options, "chain=", 6)) chain(options + 6);
    return JNI_OK;
}

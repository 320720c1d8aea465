/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_execution - events and retransformation for the random programs of tests/fuzz/execution (Execute.java there).
 *
 * Execute calls change(number, classes) between runs, and Rt while the programs run, at places that depend on nothing but the program.
 * The number says which events are on from then on, where breakpoints and watches are, and whether the classes are retransformed:
 * plainly, with a probe at entries and returns, or with the probes gone again. All events of the program's classes go into one hash, in
 * their order; with the option "aloud" they are printed.
 */
#include "agent_test.h"
#include "bci.h"

enum {
    ENTRY = 1,
    EXIT = 2,
    EXCEPTION = 4,
    CATCH = 8,
    STEP = 16,
    BREAKPOINT = 32,
    WATCH = 64,
    POP = 128,
    RETRANSFORM = 256,
    PROBES = 512
};

static jvmtiEnv *ti;
static jlong hash, count;
static bool probes, loud, retransformed; /* the last: the program's classes */

static bool is_program(const char *sig) {
    return !strcmp(sig, "LMain;") || !strcmp(sig, "LB;") || !strcmp(sig, "LC;") || !strcmp(sig, "LT;");
}

static void add(const char *text) {
    count++;
    for (const char *p = text; *p; p++) hash = (jlong)((unsigned long long)(hash ^ *p) * 0x100000001b3u);
    if (loud) say("    %s", text);
}

typedef struct Place {
    char text[200], result;
} Place;

/* False: not a method of the program. */
static bool place_of(jmethodID m, jlocation at, Place *p) {
    jclass c;
    char *sig, *name, *desc;
    if (!m || (*ti)->GetMethodDeclaringClass(ti, m, &c) || (*ti)->GetClassSignature(ti, c, &sig, NULL)) return false;
    bool own = is_program(sig);
    if (own && MUST((*ti)->GetMethodName(ti, m, &name, &desc, NULL))) {
        own = strcmp(name, "deep") != 0; /* recursion up to the end of the stack, wherever that is */
        snprintf(p->text, sizeof p->text, "%s%s@%ld", sig, name, (long)at);
        p->result = strchr(desc, ')')[1];
        (*ti)->Deallocate(ti, (unsigned char *)name);
        (*ti)->Deallocate(ti, (unsigned char *)desc);
    }
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    return own;
}

static void tell(const char *what, jmethodID m, jlocation at, const char *more) {
    Place p;
    char text[500];
    if (!place_of(m, at, &p)) return;
    snprintf(text, sizeof text, "%s %s %s", what, p.text, more);
    add(text);
}

static void JNICALL entered(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) { tell("entry", m, 0, ""); }

static void JNICALL left(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean thrown, jvalue v) {
    Place p;
    char text[100];
    if (!place_of(m, 0, &p)) return;
    if (thrown) strcpy(text, "thrown");
    else if (p.result == 'L' || p.result == '[') strcpy(text, v.l ? "object" : "null");
    else
        snprintf(text, sizeof text, "%ld",
                 p.result == 'J'   ? (long)v.j
                 : p.result == 'I' ? (long)v.i
                 : p.result == 'Z' ? v.z
                 : p.result == 'B' ? v.b
                 : p.result == 'S' ? v.s
                 : p.result == 'C' ? v.c
                                   : 0L);
    tell("exit", m, 0, text);
}

/*
 * The same place twice in a row is told once.  The reference does not post the second step where a frame returns to one of the same method whose
 * next instruction is the same (`return m(n - 1)`): each return is an instruction of its own, so the specification wants it, and Graft posts it.
 */
static void JNICALL stepped(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    static _Thread_local jmethodID last;
    static _Thread_local jlocation last_at;
    if (m == last && at == last_at) return;
    last = m;
    last_at = at;
    tell("step", m, at, "");
}

static void JNICALL stopped(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) { tell("breakpoint", m, at, ""); }

static void JNICALL threw(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e, jmethodID catcher,
                          jlocation caught) {
    Place p;
    tell("throw", m, at, catcher ? place_of(catcher, caught, &p) ? p.text : "elsewhere" : "nowhere");
}

static void JNICALL caught(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e) {
    tell("catch", m, at, "");
}

static void JNICALL popped(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean thrown) {
    tell("pop", m, 0, thrown ? "thrown" : "");
}

/* The reference tells of accesses to fields of null, which are none. */
static bool of_null(jmethodID m, jlocation at, jobject o) {
    unsigned char *code;
    jint n;
    if (o || (*ti)->GetBytecodes(ti, m, &n, &code)) return false;
    bool is_static = code[at] == CF_OP_GETSTATIC || code[at] == CF_OP_PUTSTATIC;
    (*ti)->Deallocate(ti, code);
    return !is_static;
}

/* The place tells which field; the class that the reference hands out is not always the field's. */
static void JNICALL read_field(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                               jfieldID f) {
    if (!of_null(m, at, o)) tell("read", m, at, o ? "object" : "");
}

static void JNICALL wrote_field(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f,
                                char type, jvalue v) {
    if (!of_null(m, at, o)) tell("write", m, at, o ? "object" : "");
}

/* ---- changes ------------------------------------------------------------------------------------------ */

static void probe(BciPos at, BciInsn *site, void *arg) {
    bci_int(at, site != NULL);
    bci_invoke(at, CF_OP_INVOKESTATIC, "Rt", "probe", "(I)V");
}

static void *allocate(void *env, size_t size) {
    unsigned char *p = NULL;
    return (*(jvmtiEnv *)env)->Allocate(env, (jlong)size, &p) == JVMTI_ERROR_NONE ? p : NULL;
}

/* Classes of the program that runs, as loaded: what the reference gives to a hook again has another order. By the letter of the name. */
typedef struct Loaded {
    unsigned char *bytes;
    size_t len;
} Loaded;
static Loaded loaded[32];

static void JNICALL hook(jvmtiEnv *env, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
                         const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    char sig[20];
    BciOptions options = {.flags = BCI_SKIP_FAILED};
    CfError err;
    size_t n;
    if (!name || strlen(name) > 4) return;
    snprintf(sig, sizeof sig, "L%s;", name);
    if (!is_program(sig)) return;
    Loaded *l = &loaded[name[0] & 31];
    if (!old) {
        retransformed = false;
        free(l->bytes);
        l->bytes = malloc((size_t)len);
        l->len = (size_t)len;
        memcpy(l->bytes, bytes, (size_t)len);
    }
    if (!old || !probes) return;
    cf_err_clear(&err);
    BciClass *c = bci_open(l->bytes, l->len, &options, &err);
    for (int i = 0; c && i < bci_method_count(c); i++) {
        const char *method = bci_method_name(bci_method(c, i));
        /* "deep" goes on until the stack is used up: how often it is entered is told by nobody */
        BciCode *code = method[0] == '<' || strcmp(method, "deep") == 0 ? NULL : bci_code(bci_method(c, i));
        if (!code) continue;
        probe(bci_entry(code), NULL, NULL);
        bci_each_return(code, probe, NULL);
    }
    if (!c || bci_write(c, allocate, env, new_bytes, &n, &err) != CF_OK) say("! %s: %s", name, err.text);
    else *new_len = (jint)n;
    bci_close(c);
}

static void set(bool on, jvmtiEvent event) {
    MUST((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL));
}

/* Does the method load a dynamic constant?  Retransformed classes have the pool of the loaded ones in front. */
static bool loads_dynamic(jclass c, jmethodID m) {
    char *sig;
    unsigned char *code;
    jint n;
    CfError err;
    bool found = false;
    if (!MUST((*ti)->GetClassSignature(ti, c, &sig, NULL)) || (*ti)->GetBytecodes(ti, m, &n, &code)) return false;
    const Loaded *l = &loaded[sig[1] & 31];
    BciClass *k = bci_open(l->bytes, l->len, NULL, &err);
    for (jint at = 0; k && at < n && !found; at += (jint)cf_insn_length(code, (uint32_t)n, (uint32_t)at)) {
        unsigned index = code[at] == CF_OP_LDC ? code[at + 1] : code[at] == CF_OP_LDC_W ? cf_get_u2(code + at + 1) : 0;
        found = index && bci_cp_tag_at(k, (uint16_t)index) == CF_CONST_DYNAMIC;
    }
    bci_close(k);
    (*ti)->Deallocate(ti, code);
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    return found;
}

/*
 * The reference takes a method that loads a dynamic constant for changed by any retransformation: frames from before are obsolete and meet no
 * breakpoint that is set behind it.  The specification calls methods equivalent whose bytes are the same and whose constants are equal.
 */
static void breakpoints(jclass c, bool on, jint number) {
    jmethodID *methods;
    jint n;
    if (!MUST((*ti)->GetClassMethods(ti, c, &n, &methods))) return;
    for (jint i = 0; i < n; i++) {
        jvmtiLineNumberEntry *lines;
        jint nlines;
        if ((on && retransformed && loads_dynamic(c, methods[i])) || (*ti)->GetLineNumberTable(ti, methods[i], &nlines, &lines))
            continue;
        for (jint k = 0; k < nlines; k++)
            if (!on) (*ti)->ClearBreakpoint(ti, methods[i], lines[k].start_location);
            else if ((k + number) % 5 == 0) (*ti)->SetBreakpoint(ti, methods[i], lines[k].start_location);
        (*ti)->Deallocate(ti, (unsigned char *)lines);
    }
    (*ti)->Deallocate(ti, (unsigned char *)methods);
}

/*
 * After retransformations the reference sets a watch on a static field, and clears it, without an error, but does not tell of accesses by a
 * method of another class between; so static fields are watched before only.
 */
static bool may_watch(jclass c, jfieldID f) {
    jint access = 0;
    return !retransformed || !MUST((*ti)->GetFieldModifiers(ti, c, f, &access)) || !(access & CF_ACC_STATIC);
}

static void watches(jclass c, bool on, jint number) {
    jfieldID *fields;
    jint n;
    if (!MUST((*ti)->GetClassFields(ti, c, &n, &fields))) return;
    for (jint i = 0; i < n; i++) {
        if (!on) {
            (*ti)->ClearFieldAccessWatch(ti, c, fields[i]);
            (*ti)->ClearFieldModificationWatch(ti, c, fields[i]);
            continue;
        }
        if (!may_watch(c, fields[i])) continue;
        if ((i + number) % 3 == 0) (*ti)->SetFieldAccessWatch(ti, c, fields[i]);
        if ((i + number) % 3 < 2) (*ti)->SetFieldModificationWatch(ti, c, fields[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)fields);
}

JNIEXPORT void JNICALL Java_Rt_change(JNIEnv *jni, jclass rt, jint number, jobjectArray classes) {
    jclass c[8];
    jint n = (*jni)->GetArrayLength(jni, classes);
    static const struct {
        jint bit;
        jvmtiEvent event;
    } rows[] = {
        {ENTRY, JVMTI_EVENT_METHOD_ENTRY},    {EXIT, JVMTI_EVENT_METHOD_EXIT},         {EXCEPTION, JVMTI_EVENT_EXCEPTION},
        {CATCH, JVMTI_EVENT_EXCEPTION_CATCH}, {STEP, JVMTI_EVENT_SINGLE_STEP},         {BREAKPOINT, JVMTI_EVENT_BREAKPOINT},
        {WATCH, JVMTI_EVENT_FIELD_ACCESS},    {WATCH, JVMTI_EVENT_FIELD_MODIFICATION}, {POP, JVMTI_EVENT_FRAME_POP}};
    for (jint i = 0; i < n; i++) {
        c[i] = (*jni)->GetObjectArrayElement(jni, classes, i);
        breakpoints(c[i], false, 0);
        watches(c[i], false, 0);
    }
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) set(false, rows[r].event);
    if (number & RETRANSFORM && n) {
        probes = number & PROBES;
        retransformed = true;
        jvmtiError e = (*ti)->RetransformClasses(ti, n, c);
        add(error_name(e));
    }
    for (jint i = 0; i < n; i++) {
        if (number & BREAKPOINT) breakpoints(c[i], true, number >> 10);
        if (number & WATCH) watches(c[i], true, number >> 10);
    }
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) set(number & rows[r].bit, rows[r].event);
    if (number & POP) /* 0: this native, 1: Rt.tell, 2: who told */
        (*ti)->NotifyFramePop(ti, NULL, 2);
}

JNIEXPORT jlong JNICALL Java_Rt_events(JNIEnv *jni, jclass rt) {
    jlong h = hash ^ count;
    hash = count = 0;
    return h;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities want = {.can_generate_method_entry_events = 1,
                              .can_generate_method_exit_events = 1,
                              .can_generate_exception_events = 1,
                              .can_generate_single_step_events = 1,
                              .can_generate_breakpoint_events = 1,
                              .can_generate_field_access_events = 1,
                              .can_generate_field_modification_events = 1,
                              .can_generate_frame_pop_events = 1,
                              .can_retransform_classes = 1,
                              .can_get_line_numbers = 1,
                              .can_get_bytecodes = 1};
    jvmtiEventCallbacks callbacks = {.MethodEntry = entered,
                                     .MethodExit = left,
                                     .SingleStep = stepped,
                                     .Breakpoint = stopped,
                                     .Exception = threw,
                                     .ExceptionCatch = caught,
                                     .FramePop = popped,
                                     .FieldAccess = read_field,
                                     .FieldModification = wrote_field,
                                     .ClassFileLoadHook = hook};
    loud = options && strstr(options, "aloud");
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &want)) ||
        !MUST((*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks)))
        return JNI_ERR;
    set(true, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    return JNI_OK;
}

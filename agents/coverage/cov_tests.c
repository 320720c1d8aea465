/* SPDX-License-Identifier: Apache-2.0 */
/* cov_tests.c - which test runs; see cov_tests.h. */
#include "cov_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bci.h"
#include "cf_vec.h"
#include "utf8.h"

typedef enum Place { ENTRY, RETURN, LEAVE } Place;
typedef enum Event { BEGIN, END, BY_FLAG, BY_STATUS } Event;
enum { TESTNG_STARTED = 16 };

/* The name of what is told about, "" for none; `o` is not NULL. */
typedef void Reader(JNIEnv *env, jobject o, char *name, size_t n);
static Reader read_PLATFORM, read_DESCRIPTION, read_RUNNER, read_TEST_CASE, read_TESTNG, read_TESTNG_SETUP;

static const struct Hook {
    const char *cls, *method, *first;
    Place place;
    int about, flag;
    Reader *read;
    Event event;
} hooks[] = {
#define COV_TEST_HOOK(cls, method, first, place, about, flag, reader, event) \
    {cls, method, first, place, about, flag, read_##reader, event},
#include "cov_tests.def"
#undef COV_TEST_HOOK
};
enum { NHOOKS = sizeof hooks / sizeof *hooks };

/* ---- weaving ------------------------------------------------------------------------------------- */

bool cov_tests_known(const char *name) {
    for (int i = 0; i < NHOOKS; i++)
        if (!strcmp(hooks[i].cls, name)) return true;
    return false;
}

static void put_call(BciPos at, BciInsn *site, void *arg) {
    const struct Hook *h = arg;
    bci_load(at, 'L', (uint32_t)h->about);
    bci_int(at, (int32_t)(h - hooks));
    if (h->flag >= 0) bci_load(at, 'I', (uint32_t)h->flag);
    else bci_int(at, 0);
    bci_invoke(at, CF_OP_INVOKESTATIC, "java/lang/GraftCoverage", "test", "(Ljava/lang/Object;II)V");
}

static void weave_hook(BciMethod *m, const struct Hook *h) {
    BciCode *code = bci_code(m);
    void *arg = (void *)(uintptr_t)h;
    if (!code) return;
    if (h->place == ENTRY) put_call(bci_entry(code), NULL, arg);
    else bci_each_return(code, put_call, arg);
    if (h->place == LEAVE) bci_on_throw(code, put_call, arg);
}

static unsigned weave_method(BciMethod *m, const char *cls, const char *name, const char *desc) {
    unsigned n = 0;
    for (int i = 0; i < NHOOKS; i++) {
        const struct Hook *h = &hooks[i];
        if (strcmp(h->cls, cls) != 0 || strcmp(h->method, name) != 0 || strncmp(desc, h->first, strlen(h->first)) != 0) continue;
        weave_hook(m, h);
        n++;
    }
    return n;
}

bool cov_tests_weave(const char *name, const uint8_t *bytes, size_t len, void *(*alloc)(void *, size_t), void *ctx, uint8_t **out,
                     size_t *out_len, CfError *err) {
    BciOptions opt = {.frames = BCI_FRAMES_KEEP};
    BciClass *c = bci_open(bytes, len, &opt, err);
    unsigned n = 0;
    if (!c) return false;
    for (int i = 0; i < bci_method_count(c); i++) {
        BciMethod *m = bci_method(c, i);
        n += weave_method(m, name, bci_method_name(m), bci_method_desc(m));
    }
    bool ok = n && bci_write(c, alloc, ctx, out, out_len, err) == CF_OK;
    bci_close(c);
    return ok;
}

/* ---- asking Java ----------------------------------------------------------------------------------- */

/* Result of a method without parameters (or with `arg`); NULL also if there is no such method or it throws. */
static jobject ask(JNIEnv *env, jobject o, const char *method, const char *desc, jobject arg) {
    jclass c = o ? (*env)->GetObjectClass(env, o) : NULL;
    jmethodID m = c ? (*env)->GetMethodID(env, c, method, desc) : NULL;
    jobject r = m ? (*env)->CallObjectMethod(env, o, m, arg) : NULL;
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env), r = NULL;
    return r;
}

static jint ask_int(JNIEnv *env, jobject o, const char *method, bool boolean) {
    jclass c = (*env)->GetObjectClass(env, o);
    jmethodID m = (*env)->GetMethodID(env, c, method, boolean ? "()Z" : "()I");
    jint r = !m ? 0 : boolean ? (*env)->CallBooleanMethod(env, o, m) : (*env)->CallIntMethod(env, o, m);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env), r = 0;
    return r;
}

/* "" if there is none. */
static bool ask_text(JNIEnv *env, jobject o, const char *method, char *buf, size_t n) {
    jstring s = ask(env, o, method, "()Ljava/lang/String;", NULL);
    char *text = agent_string(env, s);
    snprintf(buf, n, "%s", text ? text : "");
    free(text);
    return *buf != 0;
}

/* Class.method; without a method Class.*; what a parameterised test adds, [1], goes. Where the class ends tells the last dot. */
static void put_name(char *name, size_t n, const char *cls, char *method) {
    char *bracket = strchr(method, '[');
    if (bracket && bracket > method) *bracket = 0;
    for (char *p = method; *p; p++)
        if (*p == '.') *p = '_';
    snprintf(name, n, "%.400s.%s", cls, *method ? method : "*");
}

/* ---- names ------------------------------------------------------------------------------------------ */

enum { TEXT = 500 };

/* A TestDescriptor: by its source, which says the class and the method, or by that of what it is in. */
static void read_PLATFORM(JNIEnv *env, jobject o, char *name, size_t n) {
    char cls[TEXT], method[TEXT];
    bool test = ask_int(env, o, "isTest", true);
    for (jobject d = o; d; d = test ? ask(env, ask(env, d, "getParent", "()Ljava/util/Optional;", NULL), "orElse",
                                          "(Ljava/lang/Object;)Ljava/lang/Object;", NULL)
                                    : NULL) {
        jobject source = ask(env, ask(env, d, "getSource", "()Ljava/util/Optional;", NULL), "orElse",
                             "(Ljava/lang/Object;)Ljava/lang/Object;", NULL);
        if (!source || !ask_text(env, source, "getClassName", cls, sizeof cls)) continue;
        ask_text(env, source, "getMethodName", method, sizeof method);
        if (!*method && test) ask_text(env, o, "getDisplayName", method, sizeof method);
        return put_name(name, n, cls, method);
    }
    if (test) ask_text(env, o, "getDisplayName", name, n);
}

static void read_DESCRIPTION(JNIEnv *env, jobject o, char *name, size_t n) {
    char cls[TEXT], method[TEXT];
    if (!ask_text(env, o, "getClassName", cls, sizeof cls)) return;
    ask_text(env, o, "getMethodName", method, sizeof method);
    put_name(name, n, cls, method);
}

/* A ParentRunner; one that only holds others has a class "null". */
static void read_RUNNER(JNIEnv *env, jobject o, char *name, size_t n) {
    char cls[TEXT], none[1] = "";
    jobject c = ask(env, o, "getTestClass", "()Lorg/junit/runners/model/TestClass;", NULL);
    if (ask_text(env, c, "getName", cls, sizeof cls) && strcmp(cls, "null") != 0) put_name(name, n, cls, none);
}

static bool class_of(JNIEnv *env, jobject o, char *cls, size_t n) {
    return ask_text(env, ask(env, o, "getClass", "()Ljava/lang/Class;", NULL), "getName", cls, n);
}

static void read_TEST_CASE(JNIEnv *env, jobject o, char *name, size_t n) {
    char cls[TEXT], method[TEXT];
    if (!class_of(env, o, cls, sizeof cls)) return;
    ask_text(env, o, "getName", method, sizeof method);
    put_name(name, n, cls, method);
}

static bool testng_class(JNIEnv *env, jobject o, char *cls, size_t n) {
    return ask_text(env, ask(env, o, "getTestClass", "()Lorg/testng/IClass;", NULL), "getName", cls, n);
}

static jobject testng_method(JNIEnv *env, jobject o) { return ask(env, o, "getMethod", "()Lorg/testng/ITestNGMethod;", NULL); }

static void read_TESTNG(JNIEnv *env, jobject o, char *name, size_t n) {
    char cls[TEXT], method[TEXT];
    if (!testng_class(env, o, cls, sizeof cls)) return;
    ask_text(env, testng_method(env, o), "getMethodName", method, sizeof method);
    put_name(name, n, cls, method);
}

/* What is set up for a suite or a group is so for all. */
static void read_TESTNG_SETUP(JNIEnv *env, jobject o, char *name, size_t n) {
    static const char *const of_class[] = {"isBeforeClassConfiguration", "isAfterClassConfiguration",
                                           "isBeforeMethodConfiguration", "isAfterMethodConfiguration"};
    char cls[TEXT], none[1] = "";
    jobject m = testng_method(env, o);
    bool mine = false;
    for (int i = 0; m && i < 4; i++) mine |= ask_int(env, m, of_class[i], true);
    if (mine && testng_class(env, o, cls, sizeof cls)) put_name(name, n, cls, none);
}

/* ---- what runs ------------------------------------------------------------------------------------- */

typedef struct Running {
    char *name;
    pid_t thread;
} Running;

static CF_VEC(Running) running; /* in the order of their beginnings */

static void begin(const char *name) {
    char *copy = strdup(name);
    if (copy && !cf_vec_push(&running, (Running){copy, gettid()})) free(copy);
}

static void end(const char *name) {
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < running.len; i++)
        if (!strcmp(running.data[i].name, name) && (found == UINT32_MAX || running.data[i].thread == gettid())) found = i;
    if (found == UINT32_MAX) return;
    free(running.data[found].name);
    memmove(&running.data[found], &running.data[found + 1], (running.len-- - found - 1) * sizeof *running.data);
}

/* Is `inner` something in the class or method `outer`? */
static bool is_in(const char *inner, const char *outer) {
    size_t n = strlen(outer);
    if (n > 2 && !strcmp(outer + n - 2, ".*")) n -= 2;
    return !strncmp(inner, outer, n) && (inner[n] == '.' || inner[n] == '$') && strcmp(inner + n, ".*") != 0;
}

/* Does something run that began inside of entry i, or one of the same name that stands for it? */
static bool is_covered(uint32_t i) {
    const Running *r = &running.data[i];
    for (uint32_t k = 0; k < running.len; k++) {
        const Running *x = &running.data[k];
        if (k != i && (is_in(x->name, r->name) || (k > i && (x->thread == r->thread || !strcmp(x->name, r->name))))) return true;
    }
    return false;
}

/* Names too long for the place: it counts for all tests. */
static void put_running(char *out, size_t n) {
    size_t used = 0;
    *out = 0;
    for (uint32_t i = 0; i < running.len; i++) {
        if (is_covered(i)) continue;
        used += (size_t)snprintf(out + used, n - used, "%s%s", used ? "|" : "", running.data[i].name);
        if (used >= n) return (void)(*out = 0);
    }
}

static bool begins(const struct Hook *h, JNIEnv *env, jobject about, jint flag) {
    if (h->event == BY_STATUS) return ask_int(env, about, "getStatus", false) == TESTNG_STARTED;
    return h->event == BY_FLAG ? flag != 0 : h->event == BEGIN;
}

void cov_tests_read(JNIEnv *env, jobject about, jint row, jint flag, CovTestEvent *out) {
    *out = (CovTestEvent){.begins = false};
    if (row < 0 || row >= NHOOKS || !about || (*env)->PushLocalFrame(env, 64) != 0) return;
    hooks[row].read(env, about, out->name, sizeof out->name);
    for (char *p = out->name; *p; p++)
        if (*p == '|' || (unsigned char)*p < ' ') *p = '/';
    out->begins = begins(&hooks[row], env, about, flag);
    (*env)->PopLocalFrame(env, NULL);
}

static char last[COV_TEST_NAME]; /* epoch that was told */

void cov_tests_now(char epoch[COV_TEST_NAME]) {
    put_running(epoch, COV_TEST_NAME);
    memcpy(last, epoch, COV_TEST_NAME);
}

bool cov_tests_note(const CovTestEvent *e, char epoch[COV_TEST_NAME]) {
    char before[COV_TEST_NAME];
    if (!*e->name) return false;
    if (e->begins) begin(e->name);
    else end(e->name);
    memcpy(before, last, sizeof before);
    cov_tests_now(epoch);
    return strcmp(epoch, before) != 0;
}

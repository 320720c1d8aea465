/* SPDX-License-Identifier: Apache-2.0 */
/* CompiledMethodLoad and Unload: keeps what it hears of methods called `hot...` of class Code or Dropped, and checks each map and inline record. */
#include "agent_test.h"
#include <jvmticmlr.h>
#include <pthread.h>

enum { MOST = 256 };

static jvmtiEnv *ti;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    jmethodID m;
    char name[32];
    const void *code;
    bool generated, gone, has_body; /* has_body: of a method called `part` */
} heard[MOST];
static int n_heard;
static _Thread_local bool generating;

static bool is_ours(jmethodID m, char *name) {
    char *text = NULL;
    if ((*ti)->GetMethodName(ti, m, &text, NULL, NULL)) return false;
    bool ours = strncmp(text, "hot", 3) == 0;
    snprintf(name, 32, "%s", text);
    (*ti)->Deallocate(ti, (unsigned char *)text);
    return ours;
}

static const char *check_map(jmethodID m, jint size, const char *code, jint n, const jvmtiAddrLocationMap *map) {
    jlocation start, end;
    if (n < 2 || !map) return "few places";
    if ((*ti)->GetMethodLocation(ti, m, &start, &end)) return "no location";
    for (jint i = 0; i < n; i++) {
        const char *at = map[i].start_address;
        if (at < code || at > code + size) return "address outside";
        if (i && at < (const char *)map[i - 1].start_address) return "not in order";
        if (map[i].location < start || map[i].location > end) return "no bci";
    }
    return NULL;
}

static bool is_named(jmethodID m, const char *name) {
    char *text = NULL;
    if ((*ti)->GetMethodName(ti, m, &text, NULL, NULL)) return false;
    bool same = strcmp(text, name) == 0;
    (*ti)->Deallocate(ti, (unsigned char *)text);
    return same;
}

static const char *check_record(jmethodID m, jint size, const char *code, const jvmtiCompiledMethodLoadRecordHeader *h,
                                bool *has_body) {
    const jvmtiCompiledMethodLoadInlineRecord *r = (const void *)h;
    if (!h || h->kind != JVMTI_CMLR_INLINE_INFO || h->majorinfoversion != 1 || h->minorinfoversion != 0) return "no record";
    if (r->numpcs < 2) return "few places in the record";
    for (jint i = 0; i < r->numpcs; i++) {
        const PCStackInfo *p = &r->pcinfo[i];
        if ((char *)p->pc < code || (char *)p->pc > code + size) return "address of the record outside";
        if (p->numstackframes < 1 || p->methods[p->numstackframes - 1] != m) return "the outermost method is another";
        for (jint k = 0; k < p->numstackframes; k++) {
            jlocation start, end;
            if ((*ti)->GetMethodLocation(ti, p->methods[k], &start, &end)) return "no location of a body";
            bool entry = p->bcis[k] == -1; /* as the reference calls what is in front of the first instruction */
            if (!entry && (p->bcis[k] < start || p->bcis[k] > end)) return "no bci of a body";
        }
        *has_body |= p->numstackframes > 1 && is_named(p->methods[0], "part");
    }
    return NULL;
}

static void JNICALL loaded(jvmtiEnv *env, jmethodID m, jint size, const void *code, jint n, const jvmtiAddrLocationMap *map,
                           const void *info) {
    char name[32];
    if (!is_ours(m, name)) return;
    const char *wrong = size <= 0 ? "empty" : check_map(m, size, code, n, map);
    bool has_body = false;
    if (!wrong) wrong = check_record(m, size, code, info, &has_body);
    if (wrong) say("! %s: %s", name, wrong);
    pthread_mutex_lock(&lock);
    if (n_heard < MOST) {
        heard[n_heard].m = m;
        heard[n_heard].code = code;
        heard[n_heard].generated = generating;
        heard[n_heard].has_body = has_body;
        snprintf(heard[n_heard++].name, 32, "%s", name);
    }
    pthread_mutex_unlock(&lock);
}

static void JNICALL unloaded(jvmtiEnv *env, jmethodID m, const void *code) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_heard; i++)
        if (heard[i].m == m && heard[i].code == code) heard[i].gone = true;
    pthread_mutex_unlock(&lock);
}

static jboolean find(JNIEnv *env, jstring name, bool generated, bool gone) {
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_heard; i++)
        found |= strcmp(heard[i].name, text) == 0 && heard[i].generated >= generated && heard[i].gone >= gone;
    pthread_mutex_unlock(&lock);
    (*env)->ReleaseStringUTFChars(env, name, text);
    return found;
}

JNIEXPORT jboolean JNICALL Java_Code_hasBody(JNIEnv *env, jclass c) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_heard; i++) found |= heard[i].has_body && !strcmp(heard[i].name, "hotParts");
    pthread_mutex_unlock(&lock);
    return found;
}
JNIEXPORT jboolean JNICALL Java_Code_loaded(JNIEnv *env, jclass c, jstring name) { return find(env, name, false, false); }
JNIEXPORT jboolean JNICALL Java_Code_generated(JNIEnv *env, jclass c, jstring name) { return find(env, name, true, false); }
JNIEXPORT jboolean JNICALL Java_Code_unloaded(JNIEnv *env, jclass c, jstring name) { return find(env, name, false, true); }

JNIEXPORT void JNICALL Java_Code_generate(JNIEnv *env, jclass c) {
    generating = true;
    MUST((*ti)->GenerateEvents(ti, JVMTI_EVENT_COMPILED_METHOD_LOAD));
    generating = false;
}

JNIEXPORT void JNICALL Java_Code_refused(JNIEnv *env, jclass c) {
    jvmtiEnv *poor = NULL;
    JavaVM *vm;
    say("generate unload: %s", error_name((*ti)->GenerateEvents(ti, JVMTI_EVENT_COMPILED_METHOD_UNLOAD)));
    (*env)->GetJavaVM(env, &vm);
    poor = new_env(vm);
    say("without capability: %s", error_name((*poor)->GenerateEvents(poor, JVMTI_EVENT_COMPILED_METHOD_LOAD)));
    (*poor)->DisposeEnvironment(poor);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_generate_compiled_method_load_events = 1};
    jvmtiEventCallbacks cb = {.CompiledMethodLoad = loaded, .CompiledMethodUnload = unloaded};
    ti = new_env(vm);
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    enable(ti, JVMTI_EVENT_COMPILED_METHOD_UNLOAD);
    return JNI_OK;
}

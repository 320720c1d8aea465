/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embed LIBJVM CLASSPATH SCENARIO: a C program that makes a VM of its own (JNI chapter 5) and prints what
 * happens.  tests/jni/embed.sh runs every scenario on both VMs.
 */
#include "../java/jni/jnitest.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

static jint (*create)(JavaVM **, void **, void *);
static jint (*defaults)(void *);
static jint (*created)(JavaVM **, jsize, jsize *);
static char classpath[2000] = "-Djava.class.path=";
static JavaVM *vm;
static JNIEnv *env;

static jint make(jboolean ignore, jint version, int n, JavaVMOption *options) {
    JavaVMOption all[20] = {{classpath, NULL}};
    for (int i = 0; i < n; i++) all[i + 1] = options[i];
    JavaVMInitArgs args = {version, n + 1, all, ignore};
    return create(&vm, (void **)&env, &args);
}

static void run_static(const char *method) {
    jclass c = E->FindClass(env, "Embedded");
    if (!c) {
        say("no class: %s", outcome(env));
        return;
    }
    E->CallStaticVoidMethod(env, c, E->GetStaticMethodID(env, c, method, "()V"));
    if (E->ExceptionCheck(env)) say("%s: %s", method, outcome(env));
}

static jint hook_vfprintf(FILE *f, const char *format, va_list ap) {
    char buf[1000];
    int n = vsnprintf(buf, sizeof buf, format, ap);
    printf("[%s] %s", f == stdout ? "out" : f == stderr ? "err" : "file", buf);
    fflush(stdout);
    return n;
}
static void hook_exit(jint code) {
    say("exit hook %d", code);
    _exit(40 + code);
}
static void hook_abort(void) {
    say("abort hook");
    _exit(60);
}

static void *destroy_elsewhere(void *arg) {
    say("destroy from another thread: %d", (*vm)->DestroyJavaVM(vm));
    return NULL;
}

static void *come_late(void *arg) {
    JNIEnv *e;
    say("late: GetEnv %d", (*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_8));
    say("late: attach %d", (*vm)->AttachCurrentThread(vm, (void **)&e, NULL));
    say("late: attach as daemon %d", (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&e, NULL));
    say("late: detach %d", (*vm)->DetachCurrentThread(vm));
    return NULL;
}

static int scenario_plain(void) {
    JavaVM *list[3] = {0};
    jsize n = -1;
    say("before: %d %d", created(list, 3, &n), n);
    say("create %d", make(JNI_FALSE, JNI_VERSION_10, 0, NULL));
    say("after: %d %d %d", created(list, 3, &n), n, list[0] == vm);
    say("no room: %d %d", created(NULL, 0, &n), n);
    JNIEnv *e2;
    say("GetEnv %d %d", (*vm)->GetEnv(vm, (void **)&e2, JNI_VERSION_1_8), e2 == env);
    JavaVM *vm2;
    say("twice %d", make(JNI_FALSE, JNI_VERSION_10, 0, NULL));
    E->GetJavaVM(env, &vm2);
    say("same %d version %x", vm2 == vm, E->GetVersion(env));
    run_static("facts");
    run_static("fails");
    TRY("absent", E->FindClass(env, "no/Such"));
    say("destroy %d", (*vm)->DestroyJavaVM(vm));
    say("after destroy: %d %d", created(list, 3, &n), n);
    pthread_t late;
    pthread_create(&late, NULL, come_late, NULL);
    pthread_join(late, NULL);
    come_late(NULL); /* who destroyed it, too */
    say("create again %d", make(JNI_FALSE, JNI_VERSION_10, 0, NULL));
    return 0;
}

static int scenario_wait(void) {
    make(JNI_FALSE, JNI_VERSION_1_8, 0, NULL);
    run_static("startThreads");
    say("destroy %d", (*vm)->DestroyJavaVM(vm));
    return 0;
}

static int scenario_detached(void) {
    make(JNI_FALSE, JNI_VERSION_1_8, 0, NULL);
    run_static("hook");
    say("detach %d", (*vm)->DetachCurrentThread(vm));
    JNIEnv *e;
    say("env %d", (*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_8));
    pthread_t t;
    pthread_create(&t, NULL, destroy_elsewhere, NULL);
    pthread_join(t, NULL);
    return 0;
}

static int scenario_exit(void) {
    JavaVMOption o[] = {{"vfprintf", (void *)hook_vfprintf}, {"exit", (void *)hook_exit}, {"abort", (void *)hook_abort}};
    say("create %d", make(JNI_FALSE, JNI_VERSION_1_8, 3, o));
    run_static("exit");
    return 1;
}

static int scenario_exit_plain(void) {
    make(JNI_FALSE, JNI_VERSION_1_8, 0, NULL);
    run_static("hook");
    run_static("exit");
    return 1;
}

static int scenario_abort(void) {
    JavaVMOption o[] = {{"abort", (void *)hook_abort}};
    make(JNI_FALSE, JNI_VERSION_1_8, 1, o);
    E->FatalError(env, "this is the end");
    return 1;
}

static int scenario_fatal(void) {
    make(JNI_FALSE, JNI_VERSION_1_8, 0, NULL);
    E->FatalError(env, "no hook");
    return 1;
}

static int scenario_version(void) {
    JavaVMOption o[] = {{"vfprintf", (void *)hook_vfprintf}, {"exit", (void *)hook_exit}, {"-showversion", NULL}};
    say("create %d", make(JNI_FALSE, JNI_VERSION_1_8, 2, o));
    return 0;
}

static int scenario_unknown(void) {
    JavaVMOption o[] = {{"vfprintf", (void *)hook_vfprintf}, {"-Xnosuch", NULL}};
    say("create %d", make(JNI_FALSE, JNI_VERSION_1_8, 2, o));
    JavaVMOption o2[] = {{"-nosuch", NULL}, {"_odd", NULL}, {"-Xmx64m", NULL}};
    say("create ignoring %d", make(JNI_TRUE, JNI_VERSION_1_8, 3, o2));
    return 0;
}

static int scenario_ignored(void) {
    JavaVMOption o[] = {{"_odd", NULL}, {"-Xnosuch", NULL}, {"-Xmx64m", NULL}};
    say("create ignoring %d", make(JNI_TRUE, JNI_VERSION_1_8, 3, o));
    return 0;
}

static int scenario_versions(void) {
    static const jint all[] = {0,          1,          0x00010001, 0x00010002, 0x00010003, 0x00010004, 0x00010005, 0x00010006,
                               0x00010007, 0x00010008, 0x00090000, 0x000a0000, 0x000b0000, 0x00110000, 0x00130000, -1};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct {
            JavaVMInitArgs a;
            char room[200];
        } args = {{all[i], 0, NULL, 0}, {0}};
        say("defaults %x: %d", all[i], defaults(&args));
    }
    say("create 0: %d", make(JNI_FALSE, 0, 0, NULL));
    say("create 1.1: %d", make(JNI_FALSE, JNI_VERSION_1_1, 0, NULL));
    say("create 19: %d", make(JNI_FALSE, 0x00130000, 0, NULL));
    say("create 1.2: %d", make(JNI_FALSE, JNI_VERSION_1_2, 0, NULL));
    return 0;
}

static int scenario_pending(void) {
    make(JNI_FALSE, JNI_VERSION_1_8, 0, NULL);
    jclass c = E->FindClass(env, "Embedded");
    E->CallStaticVoidMethod(env, c, E->GetStaticMethodID(env, c, "fails", "()V"));
    say("pending %d", E->ExceptionCheck(env));
    say("destroy %d", (*vm)->DestroyJavaVM(vm));
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} scenarios[] = {
    {"plain", scenario_plain},           {"wait", scenario_wait},
    {"detached", scenario_detached},     {"exit", scenario_exit},
    {"exit_plain", scenario_exit_plain}, {"abort", scenario_abort},
    {"fatal", scenario_fatal},           {"version", scenario_version},
    {"unknown", scenario_unknown},       {"ignored", scenario_ignored},
    {"versions", scenario_versions},     {"pending", scenario_pending},
};

int main(int argc, char **argv) {
    if (argc < 4) {
        for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) puts(scenarios[i].name);
        return 0;
    }
    void *lib = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (!lib) return fprintf(stderr, "%s\n", dlerror()), 2;
    create = (jint(*)(JavaVM **, void **, void *))dlsym(lib, "JNI_CreateJavaVM");
    defaults = (jint(*)(void *))dlsym(lib, "JNI_GetDefaultJavaVMInitArgs");
    created = (jint(*)(JavaVM **, jsize, jsize *))dlsym(lib, "JNI_GetCreatedJavaVMs");
    strncat(classpath, argv[2], sizeof classpath - 30);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        if (!strcmp(scenarios[i].name, argv[3])) return scenarios[i].run();
    return 2;
}

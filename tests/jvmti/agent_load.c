/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_load - agent loading, environments, phases, storage, capabilities.
 * Options: NAME and words, separated by commas; each word is a section below.
 */
#include "agent_test.h"

static const char *const names[16];
static JavaVM *the_vm;
static char *options_seen;

static void versions(JavaVM *vm) {
    static const jint asked[] = {0x30000000, 0x30010000, 0x30010001, 0x30010100, 0x30010200, 0x30010300, 0x30020000,
                                 0x30080000, 0x30090000, 0x30090100, 0x300a0000, 0x300b0000, 0x300c0000, 0x300d0000,
                                 0x300e0000, 0x300f0000, 0x30100000, 0x30110000, 0x30120000, 0x7fff0000};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        jvmtiEnv *ti = NULL;
        jint rc = (*vm)->GetEnv(vm, (void **)&ti, asked[i]), says = 0;
        jvmtiError e = ti ? (*ti)->GetVersionNumber(ti, &says) : JVMTI_ERROR_NONE;
        say("  GetEnv %x: %d %s, GetVersionNumber %s %x", asked[i], rc, ti ? "env" : "null", error_name(e), says);
        if (ti) (*ti)->DisposeEnvironment(ti);
    }
    void *jni = NULL;
    say("  GetEnv JNI: %d", (*vm)->GetEnv(vm, &jni, JNI_VERSION_10));
}

static void storage(jvmtiEnv *a, JavaVM *vm, bool live) {
    jvmtiEnv *b = new_env(vm);
    void *p = (void *)1;
    jvmtiError e;
    if (!b) return;
    e = (*b)->GetEnvironmentLocalStorage(b, &p);
    say("  env storage fresh: %s %d", error_name(e), p == NULL);
    (*a)->SetEnvironmentLocalStorage(a, (void *)0x11);
    (*b)->SetEnvironmentLocalStorage(b, (void *)0x22);
    (*a)->GetEnvironmentLocalStorage(a, &p);
    say("  env storage a: %lx", (long)p);
    (*b)->GetEnvironmentLocalStorage(b, &p);
    say("  env storage b: %lx", (long)p);
    if (live) {
        p = (void *)1;
        e = (*a)->GetThreadLocalStorage(a, NULL, &p);
        say("  thread storage fresh: %s %d", error_name(e), p == NULL);
        say("  set: %s", error_name((*a)->SetThreadLocalStorage(a, NULL, (void *)0x33)));
        (*b)->GetThreadLocalStorage(b, NULL, &p);
        say("  thread storage of the other: %d", p == NULL);
        jthread t = NULL;
        MUST((*a)->GetCurrentThread(a, &t));
        (*a)->GetThreadLocalStorage(a, t, &p);
        say("  thread storage by thread: %lx", (long)p);
    }
    say("  dispose: %s", error_name((*b)->DisposeEnvironment(b)));
    say("  after: %s", error_name((*b)->GetEnvironmentLocalStorage(b, &p)));
    say("  again: %s", error_name((*b)->DisposeEnvironment(b)));
    say("  version of disposed: %s", error_name((*b)->GetVersionNumber(b, (jint *)&p)));
    say("  null env: %s", error_name((*a)->GetPhase((jvmtiEnv *)&names, (jvmtiPhase *)&p)));
}

static void print_capabilities(const char *what, jvmtiCapabilities c) {
    union {
        jvmtiCapabilities caps;
        unsigned w[4];
    } have = {.caps = c}, ours = {.caps = our_capabilities()};
    say("  %s", what);
#define CAP(bit, name) \
    if (have.w[(bit) / 32] >> (bit) % 32 & ours.w[(bit) / 32] >> (bit) % 32 & 1) say("    " #name);
#include "../../jvmti/capabilities.def"
#undef CAP
}
static void capabilities(JavaVM *vm) {
    jvmtiEnv *ti = new_env(vm);
    jvmtiCapabilities c, none, one, impossible;
    memset(&none, 0, sizeof none);
    one = impossible = c = none;
    (*ti)->GetCapabilities(ti, &c);
    say("  empty at first: %d", memcmp(&c, &none, sizeof c) == 0);
    (*ti)->GetPotentialCapabilities(ti, &c);
    print_capabilities("potential:", c);
    one.can_get_line_numbers = 1;
    say("  add: %s", error_name((*ti)->AddCapabilities(ti, &one)));
    say("  add again: %s", error_name((*ti)->AddCapabilities(ti, &one)));
    (*ti)->GetCapabilities(ti, &c);
    print_capabilities("held:", c);
    impossible.can_get_source_file_name = 1;
    say("  relinquish unheld: %s", error_name((*ti)->RelinquishCapabilities(ti, &impossible)));
    say("  relinquish: %s", error_name((*ti)->RelinquishCapabilities(ti, &one)));
    (*ti)->GetCapabilities(ti, &c);
    print_capabilities("held:", c);
    one = none;
    one.can_get_bytecodes = one.can_get_constant_pool = one.can_get_source_file_name = 1;
    (*ti)->AddCapabilities(ti, &one);
    (*ti)->GetCapabilities(ti, &c);
    print_capabilities("held:", c);
    (*ti)->DisposeEnvironment(ti);
}

/* All or nothing: one bit that is over in the live phase. */
static void late_capabilities(jvmtiEnv *ti) {
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_generate_early_vmstart = c.can_get_bytecodes = 1;
    say("  add impossible: %s", error_name((*ti)->AddCapabilities(ti, &c)));
    (*ti)->GetCapabilities(ti, &c);
    print_capabilities("held:", c);
}

static void properties(jvmtiEnv *ti) {
    static const char *const asked[] = {"java.vm.specification.name",
                                        "java.vm.specification.version",
                                        "java.vm.specification.vendor",
                                        "java.class.path",
                                        "user.dir",
                                        "file.separator",
                                        "no.such",
                                        "my.own",
                                        "java.library.path",
                                        "java.home",
                                        "sun.boot.library.path",
                                        "java.version",
                                        "java.vm.info"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char *value = NULL;
        jvmtiError e = (*ti)->GetSystemProperty(ti, asked[i], &value);
        bool place = strstr(asked[i], "home") || strstr(asked[i], "boot") || strstr(asked[i], "vm.info");
        say("  get %s: %s %s", asked[i], error_name(e), place ? "..." : value ? value : "null");
        (*ti)->Deallocate(ti, (unsigned char *)value);
        if (strstr(asked[i], "specification")) /* the reference crashes on NULL for writable ones */
            say("  writable: %s", error_name((*ti)->SetSystemProperty(ti, asked[i], NULL)));
    }
    say("  set: %s", error_name((*ti)->SetSystemProperty(ti, "my.own", "set by agent")));
    say("  set new: %s", error_name((*ti)->SetSystemProperty(ti, "my.other", "new")));
    say("  set vm: %s", error_name((*ti)->SetSystemProperty(ti, "java.vm.version", "x")));
    jint n = 0;
    char **v = NULL;
    MUST((*ti)->GetSystemProperties(ti, &n, &v));
    for (jint i = 0; i < n; i++) {
        if (strstr(v[i], "my.")) say("  listed %s", v[i]);
        (*ti)->Deallocate(ti, (unsigned char *)v[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)v);
}

static void error_names(jvmtiEnv *ti) {
    for (int i = -1; i < 120; i++) {
        char *name = NULL;
        jvmtiError e = (*ti)->GetErrorName(ti, (jvmtiError)i, &name);
        say("  %d %s %s", i, error_name(e), e ? "" : name);
        if (!e) (*ti)->Deallocate(ti, (unsigned char *)name);
    }
}

static void memory(jvmtiEnv *ti) {
    unsigned char *p = (unsigned char *)1;
    jvmtiError e;
    e = (*ti)->Allocate(ti, 0, &p);
    say("  Allocate 0: %s %d", error_name(e), p == NULL);
    say("  Deallocate null: %s", error_name((*ti)->Deallocate(ti, NULL)));
    say("  Allocate -1: %s", error_name((*ti)->Allocate(ti, -1, &p)));
    say("  Allocate null: %s", error_name((*ti)->Allocate(ti, 8, NULL)));
    say("  Allocate 100000: %s", error_name((*ti)->Allocate(ti, 100000, &p)));
    memset(p, 7, 100000);
    say("  Deallocate: %s", error_name((*ti)->Deallocate(ti, p)));
}

static void timers(jvmtiEnv *ti) {
    jvmtiTimerInfo i;
    jlong a, b;
    jint n;
    jvmtiJlocationFormat f;
    jvmtiError e;
    memset(&i, 0, sizeof i);
    e = (*ti)->GetTimerInfo(ti, &i);
    say("  GetTimerInfo: %s max %llx skip %d %d kind %d", error_name(e), (unsigned long long)i.max_value, i.may_skip_forward,
        i.may_skip_backward, i.kind);
    (*ti)->GetTime(ti, &a);
    (*ti)->GetTime(ti, &b);
    say("  GetTime: %d", a > 0 && b >= a);
    e = (*ti)->GetAvailableProcessors(ti, &n);
    say("  processors: %s %d", error_name(e), n > 0);
    e = (*ti)->GetJLocationFormat(ti, &f);
    say("  location format: %s %d", error_name(e), f);
    for (int flag = -1; flag < 6; flag++)
        say("  verbose %d: %s", flag, error_name((*ti)->SetVerboseFlag(ti, (jvmtiVerboseFlag)flag, JNI_FALSE)));
}

static void JNICALL vm_start(jvmtiEnv *ti, JNIEnv *jni) {
    jvmtiEnv *other = NULL;
    say("%s VMStart, phase %s, jni %d", options_seen, phase_name(ti), jni != NULL);
    if (has_word(options_seen, "phases")) say("  GetEnv: %d", (*the_vm)->GetEnv(the_vm, (void **)&other, JVMTI_VERSION_11));
}
static void JNICALL vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
    say("%s VMInit, phase %s, jni %d", options_seen, phase_name(ti), jni != NULL);
    if (has_word(options_seen, "versions")) versions(the_vm);
    if (has_word(options_seen, "storage")) storage(ti, the_vm, true);
    if (has_word(options_seen, "timers")) timers(ti);
    if (has_word(options_seen, "capabilities")) late_capabilities(ti);
    if (has_word(options_seen, "properties")) say("  set: %s", error_name((*ti)->SetSystemProperty(ti, "my.own", "late")));
}
static void JNICALL vm_death(jvmtiEnv *ti, JNIEnv *jni) {
    jvmtiEnv *other = NULL;
    say("%s VMDeath, phase %s, jni %d", options_seen, phase_name(ti), jni != NULL);
    if (has_word(options_seen, "phases")) say("  GetEnv: %d", (*the_vm)->GetEnv(the_vm, (void **)&other, JVMTI_VERSION_11));
}

static void second_env(JavaVM *vm, const char *options);
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    if (!options) options = ""; /* the reference; the specification says zero length */
    say("Agent_OnLoad [%s] reserved %d", options, reserved != NULL);
    the_vm = vm;
    options_seen = strdup(options);
    if (has_word(options, "fail")) return 7;
    if (has_word(options, "negative")) return -1;
    if (has_word(options, "quiet")) return 0;
    second_env(vm, options);
    jvmtiEnv *ti = new_env(vm);
    jvmtiEventCallbacks calls = {.VMStart = vm_start, .VMInit = vm_init, .VMDeath = vm_death};
    say("  phase %s", phase_name(ti));
    if (has_word(options, "versions")) versions(vm);
    if (has_word(options, "storage")) storage(ti, vm, false);
    if (has_word(options, "capabilities")) capabilities(vm);
    if (has_word(options, "properties")) properties(ti);
    if (has_word(options, "errors")) error_names(ti);
    if (has_word(options, "memory")) memory(ti);
    if (has_word(options, "timers")) timers(ti);
    if (has_word(options, "early")) {
        jvmtiCapabilities c = {.can_generate_early_vmstart = 1};
        MUST((*ti)->AddCapabilities(ti, &c));
    }
    if (has_word(options, "boot")) say("  boot search: %s", error_name((*ti)->AddToBootstrapClassLoaderSearch(ti, "more.jar")));
    if (has_word(options, "system")) say("  system search: %s", error_name((*ti)->AddToSystemClassLoaderSearch(ti, "more.jar")));
    MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls));
    enable(ti, JVMTI_EVENT_VM_START);
    enable(ti, JVMTI_EVENT_VM_INIT);
    enable(ti, JVMTI_EVENT_VM_DEATH);
    return 0;
}

static void JNICALL second_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
    say("%s second environment VMInit", options_seen);
    MUST((*ti)->DisposeEnvironment(ti));
}
/* Created before the first one of "phases": its event comes first; disposed inside its own event. */
static void second_env(JavaVM *vm, const char *options) {
    if (!has_word(options, "second")) return;
    jvmtiEnv *ti = new_env(vm);
    jvmtiEventCallbacks calls = {.VMInit = second_init, .VMDeath = vm_death};
    MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls));
    enable(ti, JVMTI_EVENT_VM_INIT);
    enable(ti, JVMTI_EVENT_VM_DEATH);
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    /* After a failing OnLoad the reference leaves it out and the specification wants it. */
    if (!has_word(options_seen, "fail") && !has_word(options_seen, "negative")) say("Agent_OnUnload");
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instrument_all - an agent that counts at the entry, each return and each exceptional exit of every
 * method of every class the boot loader defines, from java/lang/Object on.
 *
 *     -agentpath:libinstrument_all.so[=FILE]     the totals go to FILE (default: standard error)
 *
 * WHERE THE COUNTERS ARE. The first instrumented methods run before any class could be added, so the
 * counters must be in a class that exists and is initialised whenever any bytecode runs: three public
 * static fields of java/lang/Object itself. It is the first class loaded and initialised, every class may
 * access it, interfaces too (which cannot have such fields of their own), and no other class changes shape.
 *
 * WHAT IS LEFT OUT. Methods `finalize()V`: VMs take an object as needing finalisation if its class has
 * a non-empty one, so the empty one of Object must stay empty. Classes without a name (hidden ones).
 */
#include <jvmti.h>
#include <stdlib.h>

#include "bci.h"

static const char *const fields[] = {"$entries", "$returns", "$throws"};
static const char *report;
static unsigned long classes, methods, failures; /* early classes come on one thread; later ones may race: rough */

static void count(BciPos at, const char *field) {
    bci_field(at, CF_OP_GETSTATIC, "java/lang/Object", field, "J");
    bci_op(at, CF_OP_LCONST_1);
    bci_op(at, CF_OP_LADD);
    bci_field(at, CF_OP_PUTSTATIC, "java/lang/Object", field, "J");
}
static void count_return(BciPos at, BciInsn *site, void *arg) { count(at, "$returns"); }
static void count_throw(BciPos at, BciInsn *site, void *arg) { count(at, "$throws"); }

static void edit_method(BciMethod *m) {
    if (!strcmp(bci_method_name(m), "finalize") && !strcmp(bci_method_desc(m), "()V")) return;
    BciCode *code = bci_code(m);
    if (!code) return;
    methods++;
    count(bci_entry(code), "$entries");
    bci_each_return(code, count_return, NULL);
    bci_on_throw(code, count_throw, NULL);
}

static void *allocate(void *ti, size_t size) {
    unsigned char *p = NULL;
    return (*(jvmtiEnv *)ti)->Allocate(ti, (jlong)size, &p) == JVMTI_ERROR_NONE ? p : NULL;
}

static void JNICALL hook(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject pd, jint len,
                         const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    if (loader || !name) return;
    CfError err;
    cf_err_clear(&err);
    BciOptions opt = {.flags = BCI_SKIP_FAILED};
    BciClass *c = bci_open(bytes, (size_t)len, &opt, &err);
    size_t size;
    if (c && !strcmp(name, "java/lang/Object"))
        for (int k = 0; k < 3; k++) bci_add_field(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, fields[k], "J");
    for (int i = 0; c && i < bci_method_count(c); i++) edit_method(bci_method(c, i));
    classes++;
    if (!c || (bci_changed(c) && bci_write(c, allocate, ti, new_bytes, &size, &err) != CF_OK)) {
        failures++;
        fprintf(stderr, "instrument_all: %s: %s: %s\n", name, err.where, err.text);
    } else if (bci_changed(c)) {
        *new_len = (jint)size;
    }
    for (int i = 0; c && i < bci_method_count(c); i++)
        if (bci_method_error(bci_method(c, i), &err) != CF_OK) {
            failures++;
            fprintf(stderr, "instrument_all: %s: %s: %s\n", name, err.where, err.text);
        }
    bci_close(c);
}

static void JNICALL vm_death(jvmtiEnv *ti, JNIEnv *jni) {
    FILE *f = report ? fopen(report, "w") : stderr;
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    if (!f || !object) return;
    fprintf(f, "classes %lu methods %lu failures %lu", classes, methods, failures);
    for (int k = 0; k < 3; k++) {
        jfieldID id = (*jni)->GetStaticFieldID(jni, object, fields[k], "J");
        fprintf(f, " %s %lld", fields[k] + 1, id ? (long long)(*jni)->GetStaticLongField(jni, object, id) : -1);
    }
    fprintf(f, "\n");
    if (report) fclose(f);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEnv *ti;
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = hook, .VMDeath = vm_death};
    jvmtiCapabilities caps = {.can_generate_all_class_hook_events = 1, .can_generate_early_class_hook_events = 1};
    if (options && *options) report = strdup(options);
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK) return 1;
    jvmtiError e = (*ti)->AddCapabilities(ti, &caps);
    if (!e) e = (*ti)->SetEventCallbacks(ti, &calls, sizeof calls);
    if (!e) e = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    if (!e) e = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    if (e) fprintf(stderr, "instrument_all: JVM TI error %d\n", e);
    return e != JVMTI_ERROR_NONE;
}

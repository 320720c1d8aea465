/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.c - a JVM TI agent that has every method of the program say its name when it is entered. */
#include <jvmti.h>
#include "bci.h"

static void *allocate(void *ti, size_t size) {
    unsigned char *p = NULL;
    return (*(jvmtiEnv *)ti)->Allocate(ti, (jlong)size, &p) == JVMTI_ERROR_NONE ? p : NULL;
}

static void JNICALL class_loaded(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject pd, jint len,
                                 const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    CfError err = {0};
    size_t size;
    char text[300];
    BciClass *c = loader ? bci_open(bytes, (size_t)len, NULL, &err) : NULL; /* no JDK core classes */
    for (int i = 0; c && i < bci_method_count(c); i++) {
        snprintf(text, sizeof text, "> %s.%s", bci_class_name(c), bci_method_name(bci_method(c, i)));
        BciPos at = bci_entry(bci_code(bci_method(c, i)));
        bci_field(at, CF_OP_GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
        bci_string(at, text);
        bci_invoke(at, CF_OP_INVOKEVIRTUAL, "java/io/PrintStream", "println", "(Ljava/lang/String;)V");
    }
    if (c && bci_write(c, allocate, ti, new_bytes, &size, &err) == CF_OK) *new_len = (jint)size;
    if (err.code != CF_OK) fprintf(stderr, "rewrite: %s left as it is: %s: %s\n", name ? name : "?", err.where, err.text);
    bci_close(c);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEnv *ti;
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = class_loaded};
    return (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) || (*ti)->SetEventCallbacks(ti, &calls, sizeof calls) ||
           (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
}

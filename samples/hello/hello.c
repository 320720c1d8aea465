/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hello JAVA_HOME CLASSPATH CLASS [ARGUMENT...]: a C program that makes a Java VM and calls
 * CLASS.main. Nothing here is Graft's own: the same program runs on any libjvm.so.
 */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <string.h>

typedef jint (*CreateVM)(JavaVM **, void **, void *);

static int call_main(JNIEnv *env, const char *name, int argc, char **argv) {
    jclass cls = (*env)->FindClass(env, name);
    jmethodID run = cls ? (*env)->GetStaticMethodID(env, cls, "main", "([Ljava/lang/String;)V") : NULL;
    if (run) {
        jobjectArray args = (*env)->NewObjectArray(env, argc, (*env)->FindClass(env, "java/lang/String"), NULL);
        for (int i = 0; i < argc; i++) (*env)->SetObjectArrayElement(env, args, i, (*env)->NewStringUTF(env, argv[i]));
        (*env)->CallStaticVoidMethod(env, cls, run, args);
    }
    if (!(*env)->ExceptionCheck(env)) return 0;
    (*env)->ExceptionDescribe(env);
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: hello JAVA_HOME CLASSPATH CLASS [ARGUMENT...]\n");
        return 2;
    }
    char library[4096], classpath[4096];
    snprintf(library, sizeof library, "%s/lib/server/libjvm.so", argv[1]);
    snprintf(classpath, sizeof classpath, "-Djava.class.path=%s", argv[2]);
    void *handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    CreateVM create = handle ? (CreateVM)dlsym(handle, "JNI_CreateJavaVM") : NULL;
    if (!create) {
        fprintf(stderr, "hello: %s\n", dlerror());
        return 2;
    }

    JavaVM *vm;
    JNIEnv *env;
    JavaVMOption option = {classpath, NULL};
    JavaVMInitArgs args = {JNI_VERSION_10, 1, &option, JNI_FALSE};
    jint error = create(&vm, (void **)&env, &args);
    if (error != JNI_OK) {
        fprintf(stderr, "hello: no VM, error %d\n", error);
        return 2;
    }
    int code = call_main(env, argv[3], argc - 4, argv + 4);
    (*vm)->DestroyJavaVM(vm);
    return code;
}

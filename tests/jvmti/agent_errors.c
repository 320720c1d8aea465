/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_errors - which error each function answers when several things are wrong at once: in the
 * OnLoad phase, at VMStart, live without capabilities, live with them, from an unattached thread.
 * Functions without a body yet are not called.
 */
#include "agent_test.h"
#include <pthread.h>

static JavaVM *the_vm;
static jvmtiEnv *ti, *with_capabilities;
static jobject string, object, dead_thread, new_thread, group, module;
static jclass klass, primitive, array, unprepared;
static jmethodID method, native_method, abstract_method;
static jfieldID field;
static jrawMonitorID monitor;
static char buffer[4096]; /* takes any result */

#define P ((void *)buffer)
#define E(name, ...) \
    do { \
        memset(buffer, 0, sizeof buffer); \
        jvmtiError e_ = (*ti)->name(ti, ##__VA_ARGS__); \
        say("  " #name "(%s): %s", #__VA_ARGS__, error_name(e_)); \
    } while (0)

static void threads(void) {
    E(GetThreadState, NULL, NULL);
    E(GetThreadState, string, NULL);
    E(GetThreadState, string, P);
    E(GetThreadState, dead_thread, P);
    E(GetThreadState, new_thread, P);
    E(GetCurrentThread, NULL);
    E(GetAllThreads, NULL, P);
    E(GetAllThreads, P, NULL);
    E(SuspendThread, string);
    E(SuspendThread, dead_thread);
    E(SuspendThread, new_thread);
    E(SuspendThreadList, -1, NULL, NULL);
    E(SuspendThreadList, 0, NULL, NULL);
    E(SuspendThreadList, 0, P, NULL);
    E(ResumeThread, NULL);
    E(ResumeThread, string);
    E(ResumeThread, dead_thread);
    E(ResumeThreadList, -1, NULL, NULL);
    E(ResumeThreadList, 0, NULL, P);
    E(InterruptThread, NULL);
    E(InterruptThread, string);
    E(InterruptThread, dead_thread);
    E(InterruptThread, new_thread);
    E(GetThreadInfo, NULL, NULL);
    E(GetThreadInfo, string, NULL);
    E(GetThreadInfo, dead_thread, P);
    E(GetThreadInfo, new_thread, P);
    E(GetCurrentContendedMonitor, string, NULL);
    E(GetCurrentContendedMonitor, dead_thread, NULL);
    E(GetCurrentContendedMonitor, NULL, NULL);
    E(GetCurrentContendedMonitor, NULL, P);
    E(RunAgentThread, NULL, NULL, NULL, 99);
    E(RunAgentThread, string, NULL, NULL, 99);
    E(SetThreadLocalStorage, string, NULL);
    E(SetThreadLocalStorage, dead_thread, NULL);
    E(SetThreadLocalStorage, new_thread, P);
    E(GetThreadLocalStorage, string, NULL);
    E(GetThreadLocalStorage, dead_thread, P);
    E(GetThreadLocalStorage, NULL, NULL);
    E(GetTopThreadGroups, NULL, P);
    E(GetTopThreadGroups, P, NULL);
    E(GetThreadGroupInfo, NULL, NULL);
    E(GetThreadGroupInfo, string, NULL);
    E(GetThreadGroupInfo, group, NULL);
    E(GetThreadGroupChildren, NULL, NULL, NULL, NULL, NULL);
    E(GetThreadGroupChildren, group, NULL, P, P, P);
    E(GetThreadGroupChildren, group, P, P, P, NULL);
}
static void stacks(void) {
    E(GetStackTrace, string, 0, -1, NULL, NULL);
    E(GetStackTrace, dead_thread, 0, 1, P, P);
    E(GetStackTrace, new_thread, 0, 1, P, P);
    E(GetStackTrace, NULL, 0, -1, NULL, NULL);
    E(GetStackTrace, NULL, 0, 1, NULL, P);
    E(GetStackTrace, NULL, 0, 1, P, NULL);
    E(GetStackTrace, NULL, 1000, 1, P, P);
    E(GetStackTrace, NULL, -1000, 1, P, P);
    E(GetStackTrace, NULL, 0, 0, P, P);
    E(GetAllStackTraces, -1, NULL, NULL);
    E(GetAllStackTraces, 1, NULL, P);
    E(GetAllStackTraces, 1, P, NULL);
    E(GetThreadListStackTraces, -1, NULL, -1, NULL);
    E(GetThreadListStackTraces, 0, NULL, -1, NULL);
    E(GetThreadListStackTraces, 0, NULL, 1, NULL);
    E(GetThreadListStackTraces, 1, &string, 1, P);
    E(GetThreadListStackTraces, 0, &string, 1, P);
    E(GetThreadListStackTraces, 1, &string, 1, NULL);
    E(GetFrameCount, string, NULL);
    E(GetFrameCount, dead_thread, P);
    E(GetFrameCount, NULL, NULL);
    E(GetFrameLocation, string, -1, NULL, NULL);
    E(GetFrameLocation, NULL, -1, NULL, NULL);
    E(GetFrameLocation, NULL, 0, NULL, P);
    E(GetFrameLocation, NULL, 0, P, NULL);
    E(GetFrameLocation, NULL, 1000, P, P);
    E(GetFrameLocation, dead_thread, 0, P, P);
}
#define GET_SET(Type, value) \
    do { \
        E(GetLocal##Type, string, -1, 0, NULL); \
        E(GetLocal##Type, NULL, -1, 0, NULL); \
        E(GetLocal##Type, NULL, 0, 0, NULL); \
        E(GetLocal##Type, dead_thread, -1, 0, P); \
        E(GetLocal##Type, dead_thread, 0, 0, P); \
        E(GetLocal##Type, NULL, 1000, 0, P); \
        E(GetLocal##Type, NULL, 0, 0, P); \
        E(GetLocal##Type, NULL, 1, -1, P); \
        E(GetLocal##Type, NULL, 1, 1000, P); \
        E(SetLocal##Type, string, -1, 0, value); \
        E(SetLocal##Type, NULL, -1, 0, value); \
        E(SetLocal##Type, dead_thread, 0, 0, value); \
        E(SetLocal##Type, NULL, 1000, 0, value); \
        E(SetLocal##Type, NULL, 0, 0, value); \
        E(SetLocal##Type, NULL, 1, -1, value); \
        E(SetLocal##Type, NULL, 1, 1000, value); \
    } while (0)
static void debugger(void) {
    E(StopThread, NULL, NULL);
    E(StopThread, string, NULL);
    E(StopThread, dead_thread, string);
    E(StopThread, new_thread, string);
    E(GetOwnedMonitorInfo, string, NULL, NULL);
    E(GetOwnedMonitorInfo, dead_thread, NULL, P);
    E(GetOwnedMonitorInfo, NULL, NULL, P);
    E(GetOwnedMonitorInfo, NULL, P, NULL);
    E(GetOwnedMonitorInfo, new_thread, P, P);
    E(GetOwnedMonitorStackDepthInfo, string, NULL, NULL);
    E(GetOwnedMonitorStackDepthInfo, dead_thread, NULL, P);
    E(GetOwnedMonitorStackDepthInfo, NULL, NULL, P);
    E(GetOwnedMonitorStackDepthInfo, NULL, P, NULL);
    E(PopFrame, NULL);
    E(PopFrame, string);
    E(PopFrame, dead_thread);
    E(PopFrame, new_thread);
    E(NotifyFramePop, string, -1);
    E(NotifyFramePop, NULL, -1);
    E(NotifyFramePop, NULL, 1000);
    E(NotifyFramePop, NULL, 0);
    E(NotifyFramePop, dead_thread, 0);
    E(NotifyFramePop, dead_thread, -1);
    E(ForceEarlyReturnObject, string, NULL);
    E(ForceEarlyReturnObject, dead_thread, NULL);
    E(ForceEarlyReturnObject, NULL, string);
    E(ForceEarlyReturnInt, string, 0);
    E(ForceEarlyReturnInt, dead_thread, 0);
    E(ForceEarlyReturnInt, NULL, 0);
    E(ForceEarlyReturnLong, string, 0);
    E(ForceEarlyReturnFloat, dead_thread, 0);
    E(ForceEarlyReturnDouble, NULL, 0);
    E(ForceEarlyReturnVoid, string);
    E(ForceEarlyReturnVoid, new_thread);
    E(ForceEarlyReturnVoid, NULL);
    GET_SET(Object, string);
    GET_SET(Int, 1);
    GET_SET(Long, 1);
    GET_SET(Float, 1);
    GET_SET(Double, 1);
    E(GetLocalInstance, string, -1, NULL);
    E(GetLocalInstance, NULL, -1, NULL);
    E(GetLocalInstance, NULL, 0, NULL);
    E(GetLocalInstance, NULL, 1000, P);
    E(GetLocalInstance, NULL, 0, P);
    E(GetLocalInstance, dead_thread, 0, P);
    E(SetBreakpoint, NULL, 0);
    E(SetBreakpoint, method, -1);
    E(SetBreakpoint, method, 100000);
    E(ClearBreakpoint, NULL, 0);
    E(ClearBreakpoint, method, -1);
    E(ClearBreakpoint, method, 0);
    E(ClearBreakpoint, method, 100000);
    E(SetFieldAccessWatch, NULL, NULL);
    E(SetFieldAccessWatch, string, field);
    E(SetFieldAccessWatch, klass, NULL);
    E(ClearFieldAccessWatch, NULL, NULL);
    E(ClearFieldAccessWatch, string, field);
    E(ClearFieldAccessWatch, klass, field);
    E(SetFieldModificationWatch, NULL, NULL);
    E(SetFieldModificationWatch, string, field);
    E(SetFieldModificationWatch, klass, NULL);
    E(ClearFieldModificationWatch, NULL, NULL);
    E(ClearFieldModificationWatch, klass, field);
    E(SetNativeMethodPrefix, NULL);
    E(SetNativeMethodPrefixes, -1, NULL);
    E(SetNativeMethodPrefixes, 0, NULL);
    E(SetNativeMethodPrefixes, 0, P);
    E(SetNativeMethodPrefixes, 1, P);
}
static void classes(void) {
    E(GetLoadedClasses, NULL, P);
    E(GetLoadedClasses, P, NULL);
    E(GetClassLoaderClasses, NULL, NULL, P);
    E(GetClassLoaderClasses, NULL, P, NULL);
    E(GetClassSignature, NULL, P, P);
    E(GetClassSignature, string, NULL, NULL);
    E(GetClassSignature, klass, NULL, NULL);
    E(GetClassSignature, primitive, P, NULL);
    E(GetClassStatus, NULL, NULL);
    E(GetClassStatus, string, P);
    E(GetClassStatus, klass, NULL);
    E(GetSourceFileName, NULL, NULL);
    E(GetSourceFileName, klass, NULL);
    E(GetSourceFileName, array, P);
    E(GetSourceFileName, primitive, P);
    E(GetSourceFileName, string, NULL);
    E(GetClassModifiers, NULL, NULL);
    E(GetClassModifiers, string, P);
    E(GetClassModifiers, klass, NULL);
    E(GetClassMethods, NULL, NULL, NULL);
    E(GetClassMethods, klass, NULL, P);
    E(GetClassMethods, klass, P, NULL);
    E(GetClassMethods, unprepared, NULL, NULL);
    E(GetClassMethods, unprepared, P, P);
    E(GetClassMethods, array, NULL, P);
    E(GetClassFields, NULL, NULL, NULL);
    E(GetClassFields, klass, NULL, P);
    E(GetClassFields, klass, P, NULL);
    E(GetClassFields, unprepared, P, P);
    E(GetImplementedInterfaces, NULL, NULL, NULL);
    E(GetImplementedInterfaces, klass, NULL, P);
    E(GetImplementedInterfaces, klass, P, NULL);
    E(GetImplementedInterfaces, unprepared, P, P);
    E(GetClassVersionNumbers, NULL, NULL, NULL);
    E(GetClassVersionNumbers, klass, NULL, P);
    E(GetClassVersionNumbers, klass, P, NULL);
    E(GetClassVersionNumbers, array, P, P);
    E(GetClassVersionNumbers, primitive, P, NULL);
    E(GetConstantPool, NULL, NULL, NULL, NULL);
    E(GetConstantPool, klass, NULL, P, P);
    E(GetConstantPool, klass, P, NULL, P);
    E(GetConstantPool, klass, P, P, NULL);
    E(GetConstantPool, array, P, P, P);
    E(GetConstantPool, primitive, P, P, P);
    E(IsInterface, NULL, P);
    E(IsInterface, klass, NULL);
    E(IsArrayClass, NULL, P);
    E(IsArrayClass, klass, NULL);
    E(IsModifiableClass, NULL, P);
    E(IsModifiableClass, klass, NULL);
    E(IsModifiableClass, string, NULL);
    E(GetClassLoader, NULL, P);
    E(GetClassLoader, klass, NULL);
    E(GetClassLoader, string, P);
    E(GetSourceDebugExtension, NULL, NULL);
    E(GetSourceDebugExtension, klass, NULL);
    E(GetSourceDebugExtension, klass, P);
    E(GetSourceDebugExtension, array, P);
}
static void members(void) {
    E(GetFieldName, NULL, NULL, NULL, NULL, NULL);
    E(GetFieldName, string, field, P, P, P);
    E(GetFieldName, klass, NULL, P, P, P);
    E(GetFieldName, klass, field, NULL, NULL, NULL);
    E(GetFieldName, klass, field, P, NULL, NULL);
    E(GetFieldDeclaringClass, NULL, NULL, NULL);
    E(GetFieldDeclaringClass, klass, NULL, NULL);
    E(GetFieldDeclaringClass, klass, field, NULL);
    E(GetFieldModifiers, NULL, NULL, NULL);
    E(GetFieldModifiers, klass, NULL, P);
    E(GetFieldModifiers, klass, field, NULL);
    E(IsFieldSynthetic, NULL, NULL, NULL);
    E(IsFieldSynthetic, klass, NULL, P);
    E(IsFieldSynthetic, klass, field, NULL);
    E(GetMethodName, NULL, NULL, NULL, NULL);
    E(GetMethodName, method, NULL, NULL, NULL);
    E(GetMethodDeclaringClass, NULL, NULL);
    E(GetMethodDeclaringClass, method, NULL);
    E(GetMethodModifiers, NULL, NULL);
    E(GetMethodModifiers, method, NULL);
    E(GetMaxLocals, NULL, NULL);
    E(GetMaxLocals, native_method, NULL);
    E(GetMaxLocals, method, NULL);
    E(GetMaxLocals, native_method, P);
    E(GetMaxLocals, abstract_method, P);
    E(GetArgumentsSize, NULL, NULL);
    E(GetArgumentsSize, native_method, P);
    E(GetArgumentsSize, method, NULL);
    E(GetArgumentsSize, abstract_method, P);
    E(GetLineNumberTable, NULL, NULL, NULL);
    E(GetLineNumberTable, native_method, NULL, P);
    E(GetLineNumberTable, method, NULL, P);
    E(GetLineNumberTable, method, P, NULL);
    E(GetLineNumberTable, abstract_method, P, P);
    E(GetMethodLocation, NULL, NULL, NULL);
    E(GetMethodLocation, native_method, NULL, NULL);
    E(GetMethodLocation, method, NULL, P);
    E(GetMethodLocation, method, P, NULL);
    E(GetMethodLocation, abstract_method, P, P);
    E(GetLocalVariableTable, NULL, NULL, NULL);
    E(GetLocalVariableTable, native_method, NULL, NULL);
    E(GetLocalVariableTable, method, NULL, P);
    E(GetLocalVariableTable, method, P, NULL);
    E(GetBytecodes, NULL, NULL, NULL);
    E(GetBytecodes, native_method, NULL, NULL);
    E(GetBytecodes, method, NULL, P);
    E(GetBytecodes, method, P, NULL);
    E(IsMethodNative, NULL, NULL);
    E(IsMethodNative, method, NULL);
    E(IsMethodSynthetic, NULL, NULL);
    E(IsMethodSynthetic, method, NULL);
    E(IsMethodObsolete, NULL, NULL);
    E(IsMethodObsolete, method, NULL);
    E(GetObjectSize, NULL, NULL);
    E(GetObjectSize, NULL, P);
    E(GetObjectSize, object, NULL);
    E(GetObjectHashCode, NULL, NULL);
    E(GetObjectHashCode, NULL, P);
    E(GetObjectHashCode, object, NULL);
    E(GetObjectMonitorUsage, NULL, NULL);
    E(GetObjectMonitorUsage, NULL, P);
    E(GetObjectMonitorUsage, object, NULL);
}
static void modules(void) {
    E(GetAllModules, NULL, P);
    E(GetAllModules, P, NULL);
    E(GetNamedModule, NULL, NULL, NULL);
    E(GetNamedModule, string, "java/lang", P);
    E(GetNamedModule, NULL, "java/lang", NULL);
    E(GetNamedModule, NULL, "no/such", P);
    E(GetNamedModule, NULL, "java.lang", P);
    E(AddModuleReads, NULL, NULL);
    E(AddModuleReads, module, NULL);
    E(AddModuleReads, string, NULL);
    E(AddModuleReads, string, module);
    E(AddModuleReads, module, string);
    E(AddModuleReads, module, module);
    E(AddModuleExports, NULL, NULL, NULL);
    E(AddModuleExports, module, NULL, module);
    E(AddModuleExports, string, "x", module);
    E(AddModuleExports, module, "x", string);
    E(AddModuleExports, module, "no.such", module);
    E(AddModuleExports, module, "java/lang", module);
    E(AddModuleExports, module, "java.lang", module);
    E(AddModuleOpens, NULL, NULL, NULL);
    E(AddModuleOpens, string, "x", module);
    E(AddModuleOpens, module, "no.such", module);
    E(AddModuleOpens, module, "java.lang", module);
    E(AddModuleUses, NULL, NULL);
    E(AddModuleUses, module, NULL);
    E(AddModuleUses, string, NULL);
    E(AddModuleUses, string, klass);
    E(AddModuleUses, module, string);
    E(AddModuleUses, module, klass);
    E(AddModuleProvides, NULL, NULL, NULL);
    E(AddModuleProvides, module, NULL, klass);
    E(AddModuleProvides, module, klass, NULL);
    E(AddModuleProvides, string, klass, klass);
    E(AddModuleProvides, module, string, klass);
    E(AddModuleProvides, module, klass, string);
    E(AddModuleProvides, module, klass, klass);
    E(IsModifiableModule, NULL, NULL);
    E(IsModifiableModule, string, NULL);
    E(IsModifiableModule, string, P);
    E(IsModifiableModule, module, NULL);
    E(IsModifiableModule, module, P);
}
static void general(void) {
    E(Allocate, -1, NULL);
    E(Allocate, -1, P);
    E(CreateRawMonitor, NULL, NULL);
    E(CreateRawMonitor, "x", NULL);
    E(CreateRawMonitor, NULL, P);
    E(DestroyRawMonitor, NULL);
    E(RawMonitorEnter, NULL);
    E(RawMonitorExit, NULL);
    E(RawMonitorWait, NULL, 1);
    E(RawMonitorNotify, NULL);
    E(RawMonitorNotifyAll, NULL);
    E(RawMonitorExit, (jrawMonitorID)buffer);
    E(RawMonitorExit, monitor);
    if (string) /* the reference crashes on these before there is a thread */
    {
        E(RawMonitorWait, monitor, 1);
        E(RawMonitorNotify, monitor);
        E(RawMonitorNotifyAll, monitor);
    }
    E(GetJNIFunctionTable, NULL);
    E(SetJNIFunctionTable, NULL);
    E(SetEventCallbacks, NULL, -1);
    E(SetEventNotificationMode, JVMTI_ENABLE, 0, NULL);
    E(SetEventNotificationMode, JVMTI_ENABLE, 48, NULL);
    E(SetEventNotificationMode, JVMTI_ENABLE, 87, NULL);
    E(SetEventNotificationMode, 5, 0, NULL);
    E(SetEventNotificationMode, 5, 0, string);
    E(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, string);
    E(SetEventNotificationMode, JVMTI_DISABLE, JVMTI_EVENT_MONITOR_WAIT, NULL);
    for (int event = 50; event <= 86; event++) {
        if (event == 72 || (event >= 77 && event <= 79) || event == 85)
            continue; /* reserved: the reference takes them silently, the specification does not */
        jvmtiError e = (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, event, string);
        jvmtiError f = new_thread ? (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, event, new_thread) : 0;
        jthread self = NULL;
        (*ti)->GetCurrentThread(ti, &self);
        jvmtiError g = self ? (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, event, self) : 0;
        say("  event %d of a string: %s, of a new thread: %s, own %s", event, error_name(e), error_name(f), error_name(g));
    }
    E(GenerateEvents, 0);
    E(GenerateEvents, JVMTI_EVENT_VM_INIT);
    E(GenerateEvents, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
    E(GenerateEvents, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    E(GetExtensionFunctions, NULL, P);
    E(GetExtensionFunctions, P, NULL);
    E(GetExtensionEvents, NULL, P);
    E(GetExtensionEvents, P, NULL);
    E(SetExtensionEventCallback, 12345, NULL);
    E(GetPotentialCapabilities, NULL);
    E(AddCapabilities, NULL);
    E(RelinquishCapabilities, NULL);
    E(GetCapabilities, NULL);
    E(GetCurrentThreadCpuTimerInfo, NULL);
    E(GetCurrentThreadCpuTimerInfo, P);
    E(GetCurrentThreadCpuTime, NULL);
    E(GetCurrentThreadCpuTime, P);
    E(GetThreadCpuTimerInfo, NULL);
    E(GetThreadCpuTime, string, NULL);
    E(GetThreadCpuTime, dead_thread, P);
    E(GetThreadCpuTime, NULL, NULL);
    E(GetThreadCpuTime, new_thread, P);
    E(GetTimerInfo, NULL);
    E(GetTime, NULL);
    E(GetAvailableProcessors, NULL);
    E(AddToBootstrapClassLoaderSearch, NULL);
    E(AddToSystemClassLoaderSearch, NULL);
    E(AddToBootstrapClassLoaderSearch, "/no/such.jar");
    E(AddToSystemClassLoaderSearch, "/no/such.jar");
    E(AddToBootstrapClassLoaderSearch, "/tmp");
    E(AddToSystemClassLoaderSearch, "/tmp");
    E(GetSystemProperties, NULL, P);
    E(GetSystemProperties, P, NULL);
    E(GetSystemProperty, NULL, P);
    E(GetSystemProperty, "x", NULL);
    E(GetSystemProperty, "no.such", P);
    E(SetSystemProperty, NULL, NULL);
    E(SetSystemProperty, "no.such", NULL);
    E(GetPhase, NULL);
    E(GetPhase, P);
    E(SetEnvironmentLocalStorage, NULL);
    E(GetEnvironmentLocalStorage, NULL);
    E(GetVersionNumber, NULL);
    E(GetVersionNumber, P);
    E(GetErrorName, 0, NULL);
    E(GetErrorName, -1, NULL);
    E(GetErrorName, 999, P);
    E(SetVerboseFlag, 3, JNI_TRUE);
    E(GetJLocationFormat, NULL);
    E(GetJLocationFormat, P);
    E(SetTag, NULL, 1);
    E(GetTag, NULL, NULL);
}
static void all(const char *when) {
    say("=== %s", when);
    threads();
    stacks();
    debugger();
    classes();
    members();
    modules();
    general();
}

static jobject global(JNIEnv *jni, jobject o) {
    if ((*jni)->ExceptionCheck(jni) || !o) say("! nothing");
    (*jni)->ExceptionClear(jni);
    return (*jni)->NewGlobalRef(jni, o);
}
static void JNICALL vm_start(jvmtiEnv *env, JNIEnv *jni) {
    string = global(jni, (*jni)->NewStringUTF(jni, "a string"));
    klass = global(jni, (*jni)->FindClass(jni, "java/lang/Thread"));
    array = global(jni, (*jni)->FindClass(jni, "[I"));
    method = (*jni)->GetMethodID(jni, klass, "run", "()V");
    native_method = (*jni)->GetMethodID(jni, klass, "start0", "()V");
    jclass run = (*jni)->FindClass(jni, "java/lang/Runnable");
    abstract_method = (*jni)->GetMethodID(jni, run, "run", "()V");
    field = (*jni)->GetFieldID(jni, klass, "daemon", "Z");
    object = string;
    all("VMStart");
}
static void *unattached(void *arg) {
    say("=== unattached");
    E(GetThreadState, NULL, P);
    E(GetClassStatus, klass, P);
    E(Allocate, 1, P);
    E(GetTime, P);
    E(RawMonitorEnter, monitor);
    E(RawMonitorExit, monitor);
    E(GetPhase, P);
    E(GetErrorName, 1, P);
    E(GetCapabilities, P);
    E(GetVersionNumber, P);
    E(GetEnvironmentLocalStorage, P);
    E(GetSystemProperty, "no.such", P);
    E(SetEventCallbacks, NULL, 0);
    E(GetCurrentThreadCpuTime, P);
    E(GetFrameCount, NULL, P);
    E(GetAvailableProcessors, P);
    E(GetJLocationFormat, P);
    return NULL;
}
static void live(JNIEnv *jni) {
    all("live without capabilities");
    ti = with_capabilities;
    all("live with capabilities");
    pthread_t t;
    pthread_create(&t, NULL, unattached, NULL);
    pthread_join(t, NULL);
}
JNIEXPORT void JNICALL Java_Errors_run(JNIEnv *jni, jclass self, jobject dead, jobject fresh, jobject g, jobject m, jclass prim,
                                       jclass raw) {
    dead_thread = dead, new_thread = fresh, group = g, module = m, primitive = prim, unprepared = raw;
    live(jni);
    jthread gone = dead_thread;
    dead_thread = new_thread = group = module = primitive = unprepared = NULL;
    (void)gone;
}
static void JNICALL vm_death(jvmtiEnv *env, JNIEnv *jni) {
    say("=== VMDeath");
    E(GetPhase, P);
    E(GetFrameCount, NULL, P);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEventCallbacks calls = {.VMStart = vm_start, .VMDeath = vm_death};
    the_vm = vm;
    ti = new_env(vm);
    MUST((*ti)->CreateRawMonitor(ti, "errors", &monitor));
    all("OnLoad");
    jvmtiCapabilities c = our_capabilities();
    with_capabilities = new_env(vm); /* some are granted only now by the reference */
    MUST((*with_capabilities)->AddCapabilities(with_capabilities, &c));
    jvmtiEnv *events = new_env(vm);
    MUST((*events)->SetEventCallbacks(events, &calls, sizeof calls));
    enable(events, JVMTI_EVENT_VM_START);
    enable(events, JVMTI_EVENT_VM_DEATH);
    return 0;
}
JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    say("=== OnUnload");
    E(GetPhase, P);
    E(GetVersionNumber, P);
    E(GetClassStatus, klass, P);
    E(GetTime, P);
    E(GetErrorName, 1, P);
    E(GetEnvironmentLocalStorage, P);
    E(GetCapabilities, P);
}

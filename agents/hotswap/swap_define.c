/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_define.c - see swap_define.h.
 *
 * ClassLoader.defineClass is protected, which JNI does not ask about. It is called under the loader's own lock for the name,
 * as loadClass does it, so that a thread that is loading the class just now is not answered "duplicate definition".
 */
#include "swap_define.h"

#include <stdlib.h>
#include <string.h>

#include "classfile.h"
#include "swap_java.h"

typedef struct Define {
    const Agent *agent;
    JNIEnv *env;
    jmethodID lock, find, define;
    SwapNew *rows;
    uint32_t n;
} Define;

static void define_locked(Define *d, const SwapHome *h, SwapNew *row, jstring name) {
    JNIEnv *env = d->env;
    const SwapBytes *b = &row->file->next;
    if ((*env)->CallObjectMethod(env, h->loader, d->find, name))
        row->late = true; /* somebody was faster: it is a loaded class now, for the next swap */
    if (row->late || (*env)->ExceptionCheck(env)) return;
    jbyteArray bytes = (*env)->NewByteArray(env, (jsize)b->len);
    if (!bytes) return;
    (*env)->SetByteArrayRegion(env, bytes, 0, (jsize)b->len, (const jbyte *)b->p);
    if ((*env)->CallObjectMethod(env, h->loader, d->define, name, bytes, (jint)0, (jint)b->len, h->domain)) row->defined = true;
}

static void define_in(Define *d, const SwapHome *h, SwapNew *row) {
    JNIEnv *env = d->env;
    if ((*env)->PushLocalFrame(env, 16)) return;
    jstring name = swap_dotted(env, row->file->name);
    jobject lock = name ? (*env)->CallObjectMethod(env, h->loader, d->lock, name) : NULL;
    if (lock && !(*env)->ExceptionCheck(env) && !(*env)->MonitorEnter(env, lock)) {
        define_locked(d, h, row, name);
        char *why = swap_take_exception(env);
        (*env)->MonitorExit(env, lock);
        if (why && !row->failure) row->failure = why;
        else free(why);
    }
    free(swap_take_exception(env));
    (*env)->PopLocalFrame(env, NULL);
}

static void define_row(Define *d, const SwapHome *homes, uint32_t n_homes, SwapNew *row);

static void define_named(Define *d, const SwapHome *homes, uint32_t n_homes, CfStr name) {
    for (uint32_t i = 0; i < d->n; i++)
        if (strlen(d->rows[i].file->name) == name.len && !memcmp(d->rows[i].file->name, name.p, name.len))
            define_row(d, homes, n_homes, &d->rows[i]);
}

/* What it inherits from comes first: the loader would look for it in the old jar. */
static void define_supers(Define *d, const SwapHome *homes, uint32_t n_homes, const SwapNew *row) {
    CfArena arena;
    CfClass *c;
    CfParseOptions opt = {.enable_preview = true, .any_version = true};
    cf_arena_init(&arena, "hotswap", 0);
    if (cf_parse(&c, row->file->next.p, row->file->next.len, &arena, &opt, NULL) == CF_OK) {
        if (c->super_class) define_named(d, homes, n_homes, cf_class_name(c, c->super_class));
        for (uint32_t i = 0; i < c->interface_count; i++) define_named(d, homes, n_homes, cf_class_name(c, c->interfaces[i]));
    }
    cf_arena_free(&arena);
}

static void define_row(Define *d, const SwapHome *homes, uint32_t n_homes, SwapNew *row) {
    if (row->done) return;
    row->done = true;
    define_supers(d, homes, n_homes, row);
    for (uint32_t i = 0; i < n_homes; i++)
        if (homes[i].root == row->file->root) define_in(d, &homes[i], row);
}

void swap_define(const Agent *a, JNIEnv *env, const SwapHome *homes, uint32_t n_homes, SwapNew *rows, uint32_t n) {
    Define d = {.agent = a, .env = env, .rows = rows, .n = n};
    jclass c = (*env)->FindClass(env, "java/lang/ClassLoader");
    if (c) d.lock = (*env)->GetMethodID(env, c, "getClassLoadingLock", "(Ljava/lang/String;)Ljava/lang/Object;");
    if (d.lock) d.find = (*env)->GetMethodID(env, c, "findLoadedClass", "(Ljava/lang/String;)Ljava/lang/Class;");
    if (d.find)
        d.define = (*env)->GetMethodID(env, c, "defineClass",
                                       "(Ljava/lang/String;[BIILjava/security/ProtectionDomain;)Ljava/lang/Class;");
    for (uint32_t i = 0; d.define && i < n; i++) define_row(&d, homes, n_homes, &rows[i]);
    agent_exception(a, env, "new classes");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* cov_loaders.c - see cov_loaders.h. The table is guarded by a mutex under which no Java code runs. */
#include "cov_loaders.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    jweak ref; /* NULL: the boot loader */
    jint hash;
    CovLoaderInfo info;
} Row;

struct CovLoaders {
    Agent *agent;
    CovWriter *writer;
    const char *exclude;
    pthread_mutex_t lock;
    Row *rows;
    uint32_t count, cap;
    jobject platform; /* global reference */
    jfieldID code_source, location;
};

static jobject platform_loader(JNIEnv *env) {
    jclass c = (*env)->FindClass(env, "java/lang/ClassLoader");
    jmethodID m = c ? (*env)->GetStaticMethodID(env, c, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;") : NULL;
    jobject l = m ? (*env)->CallStaticObjectMethod(env, c, m) : NULL;
    return l && !(*env)->ExceptionCheck(env) ? (*env)->NewGlobalRef(env, l) : NULL;
}

static jfieldID field(JNIEnv *env, const char *cls, const char *name, const char *desc) {
    jclass c = (*env)->FindClass(env, cls);
    jfieldID f = c ? (*env)->GetFieldID(env, c, name, desc) : NULL;
    (*env)->ExceptionClear(env);
    if (c) (*env)->DeleteLocalRef(env, c);
    return f;
}

CovLoaders *cov_loaders_new(Agent *a, JNIEnv *env, CovWriter *w, const char *exclude) {
    CovLoaders *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->agent = a;
    l->writer = w;
    l->exclude = exclude;
    pthread_mutex_init(&l->lock, NULL);
    l->platform = platform_loader(env);
    agent_exception(a, env, "getPlatformClassLoader");
    l->code_source = field(env, "java/security/ProtectionDomain", "codesource", "Ljava/security/CodeSource;");
    l->location = field(env, "java/security/CodeSource", "location", "Ljava/net/URL;");
    return l;
}

bool cov_has_location(CovLoaders *l, JNIEnv *env, jobject domain) {
    if (!domain) return false;
    if (!l->code_source || !l->location) return true;
    jobject source = (*env)->GetObjectField(env, domain, l->code_source);
    jobject url = source ? (*env)->GetObjectField(env, source, l->location) : NULL;
    bool yes = url != NULL;
    if (source) (*env)->DeleteLocalRef(env, source);
    if (url) (*env)->DeleteLocalRef(env, url);
    return yes;
}

/* Lock held. */
static const Row *find(CovLoaders *l, JNIEnv *env, jobject loader, jint hash) {
    for (uint32_t i = 0; i < l->count; i++) {
        const Row *r = &l->rows[i];
        if (loader ? r->ref && r->hash == hash && (*env)->IsSameObject(env, r->ref, loader) : !r->ref) return r;
    }
    return NULL;
}

/* "a.b.C" of the loader's class; the well-known ones get short names that are the same on every VM. */
static bool loader_name(CovLoaders *l, JNIEnv *env, jobject loader, char *buf, size_t n) {
    jvmtiEnv *ti = l->agent->ti;
    char *sig = NULL;
    jclass c = (*env)->GetObjectClass(env, loader);
    jvmtiError err = (*ti)->GetClassSignature(ti, c, &sig, NULL);
    (*env)->DeleteLocalRef(env, c);
    if (err || !sig) return false;
    size_t k = 0;
    for (const char *p = sig + 1; *p && *p != ';' && k + 1 < n; p++) buf[k++] = *p == '/' ? '.' : *p;
    buf[k] = 0;
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    return true;
}

static bool add(CovLoaders *l, JNIEnv *env, jobject loader, jint hash, CovLoaderInfo *out) {
    char name[512] = "boot";
    CovLoaderInfo info = {.jdk = !loader};
    if (loader && !loader_name(l, env, loader, name, sizeof name)) return false;
    info.excluded = agent_match_list(l->exclude, name);
    if (loader && l->platform && (*env)->IsSameObject(env, loader, l->platform)) {
        info.jdk = true;
        strcpy(name, "platform");
    } else if (!strcmp(name, "jdk.internal.loader.ClassLoaders$AppClassLoader")) {
        strcpy(name, "app");
    }
    jweak ref = loader ? (*env)->NewWeakGlobalRef(env, loader) : NULL;
    if (loader && !ref) return false;
    bool ok = true;
    pthread_mutex_lock(&l->lock);
    const Row *there = find(l, env, loader, hash); /* another thread was faster */
    if (!there && l->count == l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 32;
        Row *p = realloc(l->rows, cap * sizeof *p);
        if (p) l->rows = p, l->cap = cap;
        else ok = false;
    }
    if (!there && ok) {
        info.id = cov_writer_loader(l->writer, name);
        ok = info.id != COV_BAD;
        if (ok) l->rows[l->count++] = (Row){ref, hash, info};
    } else if (there) {
        info = there->info;
    }
    pthread_mutex_unlock(&l->lock);
    if (ref && (there || !ok)) (*env)->DeleteWeakGlobalRef(env, ref);
    *out = info;
    return ok;
}

bool cov_loader_info(CovLoaders *l, JNIEnv *env, jobject loader, CovLoaderInfo *out) {
    jint hash = 0;
    if (loader && (*l->agent->ti)->GetObjectHashCode(l->agent->ti, loader, &hash)) return false;
    pthread_mutex_lock(&l->lock);
    const Row *r = find(l, env, loader, hash);
    if (r) *out = r->info;
    pthread_mutex_unlock(&l->lock);
    return r || add(l, env, loader, hash, out);
}

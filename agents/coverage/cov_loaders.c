/* SPDX-License-Identifier: Apache-2.0 */
/* cov_loaders.c - see cov_loaders.h. The table is guarded by a mutex under which no Java code runs. */
#include "cov_loaders.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "method_text.h"
#include "utf8.h"
#include "cf_vec.h"

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
    CF_VEC(Row) rows;
    jobject platform; /* global reference */
    jfieldID code_source, location, path, protocol;
};

static jobject platform_loader(JNIEnv *env) {
    jclass c = (*env)->FindClass(env, "java/lang/ClassLoader");
    jmethodID m = c ? (*env)->GetStaticMethodID(env, c, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;") : NULL;
    jobject l = m ? (*env)->CallStaticObjectMethod(env, c, m) : NULL;
    if (!m && c) { /* JDK 8: the loader of extensions, above that of the program */
        (*env)->ExceptionClear(env);
        jmethodID system = (*env)->GetStaticMethodID(env, c, "getSystemClassLoader", "()Ljava/lang/ClassLoader;");
        jmethodID parent = system ? (*env)->GetMethodID(env, c, "getParent", "()Ljava/lang/ClassLoader;") : NULL;
        jobject program = parent ? (*env)->CallStaticObjectMethod(env, c, system) : NULL;
        l = program ? (*env)->CallObjectMethod(env, program, parent) : NULL;
    }
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
    l->path = field(env, "java/net/URL", "path", "Ljava/lang/String;");
    l->protocol = field(env, "java/net/URL", "protocol", "Ljava/lang/String;");
    return l;
}

static void text_of(JNIEnv *env, jobject url, jfieldID field, char *out, size_t n) {
    jstring text = field ? (*env)->GetObjectField(env, url, field) : NULL;
    char *chars = agent_string(env, text);
    snprintf(out, n, "%s", chars ? chars : "");
    free(chars);
    if (text) (*env)->DeleteLocalRef(env, text);
}

/* Modules of the run-time image are no files. */
static void place_of(CovLoaders *l, JNIEnv *env, jobject url, char *path, size_t n) {
    char protocol[8];
    text_of(env, url, l->protocol, protocol, sizeof protocol);
    size_t before = !strcmp(protocol, "jrt") ? (size_t)snprintf(path, n, "jrt:") : 0;
    text_of(env, url, l->path, path + before, n - before);
}

bool cov_location(CovLoaders *l, JNIEnv *env, jobject domain, char *path, size_t n) {
    *path = 0;
    if (!domain) return false;
    if (!l->code_source || !l->location) return true;
    jobject source = (*env)->GetObjectField(env, domain, l->code_source);
    jobject url = source ? (*env)->GetObjectField(env, source, l->location) : NULL;
    bool yes = url != NULL;
    if (url) place_of(l, env, url, path, n);
    if (source) (*env)->DeleteLocalRef(env, source);
    if (url) (*env)->DeleteLocalRef(env, url);
    return yes;
}

bool cov_is_test_place(const char *path) {
    static const char *const places[] = {
#define COV_TEST_PLACE(pattern, whose) pattern,
#include "cov_test_places.def"
#undef COV_TEST_PLACE
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (agent_match(places[i], path)) return true;
    return false;
}

/* Lock held. */
static const Row *find(CovLoaders *l, JNIEnv *env, jobject loader, jint hash) {
    for (uint32_t i = 0; i < l->rows.len; i++) {
        const Row *r = &l->rows.data[i];
        if (loader ? r->ref && r->hash == hash && (*env)->IsSameObject(env, r->ref, loader) : !r->ref) return r;
    }
    return NULL;
}

/* Takes `ref`. Lock held. */
static bool add_row(CovLoaders *l, const char *name, jweak ref, jint hash, CovLoaderInfo *info) {
    if (!cf_vec_reserve(&l->rows, l->rows.len + 1u)) return false;
    info->id = cov_writer_loader(l->writer, name);
    return info->id != COV_BAD && cf_vec_push(&l->rows, (Row){ref, hash, *info});
}

static bool add(CovLoaders *l, JNIEnv *env, jobject loader, jint hash, CovLoaderInfo *out) {
    jclass c = loader ? (*env)->GetObjectClass(env, loader) : NULL;
    char *class_name = c ? agent_class_text(l->agent, c) : strdup("boot");
    jweak ref = loader && class_name ? (*env)->NewWeakGlobalRef(env, loader) : NULL;
    bool ok = class_name && (ref || !loader), new = false;
    if (ok) {
        bool platform = loader && l->platform && (*env)->IsSameObject(env, loader, l->platform);
        bool app = !strcmp(class_name, "jdk.internal.loader.ClassLoaders$AppClassLoader") ||
                   !strcmp(class_name, "sun.misc.Launcher$AppClassLoader");  /* of JDK 8 */
        const char *name = platform ? "platform" : app ? "app" : class_name; /* short ones are the same on every VM */
        *out = (CovLoaderInfo){.jdk = !loader || platform,
                               .launcher = !strcmp(class_name, "com.sun.tools.javac.launcher.Main$MemoryClassLoader"),
                               .excluded = agent_match_list(l->exclude, class_name)};
        pthread_mutex_lock(&l->lock);
        const Row *there = find(l, env, loader, hash); /* another thread was faster */
        if (there) *out = there->info;
        else ok = new = add_row(l, name, ref, hash, out);
        pthread_mutex_unlock(&l->lock);
    }
    if (ref && !new) (*env)->DeleteWeakGlobalRef(env, ref);
    if (c) (*env)->DeleteLocalRef(env, c);
    free(class_name);
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

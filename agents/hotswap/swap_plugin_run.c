/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_plugin_run.c - the work of plug-ins after a swap; see swap_plugin.h.
 *
 *   look      one pass over the loaded classes: is there one that a plug-in wants? Mostly not, and that was all. A class that is not initialised
 *             has no cache; its objects, if they are wanted, are looked for nevertheless
 *   objects   one walk of the heap for all plug-ins, if objects are wanted; nothing was noted as they were made, so a program pays nothing before
 *   run       each plug-in once for each loader that has defined a class which it wants, with what is of this loader: every web application has
 *             its own framework, or a part of it
 *
 * A plug-in runs in a class loader of its own, made for this call below the framework's, and thrown away. So it links with the very framework
 * that it is about, whether by reflection or compiled against it; nothing in it needs to know of loaders; and nothing of it keeps a web application
 * alive. (Rejected: loading it in the framework's loader, where it would stay, and could not be had twice; loading it once in the system
 * loader, which does not see a web application's classes and would have to keep its plug-ins' state apart; keeping the loader for the next swap,
 * whose reference to the framework's would keep that one alive.) Its own static fields are new each time.
 *
 * The packages of wanted classes are opened to it if they are in named modules: the JDK's own caches are in such. A plug-in that throws is told with its
 * name; the others run, and nothing is taken back: the classes are swapped, a cache may be old.
 */
#include "swap_plugin.h"

#include <stdlib.h>
#include <string.h>

#include "cf_table.h"
#include "swap_java.h"
#include "swap_objects.h"
#include "utf8.h"

/* ---- look --------------------------------------------------------------------------------------- */

/* A loaded class that a plug-in wants; local references. */
typedef struct Place {
    const SwapPlugin *plugin;
    bool objects, done;
    jclass c;
    jobject loader;
} Place;

typedef struct Telling {
    const Agent *agent;
    JNIEnv *env;
    const SwapNews *news;
    CF_VEC(Place) places;
    CF_VEC(jclass) classes; /* swapped ones, then those that inherit from them */
    CF_VEC(jclass) wanted;  /* whose objects are wanted */
    jobject *objects;
    jint n_objects;
    FILE *said;
} Telling;

static bool concerned(const SwapPlugin *p, const SwapNews *news) {
    if (!p->files) return news->n_classes;
    for (uint32_t i = 0; i < news->n_files; i++) {
        const char *slash = strrchr(news->files[i], '/');
        if (agent_match_list(p->files, slash ? slash + 1 : news->files[i])) return true;
    }
    return false;
}

static bool is_initialised(const Agent *a, jclass c) {
    jint status = 0;
    return !(*a->ti)->GetClassStatus(a->ti, c, &status) && (status & JVMTI_CLASS_STATUS_INITIALIZED);
}

static void look_at(Telling *t, const SwapPlugins *p, jclass c) {
    char *name = agent_class_name(t->agent, c);
    uint32_t hash = name ? cf_hash_bytes(name, strlen(name)) : 0;
    for (uint32_t i = 0; name && i < p->all.len; i++) {
        const SwapPlugin *one = &p->all.data[i];
        for (uint32_t k = 0; k < one->wants.len; k++) {
            const struct SwapWant *want = &one->wants.data[k];
            Place place = {.plugin = one, .objects = want->objects, .c = c};
            if (want->hash != hash || strcmp(want->name, name) != 0 || !concerned(one, t->news)) continue;
            if (!want->objects && !is_initialised(t->agent, c)) continue;
            (*t->agent->ti)->GetClassLoader(t->agent->ti, c, &place.loader);
            cf_vec_push(&t->places, place);
        }
    }
    free(name);
}

static bool is_swapped(const Telling *t, jclass c) {
    for (uint32_t i = 0; i < t->news->n_classes; i++)
        if ((*t->env)->IsSameObject(t->env, c, t->news->classes[i])) return true;
    return false;
}

/* Whose caches may hold what they have from a swapped class, and whose objects are wanted. */
static void relate(Telling *t, jclass c) {
    JNIEnv *env = t->env;
    for (uint32_t i = 0; i < t->news->n_classes; i++)
        if ((*env)->IsAssignableFrom(env, c, t->news->classes[i]) && !is_swapped(t, c)) {
            cf_vec_push(&t->classes, c);
            break;
        }
    for (uint32_t i = 0; i < t->places.len; i++)
        if (t->places.data[i].objects && (*env)->IsAssignableFrom(env, c, t->places.data[i].c)) {
            cf_vec_push(&t->wanted, c);
            break;
        }
}

/* ---- run ---------------------------------------------------------------------------------------- */

static jobjectArray array_of(JNIEnv *env, const char *type, const jobject *v, uint32_t n) {
    jclass c = (*env)->FindClass(env, type);
    jobjectArray out = c ? (*env)->NewObjectArray(env, (jsize)n, c, NULL) : NULL;
    for (uint32_t i = 0; out && i < n; i++) (*env)->SetObjectArrayElement(env, out, (jsize)i, v[i]);
    return out;
}

static jobjectArray files_array(Telling *t) {
    JNIEnv *env = t->env;
    CF_VEC(jobject) names = {0};
    for (uint32_t i = 0; i < t->news->n_files; i++) {
        jstring s = agent_new_string(env, t->news->files[i]);
        if (s) cf_vec_push(&names, s);
    }
    jobjectArray out = array_of(env, "java/lang/String", names.data, names.len);
    cf_vec_free(&names);
    return out;
}

/* What is of the place's plug-in and loader, the place being the first one. NULL: nothing, or an exception. */
static jobjectArray take_found(Telling *t, const Place *first) {
    JNIEnv *env = t->env;
    CF_VEC(jobject) found = {0};
    CF_VEC(jclass) types = {0};
    for (Place *p = t->places.data; p < t->places.data + t->places.len; p++) {
        if (p->plugin != first->plugin || !(*env)->IsSameObject(env, p->loader, first->loader)) continue;
        p->done = true;
        if (p->objects) cf_vec_push(&types, p->c);
        else cf_vec_push(&found, p->c);
    }
    for (jint i = 0; i < t->n_objects; i++)
        for (uint32_t k = 0; k < types.len; k++)
            if ((*env)->IsInstanceOf(env, t->objects[i], types.data[k])) {
                cf_vec_push(&found, t->objects[i]);
                break;
            }
    jobjectArray out = found.len ? array_of(env, "java/lang/Object", found.data, found.len) : NULL;
    cf_vec_free(&found);
    cf_vec_free(&types);
    return out;
}

/* new URLClassLoader({the plug-in's place}, loader) */
static jobject make_loader(JNIEnv *env, const SwapPlugin *p, jobject parent) {
    jstring path = p->path ? agent_new_string(env, p->path) : NULL;
    jobject file = path ? swap_new(env, "java/io/File", "(Ljava/lang/String;)V", path) : NULL;
    jobject url = swap_call(env, swap_call(env, file, "toURI", "()Ljava/net/URI;"), "toURL", "()Ljava/net/URL;");
    if (p->path && !url) return NULL;
    jobjectArray urls = array_of(env, "java/net/URL", &url, p->path ? 1 : 0);
    return urls ? swap_new(env, "java/net/URLClassLoader", "([Ljava/net/URL;Ljava/lang/ClassLoader;)V", urls, parent) : NULL;
}

static jclass define_own(JNIEnv *env, jobject loader, const char *dotted) {
    char name[128], file[160];
    uint32_t len;
    snprintf(name, sizeof name, "%s", dotted);
    for (char *p = name; *p; p++)
        if (*p == '.') *p = '/';
    snprintf(file, sizeof file, "%s.class", name);
    const char *bytes = swap_plugin_embedded(file, &len);
    return bytes ? (*env)->DefineClass(env, name, loader, (const jbyte *)bytes, (jsize)len) : NULL;
}

static jclass load(JNIEnv *env, const SwapPlugin *p, jobject loader) {
    if (!p->path) return define_own(env, loader, "graft.hotswap.Caches") ? define_own(env, loader, p->name) : NULL;
    jstring name = agent_new_string(env, p->name);
    return name ? swap_call(env, loader, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;", name) : NULL;
}

/* Before Java 9 there are no modules: then there is no such method, and nothing to open. */
static void open_package(Telling *t, const Place *p, jobject to) {
    jobject module = swap_call(t->env, p->c, "getModule", "()Ljava/lang/Module;");
    jclass type = module ? (*t->env)->GetObjectClass(t->env, module) : NULL;
    jmethodID is_named = type ? (*t->env)->GetMethodID(t->env, type, "isNamed", "()Z") : NULL;
    char *name = agent_class_name(t->agent, p->c), *slash = name ? strrchr(name, '/') : NULL;
    if (is_named && (*t->env)->CallBooleanMethod(t->env, module, is_named) && slash) {
        *slash = 0;
        agent_dotted(name, name, strlen(name) + 1);
        AGENT_CHECK(t->agent, (*t->agent->ti)->AddModuleOpens(t->agent->ti, module, name, to));
    }
    free(name);
    (*t->env)->ExceptionClear(t->env);
}

static void open_packages(Telling *t, const Place *first, jobject loader) {
    jobject unnamed = swap_call(t->env, loader, "getUnnamedModule", "()Ljava/lang/Module;");
    (*t->env)->ExceptionClear(t->env);
    for (uint32_t i = 0; unnamed && i < t->places.len; i++) {
        const Place *p = &t->places.data[i];
        if (p->plugin == first->plugin && (*t->env)->IsSameObject(t->env, p->loader, first->loader)) open_package(t, p, unnamed);
    }
}

/* With the framework's loader as the thread's, as frameworks expect it. */
static void call_plugin(Telling *t, const Place *p, jclass c, jobjectArray found) {
    static const char class_loader[] = "(Ljava/lang/ClassLoader;)V";
    JNIEnv *env = t->env;
    jthread thread = NULL;
    (*t->agent->ti)->GetCurrentThread(t->agent->ti, &thread);
    jobject before = swap_call(env, thread, "getContextClassLoader", "()Ljava/lang/ClassLoader;");
    jclass thread_class = (*env)->GetObjectClass(env, thread);
    jmethodID set = (*env)->GetMethodID(env, thread_class, "setContextClassLoader", class_loader);
    jobjectArray news = p->plugin->files ? files_array(t) : array_of(env, "java/lang/Class", t->classes.data, t->classes.len);
    jmethodID m = news && set ? p->plugin->files
                                    ? (*env)->GetStaticMethodID(env, c, "written", "([Ljava/lang/String;[Ljava/lang/Object;)V")
                                    : (*env)->GetStaticMethodID(env, c, "swapped", "([Ljava/lang/Class;[Ljava/lang/Object;)V")
                              : NULL;
    if (!m) return;
    (*env)->CallVoidMethod(env, thread, set, p->loader);
    if (!(*env)->ExceptionCheck(env)) (*env)->CallStaticVoidMethod(env, c, m, news, found);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    (*env)->CallVoidMethod(env, thread, set, before);
    if (!(*env)->ExceptionCheck(env) && thrown) (*env)->Throw(env, thrown);
}

static void report(Telling *t, const Place *p, bool ran) {
    char *why = swap_take_exception(t->env);
    const char *name = p->plugin->name, *dot = strrchr(name, '.');
    if (why || !ran) agent_log(t->agent, AGENT_ERROR, "plug-in %s: %s", name, why ? why : "it cannot be loaded");
    else if (p->plugin->path || p->loader) fprintf(t->said, "%s\n", p->plugin->path ? name : dot + 1);
    else agent_log(t->agent, AGENT_DEBUG, "  plug-in %s has run", name);
    free(why);
}

/* Servers close the loader of an application that they end, which then loads nothing any more; a collection will find it. */
static bool has_ended(Telling *t, const Place *p) {
    jstring name = p->loader ? (*t->env)->NewStringUTF(t->env, "java.lang.Object") : NULL;
    bool ended = name && !swap_call(t->env, p->loader, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;", name);
    char *why = swap_take_exception(t->env);
    if (ended)
        agent_log(t->agent, AGENT_DEBUG, "  plug-in %s is not for a class loader that has ended: %s", p->plugin->name, why);
    free(why);
    return ended;
}

static void run(Telling *t, Place *p) {
    JNIEnv *env = t->env;
    p->done = true;
    if ((*env)->PushLocalFrame(env, 64)) return (void)agent_exception(t->agent, env, "a plug-in");
    jobjectArray found = take_found(t, p);
    if (found && has_ended(t, p)) found = NULL;
    jobject loader = found ? make_loader(env, p->plugin, p->loader) : NULL;
    jclass c = loader ? load(env, p->plugin, loader) : NULL;
    if (c) open_packages(t, p, loader);
    if (c) call_plugin(t, p, c, found);
    if (found) report(t, p, c);
    if (loader && p->plugin->path) {
        jmethodID close = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, loader), "close", "()V");
        if (close) (*env)->CallVoidMethod(env, loader, close);
        agent_exception(t->agent, env, "the end of a plug-in");
    }
    (*env)->PopLocalFrame(env, NULL);
}

static void run_all(Telling *t) {
    if (t->wanted.len) swap_objects(t->agent, t->env, t->wanted.data, t->wanted.len, &t->objects, &t->n_objects);
    for (Place *next = t->places.data; next;) {
        next = NULL;
        for (Place *p = t->places.data; p < t->places.data + t->places.len; p++)
            if (!p->done && (!next || p->plugin < next->plugin)) next = p;
        if (next) run(t, next);
    }
}

char *swap_plugins_tell(SwapPlugins *p, JNIEnv *env, const SwapNews *news) {
    Telling t = {.agent = p->agent, .env = env, .news = news};
    jvmtiEnv *ti = p->agent->ti;
    jclass *loaded = NULL;
    jint n = 0;
    char *said = NULL;
    size_t len = 0;
    if (!p->all.len || AGENT_CHECK(p->agent, (*ti)->GetLoadedClasses(ti, &n, &loaded))) return NULL;
    for (jint i = 0; i < n; i++) look_at(&t, p, loaded[i]);
    if (t.places.len && (t.said = open_memstream(&said, &len))) {
        for (uint32_t i = 0; i < news->n_classes; i++) cf_vec_push(&t.classes, news->classes[i]);
        for (jint i = 0; i < n; i++) relate(&t, loaded[i]);
        run_all(&t);
        if (fclose(t.said)) len = 0;
    }
    for (jint i = 0; i < n; i++) (*env)->DeleteLocalRef(env, loaded[i]);
    for (jint i = 0; i < t.n_objects; i++) (*env)->DeleteLocalRef(env, t.objects[i]);
    (*ti)->Deallocate(ti, (unsigned char *)loaded);
    (*ti)->Deallocate(ti, (unsigned char *)t.objects);
    cf_vec_free(&t.places);
    cf_vec_free(&t.classes);
    cf_vec_free(&t.wanted);
    if (len) return said;
    free(said);
    return NULL;
}

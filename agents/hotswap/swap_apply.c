/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_apply.c - one swap; see swap_apply.h.
 *
 *   look      each dirty file is read; same CRC as last time: no news; not a class file: later, or refused
 *   find      the loaded classes of these names which came from the file's directory, in all loaders
 *   define    classes of a replaced jar that are not loaded, in the loaders of its other classes (swap_define.h)
 *   redefine  all in one RedefineClasses, which does all or nothing
 *   trial     if that fails: which one is to blame? Each class alone, in a call that must fail: its second definition
 *             gives java.lang.Object the bytes of another class. NAMES_DONT_MATCH means that the first was fine;
 *             any other error is the class's own. So nothing changes by asking. A VM with a dry run is asked by that.
 *   explain   the class files as they run and as they are wanted are compared (swap_diff.h)
 *   tell      plug-ins, which clear caches; then the program's hooks, which find them cleared; then browsers, which ask for new pages. All of it
 *             after migration hooks, which the VM calls before a redefinition is over
 *
 * Taking a swap back is a swap to the bytes that ran before. Where the VM offers it, removed fields get their values back.
 *
 * What was refused is not tried again before its file changes. What was fine but not swapped because of others stays
 * wanted and goes along with the next swap.
 */
#include "swap_apply.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "classfile.h"
#include "swap_channel.h"
#include "swap_current.h"
#include "swap_define.h"
#include "swap_diff.h"
#include "swap_java.h"
#include "utf8.h"

typedef struct Target {
    SwapFile *file;
    jvmtiClassDefinition def;
    bool refused;
} Target;

typedef struct Swap {
    Swapper *s;
    JNIEnv *env;
    CF_VEC(SwapFile *) wanted; /* files with `next` */
    CF_VEC(Target) targets;    /* loaded classes of these, by file */
    CF_VEC(SwapFile *) swapped, refused, waiting, not_loaded, added;
    unsigned unchanged;
    bool later;
    bool undo;     /* `next` is what ran before */
    bool dry;      /* only what would be said */
    int64_t start; /* nanoseconds */
    jvmtiError error;
    char *report;               /* of the VM about the last redefinition, or NULL */
    char *migrations;           /* what the VM says about migration hooks, a line each, or NULL */
    char *plugins;              /* that have done their work, a line each, or NULL */
    CF_VEC(const char *) files; /* that are no class files, and were written */
} Swap;

/* In the words of who edits the program. */
static const struct {
    jvmtiError error;
    const char *words;
} reasons[] = {
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_ADDED, "this VM cannot add a method to a loaded class"},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_DELETED, "this VM cannot remove a method from a loaded class"},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED, "this VM cannot change the fields of a loaded class"},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED, "this VM cannot change the super types of a loaded class"},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED, "this VM cannot change the modifiers of a loaded class"},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED, "this VM cannot change the modifiers of a method"},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED,
     "this VM cannot change the nest, the record or the permitted subclasses of a loaded class"},
    {JVMTI_ERROR_UNSUPPORTED_VERSION, "compiled for a newer Java than this VM runs"},
    {JVMTI_ERROR_INVALID_CLASS_FORMAT, "the VM finds the class file malformed"},
    {JVMTI_ERROR_CIRCULAR_CLASS_DEFINITION, "the class would be its own super class"},
    {JVMTI_ERROR_FAILS_VERIFICATION, "the new code does not pass the verifier (compiled against other classes?)"},
    {JVMTI_ERROR_NAMES_DONT_MATCH, "the file names another class"},
    {JVMTI_ERROR_UNMODIFIABLE_CLASS, "this class must not be changed"},
    {JVMTI_ERROR_INVALID_CLASS, "the class is not in order in the VM (its initialisation failed?)"},
    {JVMTI_ERROR_OUT_OF_MEMORY, "out of memory"}};

/* ---- JSON -------------------------------------------------------------------------------------- */

void swap_json(FILE *out, const char *before, const char *text, bool dots) {
    fputs(before, out);
    char *copy = text ? strdup(text) : NULL;
    if (copy && dots) agent_dotted(copy, copy, strlen(copy) + 1);
    if (copy) agent_put_json(out, copy, "");
    else fputs("null", out);
    free(copy);
}

/* ---- look -------------------------------------------------------------------------------------- */

/* 0: an accepted class file; its name goes to the record. */
static CfErrCode check_bytes(SwapFile *f, const SwapBytes *b, CfError *err) {
    CfArena arena;
    CfClass *c;
    CfParseOptions opt = {.check = CF_CHECK_FORMAT, .enable_preview = true, .any_version = true};
    cf_arena_init(&arena, "hotswap", 0);
    CfErrCode code = cf_parse(&c, b->p, b->len, &arena, &opt, err);
    if (code == CF_OK && !c->name.len) code = cf_fail(err, CF_ERR_FORMAT, -1, "no class name");
    if (code == CF_OK) {
        free(f->name);
        f->name = strndup(c->name.p, c->name.len);
        f->name_hash = cf_hash_bytes(c->name.p, c->name.len);
        if (!f->name) code = CF_ERR_NOMEM;
    }
    cf_arena_free(&arena);
    return code;
}

static void clean(Swap *w, SwapFile *f) {
    f->dirty = false;
    w->s->watch->dirty--;
}

static void refuse(Swap *w, SwapFile *f, char *why) {
    swap_watch_want(f, (SwapBytes){0}, why);
    cf_vec_push(&w->refused, f);
    w->s->refusals++;
}

static void not_a_class(Swap *w, SwapFile *f, const CfError *err, bool now) {
    char *why = NULL;
    if (!now && ++f->tries < w->s->tries) {
        w->later = true;
        return;
    }
    if (asprintf(&why, "no valid class file: %s", err->text) < 0) why = NULL;
    clean(w, f);
    refuse(w, f, why);
}

static void look_at(Swap *w, SwapFile *f, bool now) {
    SwapBytes b;
    CfError err;
    if (f->other) {
        if (access(f->path, R_OK) == 0) cf_vec_push(&w->files, f->path);
        return clean(w, f);
    }
    if (!swap_watch_load(f, &b)) {
        agent_log(w->s->agent, AGENT_DEBUG, "%s: %m", f->path);
        free(b.p);
        clean(w, f); /* deleted; it will be written again or not */
        return;
    }
    uint32_t crc = (uint32_t)crc32(0, b.p, (uInt)b.len);
    if (f->seen_len == b.len && f->seen_crc == crc && b.len) {
        if (now && f->refusal) cf_vec_push(&w->refused, f); /* who asks is told again */
        else w->unchanged++;
        free(b.p);
        clean(w, f);
        return;
    }
    cf_err_clear(&err);
    if (check_bytes(f, &b, &err) != CF_OK) {
        free(b.p);
        not_a_class(w, f, &err, now);
        return;
    }
    clean(w, f);
    f->seen_crc = crc;
    f->seen_len = b.len;
    swap_watch_want(f, b, NULL);
    if (f->live.p && f->live.len == b.len && !memcmp(f->live.p, b.p, b.len)) {
        swap_watch_want(f, (SwapBytes){0}, NULL); /* back to what runs */
        w->unchanged++;
    }
}

static void look(Swap *w, bool now) {
    uint32_t it = 0;
    for (SwapFile *f; (f = cf_table_next(&w->s->watch->files, &it));)
        if (f->dirty) look_at(w, f, now);
    it = 0;
    for (SwapFile *f; !w->later && (f = cf_table_next(&w->s->watch->files, &it));)
        if (f->next.p) cf_vec_push(&w->wanted, f);
}

/* ---- find -------------------------------------------------------------------------------------- */

/* Where a class was loaded from: the real path of its code source. False if it has none. */
static bool location(Swap *w, jclass cls, char *out) {
    JNIEnv *env = w->env;
    bool known = false;
    if ((*env)->PushLocalFrame(env, 16)) return false;
    jobject domain = swap_call(env, cls, "getProtectionDomain", "()Ljava/security/ProtectionDomain;");
    jobject source = swap_call(env, domain, "getCodeSource", "()Ljava/security/CodeSource;");
    jobject uri = swap_call(env, swap_call(env, source, "getLocation", "()Ljava/net/URL;"), "toURI", "()Ljava/net/URI;");
    jstring path = swap_call(env, uri, "getPath", "()Ljava/lang/String;");
    char *text = agent_string(env, path);
    if (text) {
        known = true;
        if (!realpath(text, out)) *out = 0; /* no file: jrt:/java.base */
    }
    free(text);
    agent_exception(w->s->agent, env, "the location of a class");
    (*env)->PopLocalFrame(env, NULL);
    return known;
}

/* Is `f` the file of this class? Unknown places are believed: a loader of one's own need not tell. */
static bool came_from(Swap *w, jclass cls, const SwapFile *f) {
    char where[PATH_MAX];
    if (w->s->anywhere || f->root < 0 || !location(w, cls, where) || !strcmp(where, w->s->watch->roots.data[f->root].path))
        return true;
    agent_log(w->s->agent, AGENT_DEBUG, "%s: loaded from %s, not from %s", f->name, where, w->s->watch->roots.data[f->root].path);
    return false;
}

static SwapBytes copy(const SwapBytes *b) {
    SwapBytes out = {b->p ? malloc(b->len + 1) : NULL, b->len};
    if (out.p) memcpy(out.p, b->p, b->len);
    return out;
}

static bool same_class(const SwapFile *a, const SwapFile *b) {
    return a->name && b->name && a->name_hash == b->name_hash && !strcmp(a->name, b->name);
}

/* What the class ran: of this file, or of another one of the class (an IDE names files of its own). The latest swap knows. */
static SwapBytes before(const Swapper *s, const SwapFile *f) {
    uint32_t it = 0;
    for (uint32_t i = s->steps.len; i-- > 0;)
        for (uint32_t k = 0; k < s->steps.data[i].n; k++)
            if (same_class(s->steps.data[i].v[k].file, f)) return copy(&s->steps.data[i].v[k].file->live);
    if (f->live.p) return copy(&f->live);
    for (SwapFile *g; (g = cf_table_next(&s->watch->files, &it));)
        if (g->live.p && same_class(g, f)) return copy(&g->live);
    return (SwapBytes){0};
}

/* Of a file that was never seen as it ran: the VM is asked. */
static SwapBytes known_bytes(Swap *w, const SwapFile *f, jclass cls) {
    SwapBytes b = before(w->s, f);
    return b.p ? b : swap_current(w->s->agent, w->env, cls);
}

static void match_class(Swap *w, jclass cls, void *arg) {
    char *name = agent_class_name(w->s->agent, cls);
    uint32_t hash = name ? cf_hash_bytes(name, strlen(name)) : 0;
    for (uint32_t i = 0; name && i < w->wanted.len; i++) {
        SwapFile *f = w->wanted.data[i];
        if (f->name_hash != hash || strcmp(f->name, name) != 0 || !came_from(w, cls, f)) continue;
        jvmtiClassDefinition def = {(*w->env)->NewLocalRef(w->env, cls), (jint)f->next.len, f->next.p};
        if (!f->live.p && !w->undo) f->live = known_bytes(w, f, cls);
        cf_vec_push(&w->targets, (Target){.file = f, .def = def});
        break;
    }
    free(name);
}

static bool each_loaded(Swap *w, void (*visit)(Swap *w, jclass cls, void *arg), void *arg) {
    jvmtiEnv *ti = w->s->agent->ti;
    jclass *classes = NULL;
    jint n = 0;
    if (AGENT_CHECK(w->s->agent, (*ti)->GetLoadedClasses(ti, &n, &classes))) return false;
    for (jint i = 0; i < n; i++) {
        visit(w, classes[i], arg);
        (*w->env)->DeleteLocalRef(w->env, classes[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)classes);
    return true;
}

static bool is_target(const Swap *w, const SwapFile *f) {
    for (uint32_t i = 0; i < w->targets.len; i++)
        if (w->targets.data[i].file == f) return true;
    return false;
}

static void find(Swap *w) {
    if (!w->wanted.len || !each_loaded(w, match_class, NULL)) return;
    for (uint32_t i = 0; i < w->wanted.len; i++)
        if (!is_target(w, w->wanted.data[i])) cf_vec_push(&w->not_loaded, w->wanted.data[i]);
}

/* ---- define ------------------------------------------------------------------------------------ */

typedef CF_VEC(SwapHome) SwapHomes;

static void note_home(Swap *w, jclass cls, void *arg) {
    SwapHomes *homes = arg;
    JNIEnv *env = w->env;
    char where[PATH_MAX];
    jobject loader = NULL;
    (*w->s->agent->ti)->GetClassLoader(w->s->agent->ti, cls, &loader);
    for (uint32_t r = 0; loader && r < w->s->watch->roots.len; r++) {
        bool known = !w->s->watch->roots.data[r].jar;
        for (uint32_t i = 0; !known && i < homes->len; i++)
            known = homes->data[i].root == (int)r && (*env)->IsSameObject(env, homes->data[i].loader, loader);
        if (known || !location(w, cls, where) || strcmp(where, w->s->watch->roots.data[r].path) != 0) continue;
        SwapHome home = {(*env)->NewLocalRef(env, loader),
                         swap_call(env, cls, "getProtectionDomain", "()Ljava/security/ProtectionDomain;"), (int)r};
        cf_vec_push(homes, home);
    }
    (*env)->DeleteLocalRef(env, loader);
}

static void defined(Swap *w, SwapNew *row) {
    char *why = NULL;
    if (row->failure && asprintf(&why, "cannot be defined: %s", row->failure) >= 0) {
        refuse(w, row->file, why);
    } else if (row->defined) {
        cf_vec_push(&w->added, row->file);
        swap_watch_adopt(row->file);
    } else if (row->late) {
        cf_vec_push(&w->waiting, row->file);
    } else {
        swap_watch_adopt(row->file); /* its loader will read the new jar */
        cf_vec_push(&w->not_loaded, row->file);
    }
    free(row->failure);
}

/* What is not loaded will be loaded from its file, but for classes of a jar that is open. */
static void define(Swap *w) {
    CF_VEC(SwapNew) rows = {0};
    uint32_t n = w->not_loaded.len;
    w->not_loaded.len = 0;
    for (uint32_t i = 0; i < n; i++) {
        SwapFile *f = w->not_loaded.data[i];
        if (f->entry && f->root >= 0 && cf_vec_push(&rows, (SwapNew){.file = f})) continue;
        swap_watch_adopt(f);
        w->not_loaded.data[w->not_loaded.len++] = f;
    }
    if (rows.len) {
        SwapHomes homes = {0};
        each_loaded(w, note_home, &homes);
        agent_exception(w->s->agent, w->env, "the loaders of a jar");
        swap_define(w->s->agent, w->env, homes.data, homes.len, rows.data, rows.len);
        cf_vec_free(&homes);
    }
    for (uint32_t i = 0; i < rows.len; i++) defined(w, &rows.data[i]);
    cf_vec_free(&rows);
}

/* ---- explain ----------------------------------------------------------------------------------- */

static bool compare(const SwapFile *f, SwapDiff *out) {
    CfArena arena;
    CfClass *old, *new;
    CfParseOptions opt = {.enable_preview = true, .any_version = true};
    *out = (SwapDiff){0};
    if (!f->live.p || !f->next.p) return false;
    cf_arena_init(&arena, "hotswap", 0);
    bool ok = cf_parse(&old, f->live.p, f->live.len, &arena, &opt, NULL) == CF_OK &&
              cf_parse(&new, f->next.p, f->next.len, &arena, &opt, NULL) == CF_OK && swap_diff(old, new, out);
    cf_arena_free(&arena);
    return ok;
}

static char *explain(Swap *w, const SwapFile *f, jvmtiError error) {
    jvmtiEnv *ti = w->s->agent->ti;
    SwapDiff d;
    char *text = NULL, *name = NULL, *reason = swap_extension_text(w->s->extension.reason, ti);
    const char *words = reason;
    for (size_t i = 0; !words && i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].error == error) words = reasons[i].words;
    if (!words && !(*ti)->GetErrorName(ti, error, &name)) words = name;
    bool known = compare(f, &d) && *d.shape;
    if (asprintf(&text, "%s%s%s%s", known ? d.shape : "", known ? " (" : "", words ? words : "?", known ? ")" : "") < 0)
        text = NULL;
    swap_diff_free(&d);
    free(reason);
    if (name) (*ti)->Deallocate(ti, (unsigned char *)name);
    return text;
}

/* ---- redefine ---------------------------------------------------------------------------------- */

/* What RedefineClasses says about these classes, without doing it; see the head of the file. Room for one more. */
static jvmtiError trial(Swap *w, jvmtiClassDefinition *defs, jint n) {
    jvmtiEnv *ti = w->s->agent->ti;
    if (w->s->extension.dry_run) return w->s->extension.dry_run(ti, n, (const jvmtiClassDefinition *)defs, (char **)NULL);
    defs[n] = defs[0];
    defs[n].klass = (*w->env)->FindClass(w->env, "java/lang/Object");
    jvmtiError err = (*ti)->RedefineClasses(ti, n + 1, defs);
    if ((*w->env)->ExceptionCheck(w->env)) (*w->env)->ExceptionClear(w->env);
    return err == JVMTI_ERROR_NAMES_DONT_MATCH ? JVMTI_ERROR_NONE : err;
}

/* Redefines the targets that are not refused; OK for none. */
static jvmtiError redefine(Swap *w) {
    jvmtiEnv *ti = w->s->agent->ti;
    jvmtiClassDefinition *defs = calloc(w->targets.len + 1, sizeof *defs);
    jint n = 0;
    if (!defs) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < w->targets.len; i++)
        if (!w->targets.data[i].refused) defs[n++] = w->targets.data[i].def;
    jvmtiExtensionFunction restore = w->undo ? w->s->extension.restore : NULL;
    jvmtiError err = !n        ? JVMTI_ERROR_NONE
                     : w->dry  ? trial(w, defs, n)
                     : restore ? restore(ti, n, (const jvmtiClassDefinition *)defs)
                               : (*ti)->RedefineClasses(ti, n, defs);
    if ((*w->env)->ExceptionCheck(w->env)) (*w->env)->ExceptionClear(w->env);
    free(defs);
    return err;
}

/* Refused for what this VM is, not for what the change is? */
static bool is_limit(const Swap *w, jvmtiError e) {
    switch (e) {
    case JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_ADDED:
    case JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_DELETED:
    case JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED:
    case JVMTI_ERROR_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED:
    case JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED:
    case JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED:
    case JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED: return !w->s->extension.dry_run;
    default: return false;
    }
}

/* The whole set failed with w->error: finds who is to blame. All of them if nobody is alone. */
static void blame(Swap *w) {
    bool found = false;
    for (uint32_t i = 0; i < w->targets.len; i++) {
        Target *t = &w->targets.data[i];
        if (!t->file->next.p) continue; /* refused in another loader */
        jvmtiClassDefinition two[2] = {t->def};
        jvmtiError err = w->targets.len == 1 ? w->error : trial(w, two, 1);
        if (!err) continue;
        found = true;
        refuse(w, t->file, explain(w, t->file, err));
        t->file->limit = is_limit(w, err);
    }
    for (uint32_t i = 0; !found && i < w->targets.len; i++) {
        Target *t = &w->targets.data[i];
        if (t->file->next.p) refuse(w, t->file, explain(w, t->file, w->error));
    }
    for (uint32_t i = 0; i < w->targets.len; i++) /* a file of two loaders counts as a whole */
        w->targets.data[i].refused = w->targets.data[i].file->refusal != NULL;
}

static double elapsed_ms(const Swap *w) { return (double)(agent_nanos(CLOCK_MONOTONIC) - w->start) / 1e6; }

static void apply(Swap *w) {
    w->error = redefine(w);
    if (w->error) {
        blame(w);
        if (w->s->partial && !w->undo) w->error = redefine(w);
    }
    w->s->last_ms = elapsed_ms(w);
    if (!w->error && !w->dry) {
        w->report = swap_extension_text(w->s->extension.report, w->s->agent->ti);
        w->migrations = swap_extension_text(w->s->extension.migrations, w->s->agent->ti);
    }
    for (uint32_t i = 0; i < w->targets.len; i++) {
        SwapFile *f = w->targets.data[i].file;
        bool counted = false;
        for (uint32_t k = 0; k < i; k++) counted |= w->targets.data[k].file == f;
        if (w->targets.data[i].refused || counted) continue;
        if (w->error) {
            if (!w->undo) cf_vec_push(&w->waiting, f);
        } else {
            cf_vec_push(&w->swapped, f);
            f->swaps += !w->undo && !w->dry;
            w->s->classes += !w->undo && !w->dry;
        }
    }
    if (w->swapped.len && !w->undo && !w->dry) w->s->swaps++;
}

/* ---- plug-ins ---------------------------------------------------------------------------------- */

static void say_plugins(const Swap *w, double ms) {
    char *names = NULL;
    size_t size, len;
    FILE *out = open_memstream(&names, &size);
    for (const char *p = w->plugins; out && *p && (len = strcspn(p, "\n")); p += len + 1)
        fprintf(out, "%s%.*s", p == w->plugins ? "" : ", ", (int)len, p);
    if (out && !fclose(out)) agent_log(w->s->agent, AGENT_INFO, "  caches cleared by %s (%.1f ms)", names, ms);
    free(names);
}

static void call_plugins(Swap *w) {
    CF_VEC(jclass) classes = {0};
    for (uint32_t i = 0; w->swapped.len && !w->error && i < w->targets.len; i++)
        if (!w->targets.data[i].refused) cf_vec_push(&classes, w->targets.data[i].def.klass);
    SwapNews news = {classes.data, classes.len, w->files.data, w->files.len};
    int64_t start = agent_nanos(CLOCK_MONOTONIC);
    if (classes.len || w->files.len) w->plugins = swap_plugins_tell(&w->s->plugins, w->env, &news);
    if (w->plugins) say_plugins(w, (double)(agent_nanos(CLOCK_MONOTONIC) - start) / 1e6);
    cf_vec_free(&classes);
}

/* ---- hooks ------------------------------------------------------------------------------------- */

static void hook_failed(Swap *w, const char *hook) {
    char *why = swap_take_exception(w->env);
    agent_log(w->s->agent, AGENT_ERROR, "hook %s: %s", hook, why ? why : "failed");
    free(why);
}

static void call_hook(Swap *w, char *hook, jobjectArray names) {
    JNIEnv *env = w->env;
    if (!strrchr(hook, '.')) return agent_log(w->s->agent, AGENT_ERROR, "hook %s: not of the form CLASS.METHOD", hook);
    char *class_name = agent_modified(hook), *dot = class_name ? strrchr(class_name, '.') : NULL;
    if (!dot) return;
    *dot = 0;
    for (char *p = class_name; *p; p++)
        if (*p == '.') *p = '/';
    jclass c = (*env)->FindClass(env, class_name);
    jmethodID m = c ? (*env)->GetStaticMethodID(env, c, dot + 1, "([Ljava/lang/String;)V") : NULL;
    if (m) (*env)->CallStaticVoidMethod(env, c, m, names);
    if (!m || (*env)->ExceptionCheck(env)) hook_failed(w, hook);
    free(class_name);
}

static void call_hooks(Swap *w) {
    JNIEnv *env = w->env;
    const char *pos = w->s->hooks;
    if (!pos || !w->swapped.len) return;
    jclass string = (*env)->FindClass(env, "java/lang/String");
    jobjectArray names = string ? (*env)->NewObjectArray(env, (jsize)w->swapped.len, string, NULL) : NULL;
    for (uint32_t i = 0; names && i < w->swapped.len; i++) {
        jstring name = swap_dotted(env, w->swapped.data[i]->name);
        (*env)->SetObjectArrayElement(env, names, (jsize)i, name);
        agent_exception(w->s->agent, env, "the names for the hooks");
        (*env)->DeleteLocalRef(env, name);
    }
    size_t len;
    for (const char *p; names && (p = agent_list_next(&pos, &len));) {
        char *hook = strndup(p, len);
        if (hook) call_hook(w, hook, names);
        free(hook);
    }
    agent_exception(w->s->agent, env, "the hooks");
}

/* ---- report ------------------------------------------------------------------------------------ */

static char *class_text(const SwapFile *f) {
    char *text = strdup(f->name ? f->name : f->path);
    if (text && f->name) agent_dotted(text, text, strlen(text) + 1);
    return text;
}

static void say_swapped(Swap *w, SwapFile *f) {
    SwapDiff d;
    char *name = class_text(f);
    bool known = compare(f, &d);
    const char *shape = known ? d.shape : "", *code = known ? d.bodies : "";
    agent_log(w->s->agent, AGENT_INFO, "  %s: %s%s%s%s", name ? name : "?", shape, *shape && *code ? "; " : "",
              *code    ? "changed: "
              : *shape ? ""
              : known  ? "constants, lines or attributes only"
                       : "swapped",
              code);
    swap_diff_free(&d);
    free(name);
}

static void say_of(const Agent *a, AgentLevel level, const SwapFile *f, const char *what) {
    char *name = class_text(f);
    agent_log(a, level, "  %s: %s", name ? name : "?", what);
    free(name);
}

static void say(Swap *w) {
    const Agent *a = w->s->agent;
    uint32_t all = w->swapped.len + w->waiting.len + w->refused.len;
    if (w->swapped.len)
        agent_log(a, AGENT_INFO, "%s %u class%s in %.1f ms", w->undo ? "took back" : "swapped", w->swapped.len,
                  w->swapped.len == 1 ? "" : "es", w->s->last_ms);
    for (uint32_t i = 0; i < w->swapped.len; i++) say_swapped(w, w->swapped.data[i]);
    size_t len;
    for (const char *p = w->migrations; p && (len = strcspn(p, "\n")); p += len + 1)
        agent_log(a, AGENT_INFO, "  %.*s", (int)len, p);
    if (w->report && *w->report) agent_log(a, AGENT_DEBUG, "  %s", w->report);
    if (w->refused.len)
        agent_log(a, AGENT_ERROR, "refused %u of %u class%s%s", w->refused.len, all, all == 1 ? "" : "es",
                  w->swapped.len ? "" : "; nothing was changed");
    for (uint32_t i = 0; i < w->refused.len; i++) say_of(a, AGENT_ERROR, w->refused.data[i], w->refused.data[i]->refusal);
    for (uint32_t i = 0; i < w->waiting.len; i++) say_of(a, AGENT_INFO, w->waiting.data[i], "fine, waits for the next swap");
    for (uint32_t i = 0; i < w->added.len; i++) say_of(a, AGENT_INFO, w->added.data[i], "new, defined from the jar");
    for (uint32_t i = 0; i < w->not_loaded.len; i++)
        agent_log(a, AGENT_DEBUG, "  %s: not loaded yet", w->not_loaded.data[i]->name);
}

static void json_list(FILE *out, const char *key, SwapFile **files, uint32_t n) {
    fprintf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < n; i++)
        swap_json(out, i ? "," : "", files[i]->name ? files[i]->name : files[i]->path, files[i]->name);
    fputc(']', out);
}

static void json_lines(FILE *out, const char *key, const char *p) {
    size_t len;
    fprintf(out, ",\"%s\":[", key);
    for (bool first = true; p && *p && (len = strcspn(p, "\n")); p += len + !!p[len], first = false) {
        char *line = strndup(p, len);
        swap_json(out, first ? "" : ",", line, false);
        free(line);
    }
    fputc(']', out);
}

static void answer_json(Swap *w, FILE *out) {
    bool limit = false;
    fprintf(out, "{\"ok\":%s", w->refused.len ? "false" : "true");
    json_list(out, w->undo ? "undone" : w->dry ? "possible" : "swapped", w->swapped.data, w->swapped.len);
    fputs(",\"refused\":[", out);
    for (uint32_t i = 0; i < w->refused.len; i++) {
        SwapFile *f = w->refused.data[i];
        swap_json(out, i ? ",{\"class\":" : "{\"class\":", f->name ? f->name : f->path, f->name);
        swap_json(out, ",\"reason\":", f->refusal, false);
        fputc('}', out);
        limit |= f->limit;
    }
    fputc(']', out);
    json_list(out, "waiting", w->waiting.data, w->waiting.len);
    json_list(out, "notLoaded", w->not_loaded.data, w->not_loaded.len);
    json_list(out, "added", w->added.data, w->added.len);
    json_lines(out, "migrated", w->migrations);
    json_lines(out, "plugins", w->plugins);
    if (w->files.len) {
        fputs(",\"files\":[", out);
        for (uint32_t i = 0; i < w->files.len; i++) swap_json(out, i ? "," : "", w->files.data[i], false);
        fputc(']', out);
    }
    if (limit) swap_json(out, ",\"hint\":", SWAP_HINT, false);
    fprintf(out, ",\"unchanged\":%u,\"ms\":%.1f}\n", w->unchanged, elapsed_ms(w));
}

static bool concerns_browsers(const Swap *w) {
    for (uint32_t i = 0; i < w->files.len; i++)
        if (agent_match_list(w->s->reload, strrchr(w->files.data[i], '/') + 1)) return true;
    return false;
}

/* To browsers that listen. */
static void tell(Swap *w) {
    char *json = NULL;
    size_t len = 0;
    bool news = w->swapped.len || (!w->refused.len && concerns_browsers(w));
    FILE *out = news || w->refused.len ? open_memstream(&json, &len) : NULL;
    if (!out) return;
    answer_json(w, out);
    if (fclose(out) == 0 && len) {
        json[len - 1] = 0;
        swap_channel_tell(news ? "swap" : "refused", json);
    }
    free(json);
}

static void done(Swap *w) {
    free(w->report);
    free(w->migrations);
    free(w->plugins);
    cf_vec_free(&w->wanted);
    cf_vec_free(&w->targets);
    cf_vec_free(&w->swapped);
    cf_vec_free(&w->refused);
    cf_vec_free(&w->waiting);
    cf_vec_free(&w->not_loaded);
    cf_vec_free(&w->added);
    cf_vec_free(&w->files);
}

/* ---- undo -------------------------------------------------------------------------------------- */

static void forget(SwapStep *step) {
    for (uint32_t i = 0; i < step->n; i++) free(step->v[i].bytes.p);
    free(step->v);
}

static void remember(Swap *w) {
    Swapper *s = w->s;
    SwapStep step = {calloc(w->swapped.len + 1, sizeof *step.v), w->swapped.len};
    if (!step.v || !step.n) return free(step.v);
    for (uint32_t i = 0; i < step.n; i++) step.v[i] = (struct SwapBefore){w->swapped.data[i], before(s, w->swapped.data[i])};
    if (s->steps.len == SWAP_STEPS) {
        forget(&s->steps.data[0]);
        memmove(s->steps.data, s->steps.data + 1, --s->steps.len * sizeof *s->steps.data);
    }
    if (!cf_vec_push(&s->steps, step)) forget(&step);
}

/* The bytes of the oldest of the steps count, for each class once. */
static void want_back(Swap *w, uint32_t from) {
    for (uint32_t i = from; i < w->s->steps.len; i++) {
        SwapStep *step = &w->s->steps.data[i];
        for (uint32_t k = 0; k < step->n; k++) {
            SwapFile *f = step->v[k].file;
            bool known = false;
            for (uint32_t j = 0; j < w->wanted.len; j++) known |= same_class(w->wanted.data[j], f);
            if (known) continue;
            /* What waits goes along with the next swap once it is written again. */
            swap_watch_want(f, copy(&step->v[k].bytes), NULL);
            f->seen_len = 0;
            if (f->next.p) cf_vec_push(&w->wanted, f);
            else refuse(w, f, strdup("it is not known what ran before"));
        }
    }
}

static void forget_steps(Swapper *s, uint32_t from) {
    while (s->steps.len > from) {
        SwapStep *step = &s->steps.data[--s->steps.len];
        for (uint32_t k = 0; k < step->n; k++) {
            free(step->v[k].file->live.p);
            step->v[k].file->live = step->v[k].bytes;
            step->v[k].file->seen_len = 0; /* written again it is news */
        }
        free(step->v);
    }
}

/* A class that cannot go back is not refused: its file runs. */
static void forget_wanted(Swap *w) {
    for (uint32_t i = 0; i < w->wanted.len + w->refused.len; i++) {
        SwapFile *f = i < w->wanted.len ? w->wanted.data[i] : w->refused.data[i - w->wanted.len];
        swap_watch_want(f, (SwapBytes){0}, NULL);
    }
}

void swap_undo(Swapper *s, JNIEnv *env, uint32_t steps, FILE *answer) {
    Swap w = {.s = s, .env = env, .undo = true, .start = agent_nanos(CLOCK_MONOTONIC)};
    uint32_t from = s->steps.len > steps ? s->steps.len - steps : 0;
    if ((*env)->PushLocalFrame(env, 256)) return (void)agent_exception(s->agent, env, "taking back a swap");
    want_back(&w, from);
    find(&w);
    if (w.targets.len && !w.refused.len) apply(&w);
    say(&w);
    call_plugins(&w);
    call_hooks(&w);
    tell(&w);
    answer_json(&w, answer);
    if (!w.refused.len) forget_steps(s, from);
    forget_wanted(&w);
    (*env)->PopLocalFrame(env, NULL);
    done(&w);
}

/* Everything is as it was before it was looked at; files that are watched are news again. */
static void forget_trial(Swap *w) {
    for (uint32_t i = 0; i < w->wanted.len + w->refused.len; i++) {
        SwapFile *f = i < w->wanted.len ? w->wanted.data[i] : w->refused.data[i - w->wanted.len];
        swap_watch_want(f, (SwapBytes){0}, NULL);
        f->seen_len = 0;
        if (f->root >= 0) swap_watch_dirty(w->s->watch, f);
    }
}

void swap_try(Swapper *s, JNIEnv *env, FILE *answer) {
    Swap w = {.s = s, .env = env, .dry = true, .start = agent_nanos(CLOCK_MONOTONIC)};
    unsigned refusals = s->refusals;
    if ((*env)->PushLocalFrame(env, 256)) return (void)agent_exception(s->agent, env, "a dry run");
    look(&w, true);
    find(&w);
    if (w.targets.len) apply(&w);
    answer_json(&w, answer);
    forget_trial(&w);
    s->refusals = refusals;
    (*env)->PopLocalFrame(env, NULL);
    done(&w);
}

bool swap_apply(Swapper *s, JNIEnv *env, bool now, FILE *answer) {
    Swap w = {.s = s, .env = env, .start = agent_nanos(CLOCK_MONOTONIC)};
    if ((*env)->PushLocalFrame(env, 256)) return agent_exception(s->agent, env, "a swap"), true;
    look(&w, now);
    find(&w);
    define(&w);
    if (w.targets.len) apply(&w);
    say(&w);
    remember(&w);
    for (uint32_t i = 0; i < w.swapped.len; i++) swap_watch_adopt(w.swapped.data[i]);
    call_plugins(&w);
    call_hooks(&w);
    tell(&w);
    if (answer) answer_json(&w, answer);
    (*env)->PopLocalFrame(env, NULL);
    done(&w);
    return !w.later;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Migration hooks: a class says itself how what lives goes over to its new version.  User's view and what was rejected:
 * docs/redefinition.md.
 *
 *   form     one of the four shapes a static void $migrate may have: once or for each object, with or without a map
 *            of what was removed
 *   brings   a redefinition brings a hook if the method was not there before or had other code.  Only then it is
 *            called: a hook that is left in the source has done its work
 *   removed  fields of the last version that have no partner, by name.  They are read out of their holes when the
 *            hook is called
 *
 * Called in the redefining thread behind the pause and all initialisers.  It may do anything, also redefine; so Methods
 * are held (versions_hold) and what is reported is gathered apart from the texts of this thread.
 */
#include "log/log.h"
#include "lang/string.h"
#include "redefine/reshape.h"
#include "invoke/invoke.h"

#include <stdio.h>
#include <stdlib.h>

/* --- forms --- */

enum { HAS_MAP = 1, HAS_OBJECT = 2, N_FORMS = 4 };
enum { NO_HOOK = 1 << N_FORMS, EACH = 1 << HAS_OBJECT | 1 << (HAS_OBJECT | HAS_MAP) };

static const char *skip(const char *p, const char *text, size_t len) { return strncmp(p, text, len) == 0 ? p + len : NULL; }

/* Bit of the form in Change.migrates; NO_HOOK: only the name is a hook's. */
static u1 form_bit(const Method *m) {
    static const char map[] = "Ljava/util/Map;";
    const char *p = m->desc->bytes + 1, *q = *p == 'L' ? skip(p + 1, m->holder->name->bytes, m->holder->name->len) : NULL;
    unsigned form = 0;

    if (q && *q == ';') form |= HAS_OBJECT, p = q + 1;
    if ((q = skip(p, map, sizeof map - 1))) form |= HAS_MAP, p = q;
    return m->access & ACC_STATIC && strcmp(p, ")V") == 0 ? (u1)(1u << form) : NO_HOOK;
}

static bool is_named_hook(const Method *m) { return symbol_eq(m->name, "$migrate"); }

void reshape_find_hooks(Change *ch) {
    for (u4 i = 0; i < ch->fresh->n_methods; i++)
        if (is_named_hook(&ch->fresh->methods[i]) && !ch->same[i]) ch->migrates |= form_bit(&ch->fresh->methods[i]);
}

bool reshape_has_object_hook(const Change *ch) { return ch->migrates & EACH; }

/* --- what was removed --- */

typedef struct Hook {
    Change *ch;
    Method *m;
    unsigned form;
    Field *removed; /* of the staticness that the form is about */
    u4 n_removed, calls, failures;
    char *first; /* failure */
} Hook;

static bool is_kept(const Class *c, const Field *f) {
    const Field *now = class_find_declared_field((Class *)c, f->name, f->desc);
    return now && !((now->access ^ f->access) & ACC_STATIC);
}

static bool find_removed(Hook *h) {
    const Class *c = h->ch->klass;
    const Retired *r = h->ch->shape && c->reshaped ? c->reshaped->retired : NULL;
    u4 statics = h->form & HAS_OBJECT ? 0 : ACC_STATIC;

    if (!r || !(h->form & HAS_MAP)) return true;
    if (!(h->removed = malloc((r->n + 1u) * sizeof *h->removed))) return false;
    for (u4 i = 0; i < r->n; i++) {
        const Field *f = &r->fields[i];
        if ((f->access & ACC_STATIC) == statics && !(f->access & ACC_SYNTHETIC) && !is_kept(c, f))
            h->removed[h->n_removed++] = *f;
    }
    return true;
}

static Object *value_of(Thread *t, const Field *f, Object *owner) {
    u4 at;
    const Object *home = field_home(owner, f->offset, &at);
    BasicType type = (BasicType)f->type;
    return type >= T_OBJECT ? ref_load(home, at) : box_value(t, type, prim_load(obj_at(home, at), type));
}

static bool put(Thread *t, Object *map, const Field *f, Object *owner) {
    Object *key = string_intern_symbol(t, f->name), *value = key ? value_of(t, f, owner) : NULL;
    if (!t->exception) exec_call_on(t, map, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", key, value);
    return !t->exception;
}

/* A HashMap of their values in the object or, for statics, the mirror. */
static Object *removed_values(Thread *t, const Hook *h, Object *owner) {
    Object *map = exec_new(t, load_boot_class(t, "java/util/HashMap"), "()V");
    for (u4 i = 0; map && i < h->n_removed; i++)
        if (!put(t, map, &h->removed[i], owner)) return NULL;
    return map;
}

/* --- calls --- */

static void name_hook(const Hook *h, char *out, size_t size) {
    const char *simple = strrchr(h->ch->klass->name->bytes, '/');
    snprintf(out, size, "%s: $migrate(%s%s%s)", class_text(h->ch->klass).s,
             !(h->form & HAS_OBJECT) ? ""
             : simple                ? simple + 1
                                     : h->ch->klass->name->bytes,
             h->form == (HAS_OBJECT | HAS_MAP) ? ", " : "", h->form & HAS_MAP ? "Map" : "");
}

/* The first exception of a hook is printed as those are that end a thread. */
static void failed(Thread *t, Hook *h) {
    char text[2048];
    Object *ex = exception_take(t), *msg = JGET_REF(ex, Throwable, detailMessage);
    if (h->failures++) return;
    char *m = msg ? string_to_cstr(msg) : NULL;
    snprintf(text, sizeof text, "%s%s%s", class_text(obj_class(ex)).s, m ? ": " : "", m ? m : "");
    free(m);
    h->first = strdup(text);
    name_hook(h, text, sizeof text);
    fprintf(stderr, "Exception in migration hook %s: ", text);
    exception_print(t, ex);
}

static void call(Thread *t, Hook *h, Object *o) {
    Slot args[2] = {{.ref = o}};
    Slot *next = args + (h->form & HAS_OBJECT ? 1 : 0);
    h->calls++;
    if (h->form & HAS_MAP && !(next->ref = removed_values(t, h, h->form & HAS_OBJECT ? o : h->ch->klass->mirror)))
        return failed(t, h);
    if (!exec_call(t, h->m, args, NULL)) failed(t, h);
}

/* Objects of an interface may live before it is initialised. */
static bool is_ready(Thread *t, Hook *h) {
    if (class_is_initialized(h->ch->klass)) return true;
    if (!(h->form & HAS_OBJECT) || !h->ch->n_living) return false;
    if (!class_init(t, h->ch->klass)) failed(t, h);
    return !h->failures;
}

static void run(Thread *t, Hook *h) {
    jobject living = h->ch->living;
    if (!is_ready(t, h)) return;
    if (!(h->form & HAS_OBJECT)) call(t, h, NULL);
    for (u4 i = 0; h->form & HAS_OBJECT && i < h->ch->n_living; i++) call(t, h, array_ref(handle_get(living), (int32_t)i));
}

/* --- all hooks of a redefinition --- */

typedef CF_VEC(Hook) Hooks;

static bool collect(Hooks *all, Change *ch, ClassVersion *v) {
    for (unsigned form = 0; form <= N_FORMS; form++)
        for (u4 i = 0; ch->migrates >> form & 1 && i < v->n_methods; i++) {
            Method *m = &v->methods[i];
            if (!is_named_hook(m) || form_bit(m) != 1 << form) continue;
            if (!cf_vec_push(all, (Hook){.ch = ch, .m = m, .form = form})) return false;
        }
    return true;
}

/* Superclasses and interfaces first, then as in the call. */
static void sort(Hooks *all) {
    for (u4 i = 1; i < all->len; i++) {
        Hook h = all->data[i];
        u4 k = i;
        for (; k && all->data[k - 1].ch->klass->depth > h.ch->klass->depth; k--) all->data[k] = all->data[k - 1];
        all->data[k] = h;
    }
}

static void tell(const Hook *h, bool dry, FILE *out) {
    char text[2048];
    if (h->form == N_FORMS) {
        fprintf(out, "%s: $migrate%s is not called: not a form of the migration hook\n", class_text(h->ch->klass).s,
                h->m->desc->bytes);
        return;
    }
    name_hook(h, text, sizeof text);
    fprintf(out, "%s ", text);
    if (dry) fputs("would be called", out);
    else if (!class_is_initialized(h->ch->klass)) fputs("not called, the class is not initialised", out);
    else if (h->form & HAS_OBJECT) fprintf(out, "called for %u object%s", h->calls, h->calls == 1 ? "" : "s");
    else fputs("called", out);
    if (h->failures > 1) fprintf(out, ", %u threw, the first %s", h->failures, h->first ? h->first : "?");
    else if (h->failures) fprintf(out, ", threw %s", h->first ? h->first : "?");
    fputc('\n', out);
}

char *reshape_migrate(Thread *t, Change *changes, u4 n, bool dry) {
    Hooks all = {0};
    char *text = NULL;
    size_t len;
    bool ok = true, any = false;

    for (u4 i = 0; i < n; i++) any |= changes[i].migrates != 0;
    FILE *out = any ? open_memstream(&text, &len) : NULL;
    if (!out) return NULL;
    versions_hold();
    for (u4 i = 0; i < n && ok; i++) ok = collect(&all, &changes[i], dry ? changes[i].fresh : changes[i].klass->version);
    sort(&all);
    for (u4 i = 0; i < all.len; i++) {
        Hook *h = &all.data[i];
        if (!dry && h->form != N_FORMS && (ok &= find_removed(h))) run(t, h);
        tell(h, dry, out);
    }
    if (!ok) fputs("no memory to call all migration hooks\n", out);
    versions_release();
    for (u4 i = 0; i < all.len; i++) free(all.data[i].removed), free(all.data[i].first);
    cf_vec_free(&all);
    fclose(out);
    return text;
}

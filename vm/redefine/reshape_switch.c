/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of switches over enums.
 *
 * A compiler does not trust ordinals of another class, so it switches by a table, ordinal -> number of the case:
 *
 *   javac   a synthetic class has a static int[] $SwitchMap$E for each enum E, which its <clinit> fills
 *   ecj     the class itself has a static int[] $SWITCH_TABLE$E, made when it is first needed
 *
 * Such a table goes stale in two ways: E gets other constants or another order; or the class that has it gets cases
 * with other numbers, and its new <clinit> does not run.  Ecj's is set to null then.  Javac's is filled
 * from the code of <clinit>, which is a row of `table[E.C.ordinal()] = number`: running it would show others an empty table
 * meanwhile.
 *
 * A class that changes gets its tables in the pause, with the code that uses them.  When an enum changes, its new constants
 * exist only after the pause; tables of all classes and the new ordinals (reshape_enum.c) are then stored in a pause of their own.
 * New tables of a class are there when its initialisers have run.  The array that was there is written as well: a frame may have it on its stack.
 */
#include "redefine/reshape.h"
#include "heap/heap_upcall.h"

#include <stdlib.h>

/* --- which fields --- */

static const char javac_prefix[] = "$SwitchMap$", ecj_prefix[] = "$SWITCH_TABLE$";

/* The rest of its name, or NULL. */
static const char *table_enum(const Field *f) {
    if (!(f->access & ACC_STATIC) || !symbol_eq(f->desc, "[I") || f->name->bytes[0] != '$') return NULL;
    if (strncmp(f->name->bytes, javac_prefix, sizeof javac_prefix - 1) == 0) return f->name->bytes + sizeof javac_prefix - 1;
    if (strncmp(f->name->bytes, ecj_prefix, sizeof ecj_prefix - 1) == 0) return f->name->bytes + sizeof ecj_prefix - 1;
    return NULL;
}

static bool has_tables(const Class *c) {
    for (u4 i = 0; i < c->n_fields; i++)
        if (table_enum(&c->fields[i])) return true;
    return false;
}

/* "a$B$C" is a/B$C. */
static bool is_of(const char *name, const Class *e) {
    const char *p = e->name->bytes;
    for (; *p && (*name == *p || (*p == '/' && *name == '$')); p++) name++;
    return !*p && !*name;
}

/* --- what belongs into a table --- */

typedef struct SwitchTable {
    jobject mirror; /* keeps the class */
    Object *home;   /* where the field is, with `at`: the mirror or its record, which never moves */
    u4 at;
    jobject array; /* NULL: ecj's, to be made again */
} SwitchTable;

/* As it is, or will be once the enum is renumbered. */
static int32_t ordinal_of(const Class *e, CfStr name, Object *values) {
    for (u4 i = 0; i < e->n_fields; i++) {
        const Field *f = &e->fields[i];
        if (!(f->access & ACC_STATIC) || f->type != T_OBJECT || !cf_str_eq(name, symbol_str(f->name))) continue;
        const Object *constant = field_ref(e->mirror, f->offset);
        for (int32_t k = 0; constant && k < array_len(values); k++)
            if (array_ref(values, k) == constant) return k;
    }
    return -1;
}

static Object *enter(Thread *t, const Class *holder, Object *table, CfStr owner, CfStr constant, int32_t number) {
    Class *e = load_class(t, symbol_intern(owner.p, owner.len), holder->loader);
    Object *values = e && class_is_initialized(e) ? reshape_enum_values(e) : NULL;
    if (t->exception && exception_is(t, EX_OutOfMemoryError)) return NULL;
    t->exception = NULL;
    if (!values) return table;
    if (!table && !(table = heap_alloc_array(t, primitive_array_classes[T_INT], array_len(values)))) return NULL;
    int32_t k = ordinal_of(e, constant, values);
    if (k >= 0 && k < array_len(table)) OBJ_FIELD(int32_t, table, ARRAY_BASE + (u4)k * 4) = number;
    return table;
}

static const Method *initialiser(const ClassVersion *v) {
    for (u4 i = 0; i < v->n_methods; i++)
        if (v->methods[i].flags & MF_CLINIT && v->methods[i].kind == MK_BYTECODE) return &v->methods[i];
    return NULL;
}

/* getstatic table; getstatic E.C; invokevirtual ordinal; number; iastore. NULL: there is nothing like that. [gc] */
static Object *read_table(Thread *t, const ClassVersion *v, const Field *f) {
    const Method *m = initialiser(v);
    CfStr owner, name, desc, of = {NULL, 0}, constant = {NULL, 0};
    Object *table = NULL;
    bool into = false;
    int32_t number = 0;
    CfInsn in;

    for (u4 pc = 0; m && pc < m->code_len && cf_insn(m->code, m->code_len, pc, &in); pc += in.len) {
        if (in.op == CF_OP_GETSTATIC && cf_member_ref(v->cf, in.index, &owner, &name, &desc)) {
            if (*desc.p == '[') into = cf_str_eq(name, symbol_str(f->name)) && cf_str_eq(owner, v->cf->name);
            else of = owner, constant = name;
        } else if ((in.op >= CF_OP_ICONST_M1 && in.op <= CF_OP_ICONST_5) || in.op == CF_OP_BIPUSH || in.op == CF_OP_SIPUSH) {
            number = in.imm;
        } else if (in.op == CF_OP_IASTORE && into && of.p) {
            if (!(table = enter(t, v->klass, table, of, constant, number))) return NULL;
        }
    }
    return table;
}

/* --- rows --- */

static bool add_row(Thread *t, Change *ch, const ClassVersion *v, const Field *f) {
    bool javac = f->name->bytes[2] == 'w';
    Object *table = javac ? read_table(t, v, f) : NULL, *home = v->klass->mirror;
    if (t->exception) return false; /* OutOfMemoryError */
    if (javac && !table) return true;
    SwitchTable *grown = realloc(ch->tables, (ch->n_tables + 1u) * sizeof *grown);
    if (!grown) return false;
    ch->tables = grown;
    jobject array = table ? handle_local(t, table) : NULL;
    if (offset_is_outside(f->offset) && !(home = record_to_write(t, home, f->offset)))
        return handle_delete_local(t, array), false;
    ch->tables[ch->n_tables++] = (SwitchTable){handle_local(t, v->klass->mirror), home,
                                               offset_is_outside(f->offset) ? record_offset(f->offset) : f->offset, array};
    return true;
}

static bool add_tables(Thread *t, Change *ch, const Class *c, const ClassVersion *v) {
    for (u4 i = 0; i < c->n_fields; i++)
        if (table_enum(&c->fields[i]) && !add_row(t, ch, v, &c->fields[i])) return false;
    return true;
}

bool reshape_read_tables(Thread *t, Change *ch) {
    bool ok = !class_is_initialized(ch->klass) || !has_tables(ch->klass) || add_tables(t, ch, ch->klass, ch->fresh);
    t->exception = NULL;
    return ok;
}

void reshape_store_tables(Change *ch) {
    for (u4 i = 0; i < ch->n_tables; i++) {
        const SwitchTable *s = &ch->tables[i];
        Object *table = handle_get(s->array), *was = ref_load(s->home, s->at);
        for (int32_t k = 0; was && table && k < array_len(was); k++)
            OBJ_FIELD(int32_t, was, ARRAY_BASE + (u4)k * 4) =
                k < array_len(table) ? OBJ_FIELD(int32_t, table, ARRAY_BASE + (u4)k * 4) : 0;
        ref_store(s->home, s->at, table);
    }
}

void reshape_forget_tables(Thread *t, Change *ch) {
    for (u4 i = 0; i < ch->n_tables; i++) {
        handle_delete_local(t, ch->tables[i].mirror);
        if (ch->tables[i].array) handle_delete_local(t, ch->tables[i].array);
    }
    free(ch->tables);
    ch->tables = NULL;
    ch->n_tables = 0;
}

/* --- after the pause --- */

typedef struct Users {
    const Change *changes;
    u4 n;
    bool renumbered; /* those of enums as well, else of the classes that change themselves */
    Renumbering *numbers;
    Thread *t;
    CF_VEC(jobject) found;
} Users;

static bool uses_change(const Users *u, const Class *c) {
    for (u4 i = 0; i < u->n; i++) {
        const Change *ch = &u->changes[i];
        for (u4 k = 0; k < c->n_fields; k++) {
            const char *name = table_enum(&c->fields[k]);
            if (name && (ch->klass == c || (u->renumbered && reshape_is_renumbered(ch) && is_of(name, ch->klass)))) return true;
        }
    }
    return false;
}

static void find_user(Class *c, void *arg) {
    Users *u = arg;
    if (!c->version || !c->mirror || !class_is_initialized(c) || !uses_change(u, c)) return;
    if (cf_vec_reserve(&u->found, u->found.len + 1u)) /* else it keeps its table */
        u->found.data[u->found.len++] = handle_local(u->t, c->mirror);
}
static void find_users(void *arg) { loader_visit_all_classes(find_user, arg); }

typedef struct Renewal {
    const Users *users;
    Change *tables; /* all of them hang on one */
    bool last, done;
} Renewal;

static void renew(void *arg) {
    Renewal *r = arg;
    const Users *u = r->users;
    r->done = !u->renumbered || reshape_renumber(u->numbers, u->changes, u->n, r->last);
    if (r->done) reshape_store_tables(r->tables);
}

/* More maps and sets may have come than there are arrays for. */
static void renew_all(Thread *t, const Users *u, Change *tables) {
    enum { MOST = 8 };
    Renewal r = {.users = u, .tables = tables};
    for (u4 i = 0; !r.done; i++) {
        if (i) reshape_refill(t, u->numbers);
        r.last = i == MOST;
        safepoint_run("tables of switches over enums", renew, &r);
    }
}

static void renew_tables(Thread *t, Users *u) {
    Change all = {0};

    safepoint_run("classes that switch over enums", find_users, u);
    for (u4 i = 0; i < u->found.len; i++) {
        Class *c = mirror_class(handle_get(u->found.data[i]));
        add_tables(t, &all, c, c->version);
        t->exception = NULL;
        handle_delete_local(t, u->found.data[i]);
    }
    renew_all(t, u, &all);
    reshape_forget_tables(t, &all);
    cf_vec_free(&u->found);
}

void reshape_renew_numbers(Thread *t, Change *changes, u4 n, Renumbering *numbers) {
    bool any = false;
    for (u4 i = 0; i < n; i++) any |= reshape_is_renumbered(&changes[i]);
    if (any) renew_tables(t, &(Users){.changes = changes, .n = n, .renumbered = true, .numbers = numbers, .t = t});
    reshape_renumbered(t, numbers);
}

void reshape_renew_tables(Thread *t, Change *changes, u4 n) {
    bool any = false;
    for (u4 i = 0; i < n; i++) any |= has_tables(changes[i].klass);
    if (any) renew_tables(t, &(Users){.changes = changes, .n = n, .t = t});
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec_plan.c - the members of a program, and its making:
 *     exec_gen [-l] [-w] [-k FILE] SEED COUNT >OUT
 * COUNT programs of the seeds SEED, SEED + 1, ... as Execute.java reads them; -k: without the nodes named in FILE; -l: instead, the
 * names of the nodes; -w: constants by ldc_w only.
 */
#include "exec_gen.h"

#include <stdlib.h>
#include <string.h>

const char *const class_names[CLASSES] = {"Main", "B", "C", "T", "D", "E"};

/* ---- members ----------------------------------------------------------------------------------------- */

static void describe(Method *m) {
    char *d = m->desc;
    *d++ = '(';
    for (int i = 0; i < m->nparams; i++) d = stpcpy(d, ty_desc[m->param[i]]);
    *d++ = ')';
    strcpy(d, ty_desc[m->ret]);
}

static Method *plan_method(Program *p, int owner, unsigned access) {
    Method *m = &p->method[p->nmethods];
    static const uint8_t results[] = {TY_V,  TY_I, TY_I, TY_J, TY_F, TY_D,  TY_LB, TY_STRING,
                                      TY_AI, TY_Z, TY_B, TY_S, TY_C, TY_LC, TY_LT, TY_OBJECT};
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "m%d", p->nmethods++);
    m->owner = (uint8_t)owner;
    m->access = (uint16_t)access;
    m->overrides = -1;
    m->ret = results[below(sizeof results)];
    m->param[m->nparams++] = TY_I;
    uint32_t wanted = percent(75) ? below(5) : percent(60) ? below(30) : 255;
    int cells = 2;
    while (wanted-- && cells < 254) {
        Ty ty = percent(wanted > 40 ? 95 : 70) ? random_type() : (Ty)(TY_Z + below(TY_COUNT - TY_Z));
        if (cells + ty_cells(ty) > 254) break;
        m->param[m->nparams++] = (uint8_t)ty;
        cells += ty_cells(ty);
    }
    m->light = m->nparams < 8;
    describe(m);
    return m;
}

static void plan_override(Program *p, int of, int owner) {
    const Method *m = &p->method[of];
    Method *n = &p->method[p->nmethods++];
    *n = *m;
    n->owner = (uint8_t)owner;
    n->access = CF_ACC_PUBLIC | (percent(10) ? CF_ACC_SYNCHRONIZED : 0);
    n->overrides = of;
}

/* Few parameters, no synchronization. */
static void plan_small(Program *p, int owner, unsigned access) {
    Method *m = plan_method(p, owner, access);
    m->small = true;
    if (m->nparams > 5) m->nparams = 5;
    m->light = true;
    describe(m);
}

static unsigned maybe(unsigned flag, uint32_t chance) { return percent(chance) ? flag : 0; }

/* What D and E have of their own: no more names than there are. */
static void plan_late(Program *p) {
    bool taken[MAX_METHODS] = {false};
    for (int i = p->nmethods - 1; i >= 0; i--) { /* those of C before those of B and T that they override */
        const Method *m = &p->method[i];
        if (m->access & (CF_ACC_STATIC | CF_ACC_PRIVATE) || m->owner == MAIN || m->owner > T) continue;
        if (m->overrides >= 0) taken[m->overrides] = true;
        if (!taken[i] && percent(40) && p->nmethods < MAX_METHODS) plan_override(p, i, D);
        if (m->owner == T && (m->access & CF_ACC_ABSTRACT || percent(30)) && p->nmethods < MAX_METHODS) plan_override(p, i, E);
    }
}

static void plan_methods(Program *p) {
    bool defaults = p->major >= 52;
    for (uint32_t n = 1 + below(3); n; n--) {
        uint32_t kind = defaults ? below(4) : 0;
        plan_method(p, T, CF_ACC_PUBLIC | (kind < 2 ? CF_ACC_ABSTRACT : kind == 3 ? CF_ACC_STATIC : 0));
    }
    int interface_methods = p->nmethods;
    for (int i = 0; i < interface_methods; i++)
        if (p->method[i].access & CF_ACC_ABSTRACT || (!(p->method[i].access & CF_ACC_STATIC) && percent(30)))
            plan_override(p, i, B);
    int first = p->nmethods;
    for (uint32_t n = 2 + below(4); n; n--)
        plan_method(p, B,
                    (percent(20) ? CF_ACC_PRIVATE : CF_ACC_PUBLIC) | maybe(CF_ACC_SYNCHRONIZED, 10) | maybe(CF_ACC_STATIC, 20));
    for (uint32_t n = 1 + below(3); n; n--)
        plan_small(p, B, (percent(20) ? CF_ACC_PRIVATE : CF_ACC_PUBLIC) | maybe(CF_ACC_STATIC, 20));
    int end = p->nmethods;
    for (int i = interface_methods; i < end; i++)
        if (!(p->method[i].access & (CF_ACC_STATIC | CF_ACC_PRIVATE)) && percent(i < first ? 40 : p->method[i].small ? 25 : 60))
            plan_override(p, i, C);
    for (uint32_t n = 1 + below(3); n; n--)
        plan_method(p, C,
                    (percent(20) ? CF_ACC_PRIVATE : CF_ACC_PUBLIC) | maybe(CF_ACC_SYNCHRONIZED, 10) | maybe(CF_ACC_STATIC, 10));
    for (uint32_t n = 2 + below(6); n; n--) plan_method(p, MAIN, CF_ACC_PUBLIC | CF_ACC_STATIC | maybe(CF_ACC_SYNCHRONIZED, 8));
    for (uint32_t n = 1 + below(4); n; n--) plan_small(p, MAIN, CF_ACC_PUBLIC | CF_ACC_STATIC);
    plan_late(p);
}

static void plan_fields(Program *p) {
    static const struct {
        int owner;
        uint32_t count;
        unsigned access;
    } rows[] = {{MAIN, 14, CF_ACC_STATIC},
                {B, 3, CF_ACC_STATIC},
                {C, 2, CF_ACC_STATIC},
                {T, 3, CF_ACC_STATIC | CF_ACC_FINAL},
                {B, 12, 0},
                {C, 8, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (uint32_t n = rows[r].count; n; n--) {
            Field *f = &p->field[p->nfields];
            snprintf(f->name, sizeof f->name, "f%d", p->nfields++);
            f->owner = (uint8_t)rows[r].owner;
            f->ty = (uint8_t)(percent(60) ? random_type() : (Ty)(TY_Z + below(TY_COUNT - TY_Z)));
            f->access =
                (uint16_t)(CF_ACC_PUBLIC | rows[r].access | (rows[r].access & CF_ACC_FINAL ? 0 : maybe(CF_ACC_VOLATILE, 20)));
        }
}

/* static int deep(int n) { return deep(n + 1) + 1; } */
static void make_deep(Program *p) {
    Asm a;
    CfClass *c = p->cls[MAIN];
    CfMember *m = cf_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, CF_STR("deep"), CF_STR("(I)I"));
    asm_init(&a, c);
    asm_load(&a, TY_I, asm_local(&a, TY_I), 0);
    asm_op(&a, CF_OP_ICONST_1, 0, TY_I);
    asm_op(&a, CF_OP_IADD, 2, TY_I);
    asm_op2(&a, CF_OP_INVOKESTATIC, cf_add_method_ref(c, CF_STR("Main"), CF_STR("deep"), CF_STR("(I)I"), false), 1, TY_I);
    asm_op(&a, CF_OP_ICONST_1, 0, TY_I);
    asm_op(&a, CF_OP_IADD, 2, TY_I);
    asm_end(&a, CF_OP_IRETURN, 1);
    asm_finish(&a, m);
    asm_free(&a);
}

/* ---- the program ---------------------------------------------------------------------------------------- */

static void make_classes(Program *p) {
    static const char *const supers[CLASSES] = {"Rt", "java/lang/Object", "B", "java/lang/Object", "C", "java/lang/Object"};
    for (int k = 0; k < CLASSES; k++) {
        unsigned access = CF_ACC_PUBLIC | (k == T ? CF_ACC_INTERFACE | CF_ACC_ABSTRACT : CF_ACC_SUPER);
        p->cls[k] = cf_class_new(&p->arena, p->major, access, cf_str(class_names[k]), cf_str(supers[k]));
        cf_w_init(&p->bootstraps[k]);
    }
    cf_add_interface(p->cls[B], CF_STR("T"));
    cf_add_interface(p->cls[E], CF_STR("T"));
    for (int i = 0; i < p->nfields; i++)
        cf_add_field(p->cls[p->field[i].owner], p->field[i].access, cf_str(p->field[i].name), cf_str(ty_desc[p->field[i].ty]));
}

static void finish_class(Program *p, int k) {
    CfWriter w;
    if (!p->nbootstraps[k]) return;
    cf_w_init(&w);
    cf_w_u2(&w, p->nbootstraps[k]);
    cf_w_bytes(&w, p->bootstraps[k].data, p->bootstraps[k].len);
    cf_attr_set(p->cls[k], &p->cls[k]->attrs, "BootstrapMethods", w.data, w.len);
    cf_w_free(&w);
}

void program_make(Program *p, uint64_t seed) {
    static const uint8_t majors[] = {46, 48, 49, 50, 51, 52, 52, 55, 55, 61, 61, 61};
    static Method run;
    memset(p, 0, sizeof *p);
    p->seed = seed;
    cf_arena_init(&p->arena, "program", 0);
    choice_start(seed);
    p->major = majors[below(sizeof majors)];
    p->odd_monitors = percent(15);
    plan_methods(p);
    plan_fields(p);
    make_classes(p);
    make_initialiser(p, T);
    make_initialiser(p, B);
    make_initialiser(p, C);
    make_initialiser(p, D);
    make_initialiser(p, E);
    make_initialiser(p, MAIN);
    make_constructor(p, B);
    make_constructor(p, C);
    make_constructor(p, D);
    make_constructor(p, E);
    make_constructor(p, MAIN);
    for (int i = 0; i < p->nmethods; i++) make_method(p, &p->method[i]);
    make_deep(p);
    run = (Method){
        .name = "run", .desc = "(I)V", .owner = MAIN, .ret = TY_V, .nparams = 1, .param = {TY_I}, .access = CF_ACC_PUBLIC};
    make_method(p, &run);
    for (int k = 0; k < CLASSES; k++) finish_class(p, k);
}

bool program_write(Program *p, CfWriter *w) {
    CfError err;
    cf_err_clear(&err);
    cf_w_u8(w, p->seed);
    cf_w_u1(w, CLASSES);
    for (int k = 0; k < CLASSES; k++) {
        size_t name = strlen(class_names[k]);
        cf_w_u2(w, (unsigned)name);
        cf_w_bytes(w, class_names[k], name);
        cf_w_u4(w, (uint32_t)cf_write_size(p->cls[k]));
        if (cf_write(p->cls[k], w, &err) != CF_OK) {
            fprintf(stderr, "program %llu: %s\n", (unsigned long long)p->seed, err.text);
            return false;
        }
    }
    return true;
}

void program_free(Program *p) {
    for (int k = 0; k < CLASSES; k++) cf_w_free(&p->bootstraps[k]);
    cf_arena_free(&p->arena);
}

int main(int argc, char **argv) {
    static Program p;
    CfWriter w;
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "-l") == 0) nodes_list = true;
        else if (strcmp(argv[at], "-w") == 0) only_ldc_w = true;
        else if (strcmp(argv[at], "-k") != 0 || at + 1 >= argc || !nodes_leave_out(argv[++at])) return 2;
    }
    if (argc - at != 2) {
        fprintf(stderr, "exec_gen [-l] [-w] [-k FILE] SEED COUNT >OUT\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[at], NULL, 0), count = strtoull(argv[at + 1], NULL, 0);
    cf_w_init(&w);
    for (uint64_t i = 0; i < count; i++) {
        program_make(&p, seed + i);
        if (!nodes_list && !program_write(&p, &w)) return 1;
        program_free(&p);
        if (fwrite(w.data, 1, w.len, stdout) != w.len) return 1;
        w.len = 0;
    }
    cf_w_free(&w);
    return 0;
}

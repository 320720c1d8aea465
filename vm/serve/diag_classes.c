/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees of class loaders (VM.classloaders) and of classes (VM.class_hierarchy), drawn as the tools'
 * users know them.  Both are made while the world is stopped, from the VM's own lists.
 */
#include "serve/diag_int.h"

#include "heap/heap_upcall.h"

#include <stdlib.h>

/* ---- loaders ---- */

enum { MAX_DEPTH = 64 };

typedef struct Node {
    Object *java;   /* NULL: boot */
    Loader *loader; /* NULL: it has defined nothing */
    struct Node *parent, *children, *next;
    int folded; /* more of the same name and class */
} Node;
typedef struct Tree {
    FILE *out;
    Node *nodes;
    size_t n, cap;
    bool classes, verbose, fold;
    bool more[MAX_DEPTH]; /* siblings follow, by depth */
} Tree;

static Node *node_of(Tree *t, Object *java) {
    for (size_t i = 0; i < t->n; i++)
        if (t->nodes[i].java == java) return &t->nodes[i];
    return NULL;
}

/* Also loaders that only stand between others in the chain of parents.  The array is large enough
 * from the start: nodes point at each other. */
static void add_node(Tree *t, Object *java) {
    for (; !node_of(t, java) && t->n < t->cap; java = JGET_REF(java, ClassLoader, parent)) {
        t->nodes[t->n++] = (Node){.java = java};
        if (!java) return;
    }
}
static void count_loader(Loader *l, void *arg) {
    Tree *t = arg;
    for (Object *o = l->java; o; o = JGET_REF(o, ClassLoader, parent)) t->cap++;
    t->cap++;
}
static void note_loader(Loader *l, void *arg) {
    add_node(arg, l->java);
    Node *n = node_of(arg, l->java);
    if (n) n->loader = l;
}

static char *loader_name(const Node *n) { return n->java ? string_to_cstr(JGET_REF(n->java, ClassLoader, name)) : NULL; }
static bool same_kind(const Node *a, const Node *b) {
    if (obj_class(a->java) != obj_class(b->java)) return false;
    char *x = loader_name(a), *y = loader_name(b);
    bool same = (!x && !y) || (x && y && strcmp(x, y) == 0);
    free(x);
    free(y);
    return same;
}

static void hang_nodes(Tree *t) {
    for (size_t i = 0; i < t->n; i++) {
        Node *n = &t->nodes[i];
        if (!n->java) continue;
        n->parent = node_of(t, JGET_REF(n->java, ClassLoader, parent));
        if (!n->parent) continue;
        n->next = n->parent->children;
        n->parent->children = n;
    }
    if (!t->fold) return;
    for (size_t i = 0; i < t->n; i++)
        for (Node *a = t->nodes[i].children; a; a = a->next)
            for (Node **p = &a->next; *p;) {
                if (!(*p)->children && !a->children && same_kind(a, *p)) a->folded++, *p = (*p)->next;
                else p = &(*p)->next;
            }
}

/* Columns of the ancestors; then own and children's column, if wanted. */
static void start_line(const Tree *t, int depth, const Node *n) {
    fprintf(t->out, "      ");
    for (int i = 1; i < depth; i++) fprintf(t->out, t->more[i] ? "|     " : "      ");
    if (!n) return;
    if (depth > 0) fprintf(t->out, t->more[depth] ? "|     " : "      ");
    fprintf(t->out, n->children ? "|     " : "      ");
}

static void print_class_list(const Tree *t, int depth, const Node *n, bool hidden) {
    size_t count = 0;
    for (Class *c = n->loader->classes; c; c = c->next_in_loader) {
        if (class_is_primitive(c) || ((c->flags & CF_HIDDEN) != 0) != hidden) continue;
        start_line(t, depth, n);
        fprintf(t->out, "%18s %s\n", count ? "" : hidden ? "Hidden Classes:" : "Classes:", class_text(c).s);
        count++;
    }
    if (!count) return;
    start_line(t, depth, n);
    fprintf(t->out, "%19s(%zu %sclass%s)\n", "", count, hidden ? "hidden " : "", count == 1 ? "" : "es");
    start_line(t, depth, n);
    fputc('\n', t->out);
}

static void print_address(const Tree *t, int depth, const Node *n, const char *what, const void *p) {
    start_line(t, depth, n);
    fprintf(t->out, "%17s: 0x%016lx\n", what, (unsigned long)(uintptr_t)p);
}

static void print_details(const Tree *t, int depth, const Node *n) {
    if (t->verbose) {
        print_address(t, depth, n, "Loader Oop", n->java);
        print_address(t, depth, n, "Loader Data", n->loader);
        print_address(t, depth, n, "Loader Klass", n->java ? obj_class(n->java) : NULL);
        start_line(t, depth, n);
        fputc('\n', t->out);
    }
    if (t->classes && n->loader) {
        print_class_list(t, depth, n, false);
        print_class_list(t, depth, n, true);
    }
}

static void print_node(Tree *t, Node *n, int depth) {
    char *name = loader_name(n);
    if (depth > 0) start_line(t, depth, NULL);
    fprintf(t->out, "+-- ");
    if (!n->java) fprintf(t->out, "<bootstrap>");
    else fprintf(t->out, "%s%s%s%s", name ? "\"" : "", name ? name : "", name ? "\", " : "", class_text(obj_class(n->java)).s);
    free(name);
    if (n->folded) fprintf(t->out, " (+ %d more)", n->folded);
    fputc('\n', t->out);
    start_line(t, depth, n);
    fputc('\n', t->out);
    print_details(t, depth, n);
    for (Node *k = n->children; k && depth + 1 < MAX_DEPTH; k = k->next) {
        t->more[depth + 1] = k->next != NULL;
        print_node(t, k, depth + 1);
    }
}

static void loaders_stopped(void *arg) {
    Tree *t = arg;
    t->cap = 1;
    loader_visit_all(count_loader, t);
    t->nodes = calloc(t->cap, sizeof *t->nodes);
    if (!t->nodes) return (void)fprintf(t->out, "There is no memory for the tree\n");
    loader_visit_all(note_loader, t);
    hang_nodes(t);
    Node *root = node_of(t, NULL);
    if (root) print_node(t, root, 0);
    free(t->nodes);
}

bool diag_cmd_classloaders(DiagCall *c) {
    Tree t = {.out = c->out,
              .classes = diag_true(c->value[0]),
              .verbose = diag_true(c->value[1]),
              .fold = diag_true(c->value[2]) && !diag_true(c->value[0]) && !diag_true(c->value[1])};
    safepoint_run("class loader tree", loaders_stopped, &t);
    return true;
}

/* ---- hierarchy ---- */

typedef struct Hierarchy {
    FILE *out;
    const char *name; /* internal form; NULL: everything */
    bool interfaces, subclasses;
    CF_VEC(Class *) found; /* classes of that name */
    bool failed;
} Hierarchy;

static void print_name(const Hierarchy *h, const Class *c) {
    fprintf(h->out, "%s/", class_text(c).s);
    if (c->loader == BOOT_LOADER) fprintf(h->out, "null");
    else fprintf(h->out, "0x%016lx", (unsigned long)(uintptr_t)c->loader);
}

static void print_class(const Hierarchy *h, const Class *c, int depth) {
    for (int i = 0; i < depth; i++) fprintf(h->out, i + 1 < depth ? "|  " : "|--");
    print_name(h, c);
    fprintf(h->out, class_is_interface(c) ? " (intf)\n" : "\n");
}

static void print_interface(const Hierarchy *h, const Class *i, int depth, const char *how) {
    for (int k = 0; k < depth; k++) fprintf(h->out, "|  ");
    fprintf(h->out, "implements ");
    print_name(h, i);
    fprintf(h->out, " (%s intf)\n", how);
}
static void print_interfaces(const Hierarchy *h, const Class *c, int depth) {
    if (!h->interfaces) return;
    for (u4 k = 0; k < c->n_interfaces; k++) print_interface(h, c->interfaces[k], depth, "declared");
    for (u4 k = 0; k < c->n_all_interfaces; k++)
        if (!class_names_interface(c, c->all_interfaces[k])) print_interface(h, c->all_interfaces[k], depth, "inherited");
}

/* Superclass chain of a found class? */
static bool leads_to_found(const Hierarchy *h, const Class *c) {
    for (u4 i = 0; i < h->found.len; i++)
        for (const Class *k = h->found.data[i]; k; k = k->super)
            if (k == c || (class_is_interface(k) && c == JC(Object))) return true;
    return false;
}
static bool below_found(const Hierarchy *h, const Class *c) {
    for (; c; c = c->super)
        for (u4 i = 0; i < h->found.len; i++)
            if (h->found.data[i] == c) return true;
    return false;
}

static void walk(const Hierarchy *h, const Class *c, int depth) {
    if (h->name && !leads_to_found(h, c) && !(h->subclasses && below_found(h, c))) return;
    print_class(h, c, depth);
    print_interfaces(h, c, depth);
    for (const Class *k = c->first_subclass; k; k = k->next_sibling)
        if (!class_is_array(k)) walk(h, k, depth + 1);
}

static void find_class(Class *c, void *arg) {
    Hierarchy *h = arg;
    if (class_is_array(c) || class_is_primitive(c) || strcmp(c->name->bytes, h->name) != 0) return;
    h->failed |= !cf_vec_push(&h->found, c);
}

static void hierarchy_stopped(void *arg) {
    Hierarchy *h = arg;
    if (h->name) loader_visit_all_classes(find_class, h);
    if (h->failed) fprintf(h->out, "There is no memory for all classes of this name\n");
    if (!h->name || h->found.len) walk(h, JC(Object), 0);
}

bool diag_cmd_class_hierarchy(DiagCall *c) {
    char name[DIAG_MAX_LINE];
    Hierarchy h = {.out = c->out, .interfaces = diag_true(c->value[1]), .subclasses = diag_true(c->value[2])};
    if (c->value[0]) {
        snprintf(name, sizeof name, "%s", c->value[0]);
        h.name = text_replace(name, '.', '/');
    }
    safepoint_run("class hierarchy", hierarchy_stopped, &h);
    if (h.name && !h.found.len && !h.failed) diag_done(c);
    cf_vec_free(&h.found);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rt_rename - every class of the inputs with other names; rename.sh runs the results.
 *
 *   rt_rename -o DIR [-s] [-p PREFIX] [-g] [FROM=TO ...] -- JAR|CLASS...
 *
 * FROM=TO       owners of bci_rename_list: a/b/=c/d/ or a/b/C=d/E; with OWNER.NAME=NEW: a member
 * -p PREFIX     instead: every private method and field of the inputs gets its name with PREFIX in front
 *               (members that serialization finds by name are left alone)
 * -s            strings too (BCI_NAMES_STRINGS)
 * -g            the constant pool is collected (BCI_COMPACT_POOL)
 * Results are checked by cf_check and go to DIR/<new name>.class.
 */
#include "bci.h"
#include "corpus.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static BciRenaming rows[64];
static size_t nrows;
static unsigned long nclasses, bytes_in, bytes_out;
static const char *prefix;
static char name_buffer[70000];

/* ---- private members ---- */

static bool by_name(const char *n) {
    static const char *const kept[] = {"serialVersionUID", "serialPersistentFields", "readObject",       "writeObject",
                                       "readResolve",      "writeReplace",           "readObjectNoData", "lambda$"};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        if (!strncmp(n, kept[k], strlen(kept[k]))) return true;
    return false;
}

static const char *private_member(void *ctx, const char *owner, const char *name, const char *desc) {
    const CfClass *c = ctx;
    if (!desc || !cf_str_is(c->name, owner) || by_name(name) || (c->access & CF_ACC_INTERFACE)) return NULL;
    const CfMember *m =
        desc[0] == '(' ? cf_find_method(c, cf_str(name), cf_str(desc)) : cf_find_field(c, cf_str(name), cf_str(desc));
    if (!m || !(m->access & CF_ACC_PRIVATE) || (m->access & CF_ACC_NATIVE) || cf_attr(&c->attrs, CF_ATTR_RECORD) ||
        cf_attr(&c->attrs, CF_ATTR_NEST_MEMBERS) || cf_attr(&c->attrs, CF_ATTR_NEST_HOST))
        return NULL;
    snprintf(name_buffer, sizeof name_buffer, "%s%s", prefix, name);
    return name_buffer;
}

/* ---- one class ---- */

static void save(const char *dir, CfStr name, const uint8_t *p, size_t n) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%.*s.class", dir, CF_STR_ARGS(name));
    for (char *q = path + 1; (q = strchr(q, '/')); q++) {
        *q = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST) perror(path);
        *q = '/';
    }
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(p, 1, n, f) != n || fclose(f) != 0) {
        perror(path);
        exit(2);
    }
}

static bool one(const CorpusEntry *e, const char *dir, unsigned flags, unsigned options) {
    CfError err;
    cf_err_clear(&err);
    BciOptions opt = {.flags = options};
    BciClass *c = bci_open(e->bytes, e->size, &opt, &err);
    uint8_t *out = NULL;
    size_t n = 0;
    if (c && prefix) {
        CfArena a;
        CfClass *before = NULL;
        cf_arena_init(&a, "names", 0);
        if (cf_parse(&before, e->bytes, e->size, &a, NULL, &err) == CF_OK)
            bci_rename(c, &(BciNames){before, NULL, private_member, flags}, &err);
        cf_arena_free(&a);
    } else if (c) {
        bci_rename_list(c, rows, nrows, flags, &err);
    }
    bool ok = c && err.code == CF_OK && bci_write(c, NULL, NULL, &out, &n, &err) == CF_OK;
    CfArena a;
    CfClass *after = NULL;
    cf_arena_init(&a, "check", 0);
    CfParseOptions po = {.check = CF_CHECK_FORMAT};
    ok = ok && cf_parse(&after, out, n, &a, &po, &err) == CF_OK;
    if (ok) save(dir, after->name, out, n);
    else printf("%s: %s: %s\n", e->path, err.where, err.text);
    nclasses++;
    bytes_in += e->size;
    bytes_out += n;
    cf_arena_free(&a);
    free(out);
    bci_close(c);
    return ok;
}

static void add_row(char *arg) {
    BciRenaming *r = &rows[nrows++];
    char *to = strchr(arg, '='), *dot = strchr(arg, '.');
    *to++ = 0;
    *r = (BciRenaming){.owner = arg, .to = to};
    if (dot) {
        *dot = 0;
        r->name = dot + 1;
    }
}

int main(int argc, char **argv) {
    const char *dir = ".";
    unsigned flags = 0, options = 0;
    int k = 1;
    for (; k < argc && strcmp(argv[k], "--"); k++) {
        if (!strcmp(argv[k], "-o") && k + 1 < argc) dir = argv[++k];
        else if (!strcmp(argv[k], "-p") && k + 1 < argc) prefix = argv[++k];
        else if (!strcmp(argv[k], "-s")) flags |= BCI_NAMES_STRINGS;
        else if (!strcmp(argv[k], "-g")) options |= BCI_COMPACT_POOL;
        else if (strchr(argv[k], '=') && nrows < 64) add_row(argv[k]);
    }
    Corpus all = {0};
    for (k++; k < argc; k++)
        if (!corpus_add(&all, argv[k])) return 2;
    unsigned long failed = 0;
    for (size_t i = 0; i < all.entries.len; i++) failed += !one(&all.entries.data[i], dir, flags, options);
    printf("%lu classes, %lu failed, %lu -> %lu bytes\n", nclasses, failed, bytes_in, bytes_out);
    return failed != 0;
}

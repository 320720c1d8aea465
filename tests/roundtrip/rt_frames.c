/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rt_frames - rewrites every class of a corpus with bci-lib; frames.sh has the results verified.
 *
 *   rt_frames [-v] [-m MODE] [-l LIMIT] [-s SEED] [-o DIR] [-c CLASS] JIMAGE|JAR|CLASS...
 *
 * MODE  open     decode every method, change nothing: the result must be byte-identical
 *       same     encode every method from its list: the result must be byte-identical
 *       analyse  nothing changed; dominators, liveness and types must agree with each other
 *       copied   every method copied into an empty class whose pool holds 300 numbers first
 *       compact  nothing changed, but the constant pool collected
 *       keep     write every method anew, frames of the input kept (default)
 *       rebuild  write every method anew, all frames from data flow
 *       count    counters at entry, return and exceptional exit of every method (fields in the class
 *                itself; interfaces count in java.lang.Object's place: they are left alone)
 *       edges    a new local, set at entry and incremented on every branch edge, at every line and return
 *       insert   neutral code in many places: offsets move, frames of the input must stay right
 *       plan-X   plan X of rt_plans.c
 *       tame, light, tame-rebuild, light-rebuild   random edits that keep code right (tests/fuzz/edit_script.h)
 * -s    number that the random edits begin with
 * -l    methods that are changed and longer than LIMIT bytes are outlined
 * -v    results are verified by the verifier of classfile, against the classes of the corpus
 * DIR   results go to archives, DIR/jdk/<module>.jar and DIR/jars/<jar>; without it they are only made
 * Ends with 1 if a class failed.
 */
#include "../fuzz/edit_script.h"
#include "archive.h"
#include "rt_plans.h"
#include "world.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *mode = "keep", *out_dir;
static unsigned limit, seed;
static unsigned long noutlined, nparts;
static unsigned long nclasses, nmethods, nfailed, ndiff, bytes_in, bytes_out, most_scratch;

static void count(BciPos at, const char *field) {
    const char *self = bci_class_name(bci_code_class(at.code));
    bci_field(at, CF_OP_GETSTATIC, self, field, "J");
    bci_op(at, CF_OP_LCONST_1);
    bci_op(at, CF_OP_LADD);
    bci_field(at, CF_OP_PUTSTATIC, self, field, "J");
}

static void count_return(BciPos at, BciInsn *site, void *arg) { count(at, "$returns"); }
static void count_throw(BciPos at, BciInsn *site, void *arg) { count(at, "$throws"); }

static void edit_count(BciCode *code) {
    count(bci_entry(code), "$entries");
    bci_each_return(code, count_return, NULL);
    bci_on_throw(code, count_throw, NULL);
}

static void edit_edges(BciCode *code) {
    uint32_t slot = bci_new_local(code, 'I'), obj = bci_new_local(code, 'A'), wide = bci_new_local(code, 'J');
    BciPos at = bci_entry(code);
    bci_int(at, 0);
    bci_store(at, 'I', slot);
    bci_string(at, "probe");
    bci_store(at, 'A', obj);
    bci_long(at, 100000);
    bci_store(at, 'J', wide);
    unsigned line = 0;
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next) {
        next = bci_next(i);
        if (i->flags & BCI_F_NEW) continue;
        if (i->line != line && (line = i->line)) bci_iinc(bci_before(code, i), slot, 1);
        if (bci_is_cond(i)) {
            bci_iinc(bci_on_edge(code, i, i->target), slot, 1000);
            bci_iinc(bci_on_edge(code, i, NULL), slot, -1);
        } else if (i->op == CF_OP_TABLESWITCH || i->op == CF_OP_LOOKUPSWITCH) {
            for (uint32_t k = 0; k <= i->sw->n && k < 20; k++) bci_iinc(bci_on_case(code, i, k), slot, (int)k);
        } else if (bci_is_return(i)) {
            at = bci_before(code, i);
            bci_load(at, 'J', wide);
            bci_op(at, CF_OP_POP2);
            bci_load(at, 'A', obj);
            bci_op(at, CF_OP_POP);
        }
    }
}

/* Code that leaves everything as it was, in several kinds. */
static void neutral(BciPos at, uint32_t kind) {
    BciCode *code = at.code;
    BciLabel *l;
    uint32_t slot;
    switch (kind % 8) {
    case 0: bci_op(at, CF_OP_NOP); break;
    case 1:
        bci_int(at, 100000);
        bci_op(at, CF_OP_POP);
        break;
    case 2:
        bci_string(at, "x");
        bci_type(at, CF_OP_CHECKCAST, "java/lang/String");
        bci_int(at, 1);
        bci_op(at, CF_OP_POP2);
        break;
    case 3:
        bci_long(at, 7);
        bci_store(at, 'J', slot = bci_new_local(code, 'J'));
        bci_load(at, 'J', slot);
        bci_op(at, CF_OP_POP2);
        break;
    case 4:
        bci_type(at, CF_OP_NEW, "java/lang/Object"); /* no call: all of java.base does this */
        bci_store(at, 'A', slot = bci_new_local(code, 'A'));
        bci_load(at, 'A', slot);
        bci_op(at, CF_OP_POP);
        break;
    case 6:
        bci_int(at, kind & 64 ? 0 : 1);
        bci_jump(at, CF_OP_IFNE, l = bci_new_label(code));
        neutral(at, kind % 6);
        bci_place(at, l);
        break;
    case 5:
        bci_int(at, 2);
        bci_new_array(at, "[I");
        bci_op(at, CF_OP_ARRAYLENGTH);
        bci_op(at, CF_OP_POP);
        break;
    default:
        bci_long(at, 3);
        bci_long(at, 4);
        bci_op(at, CF_OP_LADD);
        bci_op(at, CF_OP_POP2);
    }
}

/* The result is looked at, and goes through a new local. */
static void neutral_return(BciPos at, BciInsn *site, void *arg) {
    const char *desc = bci_return_desc(bci_code_method(at.code));
    if (*desc == 'V') return;
    uint32_t slot = bci_new_local(at.code, *desc == '[' || *desc == 'L' ? 'A' : strchr("JFD", *desc) ? *desc : 'I');
    bci_dup_value(at, desc);
    bci_op(at, *desc == 'J' || *desc == 'D' ? CF_OP_POP2 : CF_OP_POP);
    bci_store(at, *desc, slot);
    bci_load(at, *desc, slot);
}

static void edit_insert(BciCode *code) {
    uint32_t k = bci_code_length(code);
    if (k > 20000) /* would pass 64 KB */
        return;
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next, k++) {
        next = bci_next(i);
        if (k % 5 == 0) neutral(bci_before(code, i), k);
        if (k % 7 == 0 && !bci_is_end(i)) neutral(bci_after(code, i), k / 2);
    }
    bci_each_return(code, neutral_return, NULL);
    if (k % 3) neutral(bci_entry(code), k);
}

/* What is live has a type; what is live at the entry is a parameter; blocks are reached if and only if they have a state. */
static bool analyse(BciCode *code) {
    BciMethod *m = bci_code_method(code);
    const BciCfg *g = bci_cfg(code, BCI_CFG_SPLIT_THROW);
    const uint32_t *idom = bci_dominators(code, g);
    const BciLiveness *live = bci_liveness(code, g);
    uint32_t args = (uint32_t)cf_desc_arg_slots(cf_str(bci_method_desc(m)), NULL) + !(bci_method_access(m) & CF_ACC_STATIC);
    const char *wrong = idom && live ? NULL : "no result";
    bool old = bci_major(bci_code_class(code)) < 50;
    for (uint32_t b = 0; !wrong && b < g->nblocks; b++) {
        BciState s;
        BciInsn *i = g->blocks[b].first;
        bool reached = bci_state(code, i, &s);
        /* Dead code has the state of its frame, if it has one. */
        if (g->blocks[b].reachable != (idom[b] != BCI_NO_BLOCK) || (g->blocks[b].reachable && !bci_dominates(idom, 0, b)))
            wrong = "dominators";
        if (g->blocks[b].reachable && !reached) wrong = "a block that is reached has no state";
        for (uint32_t k = 0; k < bci_max_locals(code) && reached && !old; k++) {
            if (!bci_live(live, i, k)) continue;
            if (!s.locals[k].kind) wrong = "a live local has no type";
            if (b == 0 && k >= args) wrong = "a local that is no parameter is live at the entry";
        }
    }
    if (wrong) printf("%s.%s%s: %s\n", bci_class_name(bci_code_class(code)), bci_method_name(m), bci_method_desc(m), wrong);
    return !wrong;
}

/* A handle of a class like `from`, without attributes but those of methods. The bytes live on. */
static BciClass *transplant(BciClass *from) {
    const CfClass *k = bci_model(from);
    CfArena a;
    CfWriter w;
    CfError err;
    cf_err_clear(&err);
    cf_arena_init(&a, "copy", 0);
    cf_w_init(&w);
    CfStr super = cf_class_name(k, k->super_class);
    CfClass *fresh = cf_class_new(&a, k->major, k->access, k->name, super);
    for (int i = 0; i < 300; i++) cf_add_int(fresh, 1000000 + i);
    cf_write(fresh, &w, NULL);
    cf_arena_free(&a);
    BciClass *to = bci_open(w.data, w.len, NULL, &err);
    for (uint32_t i = 0; to && i < bci_interface_count(from); i++) bci_add_interface(to, bci_interface(from, i));
    for (int i = 0; to && i < k->field_count; i++) {
        char *name = cf_arena_copy(k->arena, cf_utf8(k, k->fields[i].name).p, cf_utf8(k, k->fields[i].name).len);
        char *desc = cf_arena_copy(k->arena, cf_utf8(k, k->fields[i].desc).p, cf_utf8(k, k->fields[i].desc).len);
        bci_add_field(to, k->fields[i].access, name, desc);
    }
    for (int i = 0; to && i < bci_method_count(from); i++) {
        BciMethod *m = bci_method(from, i);
        if (!bci_copy_method(to, m, NULL)) printf("%s.%s: not copied\n", bci_class_name(from), bci_method_name(m));
    }
    return to;
}

/* Each class has its own edits, the same in each run with this seed. */
static void edit_at_random(BciClass *c, const CorpusEntry *e) {
    Script s = {.random = cf_hash_bytes(e->bytes, e->size) + 1u + ((uint64_t)seed << 33), .light = !strncmp(mode, "light", 5)};
    run_script(c, s);
}

static bool edit(BciClass *c) {
    bool ok = true, interface = bci_class_access(c) & CF_ACC_INTERFACE;
    bool counting = !strcmp(mode, "count") && !interface;
    if (counting) {
        static const char *const fields[] = {"$entries", "$returns", "$throws"};
        for (int k = 0; k < 3; k++) bci_add_field(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_SYNTHETIC, fields[k], "J");
    }
    for (int i = 0; i < bci_method_count(c); i++) {
        BciMethod *m = bci_method(c, i);
        BciCode *code = bci_code(m);
        CfError e;
        if (bci_method_error(m, &e) != CF_OK) {
            printf("%s: %s: %s\n", bci_class_name(c), e.where, e.text);
            ok = false;
        }
        if (!code) continue;
        nmethods++;
        /* A finalize that is not empty makes every object need finalisation: the boot would fail. */
        bool finalize = !strcmp(bci_method_name(m), "finalize") && !strcmp(bci_method_desc(m), "()V");
        if (!strcmp(mode, "same") || !strcmp(mode, "rebuild")) bci_mark_changed(code);
        else if (!strcmp(mode, "keep")) /* an edit that leaves no trace but makes the data flow run */
            bci_delete(code, bci_op(bci_before(code, bci_first_insn(code)), CF_OP_NOP));
        else if (!strcmp(mode, "analyse")) ok &= analyse(code);
        else if (counting && !finalize) edit_count(code);
        else if (!strcmp(mode, "edges") && !finalize) edit_edges(code);
        else if (!strcmp(mode, "insert") && !finalize) edit_insert(code);
    }
    return ok;
}

static World world;
static bool verifying;
static unsigned long nverified, ninput;

static void load_world(const Corpus *corpus) {
    static CfArena arena;
    cf_arena_init(&arena, "corpus", 64 * 1024);
    for (uint32_t i = 0; i < corpus->entries.len; i++) {
        CorpusEntry *e = &corpus->entries.data[i];
        if (cf_parse(&e->cls, e->bytes, e->size, &arena, NULL, NULL) == CF_OK) world_add(&world, e->cls);
    }
    world.current_wins = true;
}

static CfErrCode verify_bytes(const uint8_t *p, size_t n, CfError *err) {
    static CfArena arena;
    static const CfParseOptions format = {.check = CF_CHECK_FORMAT};
    static const CfVerifyOptions options = {0};
    CfHierarchy h = world_hierarchy(&world);
    CfClass *c;
    if (!arena.name) cf_arena_init(&arena, "result", 0);
    cf_arena_reset(&arena);
    cf_err_clear(err);
    CfErrCode rc = cf_parse(&c, p, n, &arena, &format, err);
    if (rc == CF_OK && !(c->access & CF_ACC_MODULE) && c->major >= 50) {
        world.current = c;
        rc = cf_verify(c, &h, &options, err);
        world.current = NULL;
        nverified += rc == CF_OK;
    }
    return rc == CF_ERR_LOAD ? CF_OK : rc;
}

/* A class that does not verify is no failure if its input does not either. */
static void verify(const CorpusEntry *e, const uint8_t *p, size_t n) {
    static CfError err, ignored;
    if (verify_bytes(p, n, &err) == CF_OK) return;
    if (verify_bytes(e->bytes, e->size, &ignored) != CF_OK) {
        ninput++;
        return;
    }
    printf("%s: %s: %s\n", e->path, err.where, err.text);
    nfailed++;
}

/* To somebody who waits: where we are. The test runner exports TTY if there is a terminal. */
static void show_progress(uint32_t i, uint32_t n) {
    static FILE *tty;
    if (i % 1000 || !getenv("TTY") || (!tty && !(tty = fopen("/dev/tty", "w")))) return;
    fprintf(tty, "\r\033[K%s: %u of %u classes", mode, i, n);
    fflush(tty);
}

static void by_plan(const CorpusEntry *e) {
    static BciPlan *plan;
    static BciScratch *scratch;
    static BciResult res;
    if (!plan && (!(plan = rt_plan(mode + 5, limit)) || !(scratch = bci_scratch_new()))) exit(2);
    BciOutcome o = bci_apply(plan, scratch, e->bytes, e->size, NULL, &res);
    nclasses++;
    nmethods += res.methods;
    bytes_in += e->size;
    bytes_out += res.bytes ? res.len : e->size;
    if (o == BCI_REFUSED) {
        printf("%s: %s\n", e->path, res.error);
        nfailed++;
    }
    noutlined += res.noutlined;
    for (uint32_t k = 0; k < res.noutlined && k < BCI_MAX_SKIPS; k++) nparts += res.outlined[k].parts;
    for (uint32_t k = 0; k < res.nskipped && k < BCI_MAX_SKIPS; k++)
        printf("%s: method %d skipped: %s\n", e->path, res.skipped[k].method, res.skipped[k].why);
    ndiff += res.bytes != NULL;
    if (out_dir) archive_add(out_dir, e, res.bytes ? res.bytes : e->bytes, res.bytes ? res.len : e->size);
    if (verifying && res.bytes) verify(e, res.bytes, res.len);
    free(res.bytes);
    if (bci_scratch_size(scratch) > most_scratch) most_scratch = bci_scratch_size(scratch);
}

static void one(const CorpusEntry *e) {
    if (!strncmp(mode, "plan-", 5)) {
        by_plan(e);
        return;
    }
    static CfError err;
    cf_err_clear(&err);
    BciOptions opt = {.frames = strstr(mode, "rebuild") ? BCI_FRAMES_REBUILD : BCI_FRAMES_KEEP,
                      .flags = (!strcmp(mode, "compact") ? BCI_COMPACT_POOL : 0) | (limit ? BCI_OUTLINE : 0)};
    BciClass *c = bci_open(e->bytes, e->size, &opt, &err);
    if (c && limit) c->code_limit = limit;
    uint8_t *out = NULL;
    size_t n = 0;
    nclasses++;
    bytes_in += e->size;
    if (c && !strcmp(mode, "copied")) {
        BciClass *to = transplant(c);
        bci_close(c);
        c = to;
    }
    bool ok = c && edit(c);
    if (c && (!strncmp(mode, "tame", 4) || !strncmp(mode, "light", 5))) edit_at_random(c, e);
    if (c && bci_write(c, NULL, NULL, &out, &n, &err) != CF_OK) ok = false;
    for (int i = 0; c && i < bci_method_count(c); i++) {
        noutlined += bci_outlined(bci_method(c, i)) > 0;
        nparts += bci_outlined(bci_method(c, i));
    }
    if (!ok && err.code != CF_OK) printf("%s: %s: %s\n", e->path, err.where, err.text);
    nfailed += !ok;
    bytes_out += n;
    if (ok && (n != e->size || memcmp(out, e->bytes, n) != 0)) ndiff++;
    if (out && out_dir) archive_add(out_dir, e, out, n);
    if (out && verifying) verify(e, out, n);
    free(out);
    bci_close(c);
}

int main(int argc, char **argv) {
    Corpus corpus = {0};
    const char *only = NULL;
    int o;
    while ((o = getopt(argc, argv, "vm:o:c:l:s:")) != -1) switch (o) {
        case 'v': verifying = true; break;
        case 'm': mode = optarg; break;
        case 'o': out_dir = optarg; break;
        case 'c': only = optarg; break;
        case 's': seed = (unsigned)atoi(optarg); break;
        case 'l': limit = (unsigned)atoi(optarg); break;
        default: return 2;
        }
    for (int i = optind; i < argc; i++)
        if (!corpus_add(&corpus, argv[i])) return 2;
    if (verifying) load_world(&corpus);
    clock_t t = clock();
    for (uint32_t i = 0; i < corpus.entries.len; i++)
        if (!only || strstr(corpus.entries.data[i].path, only))
            show_progress(i, corpus.entries.len), one(&corpus.entries.data[i]);
    archive_close();
    printf("%s: %lu classes, %lu methods, %lu failed, %lu differ from the input, %lu -> %lu bytes, %.2f s\n", mode, nclasses,
           nmethods, nfailed, ndiff, bytes_in, bytes_out, (double)(clock() - t) / CLOCKS_PER_SEC);
    if (limit) printf("%lu methods outlined, %lu parts\n", noutlined, nparts);
    if (verifying) printf("%lu verified, %lu fail as their input does\n", nverified, ninput);
    if (most_scratch) printf("%lu KiB of scratch at most\n", most_scratch / 1024);
    return nfailed || ((!strcmp(mode, "open") || !strcmp(mode, "same")) && ndiff);
}

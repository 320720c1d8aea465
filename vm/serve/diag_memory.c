/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostic commands about memory beside the objects: class data (VM.metaspace, VM.classloader_stats) and native memory.
 *
 * Class data has two parts: class files (those of the JDK are mapped from its image) and the structures made of them, which malloc and the
 * class space hold.  There are no chunks.  Columns and words are those that readers of the reference's reports look for.
 *
 * Native memory is not tracked by call site.  With -XX:NativeMemoryTracking the parts that the VM can ask about are told: the heap, the class
 * space, the threads' C stacks, malloc.  What the collector keeps beside the heap, Java stacks and mapped files are in none of them.
 */
#include "object/method.h"
#include "serve/diag_int.h"

#include "core/options.h"
#include "os/os.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

/* ---- units ---- */

typedef struct Scale {
    const char *name; /* "": as fits */
    size_t unit;
} Scale;
static const Scale scales[] = {{"", 0},         {"1", 1},       {"B", 1},        {"KB", 1 << 10}, {"K", 1 << 10},
                               {"MB", 1 << 20}, {"M", 1 << 20}, {"GB", 1 << 30}, {"G", 1 << 30}};

static const Scale *find_scale(const char *text) {
    for (size_t i = 1; i < ARRAY_LEN(scales); i++)
        if (strcasecmp(scales[i].name, text) == 0) return &scales[i];
    return NULL;
}

typedef struct SizeText {
    char s[32];
} SizeText;
static SizeText in_unit(size_t n, const Scale *s) {
    SizeText t;
    if (!s->unit)
        s = n >= 1 << 30 ? find_scale("GB") : n >= 1 << 20 ? find_scale("MB") : n >= 1 << 10 ? find_scale("KB") : find_scale("1");
    if (s->unit == 1) snprintf(t.s, sizeof t.s, "%zu bytes", n);
    else snprintf(t.s, sizeof t.s, "%.2f %s", (double)n / (double)s->unit, s->name);
    return t;
}

/* ---- class data ---- */

typedef enum Space { SPACE_BOOT, SPACE_STANDARD, SPACE_HIDDEN, N_SPACES } Space;
static const char *const space_names[] = {"Boot", "Standard", "Hidden classes (not strong)"};

typedef struct ClassData {
    size_t classes, files, structures;
} ClassData;

static void count_class(ClassData *d, const Class *k) {
    d->classes++;
    d->structures += sizeof *k;
    if (!k->version) return;
    d->files += k->version->bytes_len;
    d->structures += sizeof *k->version + k->version->n_methods_all * sizeof(Method) +
                     k->version->pool_count * (sizeof(PoolCell) + 1) + k->n_fields * sizeof(Field);
}
static void add_data(ClassData *sum, const ClassData *d) {
    sum->classes += d->classes;
    sum->files += d->files;
    sum->structures += d->structures;
}
static bool is_counted(const Class *k) { return !class_is_primitive(k); }
static bool is_hidden_space(const Class *k) { return (k->flags & (CF_HIDDEN | CF_STRONG)) == CF_HIDDEN; }
static void count_loader(const Loader *l, ClassData *named, ClassData *hidden) {
    for (const Class *k = l->classes; k; k = k->next_in_loader)
        if (is_counted(k)) count_class(is_hidden_space(k) ? hidden : named, k);
}

typedef struct Metadata {
    FILE *out;
    const Scale *scale;
    bool loaders, classes, spaces, chunks, list;
    size_t n_loaders;
    ClassData space[N_SPACES];
} Metadata;

static void print_data(const Metadata *m, const char *indent, const ClassData *d) {
    fprintf(m->out, "%sclass files %s,  structures %s\n", indent, in_unit(d->files, m->scale).s,
            in_unit(d->structures, m->scale).s);
}
static void print_names(const Metadata *m, const Loader *l) {
    size_t n = 0;
    for (const Class *k = l->classes; k; k = k->next_in_loader)
        if (is_counted(k)) fprintf(m->out, "   %4zu:    %s\n", ++n, class_text(k).s);
}
static void add_loader(Loader *l, void *arg) {
    Metadata *m = arg;
    ClassData named = {0}, hidden = {0};
    count_loader(l, &named, &hidden);
    ClassData all = named;
    add_data(&all, &hidden);
    add_data(&m->space[l->is_boot ? SPACE_BOOT : SPACE_STANDARD], &named);
    add_data(&m->space[SPACE_HIDDEN], &hidden);
    m->n_loaders++;
    if (!m->loaders) return;
    fprintf(m->out, "%4zu: %s, %zu class%s\n", m->n_loaders, loader_text(l).s, all.classes, all.classes == 1 ? "" : "es");
    print_data(m, "        ", &all);
    if (m->classes) print_names(m, l);
}

static void print_class_space(const Metadata *m) {
    size_t committed, reserved = class_region_size(&committed);
    fprintf(m->out, "\nVirtual space:\n      Class space:  %s reserved, %s committed\n", in_unit(reserved, m->scale).s,
            in_unit(committed, m->scale).s);
}
static void metadata_stopped(void *arg) {
    Metadata *m = arg;
    ClassData all = {0};
    if (m->loaders) fprintf(m->out, "\nUsage per loader:\n\n");
    loader_visit_all(add_loader, m);
    for (int i = 0; i < N_SPACES; i++) add_data(&all, &m->space[i]);
    fprintf(m->out, "\nTotal Usage - %zu loaders, %zu classes:\n", m->n_loaders, all.classes);
    print_data(m, "  ", &all);
    if (m->spaces) fprintf(m->out, "\nUsage per space type:\n");
    for (int i = 0; m->spaces && i < N_SPACES; i++) {
        fprintf(m->out, "%s: %zu classes\n", space_names[i], m->space[i].classes);
        print_data(m, "  ", &m->space[i]);
    }
    print_class_space(m);
    if (m->list) fprintf(m->out, "  1 range; the class files and the other structures are mapped or in memory of malloc\n");
    if (m->chunks) fprintf(m->out, "\nThere are no chunks: structures are in memory of malloc and in the class space\n");
    fprintf(m->out, "\nMaxMetaspaceSize: %s\nCompressedClassSpaceSize: %s\n",
            vm_options.max_metaspace ? in_unit(vm_options.max_metaspace, m->scale).s : "unlimited",
            in_unit(class_region_size(&(size_t){0}), m->scale).s);
}

bool diag_cmd_metaspace(DiagCall *c) {
    enum { BASIC, LOADERS, CLASSES, CHUNK_TYPE, SPACE_TYPE, VS_LIST, FREE_LIST, SCALE };
    bool basic = diag_true(c->value[BASIC]);
    Metadata m = {.out = c->out,
                  .scale = &scales[0],
                  .loaders = diag_true(c->value[LOADERS]) && !basic,
                  .classes = diag_true(c->value[CLASSES]),
                  .spaces = diag_true(c->value[SPACE_TYPE]) && !basic,
                  .chunks = (diag_true(c->value[CHUNK_TYPE]) || diag_true(c->value[FREE_LIST])) && !basic,
                  .list = diag_true(c->value[VS_LIST]) && !basic};
    if (strcasecmp(c->value[SCALE], "dynamic") != 0 && !(m.scale = find_scale(c->value[SCALE]))) {
        fprintf(c->out, "Invalid scale: \"%s\". Will use dynamic scaling.\n", c->value[SCALE]);
        m.scale = &scales[0];
    }
    safepoint_run("class metadata", metadata_stopped, &m);
    return true;
}

/* ---- class loaders ---- */

typedef struct LoaderTotals {
    FILE *out;
    size_t loaders;
    ClassData all;
} LoaderTotals;

static void print_columns(FILE *out, const ClassData *d) {
    fprintf(out, "%6zu  %8zu  %8zu  ", d->classes, d->files + d->structures, d->structures);
}
static void print_loader(Loader *l, void *arg) {
    LoaderTotals *s = arg;
    ClassData named = {0}, hidden = {0};
    count_loader(l, &named, &hidden);
    Object *parent = l->java ? JGET_REF(l->java, ClassLoader, parent) : NULL;
    fprintf(s->out, "0x%016lx  0x%016lx  0x%016lx  ", (unsigned long)(uintptr_t)l->java, (unsigned long)(uintptr_t)parent,
            (unsigned long)(uintptr_t)l);
    print_columns(s->out, &named);
    fprintf(s->out, "%s\n", l->java ? class_text(obj_class(l->java)).s : "<boot class loader>");
    if (hidden.classes) {
        fprintf(s->out, "%60s", "");
        print_columns(s->out, &hidden);
        fprintf(s->out, " + hidden classes\n");
    }
    s->loaders++;
    add_data(&s->all, &named);
    add_data(&s->all, &hidden);
}
static void loaders_stopped(void *arg) {
    LoaderTotals *s = arg;
    fprintf(s->out, "ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type\n");
    loader_visit_all(print_loader, s);
    fprintf(s->out, "Total = %-52zu", s->loaders);
    print_columns(s->out, &s->all);
    fprintf(s->out,
            "\nChunkSz: Size of the class files and of the structures made of them\nBlockSz: Size of the structures alone\n");
}
bool diag_cmd_classloader_stats(DiagCall *c) {
    LoaderTotals s = {.out = c->out};
    safepoint_run("class loader statistics", loaders_stopped, &s);
    return true;
}

/* ---- native memory ---- */

typedef enum Part { PART_HEAP, PART_CLASS, PART_THREAD, PART_MALLOC, N_PARTS, PART_TOTAL = N_PARTS } Part;
static const char *const part_names[] = {"Java Heap", "Class", "Thread", "Internal"};
typedef struct Native {
    struct {
        size_t reserved, committed;
    } part[N_PARTS + 1];
    size_t threads, classes;
} Native;

static size_t resident(const u1 *low, size_t n) {
    size_t page = os_page_size(), sum = 0;
    unsigned char in[64];
    for (size_t at = 0, step; at < n; at += step) {
        step = n - at < sizeof in * page ? n - at : sizeof in * page;
        if (mincore((void *)(low + at), step, in) != 0) continue;
        for (size_t i = 0; i < step / page; i++) sum += in[i] & 1 ? page : 0;
    }
    return sum;
}
static void add_stacks(Native *n) {
    HOLDING_THREADS();
    FOR_EACH_THREAD(t) {
        u1 *low = (u1 *)ALIGN_UP((uintptr_t)t->c_stack_low, os_page_size());
        size_t size = ((size_t)(t->c_stack_base - low)) & ~(os_page_size() - 1);
        n->threads++;
        n->part[PART_THREAD].reserved += size;
        n->part[PART_THREAD].committed += resident(low, size);
    }
}
static Native take_native(void) {
    Native n = {.classes = loader_defined_classes - loader_unloaded_classes};
    struct mallinfo2 m = mallinfo2();
    n.part[PART_HEAP].reserved = heap_max();
    n.part[PART_HEAP].committed = heap_committed();
    n.part[PART_CLASS].reserved = class_region_size(&n.part[PART_CLASS].committed);
    n.part[PART_MALLOC].reserved = n.part[PART_MALLOC].committed = m.arena + m.hblkhd;
    add_stacks(&n);
    for (int i = 0; i < N_PARTS; i++) {
        n.part[PART_TOTAL].reserved += n.part[i].reserved;
        n.part[PART_TOTAL].committed += n.part[i].committed;
    }
    return n;
}

typedef struct NativeReport {
    FILE *out;
    const Scale *scale;
    const Native *base; /* NULL: no comparison */
} NativeReport;

static void print_amount(const NativeReport *r, const char *label, size_t now, size_t before) {
    size_t unit = r->scale->unit;
    const char *name = unit == 1 ? "" : r->scale->name;
    int64_t change = ((int64_t)now - (int64_t)before) / (int64_t)unit;
    fprintf(r->out, "%s%zu%s", label, now / unit, name);
    if (r->base && change) fprintf(r->out, " %+ld%s", (long)change, name);
}
static void print_part(const NativeReport *r, const char *label, const Native *n, const Native *b, int i) {
    fprintf(r->out, "%s", label);
    print_amount(r, "reserved=", n->part[i].reserved, b->part[i].reserved);
    print_amount(r, ", committed=", n->part[i].committed, b->part[i].committed);
}
static void print_native(const NativeReport *r, const Native *n) {
    const Native *b = r->base ? r->base : n;
    fprintf(r->out, "\nNative Memory Tracking:\n\n(Omitting categories weighting less than 1%s)\n\n", r->scale->name);
    print_part(r, "Total: ", n, b, PART_TOTAL);
    fprintf(r->out, "\n");
    print_amount(r, "       malloc: ", n->part[PART_MALLOC].committed, b->part[PART_MALLOC].committed);
    print_amount(r, "\n       mmap:   reserved=", n->part[PART_TOTAL].reserved - n->part[PART_MALLOC].reserved,
                 b->part[PART_TOTAL].reserved - b->part[PART_MALLOC].reserved);
    print_amount(r, ", committed=", n->part[PART_TOTAL].committed - n->part[PART_MALLOC].committed,
                 b->part[PART_TOTAL].committed - b->part[PART_MALLOC].committed);
    fprintf(r->out, "\n\n");
    for (int i = 0; i < N_PARTS; i++) {
        fprintf(r->out, "-%26s (", part_names[i]);
        print_part(r, "", n, b, i);
        fprintf(r->out, ")\n");
        if (i == PART_CLASS) fprintf(r->out, "%28s(classes #%zu)\n", "", n->classes);
        if (i == PART_THREAD) fprintf(r->out, "%28s(thread #%zu)\n", "", n->threads);
        if (i == PART_MALLOC)
            print_amount(r, "                            (malloc=", n->part[i].committed, b->part[i].committed),
                fprintf(r->out, ")\n");
        fprintf(r->out, " \n");
    }
}

static bool is_tracked(void) {
    const VmFlag *f = vm_flag_find("NativeMemoryTracking");
    const char *how = f ? vm_flag_value(f).s : NULL;
    return how && strcmp(how, "off") != 0;
}

bool diag_cmd_native_memory(DiagCall *c) {
    enum { SUMMARY, DETAIL, BASELINE, SUMMARY_DIFF, DETAIL_DIFF, SHUTDOWN, STATISTICS, SCALE };
    static VmLock one = VM_LOCK(REPORT);
    static Native baseline;
    static bool taken;
    NativeReport r = {.out = c->out, .scale = find_scale(c->value[SCALE])};
    int asked = 0;
    if (!is_tracked()) return fprintf(c->out, "Native memory tracking is not enabled\n"), true;
    if (!r.scale) return fprintf(c->out, "Incorrect scale value: %s\n", c->value[SCALE]), true;
    for (int i = SUMMARY; i <= SHUTDOWN; i++) asked += diag_true(c->value[i]);
    if (asked > 1)
        return fprintf(
                   c->out,
                   "At most one of the following option can be specified: summary, detail, metadata, baseline, summary.diff, detail.diff, shutdown\n"),
               true;
    if (diag_true(c->value[SHUTDOWN])) return fprintf(c->out, "This option is deprecated and will be ignored.\n"), true;
    if (diag_true(c->value[DETAIL]) || diag_true(c->value[DETAIL_DIFF]) || (diag_true(c->value[STATISTICS]) && !asked))
        return fprintf(c->out, "Detail tracking is not enabled\n"), true;
    Native now = take_native();
    THREAD_BLOCKING(c->t) lock_take(&one);
    if (diag_true(c->value[SUMMARY_DIFF]) && taken) r.base = &baseline;
    if (diag_true(c->value[BASELINE])) baseline = now, taken = true, fprintf(c->out, "Baseline taken\n");
    else if (diag_true(c->value[SUMMARY_DIFF]) && !taken) fprintf(c->out, "No baseline for comparison\n");
    else print_native(&r, &now);
    lock_release(&one);
    return true;
}

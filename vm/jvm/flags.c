/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -XX options by name: the rows of core/options.def, and sizes that the command line sets by
 * -X options.  For -XX:+PrintFlagsFinal, jinfo -flag, jcmd VM.flags and HotSpotDiagnosticMXBean.
 */
#include "jvm/diag.h"

#include "core/launch.h"
#include "core/options.h"
#include "heap/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static u8 initial_heap(void) { return vm_options.heap_min; }
static u8 maximum_heap(void) { return heap_max(); }
static u8 always(void) { return 1; }
static u8 object_alignment(void) { return OBJECT_ALIGN; }
static u8 stack_kilobytes(void) { return vm_options.stack_size >> 10; }

static const VmFlag flags[] = {
    {"InitialHeapSize", "size of the heap at start, also -Xms (0: a share of memory)", FLAG_SIZE, false, NULL,
     initial_heap, 0},
    {"MaxHeapSize", "limit of the heap, also -Xmx", FLAG_SIZE, false, NULL, maximum_heap, UINT64_MAX},
    {"ThreadStackSize", "stack of a thread in KiB, also -Xss (0: the default)", FLAG_SIZE, false, NULL,
     stack_kilobytes, 0},
    /* facts that programs ask for to reckon sizes of objects */
    {"UseCompressedOops", "references take 4 bytes", FLAG_BOOL, false, NULL, always, 1},
    {"UseCompressedClassPointers", "the class word takes 4 bytes", FLAG_BOOL, false, NULL, always, 1},
    {"ObjectAlignmentInBytes", "objects start at multiples of this", FLAG_SIZE, false, NULL, object_alignment,
     OBJECT_ALIGN},
#define OPT_BOOL(id, flag, def, help) {flag, help, FLAG_BOOL, false, &vm_options.id, NULL, def},
#define OPT_SIZE(id, flag, def, help) {flag, help, FLAG_SIZE, false, &vm_options.id, NULL, def},
#define OPT_STR(id, flag, def, help) {flag, help, FLAG_STR, false, &vm_options.id, NULL, 0},
#include "core/options.def"
#undef OPT_BOOL
#undef OPT_SIZE
#undef OPT_STR
};

/* Read at each use, so a change takes effect. */
static const char *const manageable[] = {"HeapDumpOnOutOfMemoryError", "HeapDumpPath", "PrintConcurrentLocks",
                                         "ShowCodeDetailsInExceptionMessages", "PrintGC"};

static VmFlag table[ARRAY_LEN(flags)];

__attribute__((constructor)) static void fill_table(void) {
    memcpy(table, flags, sizeof flags);
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        for (size_t k = 0; k < ARRAY_LEN(manageable); k++)
            if (strcmp(table[i].name, manageable[k]) == 0) table[i].manageable = true;
}

int vm_flag_count(void) { return ARRAY_LEN(table); }
const VmFlag *vm_flag(int i) { return &table[i]; }

const VmFlag *vm_flag_find(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

u8 vm_flag_number(const VmFlag *f) {
    if (f->get) return f->get();
    return f->type == FLAG_BOOL ? *(const bool *)f->cell : *(const u8 *)f->cell;
}
const char *vm_flag_string(const VmFlag *f) { return *(const char *const *)f->cell; }

/* -X spellings of sizes count too. */
bool vm_flag_from_command_line(const VmFlag *f) {
    static const char *const spelled[][2] = {
        {"MaxHeapSize", "-Xmx"}, {"InitialHeapSize", "-Xms"}, {"ThreadStackSize", "-Xss"}, {"NewSize", "-Xmn"}};
    size_t n = strlen(f->name);
    for (int i = 0; i < n_vm_arguments; i++) {
        const char *a = vm_arguments[i];
        for (size_t k = 0; k < ARRAY_LEN(spelled); k++)
            if (strcmp(f->name, spelled[k][0]) == 0 && strncmp(a, spelled[k][1], 4) == 0) return true;
        if (strncmp(a, "-XX:", 4) != 0) continue;
        a += a[4] == '+' || a[4] == '-' ? 5 : 4;
        if (strncmp(a, f->name, n) == 0 && (!a[n] || a[n] == '=')) return true;
    }
    return false;
}

void vm_flag_print(const VmFlag *f, FILE *out) {
    if (f->type == FLAG_BOOL) fprintf(out, "-XX:%c%s", vm_flag_number(f) ? '+' : '-', f->name);
    else if (f->type == FLAG_SIZE) fprintf(out, "-XX:%s=%lu", f->name, (unsigned long)vm_flag_number(f));
    else fprintf(out, "-XX:%s=%s", f->name, vm_flag_string(f) ? vm_flag_string(f) : "");
}

static bool parse_bool(const char *s, bool *v) {
    *v = strcmp(s, "true") == 0 || strcmp(s, "1") == 0;
    return *v || strcmp(s, "false") == 0 || strcmp(s, "0") == 0;
}

const char *vm_flag_set(const VmFlag *f, const char *value) {
    char *end;
    bool b;
    if (!f->manageable) return "only 'writeable' flags can be set";
    switch (f->type) {
    case FLAG_BOOL:
        if (!parse_bool(value, &b)) return "flag value must be a boolean (1/0 or true/false)";
        *(bool *)f->cell = b;
        return NULL;
    case FLAG_SIZE:
        errno = 0;
        u8 n = strtoull(value, &end, 0);
        if (errno || end == value || *end) return "flag value must be an unsigned integer";
        *(u8 *)f->cell = n;
        return NULL;
    default: /* the former text may be in use by a reader */
        return (*(const char **)f->cell = strdup(value)) ? NULL : "out of memory";
    }
}

static bool differs(const VmFlag *f) {
    return f->type == FLAG_STR ? vm_flag_string(f) != NULL : vm_flag_number(f) != f->standard;
}

void vm_flags_print_set(FILE *out) {
    for (int i = 0; i < vm_flag_count(); i++) {
        if (!differs(vm_flag(i)) && !vm_flag_from_command_line(vm_flag(i))) continue;
        vm_flag_print(vm_flag(i), out);
        fputc(' ', out);
    }
    fputc('\n', out);
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const VmFlag *const *)a)->name, (*(const VmFlag *const *)b)->name);
}

void vm_flags_print_all(FILE *out) {
    static const char *const types[] = {"bool", "size_t", "ccstr"};
    const VmFlag *sorted[ARRAY_LEN(table)];
    for (size_t i = 0; i < ARRAY_LEN(table); i++) sorted[i] = &table[i];
    qsort(sorted, ARRAY_LEN(table), sizeof *sorted, by_name);
    fprintf(out, "[Global flags]\n");
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        const VmFlag *f = sorted[i];
        char number[32];
        const char *value = number;
        if (f->type == FLAG_STR) value = vm_flag_string(f) ? vm_flag_string(f) : "";
        else if (f->type == FLAG_BOOL) value = vm_flag_number(f) ? "true" : "false";
        else snprintf(number, sizeof number, "%lu", (unsigned long)vm_flag_number(f));
        fprintf(out, "%9s %-40s = %-30s %20s {%s}\n", types[f->type], f->name, value,
                f->manageable ? "{manageable}" : "{product}",
                vm_flag_from_command_line(f) ? "command line" : differs(f) ? "ergonomic" : "default");
    }
}

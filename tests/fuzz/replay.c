/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.c - runs a fuzz target without libFuzzer.
 *
 *   fuzz_X [-n COUNT] [-s SEED] [-o FILE] FILE...     each FILE once; then COUNT mutants of class FILEs, chosen in turn
 *
 * -o keeps the input that is being run, so that it is there after a crash.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
    uint8_t *p;
    size_t n;
} Input;

static int keep = -1;

static bool read_file(const char *path, Input *in) {
    FILE *f = fopen(path, "rb");
    *in = (Input){0};
    if (!f) return false;
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    in->p = malloc(n > 0 ? (size_t)n : 1);
    in->n = in->p && n > 0 ? fread(in->p, 1, (size_t)n, f) : 0;
    fclose(f);
    return in->p != NULL;
}

/* From memory of the exact size, so that ASan sees a read past the end. */
static void run(const Input *in) {
    uint8_t *exact = malloc(in->n);
    if (in->n && !exact) return;
    if (in->n) memcpy(exact, in->p, in->n);
    /* one file, written over: a file system may bring to the disk what is truncated, written and closed */
    if (keep >= 0 && (pwrite(keep, exact, in->n, 0) != (ssize_t)in->n || ftruncate(keep, (off_t)in->n) != 0)) perror("-o");
    LLVMFuzzerTestOneInput(exact, in->n);
    free(exact);
}

int main(int argc, char **argv) {
    CF_VEC(Input) inputs = {0};
    unsigned long count = 0, done = 0;
    Mutator m = {88172645463325252u};
    for (int i = 1; i < argc; i++) {
        Input in;
        if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) count = strtoul(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc) m.state += strtoul(argv[++i], NULL, 0) * 2;
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) keep = open(argv[++i], O_WRONLY | O_CREAT | O_TRUNC, 0666);
        else if (read_file(argv[i], &in)) (void)cf_vec_push(&inputs, in);
        else fprintf(stderr, "cannot read %s\n", argv[i]);
    }
    for (uint32_t i = 0; i < inputs.len; i++, done++) run(&inputs.data[i]);
    for (unsigned long k = 0; k < count && inputs.len; k++, done++) {
        const Input *from = &inputs.data[k % inputs.len];
        Input in = {malloc(from->n + 1), from->n};
        if (!in.p) break;
        memcpy(in.p, from->p, from->n);
        mutate(&m, &in.p, &in.n);
        run(&in);
        free(in.p);
    }
    for (uint32_t i = 0; i < inputs.len; i++) free(inputs.data[i].p);
    cf_vec_free(&inputs);
    printf("%lu passed, 0 failed\n", done);
    return done == 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_compile.h - from changed sources to class files in the watched directories.
 *
 * Class files are written to a folder of the compiler's own first. Only when all compiles are they put into their places, each by a rename; until
 * then the program's class files are as they were.
 */
#ifndef SWAP_COMPILE_H
#define SWAP_COMPILE_H

#include "swap_javac.h"
#include "swap_watch.h"

typedef struct SwapCompiler {
    const Agent *agent;
    SwapWatch *classes;  /* directories of class files */
    SwapWatch *sources;  /* directories of sources */
    const char *path;    /* more places with classes to compile against, or NULL */
    const char *options; /* more options, blanks between, or NULL */
    SwapJavac javac;
    unsigned runs;
    char *failure; /* what the compiler said last if it did not compile, else NULL */
} SwapCompiler;

typedef struct SwapCompiled {
    bool ok;
    char *text; /* what the compiler printed; not NULL */
    char *dir;
    CF_VEC(char *) sources; /* what was given to it: what was asked for, then what depends on that */
    CF_VEC(struct SwapOutput {
        char *path;  /* in dir */
        char *name;  /* "a/b/C" */
        char *place; /* where it belongs, NULL: unknown */
        int root;    /* of the place */
    })
    classes;
} SwapCompiled;

/* Compiles these files and what depends on what they change for others. */
void swap_compile(SwapCompiler *c, JNIEnv *env, char *const *files, uint32_t n, SwapCompiled *out);
/* Puts the class files into their places, as news for the watcher. */
void swap_compile_place(SwapCompiler *c, SwapCompiled *done);
void swap_compiled_free(SwapCompiled *done);

/* Compiles all sources that are dirty, and places the classes; true if something is to be swapped. What does not compile stays dirty, and is told. */
bool swap_compile_dirty(SwapCompiler *c, JNIEnv *env);

/* The VM ends: nothing is left in the folder for temporary files, no compiler runs on; from any thread, and more than once. */
void swap_compile_abandon(void);

#endif

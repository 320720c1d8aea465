/* SPDX-License-Identifier: Apache-2.0 */
/*
 * old_start.c - main is called by the old entry of glibc; see old_glibc.h. Linked into programs with --wrap=__libc_start_main.
 *
 * Since 2.34 the start-up code that is linked into programs names a new version of the entry, which finds the initialisers of the
 * program itself; the old one is told a function that runs them. Nothing is there for the end: the loader does that in both.
 */
#include <stddef.h>

typedef int MainFunction(int argc, char **argv, char **envp);
typedef void InitFunction(int argc, char **argv, char **envp);
typedef void EndFunction(void);

int old_start(MainFunction *main, int argc, char **argv, InitFunction *init, EndFunction *fini, EndFunction *loader_fini,
              void *stack);
__asm__(".symver old_start,__libc_start_main@" OLD_GLIBC);

extern InitFunction *__init_array_start[], *__init_array_end[];

static void initialise(int argc, char **argv, char **envp) {
    for (InitFunction **f = __init_array_start; f < __init_array_end; f++) (*f)(argc, argv, envp);
}

int __wrap___libc_start_main(MainFunction *main, int argc, char **argv, InitFunction *init, EndFunction *fini,
                             EndFunction *loader_fini, void *stack);
int __wrap___libc_start_main(MainFunction *main, int argc, char **argv, InitFunction *init, EndFunction *fini,
                             EndFunction *loader_fini, void *stack) {
    return old_start(main, argc, argv, init ? init : initialise, fini, loader_fini, stack);
}

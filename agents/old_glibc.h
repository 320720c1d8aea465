/* SPDX-License-Identifier: Apache-2.0 */
/*
 * old_glibc.h - agents and tools that are built here load where glibc is older; included in front of each of their sources.
 *
 * A program is bound to the newest version of each function that the glibc has which it was built with. Some of these are newer than
 * 2.28 though the function is as it always was: 2.34 moved libpthread and libdl into libc, 2.33 made stat a function, 2.29 took
 * errno's handling out of exp. The old names are still in every glibc; they are asked for here. tests/checks/portable.sh holds the result.
 * The Makefile gives OLD_GLIBC, the first version there was for this processor, and OLD_STAT_VERSION, the form of its struct stat.
 * Programs name those two libraries to the linker, in front of libc. In an agent that would not help: its names are looked for in the java
 * first, whose libc comes before its libpthread, and a name that is said to be libc's and is not there ends the search. So agents do
 * without what is in libpthread and libdl alone: portable.sh knows the names. old_start.c has what is in front of main.
 */
#pragma once
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OLD_FUNCTION(f) __asm__(".symver " #f "," #f "@" OLD_GLIBC)

OLD_FUNCTION(dlerror);
OLD_FUNCTION(dlopen);
OLD_FUNCTION(dlsym);
OLD_FUNCTION(exp);

int __xstat(int version, const char *path, struct stat *buf);
int __lxstat(int version, const char *path, struct stat *buf);
int __fxstat(int version, int fd, struct stat *buf);
#define stat(path, buf) __xstat(OLD_STAT_VERSION, path, buf)
#define lstat(path, buf) __lxstat(OLD_STAT_VERSION, path, buf)
#define fstat(fd, buf) __fxstat(OLD_STAT_VERSION, fd, buf)
#define gettid() ((pid_t)syscall(SYS_gettid))

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_watch.h - the class files below some directories and in some jars, and which of them were written.
 *
 * Every class file has a record that stays until the end, also while the file is gone (a clean build deletes all and
 * writes all again). A record knows three versions of the bytes:
 *   live    what the VM runs if it has loaded the class: as first seen, or as last swapped in
 *   next    what is to be swapped in; NULL if there is nothing to do
 *   seen    CRC and length of what was looked at last: the same again is no news
 * A file that is written becomes `dirty`; who swaps takes it from there. Used by one thread.
 */
#ifndef SWAP_WATCH_H
#define SWAP_WATCH_H

#include "agent.h"
#include "cf_table.h"
#include "cf_vec.h"

typedef struct SwapBytes {
    uint8_t *p;
    size_t len;
} SwapBytes;

typedef struct SwapRoot {
    char *path; /* real path if it exists */
    bool jar;   /* an archive: watched is its directory */
    int wd;     /* jar: inotify's number of that */
    bool there; /* exists and is watched; otherwise it is looked for from time to time */
} SwapRoot;

typedef struct SwapFile {
    char *path;     /* in a jar: JAR!/ENTRY */
    uint32_t entry; /* where ENTRY begins, 0: a file */
    int root;       /* index, or -1: outside, named by a command */
    char *name;     /* "a/B" as the bytes say, NULL before they were read */
    uint32_t name_hash;
    SwapBytes live, next;
    uint32_t seen_crc;
    size_t seen_len;
    bool dirty; /* written, not looked at */
    bool other; /* no class file: one of the watcher's `others`, of which only is known that it was written */
    int tries;  /* how often it was found half-written since it became dirty */
    unsigned swaps;
    char *refusal; /* why `next` was refused, or NULL */
    bool limit;    /* ... because of what this VM is: Graft takes it */
} SwapFile;

typedef struct SwapWatch {
    const Agent *agent;
    bool sources;       /* not class files but sources, of which only is known which were written */
    const char *others; /* also files of these names (patterns a:b), or NULL */
    int fd;
    CF_VEC(SwapRoot) roots;
    CF_VEC(struct SwapDir {
        char *path;
        int root;
    })
    dirs; /* by inotify's number */
    CfTable files;
    uint32_t n_others; /* files that are no class files */
    uint32_t dirty;    /* how many are */
    uint32_t missing;  /* roots that are not there */
} SwapWatch;

/* Watches the directories and, if `named`, the jars of a list `a:b`; what is neither is left out (`named`: with a message). */
bool swap_watch_open(SwapWatch *w, const Agent *agent, const char *list, bool named);
/* Ends watching; it can be opened again. */
void swap_watch_close(SwapWatch *w);
/* One more directory (or jar), later; `news`: what is in it was written. Nothing if it is watched already. */
bool swap_watch_add(SwapWatch *w, const char *path, bool news);
/* Takes all waiting events; true if a class file was written. */
bool swap_watch_read(SwapWatch *w);
/* Looks for missing roots; true if one came and has class files. */
bool swap_watch_missing(SwapWatch *w);
/* The record of a path, made if there is none; NULL without memory. */
SwapFile *swap_watch_file(SwapWatch *w, const char *path, int root);
void swap_watch_dirty(SwapWatch *w, SwapFile *f);
/* The file's bytes now; false with errno. */
bool swap_watch_load(const SwapFile *f, SwapBytes *out);
/* Between the two files. An archive's entries: what is there at the start, or (`news`) what changed; false if it cannot be
 * read now. An event of a directory: is it a jar's? */
#define SWAP_EVENTS (IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVE_SELF | IN_ONLYDIR)
bool swap_is_jar(const char *path);
bool swap_is_class_file(const char *name);
bool swap_jar_scan(SwapWatch *w, int root, bool news);
bool swap_jar_event(SwapWatch *w, int wd, const char *name);
bool swap_jar_load(const SwapFile *f, SwapBytes *out);
/* `next` and `refusal` are these from now on; takes them. */
void swap_watch_want(SwapFile *f, SwapBytes next, char *refusal);
/* `next` is what runs from now on. */
void swap_watch_adopt(SwapFile *f);

#endif

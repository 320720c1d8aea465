/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_plugin.h - plug-ins in Java, which clear what frameworks remember of classes once these were swapped.
 *
 * A plug-in is a class with a static method; what it works on is named in a text (swap_plugin.c tells the form):
 *
 *     public static void swapped(Class<?>[] classes, Object[] found)     classes: swapped ones, then those that inherit from them
 *     public static void written(String[] files, Object[] found)         files of the names that it asks for were written
 */
#ifndef SWAP_PLUGIN_H
#define SWAP_PLUGIN_H

#include "agent.h"
#include "cf_vec.h"

typedef struct SwapPlugin {
    char *name;  /* "a.b.C" */
    char *path;  /* its jar or folder; NULL: it is inside of this library */
    char *files; /* told when files of these names (patterns a:b) were written, not of classes; or NULL */
    CF_VEC(struct SwapWant {
        char *name; /* "a/b/C" */
        uint32_t hash;
        bool objects; /* its objects, not the class */
    })
    wants;
} SwapPlugin;

typedef struct SwapPlugins {
    const Agent *agent;
    CF_VEC(SwapPlugin) all; /* in the order in which they run */
    char *files;            /* of all of them: "a:b", or NULL */
} SwapPlugins;

/* What happened; classes are local references. */
typedef struct SwapNews {
    const jclass *classes;
    uint32_t n_classes;
    const char *const *files;
    uint32_t n_files;
} SwapNews;

/* Those inside of the library (`own`), then those of a list of jars and folders, or NULL. False: a place has none (logged). */
bool swap_plugins_open(SwapPlugins *p, const Agent *a, bool own, const char *paths);
/* Forgets them. */
void swap_plugins_close(SwapPlugins *p);
/* The bytes of a file of agents/hotswap/java as it was built in, or NULL. */
const char *swap_plugin_embedded(const char *name, uint32_t *len);
/* Runs those whom the news and loaded classes concern. Names of those that did their work, a line each: malloc'ed, NULL if there are none. */
char *swap_plugins_tell(SwapPlugins *p, JNIEnv *env, const SwapNews *news);

#endif

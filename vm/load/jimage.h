/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reader of the JDK's lib/modules ("jimage") file.
 *
 * The file is mapped once, read-only, for the life of the VM; resources are
 * views into the mapping.  Little-endian layout:
 *
 *   header    7 u4: magic 0xCAFEDADA, version major<<16|minor, flags, resource
 *             count, table length n, bytes of locations, bytes of strings
 *   redirect  n s4     perfect-hash displacement per bucket
 *   offsets   n u4     offset of the location of each entry
 *   locations          attribute streams: (kind<<3 | bytes-1) value..., 0 ends
 *   strings            NUL-terminated modified UTF-8
 *   data               resource contents
 *
 * Everything is bounds-checked against the mapping: a damaged file gives
 * "absent", never a crash.
 */
#ifndef GRAFT_LOAD_JIMAGE_H
#define GRAFT_LOAD_JIMAGE_H

#include "core/types.h"
#include "object/symbol.h"

void jimage_open(const char *path); /* maps it, or ends the process */

/* Resource "/module/path" ("java.base", "java/lang/Object.class"): view, or NULL. */
const u1 *jimage_find(const char *module, const char *path, size_t *len);

/* Module that holds a package ("java/lang" -> "java.base"), or NULL. */
Symbol *jimage_package_module(const char *package);

/* Is p inside the mapping? Such bytes need no copy. */
bool jimage_contains(const void *p);

#endif

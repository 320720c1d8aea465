/* SPDX-License-Identifier: Apache-2.0 */
/*
 * corpus.h - all class files of a jimage, jars, directories-less lists of .class files: input of whole-corpus tests.
 * The jimage reader here is independent of the VM's on purpose: a test does not lean on what it may have to test.
 */
#ifndef CORPUS_H
#define CORPUS_H

#include "classfile.h"

typedef struct CorpusEntry {
    char *path; /* "modules:/java.base/java/lang/Object.class" */
    const uint8_t *bytes;
    size_t size;
    CfClass *cls; /* set by the user of the corpus */
} CorpusEntry;

typedef struct Corpus {
    CF_VEC(CorpusEntry) entries;
} Corpus;

/* Adds every class file of `path`: a jimage (lib/modules), a .jar/.zip, or a .class file. Prints and returns false if it
 * cannot be read. Bytes live as long as the process. */
bool corpus_add(Corpus *c, const char *path);

#endif

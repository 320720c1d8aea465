/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive.h - results of a rewritten corpus as archives whose members are stored: tens of thousands of files would cost more than
 * the classes in them.
 */
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include "corpus.h"

/* Adds what `e` became: a class of the JDK to DIR/jdk/<module>.jar, one of a jar to DIR/jars/<jar>. An archive begins anew with its
 * first class. Ends the process if that cannot be written. */
void archive_add(const char *dir, const CorpusEntry *e, const uint8_t *bytes, size_t size);

/* Completes all archives. */
void archive_close(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_zip.h - what is in a jar or zip archive, for agents and tools; reading only.
 *
 * The table at the end of the archive is read when it is opened; entries are read when they are asked for, with pread: an archive that is
 * written over meanwhile gives entries that are refused (their CRC tells), never a signal. Archives of any number of entries and any size
 * (zip64), with anything in front (jars that are programs too). An archive that was not written to its end, or whose table names places
 * outside of it, does not open. Entries that are stored or deflated can be read, others and encrypted ones not.
 * One thread at a time for each archive.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct AgentZip AgentZip;

typedef struct AgentZipEntry {
    const char *name;     /* as in the archive, valid until it is closed */
    uint64_t size;        /* unpacked */
    uint64_t packed_size; /* in the archive */
    uint64_t at;          /* where the entry's own header is in the file */
    uint32_t crc;
    uint16_t method, flags;
} AgentZipEntry;

/* NULL: no file, no archive, or no memory. */
AgentZip *agent_zip_open(const char *path);
void agent_zip_close(AgentZip *z); /* also of NULL */

/* In the order of the archive's table. */
uint32_t agent_zip_count(const AgentZip *z);
AgentZipEntry agent_zip_entry(const AgentZip *z, uint32_t k);

/* The first entry of that name; -1: there is none. */
int64_t agent_zip_find(const AgentZip *z, const char *name);

/* The bytes of an entry of at most `most` bytes, malloc'ed, a zero behind them; NULL if that cannot be or they are damaged. */
char *agent_zip_read(const AgentZip *z, uint32_t k, size_t most, size_t *len);

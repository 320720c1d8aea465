/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_data.h - the data file: what ran, in a form that needs nothing else to make a report.
 *
 * FORMAT (version 1, little endian, everything 8-aligned)
 *   page 0   CovFileHead: magic, version, times, state, VM and command line
 *   then     segments, one after the other, each starting at a multiple of 4096:
 *              CovSegment (64 bytes) + payload. Kinds:
 *              PROBES   65,536 bytes, one per probe: 0 = never passed, 1 = passed. Segment number n
 *                       (counting PROBES segments) holds the global probe numbers n*65536 ...
 *              RECORDS  a row of records {size, kind, ...}; ends at size 0 or at the payload's end
 *   records  LOADER   number, class name of the loader
 *            CLASS    name, loader, CRC-64 of the class file, probe range, and the class file itself,
 *                     as the VM handed it to the agent (before our probes)
 *
 * SAFETY OF THE DATA
 *   The file is mapped shared; probes are stores into the mapping. So data is in the file's pages the moment it
 *   is produced and survives kill -9, Runtime.halt and a crash of the VM (not of the machine).
 *   A record is filled first and becomes visible by the store of its size, so that a reader at any moment sees whole
 *   records only. A class's probes lie in one segment: the generated probe call needs a 16-bit number.
 *   Two VMs never write one file: the writer holds an flock; the second one takes another name.
 *
 * READING maps the file privately and checks every offset: a damaged file gives a message.
 */
#ifndef GRAFT_COV_DATA_H
#define GRAFT_COV_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COV_FILE_VERSION = 1, COV_PAGE = 4096, COV_WINDOW = 65536, COV_RECORD_SEGMENT = 1 << 20,
    COV_RUNNING = 1, COV_CLOSED = 2,
    COV_SEG_PROBES = 1, COV_SEG_RECORDS = 2,
    COV_REC_LOADER = 1, COV_REC_CLASS = 2
};
#define COV_MAGIC "GRAFTCOV"
#define COV_SEG_MAGIC 0x4d474553u

typedef struct CovFileHead {
    char magic[8];
    uint32_t version, head_size;
    uint32_t state, pid;
    int64_t start_ms, end_ms;       /* since 1970; end 0 while running */
    char vm[256], command[1024];    /* NUL-terminated UTF-8 */
} CovFileHead;

typedef struct CovSegment {
    uint32_t magic, kind;
    uint64_t size;                  /* with this header, multiple of COV_PAGE */
    uint64_t reserved[6];
} CovSegment;

typedef struct CovRecord {
    uint32_t size;                  /* with this header, multiple of 8; stored last */
    uint32_t kind;
} CovRecord;

typedef struct CovLoaderRecord {
    CovRecord head;
    uint32_t id, name_len;          /* then the name */
} CovLoaderRecord;

typedef struct CovClassRecord {
    CovRecord head;
    uint64_t crc;
    uint32_t first_probe, nprobes, loader, name_len;
    uint64_t bytes_len;             /* then the name, then the class file */
} CovClassRecord;

/* CRC-64 (ISO 3309) of a class file: the class identity that JaCoCo uses too. */
uint64_t cov_crc64(const uint8_t *p, size_t n);

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct CovWriter CovWriter;

/* Makes (or replaces) the file. If another VM is writing it, "-<pid>" is put in front of the name's extension.
 * NULL on failure with a reason in `err`. */
CovWriter *cov_writer_open(const char *path, char *err, size_t errlen);
const char *cov_writer_path(const CovWriter *w);
CovFileHead *cov_writer_head(CovWriter *w);

/* All following functions may be called by several threads; they lock by themselves. */
uint32_t cov_writer_loader(CovWriter *w, const char *name);     /* new number, COV_BAD if full */
/* Reserves `n` consecutive probes inside one window; COV_BAD if impossible. */
uint32_t cov_writer_reserve(CovWriter *w, uint32_t n);
/* Writes the class's record; false if there is no room left on the disk. */
bool cov_writer_class(CovWriter *w, const CovClassRecord *rec, const char *name, const uint8_t *bytes);
/* Address of probe number window*65536, made if needed; NULL on failure. */
uint8_t *cov_writer_window(CovWriter *w, uint32_t window);
/* The class record of the same name, loader and CRC, if it was written by this process: its
 * first probe, else COV_BAD. */
uint32_t cov_writer_find(CovWriter *w, const char *name, uint32_t loader, uint64_t crc);
/* Marks the end of the run; the mapping stays (late probes still land in it). */
void cov_writer_close(CovWriter *w, int64_t end_ms);
/* Gives up the writer's memory (not the mapping: the system writes it back). No probe may use it. */
void cov_writer_free(CovWriter *w);
#define COV_BAD UINT32_MAX

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct CovDataClass {
    const char *name;               /* internal name, NUL-terminated */
    const char *loader;             /* class name of the loader */
    uint64_t crc;
    uint32_t loader_id, nprobes;
    uint8_t *probes;                /* private copy: may be changed (merge) */
    const uint8_t *bytes;
    size_t bytes_len;
    uint32_t extra;                 /* 1: added by cov_data_add_class, never loaded */
} CovDataClass;

typedef struct CovRun {             /* one VM run that contributed */
    CovFileHead head;
} CovRun;

typedef struct CovData {
    CovDataClass *classes;
    uint32_t nclasses, cap;
    CovRun *runs;
    uint32_t nruns;
    struct CovMapping { void *owned; } *maps;   /* memory to free */
    uint32_t nmaps;
} CovData;

/* Adds a file's content; the same class (name and CRC, whatever the loader) seen twice is united.
 * False with a reason in `err`. A file cut short gives what is whole in it. */
bool cov_data_load(CovData *d, const char *path, char *err, size_t errlen);
/* Adds a class that was not loaded by any run (no probe fired). Bytes are copied. A class of that name that
 * is there already wins. */
bool cov_data_add_class(CovData *d, const char *name, const uint8_t *bytes, size_t len, uint32_t nprobes);
/* Sorts by name, then CRC. */
void cov_data_sort(CovData *d);
/* Writes everything as one closed file. */
bool cov_data_save(const CovData *d, const char *path, char *err, size_t errlen);
void cov_data_free(CovData *d);

#endif

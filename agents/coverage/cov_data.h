/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_data.h - the data file: what ran, in a form that needs nothing else to make a report.
 *
 * FORMAT (version 2; 3 with several runs, see cov_data_share.h; little endian, everything 8-aligned)
 *   page 0   CovFileHead: magic, version, times, state, VM and command line
 *   then     segments, one after the other, each starting at a multiple of 4096:
 *              CovSegment (64 bytes) + payload. Kinds:
 *              PROBES   65,536 bytes, one per probe: 0 = never passed, 1 = passed (2, too). Segment number n
 *                       (counting segments of probes) holds the global probe numbers n*65536 ...
 *              COUNTS   the same with an 8-byte number per probe: how often it was passed. A file has one of the two
 *              RECORDS  a row of records {size, kind, ...}; ends at size 0 or at the payload's end
 *              RUN      a CovFileHead: one of several runs. Segments say by the page it starts at to which run they belong
 *   records  LOADER   number, class name of the loader
 *            CLASS    name, loader, CRC-64 of the class file, probe range, and the class file itself,
 *                     as the VM handed it to the agent (before our probes). Without bytes: another run in this file has them
 *            TEST_CLASS  the same of a class that came from a place of tests (cov_test_places.def)
 *            EPOCH    a named part of the run that has ended, and what was passed in it: pairs of LEB128
 *                     numbers, the step from the probe before (the first: from 0) and how often (1 in files of flags)
 *
 * EPOCHS. A cut writes down what was passed since the last cut as an EPOCH record, and then clears just that in the
 *   segments. So the whole run is the segments and all epochs together, at any moment. The name of the epoch that
 *   runs is in the head. A probe that another thread passes during the cut belongs to the epoch that ends.
 *
 * SAFETY OF THE DATA
 *   The file is mapped shared; probes are stores into the mapping. So data is in the file's pages the moment it
 *   is produced and survives kill -9, Runtime.halt and a crash of the VM (not of the machine).
 *   A record is filled first and becomes visible by the store of its size, so that a reader at any moment sees whole
 *   records only. A class's probes lie in one segment: the generated probe call needs a 16-bit number.
 *   Two VMs write one file only if both append; else the second one takes another name.
 *
 * READING maps the file privately and checks every offset: a damaged file gives a message.
 */
#ifndef GRAFT_COV_DATA_H
#define GRAFT_COV_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cf_arena.h"
#include "cf_bytes.h"

enum {
    COV_FILE_VERSION = 2,
    COV_SHARED_VERSION = 3,
    COV_PAGE = 4096,
    COV_WINDOW = 65536,
    COV_RECORD_SEGMENT = 1 << 20,
    COV_RUNNING = 1,
    COV_CLOSED = 2,
    COV_SEG_PROBES = 1,
    COV_SEG_RECORDS = 2,
    COV_SEG_COUNTS = 3,
    COV_SEG_RUN = 4,
    COV_REC_LOADER = 1,
    COV_REC_CLASS = 2,
    COV_REC_EPOCH = 3,
    COV_REC_TEST_CLASS = 4,
    COV_SHARED_ONLY = 1,
    COV_SHARED_ALSO = 2
};
#define COV_MAGIC "GRAFTCOV"
#define COV_SEG_MAGIC 0x4d474553u

typedef struct CovFileHead {
    char magic[8];
    uint32_t version, head_size;
    uint32_t state, pid;
    int64_t start_ms, end_ms;    /* since 1970; end 0 while running */
    char vm[256], command[1024]; /* NUL-terminated UTF-8 */
    uint32_t counts;             /* 1: segments of counts */
    uint32_t shared;  /* COV_SHARED_ONLY: only RUN segments tell about runs; COV_SHARED_ALSO: so does this head; 0: only this */
    int64_t epoch_ms; /* start of the epoch that runs */
    char epoch[512];  /* and its name, "" for none */
} CovFileHead;

typedef struct CovSegment {
    uint32_t magic, kind;
    uint64_t size; /* with this header, multiple of COV_PAGE */
    uint64_t run;  /* page of the RUN segment; 0: the file's head */
    uint64_t reserved[5];
} CovSegment;

typedef struct CovRecord {
    uint32_t size; /* with this header, multiple of 8; stored last */
    uint32_t kind;
} CovRecord;

typedef struct CovLoaderRecord {
    CovRecord head;
    uint32_t id, name_len; /* then the name */
} CovLoaderRecord;

typedef struct CovClassRecord {
    CovRecord head;
    uint64_t crc;
    uint32_t first_probe, nprobes, loader, name_len;
    uint64_t bytes_len; /* then the name, then the class file */
} CovClassRecord;

typedef struct CovEpochRecord {
    CovRecord head;
    int64_t start_ms, end_ms;
    uint32_t name_len, data_len; /* then the name, then the pairs */
} CovEpochRecord;

/* CRC-64 (ISO 3309) of a class file: the class identity that JaCoCo uses too. */
uint64_t cov_crc64(const uint8_t *p, size_t n);

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct CovWriter CovWriter;

/* Makes (or replaces) the file, of flags or of counts; with `append`, adds a run to it, with the first thing that there is to tell. If another
 * VM is writing it (alone, or alone is wanted), or it is no data file, "-<pid>" is put in front of the name's extension. NULL
 * on failure with a reason in `err`. */
CovWriter *cov_writer_open(const char *path, bool counts, bool append, char *err, size_t errlen);
/* Is there a file? Without `append`: yes. */
bool cov_writer_begun(CovWriter *w);
/* With `append`: why the run went to another file; NULL: it did not. */
const char *cov_writer_refused(const CovWriter *w);
const char *cov_writer_path(const CovWriter *w);
int cov_writer_error(const CovWriter *w); /* errno of the first time there was no room (full disk), or 0 */
CovFileHead *cov_writer_head(CovWriter *w);

/* All following functions may be called by several threads; they lock by themselves. */
uint32_t cov_writer_loader(CovWriter *w, const char *name); /* new number, COV_BAD if full */
/* Reserves `n` consecutive probes inside one window; COV_BAD if impossible. */
uint32_t cov_writer_reserve(CovWriter *w, uint32_t n);
/* Writes the class's record, of kind COV_REC_CLASS unless it says another; false if there is no room left on the disk. `loops`: has it any? */
bool cov_writer_class(CovWriter *w, const CovClassRecord *rec, const char *name, const uint8_t *bytes, bool loops);
/* Address of the flag or count of probe number window*65536, made if needed; NULL on failure. */
uint8_t *cov_writer_window(CovWriter *w, uint32_t window);
/* Ends the epoch that runs and starts one called `name` ("" = none). False if there is no room for the record: then
 * what was passed counts for the next epoch. */
bool cov_writer_cut(CovWriter *w, const char *name, int64_t now_ms);
/* An epoch made elsewhere: what was passed, in the order of the probes. */
typedef struct CovPairs {
    CfWriter out;
    uint64_t last;
} CovPairs;
void cov_put_pair(CovPairs *p, uint64_t probe, uint64_t n);
bool cov_writer_epoch(CovWriter *w, const char *name, int64_t start_ms, int64_t end_ms, const CovPairs *pairs);

/* Pruning (cov_prune.h): classes whose running code still has probes that have passed. Each class written has a row. A row is due
 * if new probes have passed since some were taken out last, and its `rest` is over (calls of cov_writer_due): that doubles each time, so that a
 * class is rewritten a few times only. cov_writer_due returns the names of the classes due (malloc'ed, each ended by
 * NUL, the list by an empty one), or NULL if there are none: those found busy at least so many times, and if `quiet` only those of which no probe has
 * passed for the first time since cov_writer_watch. They stay due until cov_writer_pruned. */
char *cov_writer_due(CovWriter *w, uint32_t busy, bool quiet);
void cov_writer_busy(CovWriter *w, const char *name);
void cov_writer_watch(CovWriter *w); /* from here on: nothing was busy so far */
void cov_writer_watched(CovWriter *w);
/* Between the two: classes whose probes pass all the time are busy. */
void cov_writer_look(CovWriter *w);
void cov_writer_pruned(CovWriter *w, const char *name);
bool cov_writer_loops(CovWriter *w, const char *name); /* may a class of that name loop? */

bool cov_get_leb(const uint8_t **p, const uint8_t *end, uint64_t *v);
/* The class record of the same name, loader and CRC, if it was written by this process: its
 * first probe, else COV_BAD. */
uint32_t cov_writer_find(CovWriter *w, const char *name, uint32_t loader, uint64_t crc);
/* Marks the end of the run; the mapping stays (late probes still land in it). */
void cov_writer_close(CovWriter *w, int64_t end_ms);
/* Replaces the file of an earlier writer of this process. That one keeps its lock until then: probes may still write
 * to its mapping, and another VM that takes the file would cut it off under them. */
void cov_writer_give_way(CovWriter *old, const char *new_path, bool append);
/* Gives up the writer's memory (not the mapping: the system writes it back). No probe may use it. */
void cov_writer_free(CovWriter *w);
#define COV_BAD UINT32_MAX

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct CovDataClass {
    const char *name;   /* internal name, NUL-terminated */
    const char *loader; /* class name of the loader */
    uint64_t crc;
    uint32_t loader_id, nprobes;
    uint64_t *probes; /* how often passed; in data without counts 0 or 1 */
    const uint8_t *bytes;
    size_t bytes_len;
    uint32_t extra; /* 1: added by cov_data_add_class, never loaded */
    bool of_tests;  /* came from a place of tests only */
    uint32_t id;    /* its number in CovHit */
} CovDataClass;

/* A part of a run, and what was passed in it. What no epoch of a file holds is one too, mostly called "". */
typedef struct CovHit {
    uint32_t cls, probe; /* cov_data_hit_class finds the class */
    uint64_t n;
} CovHit;
typedef struct CovEpoch {
    const char *name;
    int64_t start_ms, end_ms;
    CovHit *hits;
    size_t nhits;
} CovEpoch;

typedef struct CovData {
    const char *only; /* set before loading: only epochs whose names match this pattern */
    bool flags_only;  /* some file had no counts: all numbers are 0 or 1 */
    CovEpoch *epochs; /* in the order of the files */
    uint32_t nepochs;
    uint32_t nids;   /* class numbers given */
    uint32_t *same;  /* class number -> number of the class that it became part of */
    uint32_t *place; /* class number -> index in `classes` */
    CovDataClass *classes;
    uint32_t nclasses;
    CovFileHead *runs; /* VM runs that contributed */
    uint32_t nruns;
    CfArena arena; /* of texts, class files, numbers of probes */
} CovData;

/* Adds a file's content; the same class (name and CRC, whatever the loader) seen twice is united.
 * False with a reason in `err`. A file cut short gives what is whole in it. */
bool cov_data_load(CovData *d, const char *path, char *err, size_t errlen);
/* Adds a class that was not loaded by any run (no probe fired). Bytes are copied. A class of that name that
 * is there already wins. */
bool cov_data_add_class(CovData *d, const char *name, const uint8_t *bytes, size_t len, uint32_t nprobes);
/* Does the pattern match the name of an epoch, or one of them (A.x|B.y: tests that ran at the same time)? */
bool cov_epoch_matches(const char *pattern, const char *name);
/* Index in `classes` of a hit. */
uint32_t cov_data_hit_class(const CovData *d, const CovHit *h);
/* Sorts by name, then CRC. */
void cov_data_sort(CovData *d);
/* Writes everything as one closed file. */
bool cov_data_save(const CovData *d, const char *path, char *err, size_t errlen);
void cov_data_free(CovData *d);

#endif

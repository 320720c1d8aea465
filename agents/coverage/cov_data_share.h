/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_data_share.h - one data file and several VMs that write it at the same time.
 *
 * Two locks of the kernel (fcntl, of the open file: they end with the process) say who does what with a file:
 *   byte 0   held as long as it is written: by one alone, or shared by those that append
 *   byte 1   held while segments are added to a shared file
 * A shared file has a head that is no run's; each run has a segment RUN with its head, and all its segments carry the number of that.
 * What is in a segment is written by its run alone. A process that dies while it adds one leaves zeros behind: the
 * next one uses that place.
 */
#ifndef GRAFT_COV_DATA_SHARE_H
#define GRAFT_COV_DATA_SHARE_H

#include "cov_data.h"
#include "cf_table.h"

/* Takes the file, alone or with others that do not want it alone; false if somebody is in the way. */
bool cov_share_claim(int fd, bool alone);
void cov_share_lock(int fd);
void cov_share_unlock(int fd);

/* With the lock held: makes the head of an empty file, and one with a single run into one for several. False, and *why, if it is
 * something else, or damaged; without *why errno tells. */
bool cov_share_begin(int fd, const char **why);
/* With the lock held: where the last whole segment ends; `from`: the end of one. */
uint64_t cov_share_end(int fd, uint64_t from);
/* Class files that the file has up to `end`, for cov_share_has. */
void cov_share_classes(int fd, uint64_t end, CfTable *classes);
bool cov_share_has(const CfTable *classes, const char *name, uint64_t crc);

#endif

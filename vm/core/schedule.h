/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedule points: named places between two steps of a protocol between threads.  A debug build can make a thread linger
 * there, so that a test sees an interleaving every time that is otherwise met once in a month.  Release builds have none.
 *
 *     SCHEDULE_POINT(bind_before_kind);
 *
 * The environment variable GRAFT_SCHEDULE says what happens, rules separated by commas:
 *     NAME=MS         whoever comes to NAME sleeps so many milliseconds
 *     NAME>OTHER      who comes to NAME waits until somebody has come to OTHER since (at most 20 seconds)
 *     NAME@THREAD=MS, NAME@THREAD>OTHER   the same, for the thread of that name alone (of its first 15 bytes)
 *     *=SEED          at every point, by chance: go on, give the processor away, or sleep up to a millisecond
 * A test lists the points it names; a name that no point has is never reached and changes nothing.
 */
#ifndef GRAFT_CORE_SCHEDULE_H
#define GRAFT_CORE_SCHEDULE_H

#ifdef GRAFT_DEBUG
void schedule_point(const char *name);
#define SCHEDULE_POINT(name) schedule_point(#name)
#else
#define SCHEDULE_POINT(name) ((void)0)
#endif

#endif

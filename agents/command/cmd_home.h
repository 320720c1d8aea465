/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_home.h - where things are: what belongs to the command (VM, agents, tools), JDKs, and the image.
 *
 * The command stands in BUILD/bin beside BUILD/agents and BUILD/libjvm.so, or in PREFIX/bin with these in PREFIX/lib/graft.
 * An image is a folder that looks like a JDK and runs on Graft; tests/image.sh makes one (installed: graft-image).
 */
#ifndef GRAFT_HOME_H
#define GRAFT_HOME_H

#include "command.h"

/* Paths are malloc'ed; NULL if the file is not there. */
char *home_file(const char *name);                       /* "libjvm.so" */
char *home_agent(const char *name);                      /* libgraft-NAME.so; without it the program ends */
char *home_tool(const char *name);                       /* graft-NAME */
char *path_search(const char *program);                  /* what execvp would run */
char *path_inside(const char *folder, const char *name); /* folder/name if that is there */

/* Runs the program argv[0] with standard output on `out`: its exit code, or -1. */
int program_run(char *const argv[], int out);

/* The JDK that a program belongs to: DIR of DIR/bin/NAME behind all links. */
char *jdk_of(const char *program);
/* Its version as its file `release` tells, e.g. "17.0.15"; NULL if it has none. */
char *jdk_version(const char *jdk);
/* The JDK 17 an image is made from: `wanted`, or the one that is found first. NULL with a reason. */
char *jdk_for_image(const char *wanted, char **why);

/* The image that is there already, or NULL. `made` gets where one is made (malloc'ed). */
char *image_find(const char *wanted, const char *jdk, char **made);
/* ... and makes one if need be; NULL with a reason. */
char *image_get(const char *wanted, const char *jdk, char **why);

#endif

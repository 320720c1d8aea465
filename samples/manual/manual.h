/* SPDX-License-Identifier: Apache-2.0 */
/* manual.h - what the examples of the manual share. Each takes the bytes of Demo.class. */
#ifndef MANUAL_H
#define MANUAL_H

#include "bci_plan.h"
#include "cf_types.h"

void examples_of_the_editor(const uint8_t *bytes, size_t len);
void examples_of_the_checked_mode(const uint8_t *bytes, size_t len);
void examples_of_plans(const uint8_t *bytes, size_t len);
void examples_of_classfile(const uint8_t *bytes, size_t len);
void examples_of_base(const uint8_t *bytes, size_t len);

/* Parses and verifies in a world where every class fits every other; prints what is wrong. */
bool verifies(const uint8_t *bytes, size_t len);
/* Writes, verifies, prints "what: ok", closes. */
void finish(const char *what, BciClass *c);

#endif

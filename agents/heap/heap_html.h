/* SPDX-License-Identifier: Apache-2.0 */
/* heap_html.h - a snapshot as a page. */
#ifndef GRAFT_HEAP_HTML_H
#define GRAFT_HEAP_HTML_H

#include "heap_text.h"

/* The report as one HTML file, with the dominator tree of single objects. Of a graph with dominators. False without memory. */
bool heap_html(const HeapNames *h, HeapTypes *t, const HeapReport *r);

#endif

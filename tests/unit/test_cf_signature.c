/* SPDX-License-Identifier: Apache-2.0 */
/* test_cf_signature - generic signatures: events of good ones, where bad ones end, every cut of a good one. */
#include <stdlib.h>

#include "classfile.h"
#include "cf_test.h"

static const char *const letters[] = {[CF_SIG_END] = "end",           [CF_SIG_TYPE_PARAMETER] = "param",
                                      [CF_SIG_CLASS_BOUND] = "cb",    [CF_SIG_INTERFACE_BOUND] = "ib",
                                      [CF_SIG_SUPERCLASS] = "super",  [CF_SIG_INTERFACE] = "iface",
                                      [CF_SIG_PARAMETER] = "arg",     [CF_SIG_RESULT] = "ret",
                                      [CF_SIG_THROWS] = "throws",     [CF_SIG_FIELD] = "field",
                                      [CF_SIG_BASE] = "base",         [CF_SIG_VARIABLE] = "var",
                                      [CF_SIG_ARRAY] = "array",       [CF_SIG_CLASS_TYPE] = "class",
                                      [CF_SIG_INNER_CLASS] = "inner", [CF_SIG_CLASS_END] = "done",
                                      [CF_SIG_ARGUMENT] = "is",       [CF_SIG_EXTENDS] = "extends",
                                      [CF_SIG_SUPER] = "supers",      [CF_SIG_WILDCARD] = "any"};

/* The events as text: "arg class=a/B done ret base=V end". */
static const char *events(CfSigKind kind, const char *s) {
    static char out[1000];
    CfSigIter it = cf_sig_start(kind, cf_str(s));
    CfSigEvent e;
    size_t n = 0;
    do {
        e = cf_sig_next(&it);
        if (e == CF_SIG_BAD) n += (size_t)snprintf(out + n, sizeof out - n, "%sBAD@%d %s", n ? " " : "", (int)(it.p - s), it.why);
        else
            n += (size_t)snprintf(out + n, sizeof out - n, "%s%s%s%.*s", n ? " " : "", letters[e], it.text.p ? "=" : "",
                                  CF_STR_ARGS(it.text));
    } while (e > CF_SIG_END);
    CHECK(cf_sig_next(&it) == e); /* and it stays so */
    return out;
}

static void good_ones(void) {
    CHECK_TEXT(events(CF_SIG_OF_FIELD, "TT;"), "field var=T end");
    CHECK_TEXT(events(CF_SIG_OF_FIELD, "[[I"), "field array=[[ base=I end");
    CHECK_TEXT(events(CF_SIG_OF_FIELD, "La/Map<TK;[La/B;>.Entry<*+TV;-[J>.E;"),
               "field class=a/Map is var=K is array=[ class=a/B done inner=Entry any extends var=V supers array=[ base=J "
               "inner=E done end");
    CHECK_TEXT(events(CF_SIG_OF_CLASS, "La/B;"), "super class=a/B done end");
    CHECK_TEXT(events(CF_SIG_OF_CLASS, "<T:La/B;:La/I;:La/J<TT;>;U::La/I;V:TT;W:>La/B;La/I<TU;>;La/J;"),
               "param=T cb class=a/B done ib class=a/I done ib class=a/J is var=T done param=U ib class=a/I done "
               "param=V cb var=T param=W super class=a/B done iface class=a/I is var=U done iface class=a/J done end");
    CHECK_TEXT(events(CF_SIG_OF_METHOD, "()V"), "ret base=V end");
    CHECK_TEXT(events(CF_SIG_OF_METHOD, "<T:La/B;>(I[TT;La/C<*>;)TT;^La/E;^TT;"),
               "param=T cb class=a/B done arg base=I arg array=[ var=T arg class=a/C any done ret var=T throws class=a/E done "
               "throws var=T end");
    CHECK_TEXT(events(CF_SIG_OF_FIELD, "La<La<La<TT;>;>;>;"), "field class=a is class=a is class=a is var=T done done done end");
}

static void bad_ones(void) {
    static const char *const fields[] = {
        "",        "I",       "V",     "[V",         "[",       "T;",      "TT",        "L;",    "La",      "La/;",
        "L/a;",    "La//b;",  "La<>;", "La<*>",      "La<*;",   "La<I>;",  "La<V>;",    "La<**", "La<+*>;", "La<+I>;",
        "La<TT>;", "La<La;;", "La.;",  "La.b",       "La.b/c;", "La<*>b;", "La<*><*>;", "La:b;", "La[b;",   "La;La;",
        "TT;TT;",  "TT;x",    "La;>",  "<T:La;>TT;", "^La;",    "Ta/b;",   "La<*>.;"};
    static const char *const classes[] = {"",          "TT;",         "[La;",         "<>La;",       "<T>La;", "<T:La;La;",
                                          "<:La;>La;", "<T:La;:>La;", "<T:I>La;",     "<T:La;>",     "La;TT;", "La;I",
                                          "()V",       "<T:[>La;",    "<T:La;:I>La;", "<a/b:La;>La;"};
    static const char *const methods[] = {"",           "()",      "(V)V",     "(I",     "I",          "()VV",
                                          "()V^",       "()V^I",   "()V^[La;", "()I;",   "()V^La;TT;", "()[V",
                                          "<T:La;>La;", "<T:La;>", "())V",     "(()V)V", "()Q"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (cf_field_sig_valid(cf_str(fields[i]))) CHECK_TEXT(fields[i], "malformed");
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (cf_class_sig_valid(cf_str(classes[i]))) CHECK_TEXT(classes[i], "malformed");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (cf_method_sig_valid(cf_str(methods[i]))) CHECK_TEXT(methods[i], "malformed");
    CHECK(!cf_field_sig_valid((CfStr){NULL, 0}));
    CHECK(!cf_field_sig_valid((CfStr){"La\0;", 3}) && !cf_method_sig_valid((CfStr){"(\0)V", 4}));
    CHECK_TEXT(events(CF_SIG_OF_FIELD, "La<TT;La;"), "field class=a is var=T is class=a done is BAD@9 a type was expected");
    CHECK_TEXT(events(CF_SIG_OF_CLASS, "<T:La;>"), "param=T cb class=a done super BAD@7 a type was expected");
    CHECK_TEXT(events(CF_SIG_OF_METHOD, "()V^La;x"), "ret base=V throws class=a done BAD@7 the end was expected");
}

/* No part of a good signature is one, and none is read past its end: each is in memory of its own size. */
static void cuts(void) {
    static const char whole[] = "<T:La/B;:La/I<-TT;>;>(I[La/Map<TK;*>.E;)TT;^La/E;";
    for (size_t n = 0; n <= sizeof whole - 1; n++) {
        char *part = malloc(n ? n : 1);
        memcpy(part, whole, n);
        bool good = cf_method_sig_valid((CfStr){part, (uint32_t)n});
        CHECK(good == (n == sizeof whole - 1 || n == sizeof whole - 1 - strlen("^La/E;")));
        free(part);
    }
}

/* Nesting as deep as a string can be. */
static void deep(void) {
    enum { DEPTH = 13000 };
    static char s[5 * DEPTH + 1];
    size_t n = 0;
    for (int i = 0; i < DEPTH; i++, n += 3) memcpy(s + n, "La<", 3);
    CHECK(!cf_field_sig_valid((CfStr){s, (uint32_t)n}));
    s[n++] = '*';
    for (int i = 0; i < DEPTH; i++, n += 2) memcpy(s + n, ">;", 2);
    CfSigIter it = cf_sig_start(CF_SIG_OF_FIELD, (CfStr){s, (uint32_t)n});
    uint32_t most = 0;
    CfSigEvent e;
    while ((e = cf_sig_next(&it)) > CF_SIG_END) most = it.depth > most ? it.depth : most;
    CHECK(n == sizeof s && e == CF_SIG_END && most == DEPTH);
    CHECK(!cf_field_sig_valid((CfStr){s, (uint32_t)n - 1}));
    memset(s, '[', 60000);
    s[60000] = 'I';
    CHECK(cf_field_sig_valid((CfStr){s, 60001}));
}

static void types(void) {
    CfSigIter it = cf_sig_start(CF_SIG_OF_METHOD, CF_STR("<T:La/B<TT;>;>(I[La/M<La/B;>.E;TT;)V^La/E;"));
    CHECK(cf_sig_type(&it).len == 0); /* no type comes first */
    CHECK(cf_sig_next(&it) == CF_SIG_TYPE_PARAMETER && cf_str_is(it.text, "T"));
    CHECK(cf_sig_next(&it) == CF_SIG_CLASS_BOUND && cf_str_is(cf_sig_type(&it), "La/B<TT;>;"));
    CHECK(cf_sig_next(&it) == CF_SIG_PARAMETER && cf_str_is(cf_sig_type(&it), "I"));
    CHECK(cf_sig_next(&it) == CF_SIG_PARAMETER && cf_sig_next(&it) == CF_SIG_ARRAY && cf_sig_next(&it) == CF_SIG_CLASS_TYPE);
    CHECK(it.depth == 1 && cf_sig_next(&it) == CF_SIG_ARGUMENT && cf_str_is(cf_sig_type(&it), "La/B;") && it.depth == 1);
    CHECK(cf_sig_next(&it) == CF_SIG_INNER_CLASS && cf_str_is(it.text, "E") && cf_sig_next(&it) == CF_SIG_CLASS_END);
    CHECK(it.depth == 0 && cf_sig_next(&it) == CF_SIG_PARAMETER && cf_str_is(cf_sig_type(&it), "TT;"));
    CHECK(cf_sig_next(&it) == CF_SIG_RESULT && cf_str_is(cf_sig_type(&it), "V"));
    CHECK(cf_sig_next(&it) == CF_SIG_THROWS && cf_str_is(cf_sig_type(&it), "La/E;") && cf_sig_next(&it) == CF_SIG_END);
    it = cf_sig_start(CF_SIG_OF_FIELD, CF_STR("La/B<"));
    CHECK(cf_sig_next(&it) == CF_SIG_FIELD && cf_sig_type(&it).len == 0 && cf_sig_next(&it) == CF_SIG_BAD && it.why);
}

int main(void) {
    good_ones();
    bad_ones();
    cuts();
    deep();
    types();
    return cf_test_end();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_plan.h - the plan level of bci-lib: say once what to select and what to insert where, then
 * apply it to any number of classes from any thread.
 *
 *     BciPlan *plan = bci_plan_new(0);
 *     BciRule *r = bci_rule(plan, "com/acme**");            // every method of these classes
 *     bci_except(r, "**.toString()*");
 *     bci_call(r, BCI_ENTRY, NULL, "my/Probe.enter(I)V", "method");
 *     bci_call(r, BCI_RETURN, NULL, "my/Probe.leave(Ljava/lang/Object;)V", "result");
 *     const char *wrong = bci_plan_seal(plan);               // all mistakes are found here
 *     if (wrong) return;
 *     BciScratch *s = bci_scratch_new();                     // one per thread, reused
 *     BciResult res;
 *     bci_apply(plan, s, bytes, len, NULL, &res);
 *     if (res.bytes) {                                        // BCI_CHANGED or BCI_PARTIAL
 *         use(res.bytes, res.len);
 *         free(res.bytes);
 *     }
 *
 * COST. A class is decided by its name before anything of it is decoded. In a class that is
 * touched, code is copied in spans around the insertions; frames, lines and variables are shifted.
 * Nothing is allocated per instruction; the scratch is reused. bci_edit of bci.h, which knows
 * every instruction as an object, is taken only for methods this way cannot do (branches that no
 * longer reach, constructors whose super() is not on a straight line).
 *
 * PATTERNS  "CLASS", "CLASS.METHOD" or "CLASS.METHOD(PARAMETERS)RESULT", names in internal form.
 *   `*` stands for any characters but '/', `**` for any characters, `?` for one. In descriptors
 *   both stars stand for any characters. Missing parts match everything. A pattern may begin with
 *   "@ANNOTATION " (internal name): only methods with this run-time visible or invisible
 *   annotation on the method or on its class (not in site patterns). Examples: "**",
 *   "java/util/?*.add*", "**.main([Ljava/lang/String;)V", "@org/junit/Test **". What can match no
 *   name, as "com.acme.Foo", is refused; but "acme.Foo" is the method Foo of a class acme.
 *
 * VALUES  a comma-separated list, one for each parameter of the callee:
 *   method        I  number of the method (BciRequest.id, else its place in the class)
 *   site          I  number of the place (BciRequest.id, else counted from 0 in each class)
 *   line          I  source line, 0 if unknown           int:N   I  the constant N
 *   class name desc  String: of the instrumented method
 *   str:TEXT      String, given as UTF-8 or modified UTF-8; TEXT has no comma
 *   this          Object; null in static methods and where `this` is not initialised
 *   paramN        what was passed as parameter N, N from 0, also where the method has overwritten
 *                 it; Object parameter: boxed. At a call: paramN means of the instrumented
 *                 method, argN of the call.
 *   params        all parameters as they were passed: Object[] parameter: boxed; int[], long[] or
 *                 double[]: widened to it (booleans are 0 or 1), methods with a parameter of
 *                 another type are left as they are
 *   result        RETURN: what is returned; CALL_AFTER: result of the call; FIELD_GET: the value;
 *                 NEWARRAY: the array; CONSTRUCTED: the object. Object parameter: boxed; null
 *                 if void
 *   exception     THROW, HANDLER, ATHROW: the Throwable
 *   receiver      CALL_BEFORE, FIELD_PUT: Object; null of static calls and fields, and of what is
 *                 not initialised yet
 *   args argN     CALL_BEFORE: arguments, all of them in an array as for params, or number N;
 *                 FIELD_PUT: arg0 is the value
 *   owner         String: CALL, FIELD, CONSTRUCTED, NEW, NEWARRAY: class that the instruction names
 *   member member_desc   String: CALL, FIELD, CONSTRUCTED: member that the instruction names
 *   nanos         J  System.nanoTime() now
 *   elapsed       J  RETURN, THROW: nanoseconds since the method was entered
 *   null             null
 */
#ifndef BCI_PLAN_H
#define BCI_PLAN_H

#include "bci.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- building --------------------------------------------------------------------------- */

typedef struct BciPlan BciPlan;
typedef struct BciRule BciRule;
typedef struct BciScratch BciScratch;

/* Where. Code at a point runs on each way to it, also by a branch. */
typedef enum BciWhere {
    BCI_ENTRY,       /* once per call, in front of everything */
    BCI_BODY,        /* as ENTRY; in constructors behind super() or this() */
    BCI_RETURN,      /* in front of each return */
    BCI_THROW,       /* when an exception leaves the method; constructors: behind super() */
    BCI_LINE,        /* start of each source line's code */
    BCI_BLOCK,       /* start of each basic block */
    BCI_EDGE,        /* each way out of a conditional branch or switch: falling through first,
                         * then each target once; only when control takes it. Methods with such
                         * branches go through the editor (bci.h), which costs several times as much */
    BCI_LOOP,        /* in front of each branch that goes backwards */
    BCI_HANDLER,     /* start of each exception handler */
    BCI_CALL_BEFORE, /* calls; site pattern: "OWNER.NAME(PARAMETERS)RESULT" of the callee */
    BCI_CALL_AFTER,  /* when the call has returned */
    BCI_FIELD_GET,   /* getfield, getstatic (behind it); site: "OWNER.NAME" */
    BCI_FIELD_PUT,   /* putfield, putstatic (in front of it) */
    BCI_NEW,         /* new (in front of it); site: class */
    BCI_CONSTRUCTED, /* behind the constructor call of a new object, not of this() or super();
                         * site: "CLASS.<init>(PARAMETERS)V" */
    BCI_NEWARRAY,    /* newarray, anewarray, multianewarray (behind it) */
    BCI_ARRAY_GET,   /* xaload, xastore (in front of it) */
    BCI_ARRAY_PUT,
    BCI_MONITOR_ENTER, /* monitorenter, monitorexit instructions (in front of it) */
    BCI_MONITOR_EXIT,
    BCI_ATHROW, /* athrow instructions (in front of it) */
    BCI_POINTS
} BciWhere;

enum { /* bci_plan_new */
       /* All frames of changed methods from data flow, as BCI_FRAMES_REBUILD of bci.h, not shifted. Methods that no flow can
     * run through are skipped ("malformed code"). */
       BCI_PLAN_REBUILD_FRAMES = 1,
       BCI_PLAN_NO_SCHEMA = 2,    /* for retransformation: rules that add members are refused */
       BCI_PLAN_DROP_UNKNOWN = 4, /* drop unknown attributes of changed Code (default: kept) */
       /* Methods that would pass 65,535 bytes are cut: parts of them become methods of their own, as
     * OUTLINING in bci.h tells; BciResult.outlined says which. Not together with
     * BCI_PLAN_NO_SCHEMA: a class that is retransformed must keep its methods. */
       BCI_PLAN_OUTLINE = 8,
       /* Each result is checked and verified before it is handed out, as with BCI_VERIFY_RESULT of
     * bci.h; if it does not pass, the class is refused. A class that was not valid before is not
     * after either. Builds of the library with GRAFT_DEBUG do so always, where the input passes. */
       BCI_PLAN_VERIFY = 16
};

/* NULL if memory is exhausted. A plan is built by one thread; sealed, it is constant. */
BciPlan *bci_plan_new(unsigned flags);
void bci_plan_free(BciPlan *plan);
/* Adds flags, before sealing: for plans that somebody else has made (bci_agent.h). */
void bci_plan_flags(BciPlan *plan, unsigned flags);

/* A new rule for what the pattern selects; NULL after a mistake, which bci_plan_seal reports. All
 * functions that take a rule accept NULL. Rules apply in the order of their making. */
BciRule *bci_rule(BciPlan *plan, const char *pattern);
void bci_also(BciRule *rule, const char *pattern);   /* selects more */
void bci_except(BciRule *rule, const char *pattern); /* takes away again; wins */

/* Static call "OWNER.NAME(PARAMETERS)V" with these values. `site` limits the point by a pattern
 * (CALL, FIELD, NEW, CONSTRUCTED), NULL = all. */
void bci_call(BciRule *rule, BciWhere point, const char *site, const char *callee, const char *values);
/* The same for methods of an interface. Classes may call those from version 52 on; in older ones the
 * methods that would call it are left as they are. */
void bci_call_interface(BciRule *rule, BciWhere point, const char *site, const char *callee, const char *values);
/* Counts in a static field of this name and type. ":I" or ":J": ++field, as in "my/Probe.calls:J".
 * "[I" or "[J": ++field[site], as in "my/Probe.hits[J"; only these take a number. Threads may lose
 * counts to each other. */
void bci_count(BciRule *rule, BciWhere point, const char *site, const char *field);
/* Calls of `callee` pattern "OWNER.NAME(PARAMETERS)RESULT" go to the static method "OWNER.NAME"
 * of a class instead (no descriptor is given), which takes the receiver (as an OWNER) and the arguments, and gives the same result.
 * Constructors and super calls are left alone. */
void bci_redirect(BciRule *rule, const char *callee, const char *to);
/* Native methods get the prefix, and a Java method in their place (JVM TI SetNativeMethodPrefix). */
void bci_natives(BciRule *rule, const char *prefix);

/* Ends building: NULL, or what is wrong (the first mistake; text lives as long as the plan). */
const char *bci_plan_seal(BciPlan *plan);

/* ---- applying --------------------------------------------------------------------------- */

/* Only CHANGED and PARTIAL come with bytes; otherwise keep the input. */
typedef enum BciOutcome {
    BCI_UNCHANGED, /* nothing selected, or nothing to do */
    BCI_CHANGED,   /* res.bytes is a valid class */
    BCI_PARTIAL,   /* so it is, but some methods were left as they were: res.skipped */
    BCI_REFUSED,   /* res.error tells */
    BCI_SKIPPED    /* all methods there was something to do in were left: res.skipped */
} BciOutcome;

typedef struct BciSkip {
    int method; /* its place in the class */
    CfErrCode code;
    char why[200]; /* "code would be 65540 bytes, 5 over the limit; 100 would fit" */
} BciSkip;

typedef struct BciOutlined { /* a method that was cut (BCI_PLAN_OUTLINE) */
    int method;              /* its place in the class */
    uint32_t parts;          /* methods made of it; they come last in the class */
} BciOutlined;

/* A place that gets a number. */
typedef struct BciSite {
    const char *class_name, *name, *desc; /* of the instrumented method; NUL-terminated */
    int method;                           /* its place in the class */
    unsigned access;
    BciWhere point;
    uint32_t pc, line; /* in the input; 0 if it does not apply */
    uint32_t target;   /* EDGE: the pc it leads to */
    bool is_method;    /* the number of the method is wanted, not of a place */
} BciSite;

typedef struct BciRequest { /* zero-initialise; all fields are optional */
    BciAlloc alloc;         /* of the result, called once; NULL = malloc */
    void *alloc_ctx;
    int32_t (*id)(void *ctx, const BciSite *site); /* asked once for each place */
    void *ctx;                                     /* for id and outcome */
    const BciTypes *types;                         /* for BCI_PLAN_REBUILD_FRAMES */
    /* Told once for each method that is BCI_CHANGED or BCI_SKIPPED (`why`: as BciSkip), by its place
     * in the class; the others are unchanged. Java methods in the place of native ones come behind
     * those of the input. Holds unless the class is refused in the end. */
    void (*outcome)(void *ctx, int method, BciOutcome o, const char *why);
} BciRequest;

enum { BCI_MAX_SKIPS = 16 };
typedef struct BciResult {
    uint8_t *bytes;
    size_t len;
    uint32_t methods, sites; /* changed methods; places numbered */
    uint32_t noutlined;      /* methods that were cut; the first are described: */
    BciOutlined outlined[BCI_MAX_SKIPS];
    uint32_t nskipped; /* all of them; the first are described (see outcome): */
    BciSkip skipped[BCI_MAX_SKIPS];
    bool newer;     /* class version newer than this library knows */
    CfErrCode code; /* REFUSED */
    char error[160];
} BciResult;

/* Working memory of one thread, kept between calls. The result is made in it, too: with that it takes under 2 MiB for nearly
 * every class; 3 MiB are the most that the tests have seen (all arguments of each call passed, all frames made anew). */
BciScratch *bci_scratch_new(void);
void bci_scratch_free(BciScratch *s);
size_t bci_scratch_size(const BciScratch *s);

/* Applies the plan to one class. Never touches `in`; `req` may be NULL. Different threads may
 * apply the same plan at the same time with different scratches. */
BciOutcome bci_apply(const BciPlan *plan, BciScratch *s, const uint8_t *in, size_t n, const BciRequest *req, BciResult *res);
/* May the plan select anything in a class of this name? For agents that are told the name first. */
bool bci_plan_wants(const BciPlan *plan, const char *class_name);

#ifdef __cplusplus
}
#endif
#endif

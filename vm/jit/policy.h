/* SPDX-License-Identifier: Apache-2.0 */
/* Inside jit/: which methods are compiled, when, and what becomes of their code. */
#ifndef GRAFT_JIT_POLICY_H
#define GRAFT_JIT_POLICY_H

#include "core/hooks.h"
#include "core/lock.h"
#include "jit/code_story.h"
#include "jit/jit_int.h"
#include "log/log.h"
#include "object/method.h"

extern VmLock jit_lock;
extern JitFigures jit_so_far;  /* [lock: jit] without the cache's: they are asked for */
extern bool jit_in_background; /* a thread of the VM compiles */
static inline void set_tier(Method *m, u1 tier) { __atomic_store_n(&m->tier_state, tier, __ATOMIC_RELEASE); }

void jit_needs_more(CodeBlob *b); /* it met an instruction that had never run: it is made anew, within limits */

void jit_found_null(Method *m); /* by a fault */

enum { MAX_CAUGHT = 3 };
void jit_caught_in_body(Method *root, Method *body); /* code of root has that of body, whose handler goes on in the interpreter */

/* A call of m's code has been made so often that its receiver (or null) is looked at.  True: the code is made anew. */
bool jit_look_at_receiver(Method *m, SiteCache *s, const Object *receiver);

enum {                  /* Method.optimised */
       OPT_NOT_YET = 0, /* its samples are counted */
       OPT_WAITS = 1,   /* for the compiler thread */
       OPT_DONE = 2,
       OPT_REFUSED = 3 /* for good */
};
bool jit_optimises(void); /* -XX:+UseOptimizingCompiler, and TieredStopAtLevel lets it */
enum { WHOLE_METHOD = -1 };
enum { LARGEST_BODY = 325 }; /* bytes of bytecode: what is larger, the optimiser calls */
enum { MOST_UNMET = 60 };    /* what is larger polls at its entry, though it calls nobody, so that samples meet it */
typedef struct Hot {
    Method *m;
    int loop;    /* bci of a loop's head, or WHOLE_METHOD */
    u4 n_yields; /* how often its compilation was given up for a pause */
} Hot;
/* h.m has been met running base code often enough, or frames of it are in that loop for long.  [lock: jit] is taken here.
 * False: somebody wants this thread to stop (`yields`); to be called again. */
bool jit_optimise(Hot h, bool yields);
CodeBlob *code_of_loop(const Method *m, u4 bci); /* optimised; or NULL.  Without the lock: as jit_code_at */
enum {
    MOST_MISTAKEN = 5,
    TRUSTING = 2
}; /* how often a method is optimised in vain; and so often what was seen is taken for all that comes */
/* b, optimised, was left by a record, at last at bci of m, more often than is good: the method goes on in base code. */
void jit_mistaken(CodeBlob *b, const Method *m, u4 bci);
void jit_learn_receiver(const Method *m, u4 bci, Class *k); /* code was left at that call */
void jit_learn_missed(Method *root, const Method *m, u4 bci,
                      const Method *called); /* optimised code of root called it there, as a sample met it */

void code_give_up(
    CodeBlob *b,
    CodeEnd why); /* optimised: base code goes on; samples decide when it is tried again.  [lock: jit], or at a safepoint */

bool jit_compile_queued(Method *m); /* by the compiler thread; false: it was not, and may be some time */

/* --- retire.c [lock: jit], or at a safepoint --- */
void code_add(CodeBlob *b); /* it is live */
CodeBlob *code_retire_optimised(CodeBlob *b,
                                CodeEnd why); /* b alone; what is below it is the method's code now, but not its entry */
void code_retire(CodeBlob *b, CodeEnd why);   /* it cannot be entered any more; NULL: nothing */
void code_visit_live(void (*visit)(CodeBlob *b, void *arg), void *arg); /* visit may retire it */

/* --- code_queue.c --- */
bool queue_add(Method *m); /* counting; false: compile it yourself */
void queue_forget(const ClassVersion *v);
bool queue_add_hot(Hot h); /* to be optimised; false: do it yourself */

/* --- code_sample.c --- */
enum { SAMPLE_SHORTEST_MS = 4, ENOUGH_SAMPLES = 3 }; /* so often something is met before code is made for it */
/* Every thread that runs Java is asked at its next poll.  The time until it is worth asking again. */
u4 sample_threads(void);

/* --- sites.c [lock: jit] --- */
/* True: enough is known about the calls of b, and it is worth making it anew.  b: NULL if s is of retired code, and there is no other. */
bool sites_look(const CodeBlob *b, SiteCache *s, const Object *receiver);
/* At a call in optimised code of root.  True: a class is new. */
bool sites_look_late(const Method *root, SiteCache *s, const Object *receiver);
void sites_start(SiteCache *s); /* nothing is known of its receivers */
void sites_forget(const ClassVersion *v);
extern _Atomic u4 sites_filled; /* counts what calls chose, behind the choice */
/* --- of the compiler --- */
Class *sites_receiver(const Method *root, const Method *m,
                      u4 bci); /* class of nearly all receivers there, in code of root; or NULL */
/* For who makes two comparisons: of how many classes nearly all were, in code of root, or of another root if that saw none; the more frequent one first. */
u4 sites_receivers(const Method *root, const Method *m, u4 bci, Class *two[2], bool *others); /* others: there were some, too */
/* A receiver of class k was there, in code that did not expect it.  True: that is new. */
bool sites_learn(const Method *m, u4 bci, Class *k);
bool sites_learn_chosen(const SiteCache *s); /* all that s and the next ones chose first */
bool sites_missed(const Method *m, u4 bci,
                  const Method *called);   /* no receiver that is known there has it, and one more would be of use */
void sites_doubt(const Method *m, u4 bci); /* code was left there: there are others */
Method *sites_target(Class *k, const Method *im, u4 vtable_index); /* what the call finds in k, if it may call it; else NULL */
enum { MAX_PROFILED = 3, MAX_RELEARNT = 3 };
static inline bool sites_wanted(const Method *root) { return root->profiled < MAX_PROFILED; }

/* Does somebody want to know who throws and who catches?  Then exceptions go the way of unwind.c. */
static inline bool jit_throws_are_watched(void) {
    return hook_on(HOOK_EXCEPTION) || hook_on(HOOK_EXCEPTION_CATCH) || log_on(LOG_EXCEPTIONS);
}

/* --- hierarchy.c --- */
bool hierarchy_trust(CodeTrust **trusts, u4 *n, CodeTrust one); /* of code that is being made; false: no memory */
bool hierarchy_holds(const CodeTrust *trusts, u4 n);      /* still; until classes come, for which jit_class_dispatches is asked */
bool hierarchy_breaks(const CodeBlob *b, const Class *c); /* c's objects have another target */

/* --- throws.c --- */
void throws_note(Method *m, u4 bci);       /* an exception came out of the instruction, in compiled code */
bool throws_seen(const Method *m, u4 bci); /* [lock: jit] is it worth code? */
void throws_forget(const ClassVersion *v); /* in the pause */

void report_code(const CodeBlob *b); /* the code itself, -XX:CompileCommand=print (disassembly.c) */

/* --- code_report.c --- */
/* What code is called in words: the reference's levels of its two compilers. */
enum { LEVEL_BASE = 1, LEVEL_OPTIMISED = 4 };
static inline int code_level(const CodeBlob *b) { return b->optimised ? LEVEL_OPTIMISED : LEVEL_BASE; }
/* b, which has its place, is told to tools outside, as far as they are wanted.  [lock: jit] or at a safepoint */
void report_made(const CodeBlob *b);
void report_freed(const CodeBlob *b);
/* A line of -XX:+PrintInlining, kept until the method's own is written: at bci of what is on `level` (0: the root) m is called. */
void report_body(u4 level, u4 bci, const Method *m, const char *what);
void report_no_bodies(void); /* the method is compiled anew, or not at all */
/* A line of -XX:+PrintCompilation: b was made, with lines about bodies behind it; or what became of it. */
void report_compilation(const CodeBlob *b, const char *note);
void report_no_code(const Method *m, u4 id, int level, const char *note);

/* --- compile_command.c --- */
void compile_commands_init(void); /* reads and shows -XX:CompileCommand, CompileOnly; ends the VM if one is wrong */
/* Shall m stay interpreted? */
bool compile_command_excludes(const Method *m);
bool compile_command_inlines(const Method *m); /* although it is rather large */
bool compile_command_dont_inline(const Method *m);
bool compile_command_prints(const Method *m);
extern bool compile_commands_quiet;

#endif

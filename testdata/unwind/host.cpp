// Throws and walks through frames of frames.lir, and counts what goes wrong.
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>
#include <unwind.h>

typedef int64_t (*Leaf)(int64_t);
typedef int64_t (*Through)(Leaf, int64_t);

struct Thrown {
  int64_t x;
};

static int64_t failures;
static int64_t steps;
static Through through_now;

static void fail(const char *what, const void *where) {
  if (failures++ < 10) fprintf(stderr, "%s at %p, through the function at %p\n", what, where, (void *)through_now);
}

static int64_t quiet(int64_t x) { return x; }
static int64_t thrower(int64_t x) { throw Thrown{x}; }

extern "C" int64_t examine(Through through, int64_t x);

// Whether a walk finds the function that is gone through, and the one that called it, with its frame where it was.
struct Walk {
  bool through, examine;
  uintptr_t cfa;
};
static uintptr_t cfa_of_examine;

static _Unwind_Reason_Code visit(_Unwind_Context *context, void *data) {
  Walk *walk = static_cast<Walk *>(data);
  int before = 0;
  uintptr_t ip = _Unwind_GetIPInfo(context, &before);
  void *function = _Unwind_FindEnclosingFunction((void *)(before ? ip : ip - 1));
  walk->through |= function == (void *)through_now;
  if (function == (void *)examine) {
    walk->examine = true;
    walk->cfa = _Unwind_GetCFA(context);
    return _URC_END_OF_STACK;
  }
  return _URC_NO_REASON;
}

static int64_t walker(int64_t x) {
  Walk walk = {};
  _Unwind_Backtrace(visit, &walk);
  if (!walk.through || !walk.examine) fail("a walk ends early", nullptr);
  if (walk.cfa != cfa_of_examine) fail("a walk comes to a wrong frame", nullptr);
  void *addresses[64];
  int count = backtrace(addresses, 64), found = 0;
  for (int k = 0; k < count; k++) {
    void *function = _Unwind_FindEnclosingFunction((char *)addresses[k] - 1);
    found |= function == (void *)through_now ? 1 : function == (void *)examine ? 2 : 0;
  }
  if (found != 3) fail("backtrace() ends early", nullptr);
  return x;
}

// Called after every instruction.
static void on_step(int, siginfo_t *, void *context) {
  void *pc = (void *)static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP];
  void *function = _Unwind_FindEnclosingFunction(pc);
  if (function == (void *)examine) return;
  Walk walk = {};
  _Unwind_Backtrace(visit, &walk);
  steps++;
  if (!walk.examine) fail("a walk from an instruction ends early", pc);
  else if (walk.cfa != cfa_of_examine) fail("a walk from an instruction comes to a wrong frame", pc);
}

static uintptr_t my_cfa() {
  Walk walk = {};
  _Unwind_Backtrace(visit, &walk);
  return walk.cfa;
}

extern "C" __attribute__((noinline)) int64_t examine(Through through, int64_t x) {
  int64_t failures_before = failures, steps_before = steps;
  through_now = through;
  cfa_of_examine = my_cfa();

  // An exception; what is computed here before it is kept in registers that the callee saves.
  int64_t a = x * 3, b = x ^ 99, c = x + 5, d = x - 7, e = x * x;
  int64_t expected = a ^ b ^ c ^ d ^ e, got = -1;
  asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
  try {
    through(thrower, x);
  } catch (const Thrown &thrown) {
    got = thrown.x;
  }
  if (got != x) fail("the exception does not arrive", nullptr);
  if ((a ^ b ^ c ^ d ^ e) != expected) fail("registers are not restored", nullptr);

  int64_t plain = through(quiet, x);
  if (through(walker, x) != plain) fail("the result changes", nullptr);

  struct sigaction action = {}, old;
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, &old);
  asm volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
  int64_t stepped = through(quiet, x);
  asm volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
  sigaction(SIGTRAP, &old, nullptr);
  if (stepped != plain) fail("the result changes step by step", nullptr);
  if (steps - steps_before < 5) fail("no steps were seen", nullptr);
  return failures - failures_before;
}

#ifdef MAIN
extern "C" int64_t check();
int main() {
  int64_t wrong = check();
  printf("%ld\n", (long)wrong);
  return wrong != 0;
}
#endif

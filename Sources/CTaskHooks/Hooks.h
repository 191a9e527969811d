// What the parts of CTaskHooks share.

#ifndef HOOKS_H
#define HOOKS_H

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CTaskHooks.h"

/// The world of this thread.
extern _Thread_local void *current_world;

void task_hooks_hear_dispatch(task_hooks_dispatched dispatched);
void task_hooks_hear_sleeps(task_hooks_slept slept, task_hooks_timed timed, task_hooks_off_main off_main);

#if defined(__linux__)
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

enum { clock_count = 12 };

struct task_hooks_clock {
  /// The nanoseconds of virtual time. Other threads may advance it.
  _Atomic int64_t elapsed;
  /// What each clock of the system shows at the origin of virtual time, in nanoseconds.
  int64_t starts[clock_count];
  /// The state of the random numbers.
  _Atomic uint64_t random;
  /// Whether random numbers come from a seed. Set before a thread has the clock.
  bool is_seeded;
};

// A program's own functions come before those of the libraries that it is linked with. They are weak: a program with a static libdispatch, or a static C
// library, may have the real ones instead, and nothing is noted there.
#define FIND_NEXT(result, name, parameters) \
  typedef result (*next_function) parameters; \
  static _Atomic(next_function) real; \
  next_function next = atomic_load_explicit(&real, memory_order_relaxed); \
  if (!next) { \
    next = (next_function)dlsym(RTLD_NEXT, #name); \
    atomic_store_explicit(&real, next, memory_order_relaxed); \
  }
#endif

#endif

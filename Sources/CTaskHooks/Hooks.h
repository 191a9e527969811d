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

/// A queue whose work, or function of `sync`, this thread runs.
typedef struct entered_queue {
  void *queue;
  const struct entered_queue *outer;
} entered_queue;

/// Where the innermost work item of this thread runs.
extern _Thread_local task_hooks_place task_hooks_current_place;
extern task_hooks_off_main task_hooks_is_off_main;

// As the toolchain's ExecutorImpl.h and ABI/MetadataValues.h have them: a job is two words of a heap object, two words of its executor's, the
// flags and an identifier.
struct job {
  void *metadata;
  uintptr_t reference_counts;
  void *scheduler_private[2];
  uint32_t flags;
  uint32_t identifier;
};

/// Runs work as a job of no actor, inside other code that may be on one.
void task_hooks_run_off_actors(void (*function)(task_hooks_work *), task_hooks_work *work);

/// The target of a queue; null for a global one, or one without.
void *task_hooks_target_of(void *queue);

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

// Where code runs, for code that checks that: on which queues, and on which actor. A thread that waits in virtual time runs other work on its stack, which
// libdispatch and the Swift runtime take to be on the queues and the actor of the waiting code.

#include "Hooks.h"

#if defined(__linux__) && __has_attribute(swiftcall)

#define SWIFTCALL __attribute__((swiftcall))

_Thread_local place task_hooks_current_place;

task_hooks_place task_hooks_begin_wait(void) {
  task_hooks_place outer = {task_hooks_current_place.queues, task_hooks_current_place.is_inside_wait, task_hooks_current_place.is_queue_work};
  task_hooks_current_place = (place){.is_inside_wait = true};
  return outer;
}

void task_hooks_end_wait(task_hooks_place outer) {
  task_hooks_current_place = (place){outer.queues, outer.is_inside_wait, outer.is_queue_work};
}

// Whether code of the innermost work item runs on a queue.
static bool is_on(void *queue) {
  for (const entered_queue *entered = task_hooks_current_place.queues; entered; entered = entered->outer)
    for (void *target = entered->queue; target; target = task_hooks_target_of(target))
      if (target == queue) return true;
  return false;
}

// MARK: Queues

// `dispatchPrecondition`. What is not the main actor's runs on the main thread too, where a test on the main actor has a world.
#define DISPATCH_ASSERT(name, opposite, is_wanted) \
  __attribute__((weak)) void name(void *queue) { \
    FIND_NEXT(void, name, (void *)) \
    if (!current_world) return next(queue); \
    if (task_hooks_is_main_queue(queue)) { \
      if (task_hooks_is_off_main && task_hooks_is_off_main(is_wanted)) return; \
    } else if (task_hooks_current_place.is_inside_wait) { \
      if (is_on(queue) == is_wanted) return; \
      next(queue); \
      /* It ends the program as well, in which the waiting code is on the queue. */ \
      return opposite(queue); \
    } \
    next(queue); \
  }

static void real_assert(void *queue) {
  FIND_NEXT(void, dispatch_assert_queue, (void *))
  next(queue);
}

static void real_assert_not(void *queue) {
  FIND_NEXT(void, dispatch_assert_queue_not, (void *))
  next(queue);
}

DISPATCH_ASSERT(dispatch_assert_queue, real_assert_not, true)
DISPATCH_ASSERT(dispatch_assert_queue_not, real_assert, false)

// MARK: Actors

extern SWIFTCALL task_hooks_executor swift_task_getMainExecutor(void);

// `assumeIsolated` and `preconditionIsolated`. Work of a queue is on no actor, also if the waiting code is on one.
__attribute__((weak)) SWIFTCALL bool swift_task_isCurrentExecutor(task_hooks_executor executor) {
  typedef SWIFTCALL bool (*next_function)(task_hooks_executor);
  static _Atomic(next_function) real;
  next_function next = atomic_load_explicit(&real, memory_order_relaxed);
  if (!next) {
    next = (next_function)dlsym(RTLD_NEXT, "swift_task_isCurrentExecutor");
    atomic_store_explicit(&real, next, memory_order_relaxed);
  }
  if (!current_world || !task_hooks_current_place.is_inside_wait || !task_hooks_current_place.is_queue_work) return next(executor);
  if (executor.identity == swift_task_getMainExecutor().identity) {
    // The test has failed, and goes on.
    if (task_hooks_is_off_main && task_hooks_is_off_main(true)) return true;
  } else if (!executor.implementation) {
    // A default actor, whose work is done by tasks only.
    return false;
  }
  return next(executor);
}

#else

task_hooks_place task_hooks_begin_wait(void) { return (task_hooks_place){0}; }
void task_hooks_end_wait(task_hooks_place outer) {}

#endif

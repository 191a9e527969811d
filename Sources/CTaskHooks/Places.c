// Where code runs, for code that checks that: on which queues, and on which actor. A thread that waits in virtual time runs other work on its stack, which
// libdispatch and the Swift runtime take to be on the queues and the actor of the waiting code.

#include "Hooks.h"

#if defined(__linux__) && __has_attribute(swiftcall)

_Thread_local task_hooks_place task_hooks_current_place;

task_hooks_place task_hooks_begin_wait(void) {
  task_hooks_place outer = task_hooks_current_place;
  task_hooks_current_place = (task_hooks_place){.is_inside_wait = true};
  return outer;
}

void task_hooks_end_wait(task_hooks_place outer) { task_hooks_current_place = outer; }

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

#if __SIZEOF_POINTER__ == 8 && __has_attribute(swiftasynccall)
#define SWIFTCALL __attribute__((swiftcall))
#define SWIFTASYNCCALL __attribute__((swiftasynccall))

// A job without a task: `Job` of the toolchain's ABI/Task.h.
struct work_job {
  struct job job;
  void *reserved[2];
  SWIFTASYNCCALL void (*run)(struct work_job *);
  void (*function)(task_hooks_work *);
  task_hooks_work *work;
};

// The kind of a job that is no task.
enum { kind_of_simple_job = 195 };

extern SWIFTCALL void swift_job_run(void *job, task_hooks_executor executor);

SWIFTASYNCCALL static void run_job(struct work_job *job) { job->function(job->work); }

void task_hooks_run_off_actors(void (*function)(task_hooks_work *), task_hooks_work *work) {
  struct work_job job = {.job.flags = kind_of_simple_job, .run = run_job, .function = function, .work = work};
  swift_job_run(&job, (task_hooks_executor){0});
}
#else
void task_hooks_run_off_actors(void (*function)(task_hooks_work *), task_hooks_work *work) { function(work); }
#endif

#else

task_hooks_place task_hooks_begin_wait(void) { return (task_hooks_place){0}; }
void task_hooks_end_wait(task_hooks_place outer) {}

#endif

// The functions of libdispatch that a test program replaces.

#include "Hooks.h"

#if defined(__linux__) && __has_attribute(swiftcall)

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static task_hooks_dispatched note_dispatched;
static task_hooks_slept note_sleep;
static task_hooks_timed note_timer;
task_hooks_off_main task_hooks_is_off_main;
// What a virtual system does instead; the functions are set before the first thread has a clock.
static task_hooks_system virtual_system;

void task_hooks_hear_dispatch(task_hooks_dispatched dispatched) { note_dispatched = dispatched; }

void task_hooks_hear_sleeps(task_hooks_slept slept, task_hooks_timed timed, task_hooks_off_main off_main) {
  note_sleep = slept;
  note_timer = timed;
  task_hooks_is_off_main = off_main;
}

void task_hooks_set_system(const task_hooks_system *system) { virtual_system = *system; }

typedef void (*work_function)(void *context);

struct block {
  void *isa;
  int32_t flags;
  int32_t reserved;
  void (*invoke)(void *block);
};

extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);
extern void dispatch_retain(void *object);
extern void dispatch_release(void *object);

static bool is_virtual(void) { return task_hooks_clock_here() != NULL; }

// MARK: Work

// Submits a function to a queue of the virtual system. Whether it was taken.
static bool submit(void *queue, void *context, work_function function, void *block, void *group, uint64_t delay, bool is_barrier) {
  if (!is_virtual() || !virtual_system.submit) return false;
  task_hooks_work *work = malloc(sizeof(task_hooks_work));
  if (!work) return false;
  *work = (task_hooks_work){queue, context, function, block, group, NULL, NULL, is_barrier};
  if (block) {
    work->block = work->context = _Block_copy(block);
    work->function = (work_function)((struct block *)work->block)->invoke;
  }
  if (virtual_system.submit(work, delay)) {
    dispatch_retain(queue);
    if (group) dispatch_retain(group);
    return true;
  }
  if (block) _Block_release(work->block);
  free(work);
  return false;
}

void task_hooks_forget_work(task_hooks_work *work) {
  if (work->block) _Block_release(work->block);
  if (work->group) {
    extern void dispatch_group_leave(void *group);
    dispatch_group_leave(work->group);
    dispatch_release(work->group);
  }
  if (work->watched) work->release_watched(work->watched);
  dispatch_release(work->queue);
  free(work);
}

static bool is_main_queue(void *queue) {
  static _Atomic(void *) main_queue;
  void *known = atomic_load_explicit(&main_queue, memory_order_relaxed);
  if (!known) {
    known = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
    atomic_store_explicit(&main_queue, known, memory_order_relaxed);
  }
  return known && queue == known;
}

bool task_hooks_is_main_queue(void *queue) { return is_main_queue(queue); }

const char *task_hooks_queue_label(void *queue) {
  extern const char *dispatch_queue_get_label(void *queue);
  const char *label = dispatch_queue_get_label(queue);
  return label ? label : "";
}

static bool is_global_queue(void *queue) {
  extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
  static const intptr_t qualities[] = {0x21, 0x19, 0x15, 0x11, 0x09, 0x05};
  for (size_t index = 0; index < sizeof qualities / sizeof qualities[0]; index++)
    if (queue == dispatch_get_global_queue(qualities[index], 0) || queue == dispatch_get_global_queue(qualities[index], 2)) return true;
  return false;
}

bool task_hooks_is_global_queue(void *queue) { return is_global_queue(queue); }

// MARK: Targets

// The key of what is attached to a queue with a target.
static char target_key;

static void note_target(void *queue, void *target) {
  extern void dispatch_queue_set_specific(void *queue, const void *key, void *context, work_function destructor);
  if (queue && !is_global_queue(queue) && !is_main_queue(queue)) dispatch_queue_set_specific(queue, &target_key, target, NULL);
}

__attribute__((weak)) void *dispatch_queue_create_with_target(const char *label, void *attributes, void *target) {
  typedef void *(*next_function)(const char *, void *, void *);
  static _Atomic(next_function) real;
  next_function next = atomic_load_explicit(&real, memory_order_relaxed);
  if (!next) {
    next = (next_function)dlsym(RTLD_NEXT, "dispatch_queue_create_with_target");
    atomic_store_explicit(&real, next, memory_order_relaxed);
  }
  void *queue = next(label, attributes, target);
  if (target) note_target(queue, target);
  return queue;
}

// Queues of a kind begin with the same pointer, to the functions of their kind.
static bool is_of_kind(void *queue, void *attributes, _Atomic(void *) *functions) {
  extern void *dispatch_queue_create(const char *label, void *attributes);
  void *known = atomic_load_explicit(functions, memory_order_relaxed);
  if (!known) {
    void *example = dispatch_queue_create("signals.example", attributes);
    if (!example) return false;
    known = *(void **)example;
    dispatch_release(example);
    atomic_store_explicit(functions, known, memory_order_relaxed);
  }
  return *(void **)queue == known;
}

bool task_hooks_is_serial_queue(void *queue) {
  static _Atomic(void *) functions;
  return is_of_kind(queue, NULL, &functions);
}

static bool is_concurrent_queue(void *queue) {
  extern char _dispatch_queue_attr_concurrent;
  static _Atomic(void *) functions;
  return is_of_kind(queue, &_dispatch_queue_attr_concurrent, &functions);
}

__attribute__((weak)) void dispatch_set_target_queue(void *object, void *target) {
  FIND_NEXT(void, dispatch_set_target_queue, (void *, void *))
  next(object, target);
  if (task_hooks_is_serial_queue(object) || is_concurrent_queue(object)) note_target(object, target);
}

void *task_hooks_target_of(void *queue) {
  extern void *dispatch_queue_get_specific(void *queue, const void *key);
  return is_global_queue(queue) ? NULL : dispatch_queue_get_specific(queue, &target_key);
}

void *task_hooks_root_queue(void *queue) {
  void *root = queue;
  // A concurrent queue with a serial target does one work item at a time, too.
  while (queue && !is_global_queue(queue)) {
    if (is_main_queue(queue)) return queue;
    if (task_hooks_is_serial_queue(queue)) root = queue;
    queue = task_hooks_target_of(queue);
  }
  return root;
}

#define NEXT_SYNC(name) FIND_NEXT(void, name, (void *, void *, work_function))

static void real_sync(void *queue, void *context, work_function function) {
  NEXT_SYNC(dispatch_sync_f)
  next(queue, context, function);
}

static void real_barrier_sync(void *queue, void *context, work_function function) {
  NEXT_SYNC(dispatch_barrier_sync_f)
  next(queue, context, function);
}

static void run_on_queue(task_hooks_work *work) {
  if (work->is_barrier) return real_barrier_sync(work->queue, work->context, work->function);
  real_sync(work->queue, work->context, work->function);
}

void task_hooks_run_work(task_hooks_work *work) {
  // The main queue's thread is this one, and on no queue but that.
  if (is_main_queue(task_hooks_root_queue(work->queue))) return work->function(work->context);
  const void *outer = task_hooks_current_place.queues;
  entered_queue entered = {work->queue, NULL};
  task_hooks_current_place.queues = &entered;
  if (task_hooks_current_place.is_inside_wait) {
    task_hooks_run_off_actors(run_on_queue, work);
  } else {
    run_on_queue(work);
  }
  task_hooks_current_place.queues = outer;
}

// Whether code belongs to the concurrency runtime.
static bool is_of_runtime(const void *code) {
  // It is always the same few functions that ask.
  static struct { _Atomic(const void *) code; bool is_of_runtime; } known[8];
  static _Atomic int known_count;
  int count = atomic_load_explicit(&known_count, memory_order_acquire);
  for (int index = 0; index < count && index < 8; index++)
    if (atomic_load_explicit(&known[index].code, memory_order_acquire) == code) return known[index].is_of_runtime;
  Dl_info info;
  if (!dladdr(code, &info) || !info.dli_fname) return false;
  const char *slash = strrchr(info.dli_fname, '/');
  bool result = strstr(slash ? slash : info.dli_fname, "swift_Concurrency") != NULL;
  int free = result ? atomic_fetch_add_explicit(&known_count, 1, memory_order_acq_rel) : 8;
  if (free < 8) {
    known[free].is_of_runtime = true;
    atomic_store_explicit(&known[free].code, code, memory_order_release);
  }
  return result;
}

__attribute__((weak)) void dispatch_block_cancel(void *block) {
  FIND_NEXT(void, dispatch_block_cancel, (void *))
  next(block);
  if (is_virtual() && virtual_system.cancelled) virtual_system.cancelled(block);
}

// `dispatch_async(queue, block)` and its like, and those with a function.
#define SUBMIT_BLOCK(name, is_barrier) \
  __attribute__((weak)) void name(void *queue, void *block) { \
    FIND_NEXT(void, name, (void *, void *)) \
    if (submit(queue, NULL, NULL, block, NULL, 0, is_barrier)) return; \
    if (current_world && note_dispatched) note_dispatched(); \
    next(queue, block); \
  }

#define SUBMIT_FUNCTION(name, is_barrier) \
  __attribute__((weak)) void name(void *queue, void *context, work_function function) { \
    FIND_NEXT(void, name, (void *, void *, work_function)) \
    /* The jobs that the runtime submits are those of tasks outside. */ \
    if (is_virtual() && !is_of_runtime(__builtin_return_address(0)) && \
        submit(queue, context, function, NULL, NULL, 0, is_barrier)) return; \
    next(queue, context, function); \
  }

SUBMIT_BLOCK(dispatch_async, false)
SUBMIT_BLOCK(dispatch_barrier_async, true)
SUBMIT_FUNCTION(dispatch_async_f, false)
SUBMIT_FUNCTION(dispatch_barrier_async_f, true)

// The nanoseconds until a moment, as dispatch encodes it: uptime, monotonic or wall time in the upper bits.
static int64_t nanoseconds_until(uint64_t when) {
  typedef uint64_t (*time_function)(uint64_t when, int64_t delta);
  static _Atomic(time_function) real;
  time_function time = atomic_load_explicit(&real, memory_order_relaxed);
  if (!time) {
    time = (time_function)dlsym(RTLD_DEFAULT, "dispatch_time");
    if (!time) return -1;
    atomic_store_explicit(&real, time, memory_order_relaxed);
  }
  if (when == ~0ull) return INT64_MAX;
  if (!when) return 0;
  unsigned kind = when >> 62;
  uint64_t start = kind == 2 ? 1ull << 63 : kind == 3 ? ~1ull : 0;
  // Wall time counts down.
  int64_t delta = (int64_t)(when - time(start, 1));
  return kind == 3 ? 1 - delta : delta + 1;
}

// The moment after a duration of real time.
static uint64_t real_moment(int64_t duration) {
  extern uint64_t dispatch_time(uint64_t when, int64_t delta);
  task_hooks_clock *clock = task_hooks_clock_here();
  task_hooks_set_clock_here(NULL);
  uint64_t moment = dispatch_time(0, duration);
  task_hooks_set_clock_here(clock);
  return moment;
}

static uint64_t delay_until(uint64_t when) {
  int64_t nanoseconds = nanoseconds_until(when);
  return nanoseconds > 0 ? nanoseconds : 0;
}

__attribute__((weak)) void dispatch_after(uint64_t when, void *queue, void *block) {
  FIND_NEXT(void, dispatch_after, (uint64_t, void *, void *))
  if (is_virtual() && submit(queue, NULL, NULL, block, NULL, delay_until(when), false)) return;
  if (current_world && note_dispatched) note_dispatched();
  next(is_virtual() ? real_moment(delay_until(when)) : when, queue, block);
}

// From Swift 6.3 on, the runtime lets a task sleep with this function, and no longer calls its hooks for that.
__attribute__((weak)) void dispatch_after_f(uint64_t when, void *queue, void *context, work_function work) {
  FIND_NEXT(void, dispatch_after_f, (uint64_t, void *, void *, work_function))
  if (current_world && note_sleep) {
    // First, as time passes.
    int64_t duration = nanoseconds_until(when);
    if (is_of_runtime((void *)work)) {
      if (is_virtual() && virtual_system.sleep && virtual_system.sleep(context, work, duration)) return;
      note_sleep(duration);
    } else {
      if (submit(queue, context, work, NULL, NULL, duration > 0 ? duration : 0, false)) return;
      if (note_dispatched) note_dispatched();
    }
    if (is_virtual()) when = real_moment(duration);
  }
  next(when, queue, context, work);
}

// A task that sleeps with a tolerance waits for a timer source, whose handler is one of the runtime. The source never fires in virtual time.
static _Thread_local void *sleeping_source;
static _Thread_local int64_t sleeping_duration;
static _Thread_local work_function sleeping_handler;

// MARK: Timers

// The number of sources that fire in virtual time.
static _Atomic int timer_count;

static intptr_t tell_timer(task_hooks_timer_event event, void *source, task_hooks_work *work, int64_t first, int64_t second) {
  if (!virtual_system.timer || (!atomic_load_explicit(&timer_count, memory_order_acquire) && event != task_hooks_timer_created)) return -1;
  return virtual_system.timer(event, source, work, first, second);
}

static bool is_virtual_timer(void *source) { return tell_timer(task_hooks_timer_asked, source, NULL, 0, 0) >= 0; }

void task_hooks_release_queue(void *queue) {
  if (queue) dispatch_release(queue);
}

void task_hooks_count_timer(int change) { atomic_fetch_add_explicit(&timer_count, change, memory_order_acq_rel); }

// The source exists, so that it can be resumed and released, but never fires.
__attribute__((weak)) void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
  typedef void *(*next_function)(const void *, uintptr_t, uintptr_t, void *);
  static _Atomic(next_function) real;
  next_function next = atomic_load_explicit(&real, memory_order_relaxed);
  if (!next) {
    next = (next_function)dlsym(RTLD_NEXT, "dispatch_source_create");
    atomic_store_explicit(&real, next, memory_order_relaxed);
  }
  void *source = next(type, handle, mask, queue);
  extern const struct dispatch_source_type_s _dispatch_source_type_timer;
  if (!source || !is_virtual() || type != &_dispatch_source_type_timer || is_of_runtime(__builtin_return_address(0))) return source;
  extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
  void *known = queue ? queue : dispatch_get_global_queue(0, 0);
  // The source itself holds only an internal reference to its queue.
  dispatch_retain(known);
  if (tell_timer(task_hooks_timer_created, source, NULL, (intptr_t)known, 0) < 0) dispatch_release(known);
  return source;
}

static task_hooks_work *work_of(void *queue, void *context, work_function function, void *block) {
  task_hooks_work *work = malloc(sizeof(task_hooks_work));
  if (!work) return NULL;
  *work = (task_hooks_work){queue, context, function, block, NULL, NULL, NULL, false};
  if (block) {
    work->block = work->context = _Block_copy(block);
    work->function = (work_function)((struct block *)work->block)->invoke;
  }
  dispatch_retain(queue);
  return work;
}

task_hooks_work *task_hooks_copy_work(const task_hooks_work *work) {
  return work_of(work->queue, work->context, work->function, work->block);
}

#define TIMER_BLOCK(name, event) \
  __attribute__((weak)) void name(void *source, void *block) { \
    FIND_NEXT(void, name, (void *, void *)) \
    intptr_t queue = tell_timer(task_hooks_timer_asked, source, NULL, 0, 0); \
    if (queue < 0) return next(source, block); \
    tell_timer(event, source, block ? work_of((void *)queue, NULL, NULL, block) : NULL, 0, 0); \
  }

TIMER_BLOCK(dispatch_source_set_event_handler, task_hooks_timer_handled)
TIMER_BLOCK(dispatch_source_set_cancel_handler, task_hooks_timer_cancel_handled)

#define TIMER_CHANGE(name, event) \
  __attribute__((weak)) void name(void *source) { \
    FIND_NEXT(void, name, (void *)) \
    tell_timer(event, source, NULL, 0, 0); \
    next(source); \
  }

TIMER_CHANGE(dispatch_resume, task_hooks_timer_resumed)
TIMER_CHANGE(dispatch_suspend, task_hooks_timer_suspended)
TIMER_CHANGE(dispatch_source_cancel, task_hooks_timer_cancelled)
TIMER_CHANGE(dispatch_retain, task_hooks_timer_retained)
TIMER_CHANGE(dispatch_release, task_hooks_timer_released)

__attribute__((weak)) uintptr_t dispatch_source_get_data(void *source) {
  FIND_NEXT(uintptr_t, dispatch_source_get_data, (void *))
  intptr_t count = tell_timer(task_hooks_timer_counted, source, NULL, 0, 0);
  return count < 0 ? next(source) : (uintptr_t)count;
}

__attribute__((weak)) void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  FIND_NEXT(void, dispatch_source_set_timer, (void *, uint64_t, uint64_t, uint64_t))
  if (is_virtual_timer(source)) {
    tell_timer(task_hooks_timer_set, source, NULL, delay_until(start), interval > INT64_MAX ? INT64_MAX : (int64_t)interval);
    return;
  }
  if (current_world && note_timer) {
    int64_t duration = nanoseconds_until(start);
    if (note_sleep && is_of_runtime(__builtin_return_address(0))) {
      if (is_virtual() && virtual_system.sleep) {
        sleeping_source = source;
        sleeping_duration = duration;
        return next(source, ~0ull, ~0ull, leeway);
      }
      note_sleep(duration);
    } else {
      note_timer();
    }
    if (is_virtual()) start = real_moment(duration);
  }
  next(source, start, interval, leeway);
}

__attribute__((weak)) void dispatch_source_set_event_handler_f(void *source, work_function handler) {
  FIND_NEXT(void, dispatch_source_set_event_handler_f, (void *, work_function))
  if (source == sleeping_source) sleeping_handler = handler;
  next(source, handler);
}

__attribute__((weak)) void dispatch_activate(void *object) {
  FIND_NEXT(void, dispatch_activate, (void *))
  tell_timer(task_hooks_timer_activated, object, NULL, 0, 0);
  next(object);
  if (!object || object != sleeping_source) return;
  extern void *dispatch_get_context(void *object);
  sleeping_source = NULL;
  void *context = dispatch_get_context(object);
  if (sleeping_handler && virtual_system.sleep(context, sleeping_handler, sleeping_duration)) return;
  // The task is not one of virtual time.
  task_hooks_clock *clock = task_hooks_clock_here();
  uint64_t when = real_moment(sleeping_duration);
  task_hooks_set_clock_here(NULL);
  dispatch_source_set_timer(object, when, ~0ull, 0);
  task_hooks_set_clock_here(clock);
}

// MARK: Waiting

bool task_hooks_has_stack(void) {
  static _Thread_local uintptr_t limit;
  if (!limit) {
    enum { reserve = 128 << 10 };
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    limit = 1;
    if (!pthread_getattr_np(pthread_self(), &attributes)) {
      if (!pthread_attr_getstack(&attributes, &lowest, &size)) limit = (uintptr_t)lowest + (size / 4 < reserve ? size / 4 : reserve);
      pthread_attr_destroy(&attributes);
    }
  }
  // Stacks grow down.
  return (uintptr_t)__builtin_frame_address(0) > limit;
}

#define NEXT_WAIT(name) FIND_NEXT(intptr_t, name, (void *, uint64_t))

static intptr_t real_semaphore_wait(void *semaphore, uint64_t timeout) {
  NEXT_WAIT(dispatch_semaphore_wait)
  return next(semaphore, timeout);
}

static intptr_t real_group_wait(void *group, uint64_t timeout) {
  NEXT_WAIT(dispatch_group_wait)
  return next(group, timeout);
}

static intptr_t real_block_wait(void *block, uint64_t timeout) {
  NEXT_WAIT(dispatch_block_wait)
  return next(block, timeout);
}

static bool is_signalled(void *semaphore) { return !real_semaphore_wait(semaphore, 0); }
static bool is_empty(void *group) { return !real_group_wait(group, 0); }
static bool is_done(void *block) { return !real_block_wait(block, 0); }

// Runs other work of the virtual time until a condition is met; 0 if it was, 1 at the timeout, -1 where the real function has to be called.
static intptr_t wait_virtually(bool (*is_over)(void *), void *object, uint64_t timeout, const char *what) {
  if (!timeout || !is_virtual() || !virtual_system.wait) return -1;
  if (is_over(object)) return 0;
  int64_t delay = timeout == ~0ull ? -1 : (int64_t)delay_until(timeout);
  // A look, which lets no other work run: the caller may hold a lock.
  if (!delay) return 1;
  return virtual_system.wait(is_over, object, delay, what);
}

#define WAIT(name, is_over, what) \
  __attribute__((weak)) intptr_t name(void *object, uint64_t timeout) { \
    NEXT_WAIT(name) \
    intptr_t result = wait_virtually(is_over, object, timeout, what); \
    return result < 0 ? next(object, timeout) : result; \
  }

WAIT(dispatch_semaphore_wait, is_signalled, "a semaphore")
WAIT(dispatch_group_wait, is_empty, "a dispatch group")
WAIT(dispatch_block_wait, is_done, "a work item")

// Work that was submitted to the queue before runs first.
static task_hooks_sync begin_sync(void *queue, void *context, work_function function) {
  if (!is_virtual() || !virtual_system.begin_sync) return task_hooks_sync_real;
  return virtual_system.begin_sync(queue, context, function);
}

static void end_sync(void *queue, task_hooks_sync sync) {
  if (sync == task_hooks_sync_noted) virtual_system.end_sync(queue);
}

#define SYNC_BLOCK(name) \
  __attribute__((weak)) void name(void *queue, void *block) { \
    FIND_NEXT(void, name, (void *, void *)) \
    task_hooks_sync sync = begin_sync(queue, block, ((struct block *)block)->invoke); \
    if (sync == task_hooks_sync_done) return; \
    entered_queue entered = {queue, task_hooks_current_place.queues}; \
    task_hooks_current_place.queues = &entered; \
    next(queue, block); \
    task_hooks_current_place.queues = entered.outer; \
    end_sync(queue, sync); \
  }

#define SYNC_FUNCTION(name) \
  __attribute__((weak)) void name(void *queue, void *context, work_function function) { \
    FIND_NEXT(void, name, (void *, void *, work_function)) \
    task_hooks_sync sync = begin_sync(queue, context, function); \
    if (sync == task_hooks_sync_done) return; \
    entered_queue entered = {queue, task_hooks_current_place.queues}; \
    task_hooks_current_place.queues = &entered; \
    next(queue, context, function); \
    task_hooks_current_place.queues = entered.outer; \
    end_sync(queue, sync); \
  }

SYNC_BLOCK(dispatch_sync)
SYNC_BLOCK(dispatch_barrier_sync)
SYNC_BLOCK(dispatch_async_and_wait)
SYNC_BLOCK(dispatch_barrier_async_and_wait)
SYNC_FUNCTION(dispatch_sync_f)
SYNC_FUNCTION(dispatch_barrier_sync_f)
SYNC_FUNCTION(dispatch_async_and_wait_f)
SYNC_FUNCTION(dispatch_barrier_async_and_wait_f)

// Iterations run one after the other, on this thread.
__attribute__((weak)) void dispatch_apply(size_t count, void *queue, void *block) {
  FIND_NEXT(void, dispatch_apply, (size_t, void *, void *))
  if (!is_virtual()) return next(count, queue, block);
  void (*invoke)(void *, size_t) = (void (*)(void *, size_t))((struct block *)block)->invoke;
  for (size_t index = 0; index < count; index++) invoke(block, index);
}

// MARK: Groups

__attribute__((weak)) void dispatch_group_async(void *group, void *queue, void *block) {
  FIND_NEXT(void, dispatch_group_async, (void *, void *, void *))
  if (is_virtual()) {
    extern void dispatch_group_enter(void *group);
    dispatch_group_enter(group);
    if (submit(queue, NULL, NULL, block, group, 0, false)) return;
    extern void dispatch_group_leave(void *group);
    dispatch_group_leave(group);
  }
  if (current_world && note_dispatched) note_dispatched();
  next(group, queue, block);
}

// Whether the virtual system calls a block once a condition is met.
static bool notify(bool (*is_over)(void *), void *object, void (*release)(void *), void *queue, void *block) {
  task_hooks_work *work = malloc(sizeof(task_hooks_work));
  if (!work) {
    release(object);
    return false;
  }
  void *copy = _Block_copy(block);
  *work = (task_hooks_work){queue, copy, (work_function)((struct block *)copy)->invoke, copy, NULL, object, release, false};
  dispatch_retain(queue);
  if (virtual_system.notify(work, is_over, object, is_over == is_empty)) return true;
  task_hooks_forget_work(work);
  return false;
}

__attribute__((weak)) void dispatch_group_notify(void *group, void *queue, void *block) {
  FIND_NEXT(void, dispatch_group_notify, (void *, void *, void *))
  if (is_virtual()) {
    dispatch_retain(group);
    if (notify(is_empty, group, dispatch_release, queue, block)) return;
  }
  if (current_world && note_dispatched) note_dispatched();
  next(group, queue, block);
}

__attribute__((weak)) void dispatch_block_notify(void *block, void *queue, void *notification) {
  FIND_NEXT(void, dispatch_block_notify, (void *, void *, void *))
  if (is_virtual() && notify(is_done, _Block_copy(block), (void (*)(void *))_Block_release, queue, notification)) return;
  next(block, queue, notification);
}

__attribute__((weak)) void dispatch_group_leave(void *group) {
  FIND_NEXT(void, dispatch_group_leave, (void *))
  next(group);
  if (virtual_system.check_notifications) virtual_system.check_notifications(group);
}

#else

void task_hooks_hear_dispatch(task_hooks_dispatched dispatched) {}
void task_hooks_hear_sleeps(task_hooks_slept slept, task_hooks_timed timed, task_hooks_off_main off_main) {}
void task_hooks_set_system(const task_hooks_system *system) {}
void task_hooks_forget_work(task_hooks_work *work) {}
void task_hooks_run_work(task_hooks_work *work) {}
void task_hooks_count_timer(int change) {}
bool task_hooks_has_stack(void) { return true; }
void task_hooks_release_queue(void *queue) {}
task_hooks_work *task_hooks_copy_work(const task_hooks_work *work) { return NULL; }
bool task_hooks_is_main_queue(void *queue) { return false; }
const char *task_hooks_queue_label(void *queue) { return ""; }
bool task_hooks_is_serial_queue(void *queue) { return false; }
void *task_hooks_root_queue(void *queue) { return queue; }
bool task_hooks_is_global_queue(void *queue) { return false; }

#endif

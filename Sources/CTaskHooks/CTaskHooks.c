#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "Hooks.h"

#include <stddef.h>

_Thread_local void *current_world;
static _Thread_local int creation_depth;

void *task_hooks_world(void) { return current_world; }

void task_hooks_set_world(void *world) { current_world = world; }

bool task_hooks_is_creating(void) { return creation_depth > 0; }

#if __has_attribute(swiftcall) && !defined(_WIN32) && !defined(__wasi__)

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#if defined(__linux__)
#include <sys/uio.h>
#include <unistd.h>
#endif

#define SWIFTCALL __attribute__((swiftcall))

typedef SWIFTCALL void (*enqueue_original)(void *job);
typedef SWIFTCALL void (*enqueue_hook)(void *job, enqueue_original original);
typedef SWIFTCALL void (*delay_original)(unsigned long long delay, void *job);
typedef SWIFTCALL void (*delay_hook)(unsigned long long delay, void *job, delay_original original);
typedef SWIFTCALL void (*deadline_original)(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock,
    void *job);
typedef SWIFTCALL void (*deadline_hook)(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock,
    void *job, deadline_original original);
typedef SWIFTCALL task_hooks_executor (*main_original)(void);
typedef SWIFTCALL task_hooks_executor (*main_hook)(main_original original);

static _Atomic int watcher_count;
static _Atomic uint64_t highest_task_id;

static task_hooks_take take_job;
static task_hooks_delayed note_delayed;
static task_hooks_take_main take_main_job;
static task_hooks_main find_main_executor;

// Whoever was there before.
static enqueue_hook next_enqueue;
static delay_hook next_delay;
static deadline_hook next_deadline;
static enqueue_hook next_enqueue_main;
static main_hook next_main;

extern SWIFTCALL uint64_t swift_task_getJobTaskId(void *job);
extern SWIFTCALL void *swift_task_getCurrent(void);

static void note_task_id(void *job) {
  uint64_t number = task_hooks_task_id(job);
  uint64_t highest = atomic_load_explicit(&highest_task_id, memory_order_relaxed);
  while (number > highest &&
         !atomic_compare_exchange_weak_explicit(
             &highest_task_id, &highest, number, memory_order_relaxed, memory_order_relaxed)) {
  }
}

uint64_t task_hooks_current_task_id(void) {
  void *task = swift_task_getCurrent();
  return task ? swift_task_getJobTaskId(task) : 0;
}

uint64_t task_hooks_newest_task_id(void) {
  uint64_t current = task_hooks_current_task_id();
  uint64_t highest = atomic_load_explicit(&highest_task_id, memory_order_relaxed);
  return current > highest ? current : highest;
}

static void lower_priority(void *job);
static void learn_status(void *job);

static SWIFTCALL void enqueue(void *job, enqueue_original original) {
  note_task_id(job);
  if (current_world) learn_status(job);
  if ((current_world || atomic_load_explicit(&watcher_count, memory_order_acquire) > 0) && take_job(job)) return;
  lower_priority(job);
  if (next_enqueue) return next_enqueue(job, original);
  original(job);
}

static SWIFTCALL void enqueue_with_delay(unsigned long long delay, void *job, delay_original original) {
  if (current_world) note_delayed(job);
  if (next_delay) return next_delay(delay, job, original);
  original(delay, job);
}

static SWIFTCALL void enqueue_with_deadline(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock,
    void *job, deadline_original original) {
  if (current_world) note_delayed(job);
  if (next_deadline)
    return next_deadline(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job, original);
  original(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job);
}

static SWIFTCALL void enqueue_main(void *job, enqueue_original original) {
  if (current_world && take_main_job(job)) return;
  if (next_enqueue_main) return next_enqueue_main(job, original);
  original(job);
}

static SWIFTCALL task_hooks_executor get_main(main_original original) {
  if (current_world) {
    task_hooks_executor executor = find_main_executor();
    if (executor.identity) return executor;
  }
  return next_main ? next_main(original) : original();
}

#if defined(__linux__)
// MARK: Creating

static task_hooks_created note_created;
static _Atomic bool sees_creations;

typedef struct {
  void *task;
  void *context;
} created_task;
typedef SWIFTCALL created_task (*create_function)(
    size_t flags, void *options, const void *type, void *entry, void *context);

// A task that begins on an actor that is busy passes no hook.
__attribute__((weak)) SWIFTCALL created_task
swift_task_create(size_t flags, void *options, const void *type, void *entry, void *context) {
  static _Atomic(create_function) real;
  create_function next = atomic_load_explicit(&real, memory_order_relaxed);
  if (!next) {
    next = (create_function)dlsym(RTLD_NEXT, "swift_task_create");
    atomic_store_explicit(&real, next, memory_order_relaxed);
    atomic_store_explicit(&sees_creations, true, memory_order_release);
  }
  if (!current_world) return next(flags, options, type, entry, context);
  creation_depth++;
  created_task created = next(flags, options, type, entry, context);
  creation_depth--;
  // The caller holds a reference, so a task that has already finished is still there.
  if (note_created) note_created(created.task);
  return created;
}

#if !defined(__ANDROID__) && (defined(__x86_64__) || defined(__aarch64__))
// After a hop to an actor the runtime's `Task.yield()` hands its continuation to libdispatch, past all hooks. So in a test program the function is one of
// SignalTesting, and with it the symbol that has its offset and the size of its frame. Both are weak: a program with a static runtime has the runtime's.
#define YIELD "$sScTss5NeverORszABRs_rlE5yieldyyYaFZ"
#if defined(__x86_64__)
#define JUMP "jmp"
#else
#define JUMP "b"
#endif
__asm__(
    ".pushsection .text\n"
    ".weak \"" YIELD "\"\n"
    ".type \"" YIELD "\", %function\n"
    "\"" YIELD "\":\n" JUMP " signals_yield\n"
    ".size \"" YIELD "\", .-\"" YIELD "\"\n"
    ".popsection\n"
    ".pushsection .data\n"
    ".weak \"" YIELD "Tu\"\n"
    ".type \"" YIELD "Tu\", %object\n"
    ".size \"" YIELD "Tu\", 8\n"
    ".p2align 3\n"
    "\"" YIELD "Tu\":\n"
    ".long signals_yield - .\n"
    // Replaced before anything runs.
    ".long 4096\n"
    ".popsection\n");

struct async_function {
  int32_t offset;
  uint32_t frame_size;
};

extern struct async_function replaced_yield __asm__(YIELD "Tu");
extern const struct async_function own_yield __asm__("signals_yieldTu");

__attribute__((constructor)) static void set_frame_size(void) {
  // Not where the symbol is the runtime's.
  if (replaced_yield.frame_size == 4096) replaced_yield.frame_size = own_yield.frame_size;
}

void *task_hooks_real_yield(void) { return dlsym(RTLD_NEXT, YIELD "Tu"); }
#endif

bool task_hooks_sees_creations(void) { return atomic_load_explicit(&sees_creations, memory_order_acquire); }

void task_hooks_listen(task_hooks_slept slept, task_hooks_timed timed, task_hooks_created created, task_hooks_off_main off_main) {
  note_created = created;
  task_hooks_hear_sleeps(slept, timed, off_main);
}
#else
bool task_hooks_sees_creations(void) { return false; }
void task_hooks_listen(task_hooks_slept slept, task_hooks_timed timed, task_hooks_created created, task_hooks_off_main off_main) {}
#endif

// MARK: Installing

// In a program with a static runtime the dynamic linker may not know these; then the static one does.
#if defined(__ELF__)
#define RUNTIME_VARIABLE(type, name) \
  extern type name __attribute__((weak)); \
  static type *find_##name(void) { \
    type *found = (type *)dlsym(RTLD_DEFAULT, #name); \
    return found ? found : &name; \
  }
#else
#define RUNTIME_VARIABLE(type, name) \
  static type *find_##name(void) { return (type *)dlsym(RTLD_DEFAULT, #name); }
#endif

RUNTIME_VARIABLE(enqueue_hook, swift_task_enqueueGlobal_hook)
RUNTIME_VARIABLE(delay_hook, swift_task_enqueueGlobalWithDelay_hook)
RUNTIME_VARIABLE(deadline_hook, swift_task_enqueueGlobalWithDeadline_hook)
RUNTIME_VARIABLE(enqueue_hook, swift_task_enqueueMainExecutor_hook)
RUNTIME_VARIABLE(main_hook, swift_task_getMainExecutor_hook)

#define PUT(variable, next, hook) \
  do { \
    if (variable) { \
      next = *variable; \
      *variable = hook; \
    } \
  } while (0)

bool task_hooks_install(
    task_hooks_take take, task_hooks_delayed delayed, task_hooks_take_main take_main, task_hooks_main main_executor,
    task_hooks_dispatched dispatched) {
  enqueue_hook *global = find_swift_task_enqueueGlobal_hook();
  if (!global) return false;
  delay_hook *delay = find_swift_task_enqueueGlobalWithDelay_hook();
  deadline_hook *deadline = find_swift_task_enqueueGlobalWithDeadline_hook();
  enqueue_hook *main = find_swift_task_enqueueMainExecutor_hook();
  main_hook *executor = find_swift_task_getMainExecutor_hook();
  take_job = take;
  note_delayed = delayed;
  take_main_job = take_main;
  find_main_executor = main_executor;
  task_hooks_hear_dispatch(dispatched);
  PUT(delay, next_delay, enqueue_with_delay);
  PUT(deadline, next_deadline, enqueue_with_deadline);
  PUT(main, next_enqueue_main, enqueue_main);
  PUT(executor, next_main, get_main);
  PUT(global, next_enqueue, enqueue);
  return true;
}

void task_hooks_watch_all(int change) { atomic_fetch_add_explicit(&watcher_count, change, memory_order_acq_rel); }

// MARK: Tasks

extern SWIFTCALL task_hooks_executor swift_task_getCurrentExecutor(void);

task_hooks_executor task_hooks_current_executor(void) { return swift_task_getCurrentExecutor(); }

void *task_hooks_current_actor(void) {
  task_hooks_executor executor = swift_task_getCurrentExecutor();
  // Only a default actor is its own executor.
  return executor.implementation ? NULL : executor.identity;
}

extern SWIFTCALL size_t swift_task_escalate(void *task, size_t priority);
extern SWIFTCALL void swift_task_cancel(void *task);
extern void *swift_weakInit(task_hooks_weak_task *reference, void *object);
extern void *swift_weakLoadStrong(task_hooks_weak_task *reference);
extern void swift_weakDestroy(task_hooks_weak_task *reference);
extern void swift_release(void *object);

// A task that was still there at the end of a test may have a priority for which the system has no queue.
static void lower_priority(void *job) {
  struct job *lowered = job;
  if ((lowered->flags >> 8 & 0xff) > 0x21) lowered->flags = (lowered->flags & ~0xff00u) | 0x2100;
}

static bool is_task(void *job) { return (((struct job *)job)->flags & 0xff) == 0; }

uint64_t task_hooks_task_id(void *job) { return is_task(job) ? swift_task_getJobTaskId(job) : 0; }

bool task_hooks_is_root(void *job) {
  // A child's memory may be part of its parent's.
  return is_task(job) && !(((struct job *)job)->flags & (1u << 24 | 1u << 26 | 1u << 28));
}

void task_hooks_weak_init(task_hooks_weak_task *reference, void *task) {
  // A task that prefers an executor is enqueued there, past the hook.
  learn_status(task);
  swift_weakInit(reference, task);
}

void task_hooks_weak_destroy(task_hooks_weak_task *reference) { swift_weakDestroy(reference); }

bool task_hooks_weak_is_there(task_hooks_weak_task *reference) {
  void *task = swift_weakLoadStrong(reference);
  if (task) swift_release(task);
  return task != NULL;
}

void task_hooks_weak_cancel(task_hooks_weak_task *reference) {
  void *task = swift_weakLoadStrong(reference);
  if (!task) return;
  swift_task_cancel(task);
  swift_release(task);
}

#if defined(__linux__) && __SIZEOF_POINTER__ == 8
// As ABI/Task.h and TaskPrivate.h have them: behind a job are two reserved words, the function that goes on, its context, and private storage that
// begins with two words about accesses and the status.
struct task {
  struct job job;
  void *reserved[2];
  void *resume;
  struct context *context;
  _Alignas(16) uintptr_t accesses[2];
  uint32_t status;
};

enum {
  status_priority = 0xff,
  status_running = 0x800,
  status_enqueued = 0x1000,
  status_complete = 0x2000,
  status_state = status_running | status_enqueued | status_complete,
  status_all = 0xffff,
};

struct context {
  struct context *parent;
  void *resume;
};

static intptr_t calls_of(struct task *task, uintptr_t *calls, intptr_t capacity) {
  intptr_t count = 0;
  for (struct context *context = task->context; context && count < capacity; context = context->parent)
    if (context->resume) calls[count++] = (uintptr_t)context->resume;
  return count;
}

static intptr_t calls_of_job(struct task *task, uintptr_t *calls, intptr_t capacity) {
  if (capacity < 1) return 0;
  calls[0] = (uintptr_t)task->resume;
  return 1 + calls_of(task, calls + 1, capacity - 1);
}

static uint32_t status_of(struct task *task) { return __atomic_load_n(&task->status, __ATOMIC_ACQUIRE); }

static bool is_status(uint32_t status, uint32_t state) {
  return (status & status_state) == state && !(status & ~status_all) && (status & status_priority);
}

// Whether the status of tasks is where it is expected.
static _Atomic bool knows_status;

// A task that is being enqueued, by another one or by none, has a status that is known.
static void learn_status(void *job) {
  if (atomic_load_explicit(&knows_status, memory_order_relaxed) || !is_task(job)) return;
  struct task *current = swift_task_getCurrent();
  if (current == job || (current && !is_status(status_of(current), status_running))) return;
  if (is_status(status_of(job), status_enqueued)) atomic_store_explicit(&knows_status, true, memory_order_release);
}

// Whether a task has finished, or -1 where that is not known.
static int is_complete(struct task *task) {
  uint32_t status = status_of(task);
  if (!atomic_load_explicit(&knows_status, memory_order_acquire) || !is_status(status, status & status_state)) return -1;
  return (status & status_complete) != 0;
}

static bool is_suspended(struct task *task) {
  return atomic_load_explicit(&knows_status, memory_order_acquire) && is_status(status_of(task), 0);
}

// Reads memory that another thread may free meanwhile.
static bool read_safely(const void *from, void *to, size_t size) {
  struct iovec local = {to, size}, remote = {(void *)from, size};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static intptr_t calls_of_suspended(struct task *task, uintptr_t *calls, intptr_t capacity) {
  if (!is_suspended(task)) return 0;
  struct context *first = __atomic_load_n(&task->context, __ATOMIC_ACQUIRE);
  intptr_t count = 0;
  struct context context;
  for (struct context *next = first; next && count < capacity; next = context.parent) {
    if (!read_safely(next, &context, sizeof context)) return 0;
    if (context.resume) calls[count++] = (uintptr_t)context.resume;
  }
  // It may have been resumed meanwhile.
  return is_suspended(task) && __atomic_load_n(&task->context, __ATOMIC_ACQUIRE) == first ? count : 0;
}
#else
static intptr_t calls_of(void *task, uintptr_t *calls, intptr_t capacity) { return 0; }
static intptr_t calls_of_job(void *task, uintptr_t *calls, intptr_t capacity) { return 0; }
static intptr_t calls_of_suspended(void *task, uintptr_t *calls, intptr_t capacity) { return 0; }
static void learn_status(void *job) {}
static int is_complete(void *task) { return -1; }
#endif

int task_hooks_weak_is_complete(task_hooks_weak_task *reference) {
  void *task = swift_weakLoadStrong(reference);
  if (!task) return 1;
  int complete = is_complete(task);
  swift_release(task);
  return complete;
}

bool task_hooks_weak_is_unfinished(task_hooks_weak_task *reference, uint8_t level) {
  int complete = task_hooks_weak_is_complete(reference);
  if (complete >= 0) return !complete;
  void *task = swift_weakLoadStrong(reference);
  if (!task) return false;
  // A task that has finished keeps the priority it had; one that had a higher one than the level cannot be told.
  bool unfinished = (((struct job *)task)->flags >> 8 & 0xff) < level && swift_task_escalate(task, level) == level;
  swift_release(task);
  return unfinished;
}

void *task_hooks_current_task(void) { return swift_task_getCurrent(); }

// Flags of a job as ABI/MetadataValues.h has them.
enum { is_async_let = 1u << 28 };

extern void *swift_retain(void *object);
extern SWIFTCALL bool swift_task_isCancelled(void *task);

void *task_hooks_retain_current_task(void) {
  struct job *task = swift_task_getCurrent();
  return task && !(task->flags & is_async_let) ? swift_retain(task) : NULL;
}

void task_hooks_release_task(void *task) { swift_release(task); }

bool task_hooks_is_cancelled(void *task) { return swift_task_isCancelled(task); }

bool task_hooks_is_fresh(void *task) {
  // Behind the context with which a task begins is nothing.
  uintptr_t calls[2];
  return is_task(task) && calls_of(task, calls, 2) < 2;
}

intptr_t task_hooks_current_calls(uintptr_t *calls, intptr_t capacity) {
  void *task = swift_task_getCurrent();
  return task ? calls_of(task, calls, capacity) : 0;
}

intptr_t task_hooks_job_calls(void *job, uintptr_t *calls, intptr_t capacity) {
  return is_task(job) ? calls_of_job(job, calls, capacity) : 0;
}

intptr_t task_hooks_weak_calls(task_hooks_weak_task *reference, uintptr_t *calls, intptr_t capacity) {
  void *task = swift_weakLoadStrong(reference);
  if (!task) return 0;
  intptr_t count = calls_of_suspended(task, calls, capacity);
  swift_release(task);
  return count;
}

// MARK: Properties

// As the standard library's ReflectionMirror.swift has it.
struct field {
  const char *name;
  void (*free_name)(const char *name);
  bool is_strong;
  bool is_variable;
};

typedef SWIFTCALL const void *(*field_reader)(const void *type, intptr_t index, struct field *result);
typedef SWIFTCALL intptr_t (*field_counter)(const void *type);

int task_hooks_property_is_strong(const void *type, intptr_t index) {
  field_counter count = (field_counter)dlsym(RTLD_DEFAULT, "swift_reflectionMirror_recursiveCount");
  field_reader read = (field_reader)dlsym(RTLD_DEFAULT, "swift_reflectionMirror_recursiveChildMetadata");
  if (!count || !read || index < 0 || index >= count(type)) return -1;
  struct field field = {NULL, NULL, true, false};
  if (!read(type, index, &field)) return -1;
  if (field.free_name) field.free_name(field.name);
  return field.is_strong;
}

#else

bool task_hooks_install(
    task_hooks_take take, task_hooks_delayed delayed, task_hooks_take_main take_main, task_hooks_main main_executor,
    task_hooks_dispatched dispatched) {
  return false;
}
bool task_hooks_sees_creations(void) { return false; }
void task_hooks_listen(task_hooks_slept slept, task_hooks_timed timed, task_hooks_created created, task_hooks_off_main off_main) {}
void task_hooks_watch_all(int change) {}
uint64_t task_hooks_task_id(void *job) { return 0; }
uint64_t task_hooks_current_task_id(void) { return 0; }
void *task_hooks_current_actor(void) { return NULL; }
uint64_t task_hooks_newest_task_id(void) { return 0; }
bool task_hooks_is_root(void *job) { return false; }
void task_hooks_weak_init(task_hooks_weak_task *reference, void *task) {}
void task_hooks_weak_destroy(task_hooks_weak_task *reference) {}
bool task_hooks_weak_is_there(task_hooks_weak_task *reference) { return false; }
void task_hooks_weak_cancel(task_hooks_weak_task *reference) {}
int task_hooks_weak_is_complete(task_hooks_weak_task *reference) { return -1; }
bool task_hooks_weak_is_unfinished(task_hooks_weak_task *reference, uint8_t level) { return false; }
void *task_hooks_current_task(void) { return NULL; }
void *task_hooks_retain_current_task(void) { return NULL; }
void task_hooks_release_task(void *task) {}
bool task_hooks_is_cancelled(void *task) { return false; }
bool task_hooks_is_fresh(void *task) { return false; }
intptr_t task_hooks_current_calls(uintptr_t *calls, intptr_t capacity) { return 0; }
intptr_t task_hooks_weak_calls(task_hooks_weak_task *reference, uintptr_t *calls, intptr_t capacity) { return 0; }
intptr_t task_hooks_job_calls(void *job, uintptr_t *calls, intptr_t capacity) { return 0; }
int task_hooks_property_is_strong(const void *type, intptr_t index) { return -1; }

#endif

void task_hooks_abandon_closure(void *context) {
  extern size_t swift_retainCount(void *object);
  extern void swift_release(void *object);
  extern void *swift_unownedRetain(void *object);
  if (!context) return;
  swift_unownedRetain(context);
  while (swift_retainCount(context) > 1) swift_release(context);
}

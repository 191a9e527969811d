#ifndef C_TASK_HOOKS_H
#define C_TASK_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

// What of the Swift runtime cannot be reached from Swift: its hooks for jobs, which have a calling convention of their own, and what it knows
// of a task and of a stored property. A platform without them has `task_hooks_install` return false, and the rest does nothing.

#if __has_attribute(swiftcall)
#define TASK_HOOKS_NONNULL _Nonnull
#define TASK_HOOKS_NULLABLE _Nullable
#else
#define TASK_HOOKS_NONNULL
#define TASK_HOOKS_NULLABLE
#endif

/// A reference to a serial executor, as the runtime has it.
typedef struct {
  void *TASK_HOOKS_NULLABLE identity;
  uintptr_t implementation;
} task_hooks_executor;

/// Takes a job that was meant for the global executor. Whether it was taken.
typedef bool (*task_hooks_take)(void *TASK_HOOKS_NONNULL job);
/// Hears of a job that the runtime puts off, by its own means.
typedef void (*task_hooks_delayed)(void *TASK_HOOKS_NONNULL job);
/// Takes a job that was meant for the main executor. Whether it was taken.
typedef bool (*task_hooks_take_main)(void *TASK_HOOKS_NONNULL job);
/// What stands for the main executor on this thread; no identity means the one that there is.
typedef task_hooks_executor (*task_hooks_main)(void);

/// Hears that this thread hands a block to a dispatch queue. Only on Linux, where a program's own functions come before those of libraries.
typedef void (*task_hooks_dispatched)(void);

/// Is called when this thread lets a task sleep in real time, with the nanoseconds; -1 where they are not known. Only on Linux, as above.
typedef void (*task_hooks_slept)(int64_t nanoseconds);
/// Is called when this thread sets a timer of a dispatch source. Only on Linux, as above.
typedef void (*task_hooks_timed)(void);
/// Is called when this thread has created a task, which may be running elsewhere already. Only on Linux, as above.
typedef void (*task_hooks_created)(void *TASK_HOOKS_NONNULL task);

/// Is called when this thread checks whether it runs on the main queue, and expects that it does, or does not. Whether it does not, as it does the work of an
/// actor or a task that is not the main actor's. Only on Linux, as above.
typedef bool (*task_hooks_off_main)(bool is_wanted);

/// Sets the functions to call for sleeps, timers, new tasks and checks of the main queue of a thread that has a world. Call it before the first thread has one.
void task_hooks_listen(
    task_hooks_slept TASK_HOOKS_NONNULL slept, task_hooks_timed TASK_HOOKS_NONNULL timed,
    task_hooks_created TASK_HOOKS_NONNULL created, task_hooks_off_main TASK_HOOKS_NONNULL off_main);

/// Whether new tasks are reported: so a task that was not reported was created elsewhere, or is a child that `async let` started.
bool task_hooks_sees_creations(void);
/// Whether this thread, which has a world, is creating a task: a task that it enqueues is that one.
bool task_hooks_is_creating(void);

#if defined(__linux__) && !defined(__ANDROID__) && (defined(__x86_64__) || defined(__aarch64__))
/// What the runtime calls `Task.yield()` through, where SignalTesting replaces it.
void *TASK_HOOKS_NULLABLE task_hooks_real_yield(void);
#endif

/// Puts hooks into the runtime, once. Hooks that others put there before are called for what is not taken.
///
/// While no thread has a world and `task_hooks_watch_all` is off, nothing is called.
/// Whether jobs for the global executor will be heard of.
bool task_hooks_install(
    task_hooks_take TASK_HOOKS_NONNULL take, task_hooks_delayed TASK_HOOKS_NONNULL delayed,
    task_hooks_take_main TASK_HOOKS_NONNULL take_main, task_hooks_main TASK_HOOKS_NONNULL main_executor,
    task_hooks_dispatched TASK_HOOKS_NONNULL dispatched);

/// What this thread runs for; null by default.
void *TASK_HOOKS_NULLABLE task_hooks_world(void);
void task_hooks_set_world(void *TASK_HOOKS_NULLABLE world);

/// Counts who wants to hear of jobs for the global executor from all threads.
void task_hooks_watch_all(int change);

/// The number of a job's task, which no other task of the process has; 0 when the job is not one of a task.
uint64_t task_hooks_task_id(void *TASK_HOOKS_NONNULL job);
/// The task that this thread runs; null if it runs none.
void *TASK_HOOKS_NULLABLE task_hooks_current_task(void);
/// Whether a task has not run yet, as far as that is known.
bool task_hooks_is_fresh(void *TASK_HOOKS_NONNULL task);
/// Retains the task that this thread runs; null if it runs none, or a child that `async let` started, which cannot be retained.
void *TASK_HOOKS_NULLABLE task_hooks_retain_current_task(void);
void task_hooks_release_task(void *TASK_HOOKS_NONNULL task);
bool task_hooks_is_cancelled(void *TASK_HOOKS_NONNULL task);
/// The number of the task that this thread runs; 0 if it runs none.
uint64_t task_hooks_current_task_id(void);
/// The serial executor that this thread runs on; no identity if it runs on none.
task_hooks_executor task_hooks_current_executor(void);
/// The default actor that this thread runs on; null if it runs on none.
void *TASK_HOOKS_NULLABLE task_hooks_current_actor(void);
/// A number that no task has that is started from now on, and most tasks that were started before have not passed.
uint64_t task_hooks_newest_task_id(void);
/// Whether a job is a task that no other task waits for when it ends.
bool task_hooks_is_root(void *TASK_HOOKS_NONNULL job);

/// A reference to a task that does not keep it.
typedef struct {
  void *TASK_HOOKS_NULLABLE storage[2];
} task_hooks_weak_task;

void task_hooks_weak_init(task_hooks_weak_task *TASK_HOOKS_NONNULL reference, void *TASK_HOOKS_NONNULL task);
void task_hooks_weak_destroy(task_hooks_weak_task *TASK_HOOKS_NONNULL reference);
bool task_hooks_weak_is_there(task_hooks_weak_task *TASK_HOOKS_NONNULL reference);
/// Cancels the task, if it is there.
void task_hooks_weak_cancel(task_hooks_weak_task *TASK_HOOKS_NONNULL reference);
/// 1 if the task has finished or is gone, 0 if it has not finished, -1 where that is not known.
int task_hooks_weak_is_complete(task_hooks_weak_task *TASK_HOOKS_NONNULL reference);
/// Whether the task is there and has not finished. Where its status is not known, its priority is raised to a level: each question needs a higher one. 0x21, the
/// highest that tasks have, is for the last, and 0x22 for a task that had that from the beginning.
bool task_hooks_weak_is_unfinished(task_hooks_weak_task *TASK_HOOKS_NONNULL reference, uint8_t level);

/// The functions that go on when the task that this thread runs is resumed, the innermost first; how many there are, at most `capacity`. To be asked
/// while the task begins to sleep. Only on Linux.
intptr_t task_hooks_current_calls(uintptr_t *TASK_HOOKS_NONNULL calls, intptr_t capacity);
/// The same of a job that is about to run on this thread, with the function that runs then; none where it is no task's.
intptr_t task_hooks_job_calls(void *TASK_HOOKS_NONNULL job, uintptr_t *TASK_HOOKS_NONNULL calls, intptr_t capacity);
/// The same of a task that is suspended; none where it is not, or where that is not known.
intptr_t task_hooks_weak_calls(
    task_hooks_weak_task *TASK_HOOKS_NONNULL reference, uintptr_t *TASK_HOOKS_NONNULL calls, intptr_t capacity);

/// Whether a stored property keeps what it refers to, 1, or is weak or unowned, 0; -1 where the runtime does not tell.
///
/// The type is that of an object, a structure or a tuple; properties of the classes above come first.
int task_hooks_property_is_strong(const void *TASK_HOOKS_NONNULL type, intptr_t index);

/// Lets a closure's context pass for unused although a task that never ends uses it. Its memory stays.
void task_hooks_abandon_closure(void *TASK_HOOKS_NULLABLE context);

// MARK: System time

/// What the clocks of the system show on a thread instead of the time. Only on Linux; elsewhere there are none.
typedef struct task_hooks_clock task_hooks_clock;

/// A clock whose virtual time has not begun. Wall clocks show the start, in nanoseconds since 1970; the others continue from what they show now. Null without memory.
task_hooks_clock *TASK_HOOKS_NULLABLE task_hooks_clock_create(int64_t start);
void task_hooks_clock_destroy(task_hooks_clock *TASK_HOOKS_NONNULL clock);
/// Sets the nanoseconds of virtual time that have passed.
void task_hooks_clock_set(task_hooks_clock *TASK_HOOKS_NONNULL clock, int64_t elapsed);
/// Lets the random numbers of threads with the clock come from a seed: those of the Swift library, `getrandom` and the like, `/dev/urandom`. To be called before a
/// thread has the clock.
void task_hooks_clock_seed(task_hooks_clock *TASK_HOOKS_NONNULL clock, uint64_t seed);
/// The clock of this thread; null for the system's.
task_hooks_clock *TASK_HOOKS_NULLABLE task_hooks_clock_here(void);
void task_hooks_set_clock_here(task_hooks_clock *TASK_HOOKS_NULLABLE clock);

/// Is called when a thread with a clock sleeps, with the nanoseconds. Whether virtual time has advanced instead.
typedef bool (*task_hooks_sleep_thread)(int64_t nanoseconds);
void task_hooks_hear_sleeping_threads(task_hooks_sleep_thread TASK_HOOKS_NONNULL sleep);

/// What becomes of a `dispatch_sync`.
typedef enum { task_hooks_sync_real, task_hooks_sync_noted, task_hooks_sync_done } task_hooks_sync;

/// A function that was submitted to a dispatch queue, or the block that has it.
typedef struct {
  void *TASK_HOOKS_NONNULL queue;
  void *TASK_HOOKS_NULLABLE context;
  void (*TASK_HOOKS_NONNULL function)(void *TASK_HOOKS_NULLABLE context);
  void *TASK_HOOKS_NULLABLE block;
  /// The group that is left when the work is forgotten.
  void *TASK_HOOKS_NULLABLE group;
  /// The group or the block that the work waits for, and what releases it.
  void *TASK_HOOKS_NULLABLE watched;
  void (*TASK_HOOKS_NULLABLE release_watched)(void *TASK_HOOKS_NULLABLE watched);
  bool is_barrier;
} task_hooks_work;

/// What is done with a timer source.
typedef enum {
  task_hooks_timer_created,
  task_hooks_timer_asked,
  task_hooks_timer_set,
  task_hooks_timer_handled,
  task_hooks_timer_cancel_handled,
  task_hooks_timer_activated,
  task_hooks_timer_resumed,
  task_hooks_timer_suspended,
  task_hooks_timer_cancelled,
  task_hooks_timer_counted,
  task_hooks_timer_retained,
  task_hooks_timer_released,
} task_hooks_timer_event;

/// What is done instead of libdispatch on a thread that has a clock. Each returns whether it was done; the work is then its own.
typedef struct {
  /// Calls a function of the runtime, which resumes the task that is about to sleep, after nanoseconds.
  bool (*TASK_HOOKS_NONNULL sleep)(void *TASK_HOOKS_NONNULL context, void (*TASK_HOOKS_NONNULL wake)(void *TASK_HOOKS_NULLABLE), int64_t nanoseconds);
  /// Runs work on its queue after nanoseconds.
  bool (*TASK_HOOKS_NONNULL submit)(task_hooks_work *TASK_HOOKS_NONNULL work, uint64_t nanoseconds);
  /// Is called when a work item was cancelled, which may wait for its time.
  void (*TASK_HOOKS_NONNULL cancelled)(void *TASK_HOOKS_NONNULL block);
  /// Runs work on its queue once a condition of an object is met: that it is empty, if it is a group.
  bool (*TASK_HOOKS_NONNULL notify)(
      task_hooks_work *TASK_HOOKS_NONNULL work, bool (*TASK_HOOKS_NONNULL is_over)(void *TASK_HOOKS_NONNULL), void *TASK_HOOKS_NONNULL object, bool is_group);
  /// Runs other work until a condition is met, or nanoseconds have passed; -1 for no limit. 0 if the condition was met, 1 at the limit, -1 if it was not done.
  intptr_t (*TASK_HOOKS_NONNULL wait)(
      bool (*TASK_HOOKS_NONNULL is_over)(void *TASK_HOOKS_NONNULL), void *TASK_HOOKS_NONNULL object, int64_t nanoseconds, const char *TASK_HOOKS_NONNULL what);
  /// Is called when this thread is about to run a function on a queue with `dispatch_sync`: runs the work that waits for the queue, or also the function.
  task_hooks_sync (*TASK_HOOKS_NONNULL begin_sync)(
      void *TASK_HOOKS_NONNULL queue, void *TASK_HOOKS_NULLABLE context, void (*TASK_HOOKS_NONNULL function)(void *TASK_HOOKS_NULLABLE context));
  /// Is called when the function has returned, if `begin_sync` has noted it.
  void (*TASK_HOOKS_NONNULL end_sync)(void *TASK_HOOKS_NONNULL queue);
  /// Is called on any thread for an object that may be a timer source of virtual time: with its queue when it is created, its delay and interval in
  /// nanoseconds when it is set, and a handler's work, which is then its own. Its queue, or the number of times it fired; -1 if it is none.
  intptr_t (*TASK_HOOKS_NONNULL timer)(
      task_hooks_timer_event event, void *TASK_HOOKS_NULLABLE source, task_hooks_work *TASK_HOOKS_NULLABLE work, int64_t first, int64_t second);
  /// Is called on any thread when a group was left.
  void (*TASK_HOOKS_NONNULL check_notifications)(void *TASK_HOOKS_NONNULL group);
} task_hooks_system;

/// Sets the functions, before the first thread has a clock.
void task_hooks_set_system(const task_hooks_system *TASK_HOOKS_NONNULL system);
/// Runs work on its queue, and returns when it has finished.
void task_hooks_run_work(task_hooks_work *TASK_HOOKS_NONNULL work);
/// The same work a second time; null without memory.
task_hooks_work *TASK_HOOKS_NULLABLE task_hooks_copy_work(const task_hooks_work *TASK_HOOKS_NONNULL work);
/// Counts the timer sources of virtual time.
void task_hooks_count_timer(int change);
/// Where the code of this thread runs.
typedef struct {
  /// The queues of the innermost work item.
  const void *TASK_HOOKS_NULLABLE queues;
  /// Whether it runs inside the wait of other code.
  bool is_inside_wait;
} task_hooks_place;
/// Is called before this thread runs other work while its code waits: that work is on none of the code's queues, and not on its actor. Returns the place of
/// the code.
task_hooks_place task_hooks_begin_wait(void);
void task_hooks_end_wait(task_hooks_place outer);
/// Whether this thread's stack has space for a nested run of other work.
bool task_hooks_has_stack(void);
/// Releases the queue that a created timer source has been told with.
void task_hooks_release_queue(void *TASK_HOOKS_NULLABLE queue);
/// Releases work, once.
void task_hooks_forget_work(task_hooks_work *TASK_HOOKS_NONNULL work);
bool task_hooks_is_main_queue(void *TASK_HOOKS_NONNULL queue);
/// The label of a queue; empty if it has none.
const char *TASK_HOOKS_NONNULL task_hooks_queue_label(void *TASK_HOOKS_NONNULL queue);
bool task_hooks_is_serial_queue(void *TASK_HOOKS_NONNULL queue);
/// The last of the serial queues to which a queue leads by its targets: two queues with the same one never run at once.
void *TASK_HOOKS_NONNULL task_hooks_root_queue(void *TASK_HOOKS_NONNULL queue);
/// Whether a queue is one of the system, which runs work concurrently.
bool task_hooks_is_global_queue(void *TASK_HOOKS_NONNULL queue);

#endif

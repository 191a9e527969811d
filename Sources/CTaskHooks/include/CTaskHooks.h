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
/// Whether the task is there and has not finished. Where its status is not known, its priority is raised to a level: each question needs a higher one. 0x21, the
/// highest that tasks have, is for the last, and 0x22 for a task that had that from the beginning.
bool task_hooks_weak_is_unfinished(task_hooks_weak_task *TASK_HOOKS_NONNULL reference, uint8_t level);

/// The functions that go on when the task that this thread runs is resumed, the innermost first; how many there are, at most `room`. To be asked
/// while the task begins to sleep. Only on Linux.
intptr_t task_hooks_current_calls(uintptr_t *TASK_HOOKS_NONNULL calls, intptr_t room);
/// The same of a job that is about to run on this thread, with the function that runs then; none where it is no task's.
intptr_t task_hooks_job_calls(void *TASK_HOOKS_NONNULL job, uintptr_t *TASK_HOOKS_NONNULL calls, intptr_t room);
/// The same of a task that is suspended; none where it is not, or where that is not known.
intptr_t task_hooks_weak_calls(
    task_hooks_weak_task *TASK_HOOKS_NONNULL reference, uintptr_t *TASK_HOOKS_NONNULL calls, intptr_t room);

/// Whether a stored property keeps what it refers to, 1, or is weak or unowned, 0; -1 where the runtime does not tell.
///
/// The type is that of an object, a structure or a tuple; properties of the classes above come first.
int task_hooks_property_is_strong(const void *TASK_HOOKS_NONNULL type, intptr_t index);

#endif

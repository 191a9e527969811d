// The clocks of the system, which show virtual time on a thread that has a virtual clock.

#include "Hooks.h"

#include <stdlib.h>

static _Thread_local task_hooks_clock *current_clock;

task_hooks_clock *task_hooks_clock_here(void) { return current_clock; }

void task_hooks_set_clock_here(task_hooks_clock *clock) { current_clock = clock; }

#if defined(__linux__)

#include <errno.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { second = 1000000000 };

static int real_time(clockid_t clock, struct timespec *time) {
  FIND_NEXT(int, clock_gettime, (clockid_t, struct timespec *))
  // A static C library is no library to search.
  return next ? next(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

static int64_t real_nanoseconds(clockid_t clock) {
  struct timespec time = {0, 0};
  if (real_time(clock, &time)) return 0;
  return (int64_t)time.tv_sec * second + time.tv_nsec;
}

task_hooks_clock *task_hooks_clock_create(int64_t start) {
  task_hooks_clock *clock = calloc(1, sizeof(task_hooks_clock));
  if (!clock) return NULL;
  int64_t wall = real_nanoseconds(CLOCK_REALTIME);
  // Some clocks take a system call, and show the same as another.
  static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME, CLOCK_TAI};
  for (size_t index = 0; index < sizeof clocks / sizeof clocks[0]; index++) clock->starts[clocks[index]] = real_nanoseconds(clocks[index]);
  clock->starts[CLOCK_BOOTTIME_ALARM] = clock->starts[CLOCK_BOOTTIME];
  clock->starts[CLOCK_TAI] += start - wall;
  clock->starts[CLOCK_REALTIME] = clock->starts[CLOCK_REALTIME_COARSE] = clock->starts[CLOCK_REALTIME_ALARM] = start;
  return clock;
}

void task_hooks_clock_destroy(task_hooks_clock *clock) { free(clock); }

void task_hooks_clock_set(task_hooks_clock *clock, int64_t elapsed) {
  atomic_store_explicit(&clock->elapsed, elapsed, memory_order_relaxed);
}

// Whether a clock shows the time, and not the use of a processor or what a driver has.
static bool is_virtual(clockid_t clock) {
  return current_clock && clock >= 0 && clock < clock_count && clock != CLOCK_PROCESS_CPUTIME_ID &&
         clock != CLOCK_THREAD_CPUTIME_ID;
}

static int64_t virtual_nanoseconds(clockid_t clock) {
  int64_t elapsed = atomic_load_explicit(&current_clock->elapsed, memory_order_relaxed), sum;
  return __builtin_add_overflow(current_clock->starts[clock], elapsed, &sum) ? INT64_MAX : sum;
}

__attribute__((weak)) int clock_gettime(clockid_t clock, struct timespec *time) {
  if (__builtin_expect(!is_virtual(clock), true)) return real_time(clock, time);
  int64_t nanoseconds = virtual_nanoseconds(clock);
  // Rounded down also before 1970.
  time->tv_sec = nanoseconds / second - (nanoseconds % second < 0);
  time->tv_nsec = nanoseconds - (int64_t)time->tv_sec * second;
  return 0;
}

__attribute__((weak)) int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  FIND_NEXT(int, gettimeofday, (struct timeval *, void *))
  if (__builtin_expect(!current_clock, true)) return next ? next(time, zone) : (int)syscall(SYS_gettimeofday, time, zone);
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  *time = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
  return 0;
}

__attribute__((weak)) time_t time(time_t *result) {
  FIND_NEXT(time_t, time, (time_t *))
  if (__builtin_expect(!current_clock, true) && next) return next(result);
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (result) *result = precise.tv_sec;
  return precise.tv_sec;
}

// MARK: Sleeping threads

static task_hooks_sleep_thread sleep_thread;

void task_hooks_hear_sleeping_threads(task_hooks_sleep_thread sleep) { sleep_thread = sleep; }

// Whether virtual time has advanced by the duration instead.
static bool has_slept(const struct timespec *duration) {
  if (!current_clock || !sleep_thread || !duration || duration->tv_nsec < 0 || duration->tv_nsec >= second) return false;
  int64_t nanoseconds;
  if (__builtin_mul_overflow((int64_t)duration->tv_sec, (int64_t)second, &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, (int64_t)duration->tv_nsec, &nanoseconds)) nanoseconds = INT64_MAX;
  return sleep_thread(nanoseconds);
}

__attribute__((weak)) int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  FIND_NEXT(int, nanosleep, (const struct timespec *, struct timespec *))
  if (has_slept(duration)) return 0;
  return next ? next(duration, remaining) : (int)syscall(SYS_nanosleep, duration, remaining);
}

__attribute__((weak)) int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *duration, struct timespec *remaining) {
  FIND_NEXT(int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *))
  if (is_virtual(clock) && duration) {
    struct timespec delay = *duration;
    if (flags & TIMER_ABSTIME) {
      int64_t left = (int64_t)duration->tv_sec * second + duration->tv_nsec - virtual_nanoseconds(clock);
      if (left < 0) left = 0;
      delay = (struct timespec){left / second, left % second};
    }
    if (has_slept(&delay)) return 0;
  }
  if (next) return next(clock, flags, duration, remaining);
  return syscall(SYS_clock_nanosleep, clock, flags, duration, remaining) ? errno : 0;
}

__attribute__((weak)) int usleep(useconds_t microseconds) {
  struct timespec duration = {microseconds / 1000000, microseconds % 1000000 * 1000};
  return nanosleep(&duration, NULL);
}

__attribute__((weak)) unsigned sleep(unsigned seconds) {
  struct timespec duration = {seconds, 0}, remaining = {0, 0};
  if (!nanosleep(&duration, &remaining)) return 0;
  return (unsigned)remaining.tv_sec + (remaining.tv_nsec > 0);
}

#else

task_hooks_clock *task_hooks_clock_create(int64_t start) { return NULL; }
void task_hooks_clock_destroy(task_hooks_clock *clock) {}
void task_hooks_clock_set(task_hooks_clock *clock, int64_t elapsed) {}
void task_hooks_hear_sleeping_threads(task_hooks_sleep_thread sleep) {}

#endif

// The system's random numbers, which come from a seed on a thread that has a virtual clock with one.

#include "Hooks.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const uint64_t golden = 0x9E3779B97F4A7C15ull;

// SplitMix64.
static uint64_t mix(uint64_t state) {
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ull;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBull;
  return state ^ (state >> 31);
}

// The clock of this thread, if its random numbers come from a seed.
static task_hooks_clock *seeded_clock(void) {
  task_hooks_clock *clock = task_hooks_clock_here();
  return clock && clock->is_seeded ? clock : NULL;
}

// Whether the bytes come from a seed.
static bool fill(void *bytes, size_t count) {
  task_hooks_clock *clock = seeded_clock();
  if (__builtin_expect(!clock, true)) return false;
  for (size_t offset = 0; offset < count; offset += sizeof(uint64_t)) {
    uint64_t number = mix(atomic_fetch_add_explicit(&clock->random, golden, memory_order_relaxed) + golden);
    size_t left = count - offset;
    memcpy((char *)bytes + offset, &number, left < sizeof(number) ? left : sizeof(number));
  }
  return true;
}

void task_hooks_clock_seed(task_hooks_clock *clock, uint64_t seed) {
  atomic_store_explicit(&clock->random, seed, memory_order_relaxed);
  clock->is_seeded = true;
}

#if defined(__x86_64__) || defined(__aarch64__)
// As the C library does it. Its own function is not called, because a static C library would not contain it any more.
static long system_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
#else
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  long result = x0;
#endif
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

// The Swift library asks the system in this way.
__attribute__((weak)) long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_getrandom && fill((void *)a, (size_t)b)) return b;
  return system_call(number, a, b, c, d, e, f);
}

// A file with random numbers from the seed. -1 without memory.
static int open_seeded(void) {
  uint64_t numbers[512];
  if (!fill(numbers, sizeof(numbers[0]))) return -1;
  for (size_t index = 1; index < 512; index++) numbers[index] = mix(numbers[0] + index * golden);
  int file = (int)system_call(SYS_memfd_create, (long)"random", 0, 0, 0, 0, 0);
  if (file < 0) return -1;
  if (system_call(SYS_pwrite64, file, (long)numbers, sizeof(numbers), 0, 0, 0) == sizeof(numbers)) return file;
  close(file);
  return -1;
}

// `UUID()` reads a device.
__attribute__((weak)) int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    va_end(list);
  }
  if (__builtin_expect(seeded_clock() != NULL, false) && (!strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random"))) {
    int file = open_seeded();
    if (file >= 0) return file;
  }
  return (int)system_call(SYS_openat, AT_FDCWD, (long)path, flags, mode, 0, 0);
}
#endif

__attribute__((weak)) ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  if (fill(bytes, count)) return (ssize_t)count;
  return syscall(SYS_getrandom, bytes, count, flags);
}

__attribute__((weak)) int getentropy(void *bytes, size_t count) {
  if (count > 256) {
    errno = EIO;
    return -1;
  }
  while (count > 0) {
    ssize_t filled = getrandom(bytes, count, 0);
    if (filled < 0 && errno == EINTR) continue;
    if (filled <= 0) return -1;
    bytes = (char *)bytes + filled;
    count -= (size_t)filled;
  }
  return 0;
}

__attribute__((weak)) void arc4random_buf(void *bytes, size_t count) {
  for (size_t offset = 0; offset < count; offset += 256) {
    size_t left = count - offset;
    if (getentropy((char *)bytes + offset, left < 256 ? left : 256)) abort();
  }
}

__attribute__((weak)) uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof(number));
  return number;
}

__attribute__((weak)) uint32_t arc4random_uniform(uint32_t limit) {
  if (limit < 2) return 0;
  // The first numbers are skipped, so that each remainder is equally likely.
  uint32_t number, first = -limit % limit;
  do number = arc4random(); while (number < first);
  return number % limit;
}

// Other libraries, such as Foundation, ask the Swift library.
__attribute__((weak)) void swift_stdlib_random(void *bytes, size_t count) {
  FIND_NEXT(void, swift_stdlib_random, (void *, size_t))
  if (!fill(bytes, count) && next) next(bytes, count);
}

#else

void task_hooks_clock_seed(task_hooks_clock *clock, uint64_t seed) {}

#endif

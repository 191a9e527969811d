#pragma once

// Linux's calls for threads that wait for a word in memory to change, which Swift cannot reach: `syscall` takes any number of arguments.
#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <stdint.h>
#include <unistd.h>

/// Waits while the word has this value. Returns at once if it has another one, and now and then without a cause.
static inline void wait_while_equal(const uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/// Wakes one thread that waits for this word, if there is one. The word is not read, so it may be gone.
static inline void wake_one(const uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }
#endif

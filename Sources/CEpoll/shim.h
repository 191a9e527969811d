#pragma once

// Swift's module of the C library leaves epoll out.
#if defined(__linux__)
#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

// The flag RWF_NOWAIT of preadv2, which not every C library has.
enum { signals_read_nowait = 0x00000008 };

// Reads from where the descriptor is, and never waits. Returns the number of bytes, or an error code as a negative number: -EAGAIN when nothing can
// be read now, -EOPNOTSUPP when the descriptor cannot be read in this way, -ENOSYS when the system has no such call.
static inline ssize_t read_without_waiting(int descriptor, void *bytes, size_t count) {
#if defined(SYS_preadv2) && !defined(__ANDROID__) // Android ends programs that make calls it does not know.
  struct { void *base; size_t length; } part = {bytes, count};
  long result = syscall(SYS_preadv2, descriptor, &part, 1L, -1L, -1L, (long)signals_read_nowait);
  return result < 0 ? -errno : result;
#else
  return -ENOSYS;
#endif
}
#endif

#pragma once

// Swift's module of the C library leaves epoll out.
#if defined(__linux__)
#include <sys/epoll.h>
#endif

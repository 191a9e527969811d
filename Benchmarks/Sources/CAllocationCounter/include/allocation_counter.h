#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stddef.h>
#include <stdint.h>

/// How many blocks this program has allocated so far, on all threads. Always 0 where allocations cannot be counted.
uint64_t allocation_count(void);

/// How many bytes are allocated now. Always 0 where allocations cannot be counted.
uint64_t allocated_bytes(void);

#endif

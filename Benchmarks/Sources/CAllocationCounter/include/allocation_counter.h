#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stddef.h>
#include <stdint.h>

/// Turns counting on or off. It is off at first, as it makes each allocation slower.
void count_allocations(_Bool on);

/// How many blocks were allocated while counting was on, on all threads. Always 0 where allocations cannot be counted.
uint64_t allocation_count(void);

/// How many bytes more are allocated than when counting was turned on, as malloc rounds them, without its headers. Always 0 where allocations cannot be counted.
int64_t allocated_bytes(void);

/// How many blocks more are allocated than when counting was turned on. Always 0 where allocations cannot be counted.
int64_t allocated_blocks(void);

#endif

#include "allocation_counter.h"

#include <stdatomic.h>

#if defined(__linux__) && defined(__GLIBC__)

// The program's own malloc stands before glibc's, which can still be reached by its internal names.
#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static _Atomic _Bool is_counting;
static _Atomic uint64_t count;
static _Atomic int64_t bytes;
static _Atomic int64_t live_blocks;

static void *counted(void *block) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed) && block) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, (int64_t)malloc_usable_size(block), memory_order_relaxed);
    atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
  }
  return block;
}

static void uncounted(void *block) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed) && block) {
    atomic_fetch_sub_explicit(&bytes, (int64_t)malloc_usable_size(block), memory_order_relaxed);
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *made = counted(__libc_memalign(alignment, size));
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}

void *realloc(void *block, size_t size) {
  uncounted(block);
  return counted(__libc_realloc(block, size));
}

void free(void *block) {
  uncounted(block);
  __libc_free(block);
}

void count_allocations(_Bool on) { atomic_store_explicit(&is_counting, on, memory_order_relaxed); }
uint64_t allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }
int64_t allocated_bytes(void) { return atomic_load_explicit(&bytes, memory_order_relaxed); }
int64_t allocated_blocks(void) { return atomic_load_explicit(&live_blocks, memory_order_relaxed); }

#else

void count_allocations(_Bool on) { (void)on; }
uint64_t allocation_count(void) { return 0; }
int64_t allocated_bytes(void) { return 0; }
int64_t allocated_blocks(void) { return 0; }

#endif

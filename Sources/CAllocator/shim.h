#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// Asks for the memory at an address, which will be read soon. Any address will do.
static inline void callocator_prefetch(const void *address) { __builtin_prefetch(address); }

// Asks for large pages behind memory that was not touched yet; the system may do as it likes.
static inline void callocator_prefer_large_pages(uintptr_t start, uintptr_t end) {
  const uintptr_t large = 2 << 20;
  start = (start + large - 1) & ~(large - 1);
  end &= ~(large - 1);
  if (start < end) madvise((void *)start, end - start, MADV_HUGEPAGE);
}

// Has the calling thread's heap grow by `bytes`, which are not touched, with large pages behind them.
// It is one piece, for pages behind something that was touched are small. Pieces larger than `limit`
// are otherwise the system's own.
static inline void callocator_widen(int bytes, int limit) {
  mallopt(M_MMAP_THRESHOLD, bytes + 4096);
  void *volatile taken = malloc(bytes);
  mallopt(M_MMAP_THRESHOLD, limit);
  const uintptr_t start = (uintptr_t)taken;
  if (start) callocator_prefer_large_pages(start, start + bytes);
  free(taken);
}

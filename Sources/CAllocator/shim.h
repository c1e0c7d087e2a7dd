#include <malloc.h>
#include <stdlib.h>

// Asks for the memory at an address, which will be read soon. Any address will do.
static inline void callocator_prefetch(const void *address) { __builtin_prefetch(address); }

// Has the calling thread's heap grow by `pieces` times `bytes`, which are not touched.
static inline void callocator_widen(int pieces, size_t bytes) {
  void *volatile taken[64];
  if (pieces > 64) pieces = 64;
  for (int i = 0; i < pieces; i++) taken[i] = malloc(bytes);
  for (int i = 0; i < pieces; i++) free(taken[i]);
}
